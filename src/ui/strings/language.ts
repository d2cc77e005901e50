import { speak } from "./catalogue";
import type { TextTree } from "./texts";

/** How the texts of languages other than English are loaded, by the paths of their files, which the build finds. */
const FILES = import.meta.glob<TextTree>(["../../locales/*.json", "!../../locales/en.json"], { import: "default" });

const RIGHT_TO_LEFT: readonly string[] = ["ar", "fa", "he", "ur"];

export const directionOf = (language: string): "ltr" | "rtl" => (RIGHT_TO_LEFT.includes(language) ? "rtl" : "ltr");

/** A language's texts; undefined if they can't be loaded, as when offline and not cached yet: English beats nothing. */
export async function textsIn(language: string): Promise<TextTree | undefined> {
  return FILES[`../../locales/${language}.json`]?.().catch(() => undefined);
}

/** The language codes in the names of such paths, English first. */
export function codesOf(paths: readonly string[]): string[] {
  return ["en", ...paths.map((path) => path.replace(/^.*\/|\.json$/g, ""))];
}

/** Languages that the app has, by their codes, which are the names of their files. */
export const LANGUAGES: readonly string[] = codesOf(Object.keys(FILES));

/** Languages whose texts a speaker has read. The list of languages says that the others are unread. */
export const REVIEWED: readonly string[] = ["en", "de"];

/** The script of a language's texts, even if its tag doesn't name it: "Hant" for "zh-TW". */
function scriptOf(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag).maximize().script;
  } catch (error) {
    // A browser can be set to anything.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Whether who wants `tag` is served by the language: "pt-BR" by "pt", but "zh-TW" not by "zh", which is simplified. */
function isServed(tag: string, language: string): boolean {
  return `${tag}-`.startsWith(`${language}-`) && scriptOf(tag) === scriptOf(language);
}

/**
 * The language of the app, and the locale for dates and numbers.
 *
 * @param chosen what the settings say: whatever is stored; what is not spoken counts as the browser's choice
 * @param wanted languages of the browser, most preferred first (`navigator.languages`)
 */
export function languageOf(
  chosen: string,
  wanted: readonly string[],
  spokenHere: readonly string[] = LANGUAGES,
): { language: string; locale: string } {
  const tags = wanted.map((tag) => {
    // The most specific one that fits: "pt-BR" before "pt".
    const fits = spokenHere.filter((language) => isServed(tag, language));
    return { tag, spoken: fits.sort((a, b) => b.length - a.length)[0] };
  });
  const language = spokenHere.includes(chosen) ? chosen : (tags.find(({ spoken }) => spoken)?.spoken ?? "en");
  // "en" alone names no region, and Intl would take it for the United States.
  const own = language === "en" ? "en-GB" : language;
  return { language, locale: tags.find(({ tag, spoken }) => spoken === language && tag.includes("-"))?.tag ?? own };
}

/** A language's name for itself, by Intl: "Deutsch". A code that Intl doesn't know stays as it is. */
export function endonym(language: string): string {
  const name = new Intl.DisplayNames([language], { type: "language" }).of(language) ?? language;
  // Some languages write their names in lower case within a sentence.
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

/** Sets the language; call it while nothing is shown. If its texts can't be loaded, it is English. */
export async function speakLanguage(
  chosen: string,
  wanted: readonly string[],
): Promise<{ lang: string; dir: "ltr" | "rtl" }> {
  const { language, locale } = languageOf(chosen, wanted);
  const texts = await textsIn(language);
  const lang = texts ? language : "en";
  speak(texts, lang, texts ? locale : languageOf("en", wanted).locale);
  return { lang, dir: directionOf(lang) };
}
