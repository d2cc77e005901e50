import { flushSync, hydrate, mount } from "svelte";
import { rowKey } from "../contract";
import { EMPTY_CATALOGUE, type Client } from "../client";
import { emojiTableCome } from "./message/body/emoji-table.svelte";
import App from "./App.svelte";
import { feedCacheOf, type FeedState } from "./feed/feed-state.svelte";
import { firstScreen, takeOver } from "./snapshot/first-screen";
import { within } from "./state/after-next-paint";
import { type AppProps, App as AppState } from "./state/app.svelte";
import { homeServer } from "./state/home";
import { speakLanguage } from "./strings/language";

/** How long the page waits for its first rows, ms, so that they come with its first frame and no "loading" is shown. */
const PATIENCE_MS = 60;

/** The same, ms, over a snapshot, which stays until the app has read its rows. */
const PATIENCE_WITH_ROWS_MS = 2_000;

/** Reads the small tables and mounts the app in the page. If they can't be read, a strip says so. */
export async function mountApp(target: HTMLElement, client: Client): Promise<AppState> {
  const read = await client.read((reader) => reader.catalogue());
  const tables = read.ok ? read.value : EMPTY_CATALOGUE;
  Object.assign(document.documentElement, await speakLanguage(tables.settings.language, navigator.languages));
  const app = new AppState(client, tables, homeServer(document, location.origin));
  app.start();
  const first = firstScreen();
  let kept: FeedState | undefined;
  // Someone with no subscriptions, or following a link to something new, sees no feed yet.
  const showsFeed = app.catalogue.subscriptions.length > 0 && app.pane.unsubscribed.length === 0;
  if (showsFeed && app.pane.scope) {
    kept = feedCacheOf(app.pane, client).open(app.pane.scope);
    const patienceMs = first ? PATIENCE_WITH_ROWS_MS : PATIENCE_MS;
    // Emoji and tags are in the snapshot, so they must not disappear and return.
    const begun = first ? Promise.all([kept.begun, emojiTableCome(Promise.resolve())]) : kept.begun;
    await within<unknown>(begun, patienceMs);
  }
  if (!first) takeOverFirstScreen(target, app);
  else {
    await first.still();
    takeOver(first, (place) => {
      const row = kept?.rows.find((one) => rowKey(one) === place?.key);
      if (kept && row && place) kept.place = { ...place, time: row.time, arrival: row.arrival };
      // The snapshot's rows fill the screen, so the app's first frame must too.
      if (kept) kept.initialItemCount = Infinity;
      mount(App, { target, props: { app } satisfies AppProps });
      flushSync();
      if (kept) kept.initialItemCount = undefined;
    });
  }
  return app;
}

/**
 * Draws the app. If the page shows a first screen (`src/ui/inline.ts`), the app takes over its elements with what was
 * typed and chosen, and repeats the last press. Whatever differs is drawn anew.
 */
function takeOverFirstScreen(target: HTMLElement, app: AppState): void {
  target.onclick = target.onsubmit = null;
  const pressed = target.querySelector<HTMLButtonElement>("button[aria-busy]");
  pressed?.removeAttribute("aria-busy");
  (target.hasChildNodes() ? hydrate : mount)(App, { target, props: { app } satisfies AppProps });
  flushSync();
  if (pressed?.isConnected) pressed.click();
}
