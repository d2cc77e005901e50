import { trustedScriptUrl } from "../../client";
import { whenIdle } from "./after-next-paint";
import { Workbox } from "workbox-window";

/** The very first worker, which fetches the whole app, leaves the page this long, ms, to load what it shows. */
const FIRST_AFTER_MS = 3_000;

/** How often an open page looks for a new version, ms, because a tab may stay open for weeks. */
const ASK_EVERY_MS = 60 * 60_000;

/**
 * After a press the page reloads within this time, ms, whatever the waiting version does: a newer one may have replaced
 * it, and the browser keeps it waiting while the current one works.
 */
const RELOAD_WITHIN_MS = 4_000;

/** The service worker and its waiting new version, if any. Without a secure context there is neither. */
export class Updates {
  /** Whether a new version is ready to load. */
  ready = $state(false);
  /** Whether the app opens without a network, which needs the service worker to have cached its files. */
  offline = $state<"no" | "kept" | "failed">("no");
  #take = (): void => location.reload();

  /** Registers the service worker of a built app when the page is idle. */
  async start(): Promise<void> {
    if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
    await whenIdle();
    if (navigator.serviceWorker.controller === null)
      await new Promise((resolve) => setTimeout(resolve, FIRST_AFTER_MS));
    try {
      const workbox = new Workbox(trustedScriptUrl("./sw.js"));
      workbox.addEventListener("waiting", () => {
        this.ready = true;
        this.#take = () => workbox.messageSkipWaiting();
      });
      // The first service worker to control this page isn't a new version, even if another tab registered it.
      let hasOne = navigator.serviceWorker.controller !== null;
      workbox.addEventListener("controlling", () => {
        if (!hasOne) {
          hasOne = true;
          return;
        }
        // Reload now if the user pressed here. If they pressed in another tab, offer it here too, because this tab's
        // files are gone.
        if (this.#pressed) location.reload();
        this.ready = true;
        this.#take = () => location.reload();
      });
      await workbox.register();
      this.offline = "kept";
      void tellLanguage();
      setInterval(() => void this.#ask(workbox), ASK_EVERY_MS);
    } catch (error) {
      // The browser's settings refuse it, or its file is missing. The app works, but only with a network.
      this.offline = "failed";
      if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
    }
  }

  #pressed = false;

  apply(): void {
    this.#pressed = true;
    this.#take();
    setTimeout(() => location.reload(), RELOAD_WITHIN_MS);
  }

  async #ask(workbox: { update(): Promise<void> }): Promise<void> {
    if (!navigator.onLine) return;
    try {
      await workbox.update();
      this.offline = "kept";
    } catch (error) {
      // No answer: keep the cached version and ask again in an hour.
      if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
    }
  }
}

/** Each version keeps its file of the current language, also one that waits; English is in the app itself. */
export async function tellLanguage(): Promise<void> {
  const { active, waiting, installing } = await navigator.serviceWorker.ready;
  for (const worker of [active, waiting, installing])
    worker?.postMessage({ type: "LANGUAGE", code: document.documentElement.lang });
}
