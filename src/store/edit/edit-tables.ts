// Changes to small tables: the outbox, snapshots, settings and saved views.
import { type OutgoingMessage, isCurrent, type MessageKey, type SavedView, type Snapshot } from "../../contract";
import { takeNumbers, transact, type Database } from "../database";
import type { Settings } from "../schema";

/** How many messages may wait to be sent, and how many bytes of files they may have together. */
const MAX_OUTGOING = 100;
const MAX_OUTGOING_BYTES = 100_000_000;

/**
 * Adds, changes or (with undefined) removes a message of the outbox. Resolves to it as it is then; one for which there
 * is no room isn't added.
 */
export function editOutgoing(
  database: Database,
  key: [subId: number, sequence: string],
  edit: (before: OutgoingMessage | undefined) => OutgoingMessage | undefined,
): Promise<OutgoingMessage | undefined> {
  return transact(database, ["outbox"], "write", async (transaction) => {
    const store = transaction.store("outbox");
    const all = await store.getAll();
    const before = all.find(({ subId, sequence }) => subId === key[0] && sequence === key[1]);
    const after = edit(before);
    const bytes = [...all, after].reduce((sum, one) => sum + (one?.file?.content.size ?? 0), 0);
    if (!after) store.delete(key);
    else if (!before && (all.length >= MAX_OUTGOING || bytes > MAX_OUTGOING_BYTES)) return undefined;
    else if (after !== before) store.put(after);
    return after;
  });
}

/** How many views' snapshots are kept, at most. */
const MAX_SNAPSHOTS = 16;

/** Keeps a view's snapshot. @param shown its messages: if one has gone meanwhile, nothing is kept */
export function keepSnapshot(database: Database, snapshot: Snapshot, shown: readonly MessageKey[]): Promise<null> {
  return transact(database, ["messages", "subscriptions", "snapshots"], "write", async (transaction) => {
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
    if (!views.includes(snapshot.view) && views.length >= MAX_SNAPSHOTS) store.clear();
    store.put(snapshot);
    return null;
  });
}

export function setSetting<Name extends keyof Settings>(
  database: Database,
  name: Name,
  value: Settings[Name],
): Promise<null> {
  return transact(database, ["settings"], "by hand", (transaction) => {
    transaction.store("settings").put(value, name);
    return null;
  });
}

/** Replaces all saved views, in their order. A view without a number is new; one that isn't listed is removed. */
export function setViews(database: Database, views: readonly SavedView[]): Promise<null> {
  return transact(database, ["views", "settings"], "by hand", async (transaction) => {
    const store = transaction.store("views");
    let next = await takeNumbers(transaction, views.filter(({ viewId }) => viewId === undefined).length);
    store.clear();
    for (const [order, { name, link, viewId = next++ }] of views.entries()) store.put({ viewId, name, link, order });
    return null;
  });
}
