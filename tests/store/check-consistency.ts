import { expect } from "vitest";
import type { StoredMessage, SubscriptionRecord } from "../../src/store";
import type { Engine } from "./samples";

/** Everything in the database, read past the store. */
export interface Snapshot {
  messages: StoredMessage[];
  subscriptions: SubscriptionRecord[];
  counts: { subId: number; day: number; count: number }[];
  tombstones: { subId: number; time: number; id: string; until: number }[];
  sequences: { subId: number; sequence: string; until: number }[];
  total: number;
}

/** Reads everything, past the store. */
export async function snapshot({ indexedDB }: Engine, name = "earshot"): Promise<Snapshot> {
  const database = await settle(indexedDB.open(name));
  const names = ["messages", "subscriptions", "counts", "tombstones", "sequences"] as const;
  const transaction = database.transaction([...names, "settings"]);
  const [messages, subscriptions, counts, tombstones, sequences] = await Promise.all(
    names.map((store) => settle(transaction.objectStore(store).getAll())),
  );
  const counters = await settle(transaction.objectStore("settings").get("counters"));
  database.close();
  const total = (counters as { total: number } | undefined)?.total ?? 0;
  return { messages, subscriptions, counts, tombstones, sequences, total } as Snapshot;
}

/** Works out every counter from the rows anew, and expects the stored ones to be the same. */
export async function checkConsistency(engine: Engine): Promise<Snapshot> {
  const all = await snapshot(engine);
  const { messages, subscriptions, counts, total } = all;
  const kept = messages.filter((row) => row.deletedAtMs === undefined);
  expect(total, "messages stored in all").toBe(kept.length);

  const ids = messages.map((row) => `${row.subId}/${row.id}`);
  expect(new Set(ids).size, "each message once").toBe(ids.length);
  const arrivals = messages.map((row) => row.arrival);
  expect(new Set(arrivals).size, "each arrival number once").toBe(arrivals.length);

  const inFeed = (row: StoredMessage) =>
    !row.scheduled && !row.supersededBy && row.doneAtMs === undefined && row.snoozedUntilMs === undefined;
  for (const subscription of subscriptions) {
    const rows = kept.filter((row) => row.subId === subscription.subId);
    const unread = rows.filter((row) => inFeed(row) && row.readAtMs === undefined);
    const newest = rows
      .filter((row) => !row.scheduled && !row.supersededBy)
      .sort((a, b) => b.time - a.time || b.arrival - a.arrival)[0];
    expect(
      {
        total: subscription.total,
        unread: subscription.unread,
        unreadUrgent: subscription.unreadUrgent,
        newest: subscription.newest?.id,
      },
      `counters of ${subscription.topic}`,
    ).toEqual({
      total: rows.length,
      unread: unread.length,
      unreadUrgent: unread.filter((row) => (row.event.priority ?? 3) >= 4).length,
      newest: newest?.id,
    });
  }

  const days = new Map<string, number>();
  for (const row of kept.filter(inFeed)) {
    const day = `${row.subId}/${Math.floor(row.time / 86_400)}`;
    days.set(day, (days.get(day) ?? 0) + 1);
  }
  const stored = new Map(counts.map(({ subId, day, count }) => [`${subId}/${day}`, count]));
  expect(stored, "counts by day").toEqual(days);
  return all;
}

function settle<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("request failed"));
  });
}
