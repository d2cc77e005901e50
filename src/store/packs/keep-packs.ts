import { type StoredMessage, compareAge, isCurrent } from "../../contract";
import { transact, type Database, type Transaction } from "../database";
import { readCounters, writeCounters } from "../counters";
import { RowSource } from "../row-source";
import type { TimeSpan } from "../schema";
import { withoutSpan } from "../time-spans";
import { makePacks, PACK_SIZE } from "./make-packs";
import { replaceSignatures } from "./signature-blocks";

const STORES = ["messages", "packs", "packTexts", "signatures", "settings"] as const;

type PackTransaction = Transaction<(typeof STORES)[number]>;

/** One round packs this many rows (some 20 ms), so that neither the page nor an arriving message waits long. */
const BATCH = 500;

/** A pack with fewer messages than this is joined to its neighbour when that is written anyway. */
const SMALL = PACK_SIZE / 2;

/**
 * Does one bounded round of bringing the packs up to date, newest first; resolves to whether more is left. Packs are
 * always built from the messages alone, so it doesn't matter what happened since, or which hub crashed when.
 */
export function keepPacks(database: Database): Promise<{ more: boolean }> {
  return transact(database, STORES, { mode: "readwrite" }, async (transaction) => {
    const counters = await readCounters(transaction);
    const unpacked = counters.unpacked ?? (await everything(transaction));
    const span = unpacked.at(-1);
    const left = span ? await packNewest(transaction, span, unpacked) : unpacked;
    if (span || !counters.unpacked) writeCounters(transaction, { ...counters, unpacked: left });
    return { more: left.length > 0 };
  });
}

/** The span from the oldest to the newest message. */
async function everything(transaction: PackTransaction): Promise<TimeSpan[]> {
  const index = transaction.store("messages").index("time");
  const [[oldest], [newest]] = await Promise.all([
    index.getAll(IDBKeyRange.lowerBound(-Infinity), 1),
    index.getLast(IDBKeyRange.lowerBound(-Infinity), 1),
  ]);
  return oldest && newest ? [[oldest.time, newest.time]] : [];
}

/**
 * Packs the newest rows of a span, together with those of packs that it cuts or that are small. Resolves to what is
 * left to pack.
 */
async function packNewest(
  transaction: PackTransaction,
  [start, end]: TimeSpan,
  unpacked: readonly TimeSpan[],
): Promise<TimeSpan[]> {
  const packs = transaction.store("packs");
  const [[cut], [next]] = await Promise.all([
    packs.getLast(IDBKeyRange.upperBound(end), 1),
    packs.getAll(IDBKeyRange.lowerBound(end, true), 1),
  ]);
  let to = Math.max(end, cut?.to ?? end);
  if (next && next.times.length < SMALL) to = next.to;

  const source = new RowSource(transaction, { all: true }, "older", { within: { from: start, before: to + 1 } });
  const rows = await source.next(BATCH);
  let from = source.isExhausted ? start : (rows.at(-1)?.time ?? start);
  const [previous] = await packs.getLast(IDBKeyRange.upperBound(from, true), 1);
  if (previous && (previous.to >= from || previous.times.length < PACK_SIZE)) {
    rows.push(...(await rowsBetween(transaction, previous.from, from - 1)));
    from = previous.from;
  }

  const replaced = IDBKeyRange.bound(from, to);
  packs.delete(replaced);
  const texts = transaction.store("packTexts");
  texts.delete(replaced);
  const made = makePacks(rows.filter(isCurrent).sort(compareAge));
  for (const { record, text } of made) {
    packs.put(record);
    texts.put(text);
  }
  const signed = made.map(({ record, signatures }) => ({ from: record.from, to: record.to, signatures }));
  await replaceSignatures(transaction, [from, to], signed);
  return withoutSpan(unpacked, from, to);
}

function rowsBetween(transaction: PackTransaction, from: number, to: number): Promise<StoredMessage[]> {
  return transaction.store("messages").index("time").getAll(IDBKeyRange.bound(from, to));
}
