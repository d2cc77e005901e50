import { expect, test } from "vitest";
import type { Client } from "../../src/client";
import { feedCacheOf } from "../../src/ui/feed/feed-state.svelte";
import type { Pane } from "../../src/ui/state/navigation/pane.svelte";

test("the feeds of a column that is gone hear no announcements", () => {
  const listeners = new Set<unknown>();
  const client = {
    listen(listener: unknown) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as unknown as Client;
  const pane = { name: "column" } as Pane;
  const cache = feedCacheOf(pane, client);
  expect(listeners.size).toBe(1);
  cache.end();
  expect(listeners.size).toBe(0);
  expect(feedCacheOf(pane, client)).not.toBe(cache);
});
