import { tick } from "svelte";
import { speak } from "./catalogue";
import { formatFor, NO_LANGUAGE } from "./format";
import { FOLDERS, languageOf } from "./language-of";

/**
 * Speaks a language from now on, on a page that is there and that is drawn anew. If its strings can't be loaded, false, and
 * all stays as it is.
 */
export async function speakNow(chosen: string, root: HTMLElement): Promise<boolean> {
  const { language, locale } = languageOf(chosen, navigator.languages);
  const loaded = await FOLDERS[`./${language}/index.ts`]?.().catch(() => undefined);
  if (!loaded && language !== "en") return false;
  formatFor(NO_LANGUAGE);
  // What was drawn is taken away before its strings change.
  await tick();
  root.lang = language;
  root.dir = loaded?.direction ?? "ltr";
  speak(loaded, locale);
  await tick();
  return true;
}
