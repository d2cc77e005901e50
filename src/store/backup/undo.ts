// Undoes an import that was cut off or cancelled: nothing of it stays (decision 0034).
import { keyOf } from "../../contract";
import type { Changes } from "../changes";
import { transact, type Database, type Transaction } from "../database";
import { MessageWriter, WRITER_STORES } from "../ingest/message-writer";
import { purgeRemoved } from "../tidy/purge-removed";
import type { ImportRecord } from "../schema";
import { leftGroup } from "../edit/edit-subscriptions";
import { isAlive, removeImport } from "./stage";
import { wakeSnoozed } from "../edit/marks";

const STORES = [...WRITER_STORES, "imports", "staged"] as const;

/** A bounded round of undoing. */
export interface UndoRound extends Changes {
  /** There is more to undo: call again. */
  more: boolean;
  /** An import was undone to its end. */
  undone: boolean;
  /** When an import that is under way counts as cut off, device clock, ms; absent = there is none. */
  nextAtMs?: number;
}

/**
 * Undoes one part of an import, the last first.
 * @param importId undoes this one, whether or not a hub is working on it; absent = those that were cut off
 */
export async function undoImport(database: Database, nowMs: number, importId?: string): Promise<UndoRound | undefined> {
  // Usually there is no import, which a look into an empty store shows.
  const keys = await transact(database, ["imports"], { mode: "readonly" }, (transaction) =>
    transaction.store("imports").getAllKeys(),
  );
  if (keys.length === 0) return undefined;
  const { hasHidden, ...round } = await transact(database, STORES, { mode: "readwrite" }, async (transaction) => {
    const all = await transaction.store("imports").getAll();
    const isCut = (record: ImportRecord): boolean =>
      importId === undefined ? !isAlive(record, nowMs) : record.importId === importId;
    const record = all.find(isCut);
    const writer = await MessageWriter.open(
      transaction,
      record?.topics.flatMap(({ subId, isNew }) => (subId === undefined || isNew ? [] : [subId])) ?? [],
    );
    const isOver = record ? await takeBack(transaction, writer, record, nowMs) : true;
    // Users know what they cancelled; of an import that was cut off they are told.
    if (record && isOver && importId === undefined && hasChanged(record))
      transaction.store("settings").put(nowMs, UNDONE_KEY);
    const changes = await writer.finish();
    const others = all.filter((other) => other !== record);
    const nextAtMs = Math.min(...others.map(({ aliveUntilMs }) => aliveUntilMs));
    return {
      ...changes,
      undone: record !== undefined && isOver,
      more: record !== undefined && (!isOver || (importId === undefined && others.some(isCut))),
      ...(Number.isFinite(nextAtMs) && { nextAtMs }),
      hasHidden: isOver && (record?.topics.some(({ isNew }) => isNew) ?? false),
    };
  });
  // Topics that the import added are purged like removed ones, by this hub or the next.
  if (hasHidden) while ((await purgeRemoved(database, nowMs)).more);
  return round;
}

/** The key, beside the settings, that notes an import that was cut off and undone. */
const UNDONE_KEY = "undoneImportAtMs";

/**
 * Whether an import was cut off and undone without the user being told; true only once. `isPending`: an import is still
 * in the journal.
 */
export function takeUndone(database: Database): Promise<{ isUndone: boolean; isPending: boolean }> {
  return transact(database, ["settings", "imports"], { mode: "readwrite" }, async (transaction) => {
    const settings = transaction.store("settings");
    const [undoneAtMs, imports] = await Promise.all([settings.get(UNDONE_KEY), transaction.store("imports").getAll()]);
    if (undoneAtMs !== undefined) settings.delete(UNDONE_KEY);
    return { isUndone: undoneAtMs !== undefined, isPending: imports.some(hasChanged) };
  });
}

/** Whether an import may have changed anything: one that was only read, or waited for a decision, has not. */
function hasChanged({ state }: ImportRecord): boolean {
  return state === "taking" || state === "undoing";
}

/** Takes back one part, or ends the import if none is left. Resolves to whether it is over. */
async function takeBack(
  transaction: Transaction<(typeof STORES)[number]>,
  writer: MessageWriter,
  record: ImportRecord,
  nowMs: number,
): Promise<boolean> {
  const { importId, arrivalsFrom, taken } = record;
  if (arrivalsFrom === undefined || taken === 0) {
    for (const { subId, isNew } of record.topics) {
      const subscription = isNew && subId !== undefined && (await transaction.store("subscriptions").get(subId));
      // It counts as removed long ago, so that the purge takes it.
      if (subscription) transaction.store("subscriptions").put({ ...subscription, removedAtMs: 0 });
    }
    removeImport(transaction, importId);
    return true;
  }
  const part = await transaction.store("staged").get([importId, taken - 1]);
  const messages = transaction.store("messages");
  for (const { topic, event } of part?.messages ?? []) {
    const { subId, isNew } = record.topics[topic] ?? {};
    if (isNew || subId === undefined) continue;
    const row = await messages.get(keyOf({ subId, time: event.time, id: event.id }));
    // A row with another number came from its server or was here before.
    if (!row || row.arrival < arrivalsFrom || row.arrival >= arrivalsFrom + record.messages) continue;
    writer.remove(row);
    askAgain(writer, subId);
  }
  transaction.store("imports").put({ ...record, state: "undoing", taken: taken - 1, aliveUntilMs: nowMs });
  return false;
}

/**
 * A message that came from its server while the import's copy was there counted as known and wasn't stored. So
 * everything is asked for again.
 */
function askAgain(writer: MessageWriter, subId: number): void {
  const subscription = writer.subscription(subId);
  if (!subscription) return;
  const { joined } = leftGroup(subscription);
  if (joined !== undefined) subscription.joined = joined;
  delete subscription.timeCursor;
  writer.amend(subscription);
}

/** What a round of waking and undoing came to. */
export interface WakeRound extends Changes {
  /** When to call again, device clock, ms; absent = not needed. */
  nextWakeMs?: number;
  /** An import was completely undone, so topics have gone or must be asked for again. */
  undone?: boolean;
}

/** Undoes part of an import that was cut off, then wakes messages whose snooze has ended. */
export async function wakeAndUndo(database: Database, nowMs: number): Promise<WakeRound> {
  // Usually there is no import, which a look into an empty store shows.
  const imports = await transact(database, ["imports"], { mode: "readonly" }, (transaction) =>
    transaction.store("imports").getAllKeys(),
  );
  const round = imports.length > 0 ? await undoImport(database, nowMs) : undefined;
  const { nextWakeMs, ...woken } = await wakeSnoozed(database, nowMs);
  if (!round) return { ...woken, ...(nextWakeMs !== undefined && { nextWakeMs }) };
  const nextMs = round.more ? nowMs : Math.min(nextWakeMs ?? Infinity, round.nextAtMs ?? Infinity);
  return { ...joinChanges(round, woken), undone: round.undone, ...(Number.isFinite(nextMs) && { nextWakeMs: nextMs }) };
}

/** Joins two successive changes; the later counters hold. */
function joinChanges(first: Changes, second: Changes): Changes {
  const counts = new Map([...first.counts, ...second.counts].map((count) => [count.subId, count]));
  return {
    changed: [...first.changed, ...second.changed],
    removed: [...first.removed, ...second.removed],
    counts: [...counts.values()],
    total: second.total,
    lastArrival: second.lastArrival,
  };
}
