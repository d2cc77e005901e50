import type { App } from "../state/app.svelte";
import { whenIdle } from "../state/when-idle";
import { cacheStrings } from "./cache-strings";

/** Keeps the strings for the next start as the settings have them, as long as the page lives. */
export function keepStrings(app: App): void {
  $effect.root(() => {
    $effect(() => {
      void app.catalogue.settings.display;
      void whenIdle().then(() => cacheStrings(app));
    });
  });
}
