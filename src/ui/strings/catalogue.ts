import type { alertRules } from "./en/alert-rules";
import type { alerts } from "./en/alerts";
import type { attachment } from "./en/attachment";
import type { away } from "./en/away";
import type { backup } from "./en/backup";
import type { columns, wall } from "./en/columns";
import type { commands } from "./en/commands";
import type { filter } from "./en/filter";
import type { health } from "./en/health";
import type { help } from "./en/help";
import type { host } from "./en/host";
import type { jump } from "./en/jump";
import type { message } from "./en/message";
import type { missing } from "./en/missing";
import type { push } from "./en/push";
import type { raw } from "./en/raw";
import type { servers } from "./en/servers";
import type { settings } from "./en/settings";
import type { topics } from "./en/topics";
import type { views } from "./en/views";
import type { deferredShell } from "./en/deferred-shell";
import type { errors } from "./en/errors";
import type { rows } from "./en/rows";
import type { state } from "./en/state";
import { en } from "./en";
import { formatFor, type FormatStrings } from "./format";

/** All strings of one language: those of the first screens, and those of screens that load later. */
export interface StringCatalogue {
  appStrings: typeof en;
  alertRules: typeof alertRules;
  alerts: typeof alerts;
  attachment: typeof attachment;
  away: typeof away;
  backup: typeof backup;
  columns: typeof columns;
  wall: typeof wall;
  commands: typeof commands;
  filter: typeof filter;
  health: typeof health;
  help: typeof help;
  host: typeof host;
  jump: typeof jump;
  message: typeof message;
  missing: typeof missing;
  push: typeof push;
  raw: typeof raw;
  servers: typeof servers;
  settings: typeof settings;
  topics: typeof topics;
  views: typeof views;
  deferredShell: typeof deferredShell;
  errors: typeof errors;
  rows: typeof rows;
  state: typeof state;
  formats: FormatStrings;
  /** Which way the language is written. */
  direction: "ltr" | "rtl";
}

type Part = Exclude<keyof StringCatalogue, "direction" | "formats">;

/** Some of a section's strings; functions, which make a string of what they are given, are whole or absent. */
type Some<Strings> = Strings extends string | readonly unknown[] | ((...given: never[]) => unknown)
  ? Strings
  : { [Key in keyof Strings]?: Some<Strings[Key]> | undefined };

/** What a language has of the catalogue. A string that it lacks is English. */
export type Translation = Pick<StringCatalogue, "direction" | "formats"> & {
  [Name in Part]: Some<StringCatalogue[Name]>;
};

/** English strings, with those of a translation in their places. */
function translated<Strings extends object>(english: Strings, translation: object = {}): Strings {
  const strings = Object.entries({ ...english, ...translation }).map(([key, own]: [string, unknown]) => {
    const before: unknown = english[key as keyof Strings];
    return [key, isSection(before) && isSection(own) ? translated(before, own) : own];
  });
  return Object.fromEntries(strings) as Strings;
}

const isSection = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

let spoken: Translation | undefined;

/** Writes the spoken language into strings that were handed out. */
const writeAgain: (() => void)[] = [];

/**
 * Switches the language, to English without a catalogue. What is on the page has to be drawn anew, as strings are read when
 * they are shown.
 */
export function speak(catalogue: Translation | undefined, locale: string): void {
  spoken = catalogue;
  for (const write of writeAgain) write();
  formatFor(locale, catalogue?.formats);
}

/** The strings of a screen that loads later, in the current language. */
export function later<Name extends Part>(name: Name, english: StringCatalogue[Name]): StringCatalogue[Name] {
  const now = (): StringCatalogue[Name] => translated(english, spoken?.[name]);
  const strings = now();
  writeAgain.push(() => Object.assign(strings, now()));
  return strings;
}

/**
 * Strings of the first screens. Read them when they are shown, never while a module loads: the language is set later.
 */
export const appStrings = later("appStrings", en);
