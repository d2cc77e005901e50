import { speak } from "./catalogue";
import { formatFor } from "./format";
import { languageOf, type Language } from "./language-of";

/** Sets the language; call it before anything is shown. If its strings can't be loaded, it is English. */
export async function speakLanguage(chosen: Language | "system", wanted: readonly string[]): Promise<Language> {
  const { language, locale } = languageOf(chosen, wanted);
  if (language === "de") {
    // Offline and not cached yet: English is better than nothing.
    const loaded = await import("./de").catch(() => undefined);
    if (loaded) {
      speak(loaded.de, locale);
      return language;
    }
  }
  formatFor(languageOf("en", wanted).locale);
  return "en";
}
