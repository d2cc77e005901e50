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

let spoken: StringCatalogue | undefined;

/** Strings that were handed out, with their names and the English ones: another language is written into them. */
const handedOut: [strings: object, name: Part, english: object][] = [];

/**
 * Switches the language, to English without a catalogue. What is on the page has to be drawn anew, as strings are read when
 * they are shown.
 */
export function speak(catalogue: StringCatalogue | undefined, locale: string): void {
  spoken = catalogue;
  for (const [strings, name, english] of handedOut) Object.assign(strings, catalogue?.[name] ?? english);
  formatFor(locale, catalogue?.formats);
}

/** The strings of a screen that loads later, in the current language. */
export function later<Name extends Part>(name: Name, english: StringCatalogue[Name]): StringCatalogue[Name] {
  const strings = { ...(spoken?.[name] ?? english) };
  handedOut.push([strings, name, english]);
  return strings;
}

/**
 * Strings of the first screens. Read them when they are shown, never while a module loads: the language is set later.
 */
export const appStrings = later("appStrings", en);
