import { alertRuleStrings, alertStrings, backupStrings, settingsStrings } from "../strings";
import { endonym, LANGUAGES, REVIEWED } from "../strings/language";
import type { SettingPlace } from "./setting-place";

interface NamedPlace {
  place: SettingPlace;
  label: string;
  /** The heading that it stands under. */
  section: string;
  /** The choices and other content there, by whose words it is found too. */
  choices?: Record<string, string>;
}

/** Every place, in the order of `SETTING_PLACES`. */
export function settingPlaces(): NamedPlace[] {
  const strings = settingsStrings;
  const { appearance, reading, keeping, storage, about, swipe, keys, swipes, install, display } = strings;
  const { actions } = swipes;
  return [
    { place: "theme", label: strings.theme, section: appearance, choices: strings.themes },
    { place: "density", label: strings.density, section: appearance, choices: strings.densities },
    { place: "textSize", label: display.size, section: appearance, choices: display.sizes },
    { place: "hours", label: display.clock, section: appearance, choices: display.hours },
    { place: "times", label: display.time, section: appearance, choices: display.times },
    { place: "language", label: strings.language, section: appearance, choices: languageNames() },
    { place: "alerts", label: alertStrings.heading, section: "" },
    { place: "repeatUrgent", label: alertRuleStrings.repeat.label, section: alertStrings.heading },
    {
      place: "quietHours",
      label: alertRuleStrings.quiet.heading,
      section: alertStrings.heading,
      choices: { keep: alertRuleStrings.quiet.keep },
    },
    {
      place: "sounds",
      label: alertRuleStrings.sounds.heading,
      section: alertStrings.heading,
      choices: { ...alertRuleStrings.sounds.names, ...alertRuleStrings.sounds.of },
    },
    {
      place: "outages",
      label: alertRuleStrings.outage.label,
      section: alertStrings.heading,
      choices: { pause: alertRuleStrings.outage.pause },
    },
    { place: "markRead", label: strings.markRead, section: reading, choices: strings.markReads },
    { place: "historyRead", label: strings.historyRead, section: reading, choices: strings.historyReadChoices },
    { place: "allowedRemote", label: strings.allowedRemote, section: reading },
    { place: "allowedRequests", label: strings.requests.heading, section: reading },
    { place: "swipeRight", label: swipes.swipeRight, section: swipe, choices: actions },
    { place: "swipeLeft", label: swipes.swipeLeft, section: swipe, choices: actions },
    { place: "singleKeys", label: strings.singleKeys, section: keys, choices: strings.singleKeysChoices },
    { place: "keepDays", label: strings.keepDays, section: keeping },
    { place: "keepMessages", label: strings.keepMessages, section: keeping },
    { place: "prune", label: strings.prune, section: keeping },
    { place: "keepFiles", label: strings.files.label, section: keeping },
    { place: "keepFilesAll", label: `${strings.files.label}: ${strings.files.all}`, section: keeping },
    { place: "install", label: install.heading, section: "" },
    { place: "storage", label: storage, section: "" },
    { place: "backup", label: backupStrings.heading, section: "" },
    { place: "about", label: about, section: "" },
  ];
}

/** The choices of a setting, in the order of its texts. */
export function choices<Value extends string>(labels: Record<Value, string>): { value: Value; label: string }[] {
  return (Object.entries(labels) as [Value, string][]).map(([value, label]) => ({ value, label }));
}

/** The names of the language choices, in order: the browser's, then each language in its own. */
export function languageNames(languages: readonly string[] = LANGUAGES): Record<string, string> {
  const nameOf = (language: string) =>
    REVIEWED.includes(language) ? endonym(language) : settingsStrings.unreviewed({ name: endonym(language) });
  const names = languages.map((language): [string, string] => [language, nameOf(language)]);
  return { system: settingsStrings.asBrowser, ...Object.fromEntries(names) };
}
