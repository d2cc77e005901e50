import { speak } from "./catalogue";
import { FOLDERS, languageOf } from "./language-of";

/** What is spoken on the page, and which way it is written. */
interface Spoken {
  lang: string;
  dir: "ltr" | "rtl";
}

/** Sets the language; call it before anything is shown. If its strings can't be loaded, it is English. */
export async function speakLanguage(chosen: string, wanted: readonly string[]): Promise<Spoken> {
  const { language, locale } = languageOf(chosen, wanted);
  // Offline and not cached yet: English is better than nothing.
  const loaded = await FOLDERS[`./${language}/index.ts`]?.().catch(() => undefined);
  speak(loaded, loaded ? locale : languageOf("en", wanted).locale);
  return { lang: loaded ? language : "en", dir: loaded?.direction ?? "ltr" };
}
