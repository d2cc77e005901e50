import { compareAge, type MessageKey, rowKey, type StoredMessage } from "../../contract";
import { type PruneResult, DELETE_UNDO_MS } from "../changes";
import { sweepRegisters } from "../edit/shared";
import { startingWith, transact, type Database, type Readable, type Transaction } from "../database";
import { MessageWriter, WRITER_STORES, leaveTombstone } from "../ingest/message-writer";
import { readSettings, readSubscriptions } from "../read/read-catalogue";
import type { Settings, SubscriptionRecord } from "../schema";
import { tallyOf } from "../tally";
import { DAY_MS } from "../../protocol";

const STORES = [...WRITER_STORES, ...(["servers", "tombstones", "sequences", "shared", "gaps"] as const)] as const;

type PruneTransaction = Transaction<(typeof STORES)[number]>;

/** One transaction removes this many rows (some 15 ms), so that neither the page nor an arriving message waits long. */
const BATCH = 200;

/**
 * Does one bounded round of retention. It removes deleted messages that can't be restored any more, messages that are
 * too old or too many, gaps as old, and traces that are no longer needed. Call again while there is more. Pruned messages are
 * reported as removed; starred and snoozed ones stay. Ages count by what servers' clocks showed last, if any did: a device's
 * clock may jump by years.
 */
export function prune(database: Database, nowMs: number): Promise<PruneResult> {
  return transact(database, STORES, "write", async (transaction) => {
    const [subscriptions, settings, servers] = await Promise.all([
      readSubscriptions(transaction),
      readSettings(transaction),
      transaction.store("servers").getAll(),
    ]);
    const heard = servers.flatMap(({ heardS }) => (heardS === undefined ? [] : heardS * 1_000));
    const agedMs = heard.length > 0 ? Math.min(nowMs, Math.max(...heard)) : nowMs;
    const going = new Map<string, StoredMessage>();
    const add = (rows: readonly StoredMessage[]) => {
      for (const row of rows) if (going.size < BATCH) going.set(rowKey(row), row);
    };
    add(await readDeleted(transaction, nowMs));
    for (const subscription of subscriptions) {
      if (going.size >= BATCH) break;
      add(await readOutdated(transaction, subscription, settings, agedMs));
    }
    for (const subscription of subscriptions) {
      if (going.size >= BATCH) break;
      if (subscription.keepMessages !== undefined)
        add(await readSurplus(transaction, [subscription], false, subscription.keepMessages, going));
    }
    // Topics with a limit of their own, and those kept for ever, neither count nor lose any.
    const limited = subscriptions.filter(({ keepDays, keepMessages }) => keepDays !== 0 && keepMessages === undefined);
    const isAll = limited.length === subscriptions.length;
    if (going.size < BATCH) add(await readSurplus(transaction, limited, isAll, settings.keepMessages, going));

    const rows = [...going.values()];
    const writer = await MessageWriter.open(transaction, rows);
    for (const row of rows) {
      leaveTombstone(transaction, row, agedMs);
      writer.remove(row);
    }
    await sweepGaps(transaction, subscriptions, settings, agedMs);
    const hasMoreTraces = await sweepTraces(transaction, nowMs, agedMs);
    const changes = await writer.finish();
    return { ...changes, more: rows.length >= BATCH || hasMoreTraces };
  });
}

/** Deleted messages that can't be restored any more. One far in the future was deleted before the clock was set back. */
async function readDeleted(transaction: PruneTransaction, nowMs: number): Promise<StoredMessage[]> {
  const listed = transaction.store("messages").index("listed");
  const rows = await Promise.all([
    listed.getAll(IDBKeyRange.bound(["deleted"], ["deleted", nowMs - DELETE_UNDO_MS]), BATCH),
    listed.getAll(IDBKeyRange.bound(["deleted", nowMs + DELETE_UNDO_MS], ["deleted", []], true), BATCH),
  ]);
  return rows.flat();
}

/** The oldest rows of a subscription that are past its retention time. */
async function readOutdated(
  transaction: PruneTransaction,
  { subId, keepDays }: SubscriptionRecord,
  settings: Settings,
  agedMs: number,
): Promise<StoredMessage[]> {
  const days = keepDays ?? settings.keepDays;
  if (days === 0) return [];
  const outdated = IDBKeyRange.bound([subId], [subId, (agedMs - days * DAY_MS) / 1_000]);
  return takeOldest(transaction.store("messages"), outdated, BATCH, isPrunable);
}

/**
 * The oldest rows of some subscriptions, as many as exceed a limit for all of them together. What stays anyway doesn't
 * count: if there were as many stars as the limit allows, nothing else would stay.
 *
 * @param isAll these are all subscriptions
 * @param limit 0 = none
 */
async function readSurplus(
  transaction: PruneTransaction,
  limited: readonly SubscriptionRecord[],
  isAll: boolean,
  limit: number,
  going: ReadonlyMap<string, StoredMessage>,
): Promise<StoredMessage[]> {
  if (limit === 0) return [];
  const subIds = new Set(limited.map(({ subId }) => subId));
  const goingAnyway = [...going.values()].filter((row) => row.deletedAtMs === undefined && subIds.has(row.subId));
  // One that is both starred and snoozed is deducted twice, so one more than the limit stays.
  const counted = limited.reduce((sum, one) => sum + one.total - one.starred - one.scheduled - one.snoozed, 0);
  const removed = Math.min(counted - goingAnyway.length - limit, BATCH);
  if (removed <= 0) return [];
  const isWanted = (row: StoredMessage) => subIds.has(row.subId) && isPrunable(row) && !going.has(rowKey(row));
  const messages = transaction.store("messages");
  if (isAll) return takeOldest(messages.index("order"), undefined, removed, isWanted);
  const oldest = await Promise.all(
    [...subIds].map((subId) => takeOldest(messages, startingWith(subId), removed, isWanted)),
  );
  return oldest.flat().sort(compareAge).slice(0, removed);
}

/** Whether a row may go: not starred, snoozed, scheduled, or deleted within the undo time. */
function isPrunable(row: StoredMessage): boolean {
  const stays = row.starred !== undefined || tallyOf(row).snoozed > 0;
  return !stays && row.deletedAtMs === undefined && row.scheduled === undefined;
}

/** The oldest rows that may go. In an overfull second any rows go first: reading all of it would block. */
async function takeOldest(
  source: Readable<MessageKey, StoredMessage>,
  range: IDBKeyRange | undefined,
  count: number,
  isWanted: (row: StoredMessage) => boolean,
): Promise<StoredMessage[]> {
  for (let read = BATCH; ; read *= 2) {
    const rows = await source.getAll(range, read);
    const taken = rows.filter(isWanted);
    if (taken.length >= count || rows.length < read) return taken.sort(compareAge).slice(0, count);
  }
}

/**
 * Removes gaps that end before what their topics keep. A topic's newest one stays, because it says since when the topic
 * is complete, and its newest loss, before which messages prove nothing.
 */
async function sweepGaps(
  transaction: PruneTransaction,
  subscriptions: readonly SubscriptionRecord[],
  settings: Settings,
  agedMs: number,
): Promise<void> {
  const gaps = transaction.store("gaps");
  const daysOf = new Map(subscriptions.map(({ subId, keepDays }) => [subId, keepDays ?? settings.keepDays]));
  const told = new Set<string>();
  for (const { subId, from, to, forgot } of (await gaps.getAll()).reverse()) {
    const tells = [`${subId}`, ...(forgot ? [`${subId} forgot`] : [])];
    const isTold = tells.every((one) => told.has(one));
    for (const one of tells) told.add(one);
    const days = daysOf.get(subId) ?? 0;
    if (isTold && days !== 0 && to < (agedMs - days * DAY_MS) / 1_000) gaps.delete([subId, from]);
  }
}

/** Removes outdated tombstones, sequences and registers. Resolves to whether more are left. */
async function sweepTraces(transaction: PruneTransaction, nowMs: number, agedMs: number): Promise<boolean> {
  const outlived = IDBKeyRange.upperBound(agedMs / 1_000);
  const read = <Key, Value>(index: Readable<Key, Value>) => index.getAllKeys(outlived, BATCH);
  const tombstones = transaction.store("tombstones");
  const sequences = transaction.store("sequences");
  const [buried, ended, hasMore] = await Promise.all([
    read(tombstones.index("until")),
    read(sequences.index("until")),
    sweepRegisters(transaction, nowMs, BATCH),
  ]);
  for (const key of buried) tombstones.delete(key);
  for (const key of ended) sequences.delete(key);
  return hasMore || [buried, ended].some(({ length }) => length === BATCH);
}
