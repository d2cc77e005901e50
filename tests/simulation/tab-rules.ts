import { type StoredMessage, isInFeed } from "../../src/contract";
import { Broken, nameOf } from "./books";
import type { SimWorld } from "./sim-world";

/** All tabs show exactly the stored data: unread counts, the rows of the feed, and which of them are read. */
export function checkTabs({ device, subscriptions }: SimWorld): void {
  const known = new Set(subscriptions.map(({ subId }) => subId));
  const feed = device.disk.read<StoredMessage>("messages").filter((row) => known.has(row.subId) && isInFeed(row));
  const stored = new Map(feed.map((row) => [nameOf(row), row.readAtMs !== undefined]));
  for (const { actor, view } of device.tabs) {
    if (!view) throw new Broken("tabs", `${actor} shows nothing`);
    for (const { subId, topic, unread } of subscriptions) {
      const shown = view.unread.get(subId);
      if (shown !== unread) throw new Broken("tabs", `${actor} says ${shown} unread of ${topic}, stored are ${unread}`);
    }
    for (const [name, isRead] of stored) {
      const shown = view.rows.get(name);
      if (shown === undefined) throw new Broken("tabs", `${actor} does not show ${name}`);
      if (shown !== isRead) throw new Broken("tabs", `${actor} shows ${name} as ${shown ? "read" : "unread"}`);
    }
    for (const name of view.rows.keys()) {
      if (!stored.has(name)) throw new Broken("tabs", `${actor} shows ${name}, which is not in the feed`);
    }
  }
}
