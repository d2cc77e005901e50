import { tick } from "svelte";
import { startBackgroundSync } from "../alerts/background-sync";
import { pushesOf } from "../alerts/push.svelte";
import { goToSetting } from "../settings/sought.svelte";
import type { App } from "../state/app.svelte";
import { tellLanguage } from "../state/updates.svelte";
import { appStrings, formatFor, NO_LANGUAGE } from "../strings";
import { languageOf, speakLanguage, textsIn } from "../strings/language";

/** Switches to the language of the settings at once, whichever tab changed it. */
export function followLanguage(app: App): void {
  let turn: Promise<void> = Promise.resolve();
  let asked = app.catalogue.settings.language;
  const follow = async (): Promise<void> => {
    const { language } = app.catalogue.settings;
    const code = languageOf(language, navigator.languages).language;
    // It may have changed before this started to follow.
    if (code === document.documentElement.lang) return;
    const isNew = language !== asked;
    asked = language;
    if (code !== "en" && !(await textsIn(code))) {
      // When the app starts offline, some things are expected to be missing.
      if (isNew) app.notices.show({ text: appStrings.common.notLoaded });
      return;
    }
    const isAtSetting = document.activeElement?.closest("[data-place=language]");
    formatFor(NO_LANGUAGE);
    // What was drawn is removed before its texts change.
    await tick();
    Object.assign(document.documentElement, await speakLanguage(language, navigator.languages));
    await tick();
    if (isAtSetting) goToSetting(app, "language", "appearance");
    if ("serviceWorker" in navigator) void tellLanguage();
    void startBackgroundSync(app);
    pushesOf(app)?.renew();
  };
  $effect.root(() => {
    $effect(() => {
      void app.catalogue.settings.language;
      turn = turn.then(follow);
    });
  });
}
