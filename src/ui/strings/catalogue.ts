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
import { formatFor, type FormatWords } from "./format";

/**
 * Strings of the first screens. Read them when they are shown, never while a module loads: the language is set later.
 */
export const appStrings = { ...en };

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
  formats: FormatWords;
  /** Which way the language is written. */
  direction: "ltr" | "rtl";
}

let spoken: StringCatalogue | undefined;

/**
 * Strings that were requested before the language was set: the build may bundle a part's code into a file that loads
 * earlier.
 */
const early = new Map<Exclude<keyof StringCatalogue, "direction">, object>();

/** Switches the language. Call it before the page shows anything. */
export function speak(catalogue: StringCatalogue, locale: string): void {
  spoken = catalogue;
  Object.assign(appStrings, catalogue.appStrings);
  for (const [name, given] of early) Object.assign(given, catalogue[name]);
  formatFor(locale, catalogue.formats);
}

/** The strings of a screen that loads later, in the current language. */
export function later<Name extends Exclude<keyof StringCatalogue, "direction">>(
  name: Name,
  english: StringCatalogue[Name],
): StringCatalogue[Name] {
  if (spoken) return spoken[name];
  const given = { ...english };
  early.set(name, given);
  return given;
}
