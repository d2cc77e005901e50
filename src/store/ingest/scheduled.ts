import { heldBackBy, type StoredMessage, type Changes } from "../../contract";
import { sequenceOf } from "../../protocol";
import { applySequences } from "./apply-sequences";
import { MAX_CHANGED, type ReconcileInput, type SettleInput, type SettleResult } from "../changes";
import { transact, type Database, type Transaction } from "../database";
import { delivered, write } from "./ingest";
import { MessageWriter, WRITER_STORES } from "./message-writer";
import { arrivalsOf, type EnteringVersion, type SequenceArrivals } from "./reduce-sequence";

const STORES = [...WRITER_STORES, "sequences", "tombstones", "claims"] as const;

/**
 * Lets scheduled messages that are due enter the feed and their sequence, and alert once. Their arrival numbers stay.
 */
export function settleDue(database: Database, input: SettleInput): Promise<SettleResult> {
  return transact(database, STORES, "write", async (transaction) => {
    const index = transaction.store("messages").index("listed");
    const [rules, rows, [next]] = await Promise.all([
      transaction.store("settings").get("alertRules"),
      index.getAll(IDBKeyRange.bound(["scheduled"], ["scheduled", input.serverNowS])),
      index.getAll(IDBKeyRange.bound(["scheduled", input.serverNowS], ["scheduled", []], true), 1),
    ]);
    const writer = await MessageWriter.open(transaction, rows);
    const allDue = rows.filter(({ subId }) => {
      const subscription = writer.subscription(subId);
      if (!subscription || subscription.removedAtMs !== undefined) return false;
      return input.serverId === undefined || subscription.serverId === input.serverId;
    });
    // The others follow in the next transaction.
    const due = allDue.slice(0, MAX_CHANGED);
    const { plain, sequences } = await splitKnown(transaction, due);
    const outcomes = await applySequences(transaction, writer, sequences, input);
    const entering = [...plain, ...outcomes.flatMap(({ stored }) => stored)];
    const { settled, alerts } = write(transaction, writer, entering, input, heldBackBy(rules, input.nowMs));
    const changes = await writer.finish();
    const nextDueS = allDue.length > due.length ? input.serverNowS : next?.time;
    return {
      ...changes,
      changed: [...changes.changed, ...settled],
      alerts,
      ...(nextDueS !== undefined && { nextDueS }),
    };
  });
}

/** Finds versions of a sequence: those that say so, and those that an update named as its first. */
async function splitKnown(transaction: Transaction<"sequences">, due: readonly StoredMessage[]) {
  const store = transaction.store("sequences");
  const plain: EnteringVersion[] = [];
  const sequences = new Map<string, SequenceArrivals>();
  const records = await Promise.all(due.map((row) => store.getKey([row.subId, sequenceOf(row.event)])));
  for (const [at, before] of due.entries()) {
    const sequence = sequenceOf(before.event);
    const version: EnteringVersion = { before, row: delivered(before) };
    if (sequence === before.id && records[at] === undefined) {
      plain.push(version);
      continue;
    }
    arrivalsOf(sequences, before.subId, sequence).versions.push(version);
  }
  return { plain, sequences: [...sequences.values()] };
}

/**
 * Removes scheduled messages that a complete poll with `scheduled=1` no longer brought although they aren't due: they
 * were cancelled (docs/design.md §4). They leave no tombstone, because they would be new if they came after all.
 */
export function reconcileScheduled(database: Database, input: ReconcileInput): Promise<Changes> {
  return transact(database, WRITER_STORES, "write", async (transaction) => {
    const subIds = new Set(input.subIds);
    const index = transaction.store("messages").index("listed");
    const rows = await index.getAll(IDBKeyRange.bound(["scheduled", input.serverNowS], ["scheduled", []], true));
    const writer = await MessageWriter.open(transaction, rows);
    for (const row of rows) {
      const isKnowable = subIds.has(row.subId) && row.receivedAtMs < input.beforeMs;
      if (isKnowable && !input.presentIds.has(row.id)) writer.remove(row);
    }
    return writer.finish();
  });
}
