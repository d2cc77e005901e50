import { endonym, LANGUAGES, REVIEWED } from "../strings/language";
import { settingsStrings } from "../strings";

/** The names of the language choices, in order: the browser's, then each language in its own. */
export function languageNames(languages: readonly string[] = LANGUAGES): Record<string, string> {
  const nameOf = (language: string) =>
    REVIEWED.includes(language) ? endonym(language) : settingsStrings.unreviewed({ name: endonym(language) });
  const names = languages.map((language): [string, string] => [language, nameOf(language)]);
  return { system: settingsStrings.asBrowser, ...Object.fromEntries(names) };
}
