import english from "../../locales/en.json";
import type { Texts } from "../../locales/texts";
import { formatFor, FORMATS } from "./format";
import { type TextTree, textsOf } from "./texts";

const inLanguage = (own: TextTree, language: string): Texts => textsOf(english, own, language, FORMATS) as Texts;

/** All texts, in the current language, which is set after modules have loaded: read them when they are shown. */
export const appStrings: Texts = inLanguage({}, "en");
formatFor("en-GB", appStrings.formats);

export const {
  alertRules: alertRuleStrings,
  alerts: alertStrings,
  attachment: attachmentStrings,
  away: awayStrings,
  backup: backupStrings,
  columns: columnStrings,
  commands: commandStrings,
  devices: deviceStrings,
  errors: errorStrings,
  filter: filterStrings,
  frame: frameStrings,
  health: healthStrings,
  help: helpStrings,
  host: hostStrings,
  jump: jumpStrings,
  message: messageStrings,
  missing: missingStrings,
  push: pushStrings,
  raw: rawStrings,
  rows: rowStrings,
  servers: serverStrings,
  settings: settingsStrings,
  state: stateStrings,
  topics: topicStrings,
  views: viewStrings,
  wall: wallStrings,
} = appStrings;

/**
 * Switches the language; without texts, to English. What is on the page must be drawn again, because texts are read
 * when they are shown.
 *
 * @param locale for numbers and dates
 */
export function speak(own: TextTree | undefined, language: string, locale: string): void {
  const texts = inLanguage(own ?? {}, language);
  for (const name of Object.keys(texts) as (keyof Texts)[]) Object.assign(appStrings[name], texts[name]);
  formatFor(locale, appStrings.formats);
}
