import { trustedScriptUrl } from "../../client";
import { whenIdle } from "./when-idle";

/** How often a page that stays open asks for a new version: a tab may live for weeks. */
const ASK_EVERY_MS = 60 * 60_000;

/** The service worker and the new version that waits behind it, if any. Without a secure context there is neither. */
export class Updates {
  /** A new version is here and waits to be taken. */
  ready = $state(false);
  /** Whether the app opens without a network: not before the service worker has its files. */
  offline = $state<"no" | "kept" | "failed">("no");
  #take = (): void => location.reload();

  /** Registers the service worker of a built app; its library comes when the page is at rest. */
  async start(): Promise<void> {
    if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
    await whenIdle();
    try {
      const { Workbox } = await import("workbox-window");
      const workbox = new Workbox(trustedScriptUrl("./sw.js"));
      workbox.addEventListener("waiting", () => {
        this.ready = true;
        this.#take = () => workbox.messageSkipWaiting();
      });
      // The first to take this page, even if another tab brought it, is no new version.
      let hasOne = navigator.serviceWorker.controller !== null;
      workbox.addEventListener("controlling", () => {
        if (!hasOne) {
          hasOne = true;
          return;
        }
        // Pressed here: load it now. Pressed in another tab: this one is asked too, as its own files are gone.
        if (this.#pressed) location.reload();
        this.ready = true;
        this.#take = () => location.reload();
      });
      await workbox.register();
      this.offline = "kept";
      setInterval(() => void this.#ask(workbox), ASK_EVERY_MS);
    } catch (error) {
      // Refused by the browser's settings, or the file is not there: the app works, but only with a network.
      this.offline = "failed";
      if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
    }
  }

  #pressed = false;

  /** Loads the new version. */
  apply(): void {
    this.#pressed = true;
    this.#take();
  }

  async #ask(workbox: { update(): Promise<void> }): Promise<void> {
    if (!navigator.onLine) return;
    try {
      await workbox.update();
      this.offline = "kept";
    } catch (error) {
      // No answer just now: what is kept stays, and the next hour asks again.
      if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
    }
  }
}
