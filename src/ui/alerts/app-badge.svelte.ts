import type { App } from "../state/app.svelte";
import { throttled } from "../state/throttled.svelte";

/** Keeps the count of unread messages on the app's icon, where the system has such a thing and the app is installed. */
export function startAppBadge(app: App): void {
  // Not known to every browser, whatever the types say.
  if (!("setAppBadge" in navigator)) return;
  $effect.root(() => {
    const unread = throttled(() => app.unread);
    $effect(() => {
      navigator.setAppBadge(unread()).catch((error: unknown) => {
        // The system shows none just now.
        if (!(error instanceof DOMException)) throw error;
      });
    });
  });
}
