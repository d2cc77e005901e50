// What is on the pages of the settings: found by name there and in the palette, and drawn from here if it is a choice.
import type { Display, Settings } from "../../client";
import {
  alertRuleStrings,
  alertStrings,
  backupStrings,
  commandStrings,
  deviceStrings,
  settingsStrings,
} from "../strings";
import { endonym, LANGUAGES, REVIEWED } from "../strings/language";
import type { SettingsPageName } from "./setting-place";

/** One of a few values, stored as soon as it is chosen. */
interface SettingChoice {
  /** The options' texts by their values. */
  options: Record<string, string>;
  chosen: (settings: Settings) => string;
  /** The settings that change with a choice. */
  change: (value: string, settings: Settings) => Partial<Settings>;
  /** What the choice entails, if that isn't obvious. */
  hint?: (settings: Settings) => string;
}

interface NamedPlace<Place extends string> {
  place: Place;
  label: string;
  page: SettingsPageName;
  /** Other words there, by which it can be found. */
  also?: string[];
  choice?: SettingChoice;
}

/** The choice of a setting that is stored under the name of its place. */
function own(name: keyof Settings, options: Record<string, string>): SettingChoice {
  return { options, chosen: (settings) => String(settings[name]), change: (value) => ({ [name]: value }) };
}

/** The same for one that is on or off. */
function onOff(name: "historyRead" | "singleKeys", options: Record<string, string>, on: string): SettingChoice {
  const [off = ""] = Object.keys(options).filter((key) => key !== on);
  return {
    options,
    chosen: (settings) => (settings[name] ? on : off),
    change: (value) => ({ [name]: value === on }),
  };
}

/** The same for a part of how things look; the default value isn't stored. */
function display(name: keyof Display, options: Record<string, string>, standard: string): SettingChoice {
  return {
    options,
    chosen: ({ display }) => String(display?.[name] ?? standard),
    change: (value, { display }) => {
      const { [name]: _before, ...others } = display ?? {};
      const kept = name === "textSize" ? Number(value) : value;
      return { display: { ...others, ...(value !== standard && { [name]: kept }) } };
    },
  };
}

/** Keeps the names of the places in the type. */
const inOrder = <Place extends string>(places: NamedPlace<Place>[]): NamedPlace<Place>[] => places;

export type SettingPlace = ReturnType<typeof settingPlaces>[number]["place"];

/** Settings and other parts of their pages that can be found by name, in order. */
export function settingPlaces() {
  const strings = settingsStrings;
  const { swipes, install, files } = strings;
  const { sizes, times } = strings.display;
  const { outage, quiet, repeat, sounds } = alertRuleStrings;
  const devices = deviceStrings;
  const inGroup = [devices.name, devices.server, devices.join.link, ...Object.values(devices.shareKinds)];
  /** In percent of the browser's own size. */
  const SIZES = { 90: sizes.small, 100: sizes.normal, 115: sizes.large, 130: sizes.larger };
  const language: SettingChoice = {
    ...own("language", languageNames()),
    chosen: ({ language }) => (LANGUAGES.includes(language) ? language : "system"),
  };
  const markRead: SettingChoice = {
    ...own("markRead", strings.markReads),
    hint: ({ markRead }) => (markRead === "seen" ? strings.seenHint : strings.hints.markRead[markRead]),
  };
  const historyRead = onOff("historyRead", strings.historyReadChoices, "read");
  const singleKeys = {
    ...onOff("singleKeys", strings.singleKeysChoices, "on"),
    hint: () => strings.singleKeysHint,
  };
  const { actions } = swipes;
  return inOrder([
    { place: "theme", label: strings.theme, page: "appearance", choice: own("theme", strings.themes) },
    { place: "density", label: strings.density, page: "appearance", choice: own("density", strings.densities) },
    { place: "textSize", label: strings.display.size, page: "appearance", choice: display("textSize", SIZES, "100") },
    { place: "times", label: strings.display.time, page: "appearance", choice: display("times", times, "absolute") },
    { place: "language", label: strings.language, page: "appearance", choice: language },
    { place: "alerts", label: alertStrings.heading, page: "alerts" },
    { place: "muteAll", label: alertRuleStrings.muteAll.heading, page: "alerts" },
    { place: "quietHours", label: quiet.heading, page: "alerts", also: [quiet.keep] },
    { place: "repeatUrgent", label: repeat.label, page: "alerts" },
    { place: "sounds", label: sounds.heading, page: "alerts", also: Object.values({ ...sounds.names, ...sounds.of }) },
    { place: "outages", label: outage.label, page: "alerts" },
    { place: "markRead", label: strings.markRead, page: "reading", choice: markRead },
    { place: "historyRead", label: strings.historyRead, page: "reading", choice: historyRead },
    { place: "swipeRight", label: swipes.swipeRight, page: "reading", choice: own("swipeRight", actions) },
    { place: "swipeLeft", label: swipes.swipeLeft, page: "reading", choice: own("swipeLeft", actions) },
    { place: "singleKeys", label: strings.singleKeys, page: "reading", choice: singleKeys },
    { place: "hides", label: strings.hides.heading, page: "reading" },
    { place: "allowedRemote", label: strings.allowedRemote, page: "reading" },
    { place: "allowedRequests", label: strings.requests.heading, page: "reading" },
    { place: "keepDays", label: strings.keepDays, page: "storage" },
    { place: "keepMessages", label: strings.keepMessages, page: "storage" },
    { place: "prune", label: strings.prune, page: "storage" },
    { place: "keepFiles", label: files.label, page: "storage" },
    { place: "keepFilesAll", label: `${files.label}: ${files.all}`, page: "storage" },
    { place: "storage", label: strings.storage, page: "storage" },
    { place: "group", label: devices.heading, page: "devices", also: inGroup },
    { place: "install", label: install.heading, page: "devices" },
    { place: "backup", label: backupStrings.heading, page: "devices" },
    { place: "about", label: strings.pages.about, page: "about" },
  ]);
}

/** Words other than its name by which a place can be found. */
export function wordsAt({ place, also = [], choice }: NamedPlace<SettingPlace>): string {
  const further: Partial<Record<SettingPlace, string>> = commandStrings.palette.also.settings;
  return [...also, ...Object.values(choice?.options ?? {}), further[place] ?? ""].join(" ");
}

/** The names of the language choices, in order: the browser's, then each language in its own. */
export function languageNames(languages: readonly string[] = LANGUAGES): Record<string, string> {
  const nameOf = (language: string) =>
    REVIEWED.includes(language) ? endonym(language) : settingsStrings.unreviewed({ name: endonym(language) });
  const names = languages.map((language): [string, string] => [language, nameOf(language)]);
  return { system: settingsStrings.asBrowser, ...Object.fromEntries(names) };
}
