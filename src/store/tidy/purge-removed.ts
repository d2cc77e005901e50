import { transact, type Database, type Transaction, startingWith } from "../database";
import { MessageWriter, WRITER_STORES } from "../ingest/message-writer";
import { DELETE_UNDO_MS, MAX_CHANGED } from "../changes";
import type { SubscriptionRecord } from "../schema";
import { removeUnused } from "../edit/remove-unused";
import { readSettings } from "../read/read-catalogue";
import { clearIndex } from "../search/update-index";

/** Stores with records of a single topic each. */
const OWN = ["messages", "tombstones", "sequences", "counts", "gaps", "attachments", "outbox", "clears"] as const;

const STORES = [
  ...[...WRITER_STORES, ...OWN],
  ...(["accounts", "cursors", "servers", "push", "group", "segments", "segmentTexts", "signatures"] as const),
] as const;

type PurgeTransaction = Transaction<(typeof STORES)[number]>;

export interface PurgeResult {
  /** How many records: messages, and after its last ones the subscription. */
  removed: number;
  /** Whether more is left to remove: then call again. */
  more: boolean;
  /** When the undo time of the next one ends, device clock, ms. */
  nextAtMs?: number;
}

/** One bounded round of purging subscriptions after their undo time, with everything that belongs to them alone. */
export function purgeRemoved(database: Database, nowMs: number): Promise<PurgeResult> {
  return transact(database, STORES, "write", async (transaction) => {
    const all = await transaction.store("subscriptions").getAll();
    // A removal far in the future was made before the device's clock was set back.
    const isOver = (removedAtMs: number) => Math.abs(nowMs - removedAtMs) >= DELETE_UNDO_MS;
    const times = all.flatMap(({ removedAtMs }) => removedAtMs ?? []);
    const nextAtMs = Math.min(...times.filter((atMs) => !isOver(atMs))) + DELETE_UNDO_MS;
    const next = Number.isFinite(nextAtMs) && { nextAtMs };
    const removed = all.filter(({ removedAtMs }) => removedAtMs !== undefined && isOver(removedAtMs));
    const subscription = removed[0];
    if (!subscription) return { removed: 0, more: false, ...next };
    const { subId } = subscription;
    const rows = await transaction.store("messages").getAll(startingWith(subId), MAX_CHANGED);
    const writer = await MessageWriter.open(transaction, [subscription]);
    for (const row of rows) writer.remove(row);
    const record = writer.subscription(subId);
    if (record) {
      record.purging = 1;
      writer.amend(record);
    }
    await writer.finish();
    const isLast = rows.length < MAX_CHANGED;
    if (isLast) await removeRest(transaction, subscription, all);
    return { removed: rows.length + (isLast ? 1 : 0), more: !isLast || removed.length > 1, ...next };
  });
}

async function removeRest(
  transaction: PurgeTransaction,
  { subId, serverId }: SubscriptionRecord,
  all: readonly SubscriptionRecord[],
): Promise<void> {
  // Messages still left are damaged.
  for (const name of OWN) transaction.store(name).delete(startingWith(subId));
  transaction.store("subscriptions").delete(subId);
  await forgetInSettings(transaction, subId);
  // After the last topic has gone, there may be no one left to tidy the index.
  if (all.length === 1) clearIndex(transaction);
  await removeUnused(transaction, serverId);
}

/** Takes a topic out of the settings that name topics. */
async function forgetInSettings(transaction: PurgeTransaction, subId: number): Promise<void> {
  const { allowedRemote, allowedRequests, sounds } = await readSettings(transaction);
  const store = transaction.store("settings");
  if (allowedRemote.includes(subId))
    store.put(
      allowedRemote.filter((other) => other !== subId),
      "allowedRemote",
    );
  const allowed = allowedRequests.filter((request) => request.subId !== subId);
  if (allowed.length < allowedRequests.length) store.put(allowed, "allowedRequests");
  const { [subId]: own, ...topics } = sounds.topics ?? {};
  if (own !== undefined) store.put({ ...sounds, topics }, "sounds");
}
