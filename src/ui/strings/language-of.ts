/** Languages that the app speaks. */
const LANGUAGES = ["en", "de"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The locale whose dates and numbers are shown to users whose language names no region. */
const PLACES: Record<Language, string> = { en: "en-GB", de: "de-DE" };

/**
 * The language of the app, and the locale for dates and numbers.
 *
 * @param chosen what the settings say
 * @param wanted languages of the browser, most preferred first (`navigator.languages`)
 */
export function languageOf(
  chosen: Language | "system",
  wanted: readonly string[],
): { language: Language; locale: string } {
  const tags = wanted.map((tag) => ({ tag, spoken: LANGUAGES.find((language) => tag.split("-")[0] === language) }));
  const language = chosen === "system" ? (tags.find(({ spoken }) => spoken)?.spoken ?? "en") : chosen;
  // "en" alone names no region.
  const locale = tags.find(({ tag, spoken }) => spoken === language && tag.includes("-"))?.tag ?? PLACES[language];
  return { language, locale };
}
