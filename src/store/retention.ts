import { rowKey, type StoredMessage } from "../contract";
import type { PruneResult } from "./changes";
import { endClaimsWithin } from "./claims";
import { transact, type Database, type Readable, type Transaction } from "./database";
import { MessageWriter, WRITER_STORES } from "./message-writer";
import { DELETE_UNDO_MS } from "./delete-undo";
import { MergedRows } from "./merged-rows";
import { readSettings, readSubscriptions } from "./read-catalogue";
import { RowSource, type RowSpan } from "./row-source";
import type { Settings, SubscriptionRecord } from "./schema";
import { tallyOf } from "./tally";
import { leaveTombstone } from "./tombstones";

const STORES = [...WRITER_STORES, "servers", "tombstones", "sequences", "claims"] as const;

type PruneTransaction = Transaction<(typeof STORES)[number]>;

/** One transaction removes this many rows (some 15 ms), so that neither the page nor an arriving message waits long. */
const BATCH = 200;

const MS_PER_DAY = 86_400_000;

/**
 * Does one bounded round of retention. It removes deleted messages that can't be restored any more, messages that are
 * too old or too many, and traces that are no longer needed. Call again while there is more. Pruned messages are
 * reported as removed; starred and snoozed ones stay. Ages count by what servers' clocks showed last, if any did: a device's
 * clock may jump by years.
 */
export function prune(database: Database, nowMs: number): Promise<PruneResult> {
  return transact(database, STORES, { mode: "readwrite" }, async (transaction) => {
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
    // Topics with a limit of their own, and those that are kept for ever, neither count nor lose any.
    const limited = subscriptions.filter(({ keepDays, keepMessages }) => keepDays !== 0 && keepMessages === undefined);
    const isAll = limited.length === subscriptions.length;
    if (going.size < BATCH) add(await readSurplus(transaction, limited, isAll, settings.keepMessages, going));

    const rows = [...going.values()];
    const writer = await MessageWriter.open(
      transaction,
      rows.map((row) => row.subId),
    );
    for (const row of rows) {
      leaveTombstone(transaction, row, nowMs);
      writer.remove(row);
    }
    const hasMoreTraces = await sweepTraces(transaction, nowMs, agedMs);
    const changes = await writer.finish();
    return { ...changes, more: rows.length >= BATCH || hasMoreTraces };
  });
}

function readDeleted(transaction: PruneTransaction, nowMs: number): Promise<StoredMessage[]> {
  const endOfUndo = IDBKeyRange.bound(["deleted"], ["deleted", nowMs - DELETE_UNDO_MS]);
  return transaction.store("messages").index("listed").getAll(endOfUndo, BATCH);
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
  const before = (agedMs - days * MS_PER_DAY) / 1_000;
  const source = new RowSource(transaction, { subId }, "newer", { within: { from: -Infinity, before } });
  return takeFrom(new MergedRows([source], "newer"), BATCH, isPrunable);
}

/**
 * The oldest rows of some subscriptions, as many as exceed a limit for all of them together. What stays anyway doesn't count:
 * with as many stars as the limit allows, nothing else would stay.
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
  const counted = limited.reduce((sum, { total, starred, scheduled }) => sum + total - starred - scheduled, 0);
  const surplus = (held: number): number => Math.min(counted - goingAnyway.length - held - limit, BATCH);
  // Snoozed ones are read only if they can make a difference.
  if (surplus(0) <= 0) return [];
  const removed = surplus(await countSnoozed(transaction, limited));
  if (removed <= 0) return [];
  const spans: RowSpan[] = isAll ? [{ all: true }] : limited.map(({ subId }) => ({ subId }));
  const sources = spans.map((span) => new RowSource(transaction, span, "newer"));
  const isWanted = (row: StoredMessage) => subIds.has(row.subId) && isPrunable(row) && !going.has(rowKey(row));
  return takeFrom(new MergedRows(sources, "newer"), removed, isWanted);
}

/** How many messages of some subscriptions are snoozed and have no star, which would make them count twice. */
async function countSnoozed(transaction: PruneTransaction, of: readonly SubscriptionRecord[]): Promise<number> {
  if (of.every(({ snoozed }) => snoozed === 0)) return 0;
  const subIds = new Set(of.map(({ subId }) => subId));
  const listed = IDBKeyRange.bound(["snoozed"], ["snoozed", []]);
  const rows = await transaction.store("messages").index("listed").getAll(listed);
  return rows.filter((row) => subIds.has(row.subId) && row.starred === undefined && tallyOf(row).snoozed > 0).length;
}

/**
 * Whether a row may be pruned. Starred and snoozed ones stay; deleted ones wait for the end of their undo time, scheduled
 * ones until they are due.
 */
function isPrunable(row: StoredMessage): boolean {
  const stays = row.starred !== undefined || tallyOf(row).snoozed > 0;
  return !stays && row.deletedAtMs === undefined && row.scheduled === undefined;
}

async function takeFrom(
  rows: MergedRows,
  count: number,
  isWanted: (row: StoredMessage) => boolean,
): Promise<StoredMessage[]> {
  const taken: StoredMessage[] = [];
  while (taken.length < count && !rows.isExhausted) {
    await rows.fill(count);
    for (let row = rows.take(); row && taken.length < count; row = rows.take()) if (isWanted(row)) taken.push(row);
  }
  return taken;
}

/**
 * Removes tombstones and sequences whose events the server can't repeat any more, and claims not confirmed in time.
 * Resolves to whether more are left.
 */
async function sweepTraces(transaction: PruneTransaction, nowMs: number, agedMs: number): Promise<boolean> {
  const outlived = IDBKeyRange.upperBound(agedMs / 1_000);
  const read = <Key, Value>(index: Readable<Key, Value>) => index.getAllKeys(outlived, BATCH);
  const tombstones = transaction.store("tombstones");
  const sequences = transaction.store("sequences");
  const [buried, ended, nextMs = Infinity] = await Promise.all([
    read(tombstones.index("until")),
    read(sequences.index("until")),
    endClaimsWithin(transaction, nowMs),
  ]);
  for (const key of buried) tombstones.delete(key);
  for (const key of ended) sequences.delete(key);
  return nextMs <= nowMs || [buried, ended].some(({ length }) => length === BATCH);
}
