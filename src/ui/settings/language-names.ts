import { endonym, LANGUAGES } from "../strings/language-of";
import { settingsStrings } from "../strings/settings";

/** What each choice of the language setting is called, in order: the browser's, then every language by its own name. */
export function languageNames(): Record<string, string> {
  const names = LANGUAGES.map((language): [string, string] => [language, endonym(language)]);
  return { system: settingsStrings.asBrowser, ...Object.fromEntries(names) };
}
