import { isCurrent, type MessageKey, type Snapshot } from "../contract";
import { transact, type Database } from "./database";

/** Snapshots of this many views at most are kept. */
const MOST_VIEWS = 4;

/** Keeps a view's snapshot. @param shown its messages: if one is gone meanwhile, nothing is kept */
export function keepSnapshot(database: Database, snapshot: Snapshot, shown: readonly MessageKey[]): Promise<null> {
  return transact(database, ["messages", "subscriptions", "snapshots"], { mode: "readwrite" }, async (transaction) => {
    const [rows, topics] = await Promise.all([
      Promise.all(shown.map((key) => transaction.store("messages").get(key))),
      Promise.all(
        [...new Set(shown.map(([subId]) => subId))].map((subId) => transaction.store("subscriptions").get(subId)),
      ),
    ]);
    const isThere = (row: (typeof rows)[number]) => row && (isCurrent(row) || row.scheduled) && !row.deletedAtMs;
    if (!rows.every(isThere) || !topics.every((topic) => topic && topic.removedAtMs === undefined)) return null;
    const store = transaction.store("snapshots");
    const views = await store.getAllKeys();
    if (!views.includes(snapshot.view) && views.length >= MOST_VIEWS) store.clear();
    store.put(snapshot);
    return null;
  });
}
