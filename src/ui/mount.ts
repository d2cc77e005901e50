import { flushSync, mount } from "svelte";
import { EMPTY_CATALOGUE, type Client } from "../client";
import App from "./App.svelte";
import type { CachedFeed } from "./feed/feed-cache.svelte";
import { firstScreen, takeOver } from "./prerender/first-screen";
import { loadFeedPage } from "./shell/load-feed-page";
import { App as AppState } from "./state/app.svelte";
import { homeServer } from "./state/home";
import { decideHubStart } from "./state/hub-start";
import { setHours, speakLanguage } from "./strings";

/** How long the page waits for its first rows, ms, so that they come with its first frame and no "loading" is shown. */
const PATIENCE_MS = 60;

/** The same, ms, when the prerender has drawn the first rows already: those stay until the app has read them too. */
const PATIENCE_WITH_ROWS_MS = 2_000;

/** Reads the small tables and mounts the app in the page. If they can't be read, a strip says so. */
export async function mountApp(target: Element, client: Client): Promise<AppState> {
  const read = await client.read((reader) => reader.catalogue());
  const tables = read.ok ? read.value : EMPTY_CATALOGUE;
  decideHubStart(!read.ok || tables.servers.length > 0);
  setHours(tables.settings.display?.hours);
  Object.assign(document.documentElement, await speakLanguage(tables.settings.language, navigator.languages));
  const app = new AppState(client, tables, homeServer(document, location.origin));
  app.start();
  const first = firstScreen();
  let kept: CachedFeed | undefined;
  // Somebody who has subscribed to nothing, or follows a link to something new, sees no feed yet.
  const showsFeed = app.catalogue.subscriptions.length > 0 && app.pane.unsubscribed.length === 0;
  if (showsFeed && app.pane.scope) {
    const { feedCacheOf } = await loadFeedPage();
    kept = feedCacheOf(app.pane, client).open(app.pane.scope);
    const patienceMs = first ? PATIENCE_WITH_ROWS_MS : PATIENCE_MS;
    await Promise.race([kept.feed.begun, new Promise((resolve) => setTimeout(resolve, patienceMs))]);
  }
  if (!first) mount(App, { target, props: { app } });
  else {
    await first.still();
    takeOver(first, (place) => {
      if (kept && place) kept.place = place;
      // The prerendered rows fill the screen, so the app's must too, in their first frame.
      if (kept) kept.initialItemCount = Infinity;
      mount(App, { target, props: { app } });
      flushSync();
      if (kept) kept.initialItemCount = undefined;
    });
  }
  return app;
}
