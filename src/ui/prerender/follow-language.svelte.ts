import { goToSetting } from "../settings/sought.svelte";
import type { App } from "../state/app.svelte";
import { tellLanguage } from "../state/updates.svelte";
import { whenIdle } from "../state/when-idle";
import { appStrings } from "../strings";
import { languageOf } from "../strings/language-of";
import { speakNow } from "../strings/speak-now";
import { cacheStrings } from "./cache-strings";

/**
 * Speaks the language that the settings say as soon as they say it, whichever tab they were changed in, and keeps its
 * strings for the next start.
 * @param onchange called when another language is spoken
 */
export function followLanguage(app: App, onchange: () => void): void {
  let turn: Promise<void> = Promise.resolve();
  let asked = app.catalogue.settings.language;
  const follow = async (): Promise<void> => {
    const { language } = app.catalogue.settings;
    if (languageOf(language, navigator.languages).language !== document.documentElement.lang) {
      const isAtSetting = document.activeElement?.closest("[data-place=language]");
      const isNew = language !== asked;
      asked = language;
      if (!(await speakNow(language, document.documentElement))) {
        // At a start without a network, it is known that much isn't there.
        if (isNew) app.notices.show({ text: appStrings.common.notLoaded });
        return;
      }
      if (isAtSetting) goToSetting(app, "language");
      if ("serviceWorker" in navigator) void tellLanguage();
      onchange();
    }
    await whenIdle();
    cacheStrings(app);
  };
  $effect.root(() => {
    $effect(() => {
      const { display, language } = app.catalogue.settings;
      void [display, language];
      turn = turn.then(follow);
    });
  });
}
