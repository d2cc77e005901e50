import { type StoredMessage, compareAge, isCurrent } from "../../contract";
import { transact, type Database, type Transaction } from "../database";
import { readCounters, writeCounters } from "../counters";
import { DamagedIndex } from "../intact";
import { RowSource } from "../row-source";
import type { TimeSpan } from "../schema";
import { withoutSpan } from "../time-spans";
import { makeSegments, SEGMENT_SIZE } from "./make-segments";
import { replaceSignatures } from "./signature-blocks";

const STORES = ["messages", "segments", "segmentTexts", "signatures", "settings"] as const;

type SegmentTransaction = Transaction<(typeof STORES)[number]>;

/** One round indexes this many rows (some 20 ms), so that neither the page nor an arriving message waits long. */
const BATCH = 500;

/** A segment with fewer messages than this is joined to its neighbour when that is written anyway. */
const SMALL = SEGMENT_SIZE / 2;

/**
 * Does one bounded round of bringing the segments up to date, newest first; resolves to whether more is left. Segments
 * are always built from the messages alone, so it doesn't matter what happened since, or which hub crashed when.
 */
export function updateIndex(database: Database): Promise<{ more: boolean }> {
  return transact(database, STORES, { mode: "readwrite" }, async (transaction) => {
    const counters = await readCounters(transaction);
    const unindexed = counters.unindexed ?? (await everything(transaction));
    const span = unindexed.at(-1);
    let left = unindexed;
    try {
      if (span) left = await indexNewest(transaction, span, unindexed);
    } catch (thrown) {
      if (!(thrown instanceof DamagedIndex)) throw thrown;
      // It is made anew from the messages, which may take many rounds.
      clearIndex(transaction);
      left = await everything(transaction);
    }
    if (span || !counters.unindexed) writeCounters(transaction, { ...counters, unindexed: left });
    return { more: left.length > 0 };
  });
}

/** Removes the whole index. */
export function clearIndex(transaction: Transaction<"segments" | "segmentTexts" | "signatures">): void {
  for (const name of ["segments", "segmentTexts", "signatures"] as const) transaction.store(name).clear();
}

/** The span from the oldest to the newest message. */
async function everything(transaction: SegmentTransaction): Promise<TimeSpan[]> {
  const index = transaction.store("messages").index("time");
  const [[oldest], [newest]] = await Promise.all([
    index.getAll(IDBKeyRange.lowerBound(-Infinity), 1),
    index.getLast(IDBKeyRange.lowerBound(-Infinity), 1),
  ]);
  return oldest && newest ? [[oldest.time, newest.time]] : [];
}

/**
 * Indexes the newest rows of a span, together with those of segments that it cuts or that are small. Resolves to what
 * is left to index.
 */
async function indexNewest(
  transaction: SegmentTransaction,
  [start, end]: TimeSpan,
  unindexed: readonly TimeSpan[],
): Promise<TimeSpan[]> {
  const segments = transaction.store("segments");
  const [[cut], [next]] = await Promise.all([
    segments.getLast(IDBKeyRange.upperBound(end), 1),
    segments.getAll(IDBKeyRange.lowerBound(end, true), 1),
  ]);
  let to = Math.max(end, cut?.to ?? end);
  if (next && next.times.length < SMALL) to = next.to;

  const source = new RowSource(transaction, { all: true }, "older", { within: { from: start, before: to + 1 } });
  const rows = await source.next(BATCH);
  let from = source.isExhausted ? start : (rows.at(-1)?.time ?? start);
  const [previous] = await segments.getLast(IDBKeyRange.upperBound(from, true), 1);
  if (previous && (previous.to >= from || previous.times.length < SEGMENT_SIZE)) {
    rows.push(...(await rowsBetween(transaction, previous.from, from - 1)));
    from = previous.from;
  }

  const replaced = IDBKeyRange.bound(from, to);
  segments.delete(replaced);
  const texts = transaction.store("segmentTexts");
  texts.delete(replaced);
  const made = makeSegments(rows.filter(isCurrent).sort(compareAge));
  for (const { record, text } of made) {
    segments.put(record);
    texts.put(text);
  }
  const signed = made.map(({ record, signatures }) => ({ from: record.from, to: record.to, signatures }));
  await replaceSignatures(transaction, [from, to], signed);
  return withoutSpan(unindexed, from, to);
}

function rowsBetween(transaction: SegmentTransaction, from: number, to: number): Promise<StoredMessage[]> {
  return transaction.store("messages").index("time").getAll(IDBKeyRange.bound(from, to));
}
