import { goToSetting } from "../settings/sought.svelte";
import type { App } from "../state/app.svelte";
import { tellLanguage } from "../state/updates.svelte";
import { appStrings } from "../strings";
import { languageOf, speakNow } from "../strings/language";

/**
 * Switches to the language of the settings at once, whichever tab changed it.
 * @param onchange called when the language has changed
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
        // When starting offline, it is expected that some things are missing.
        if (isNew) app.notices.show({ text: appStrings.common.notLoaded });
        return;
      }
      if (isAtSetting) goToSetting(app, "language", "appearance");
      if ("serviceWorker" in navigator) void tellLanguage();
      onchange();
    }
  };
  $effect.root(() => {
    $effect(() => {
      void app.catalogue.settings.language;
      turn = turn.then(follow);
    });
  });
}
