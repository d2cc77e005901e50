import { endonym, LANGUAGES, REVIEWED } from "../strings/language-of";
import { settingsStrings } from "../strings/settings";

/** What each choice of the language setting is called, in order: the browser's, then every language by its own name. */
export function languageNames(languages: readonly string[] = LANGUAGES): Record<string, string> {
  const nameOf = (language: string) =>
    REVIEWED.includes(language) ? endonym(language) : settingsStrings.unreviewed(endonym(language));
  const names = languages.map((language): [string, string] => [language, nameOf(language)]);
  return { system: settingsStrings.asBrowser, ...Object.fromEntries(names) };
}
