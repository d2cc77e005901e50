import type { App } from "../state/app.svelte";
import { throttled } from "../state/throttled.svelte";

/** Keeps the unread count on the app's icon, if the system supports badges and the app is installed. */
export function startAppBadge(app: App): void {
  // Missing in some browsers, whatever the types say.
  if (!("setAppBadge" in navigator)) return;
  $effect.root(() => {
    const unread = throttled(() => app.unread);
    $effect(() => {
      navigator.setAppBadge(unread()).catch((error: unknown) => {
        // The system can't show a badge now.
        if (!(error instanceof DOMException)) throw error;
      });
    });
  });
}
