import { type StoredMessage, compareAge, isCurrent } from "../../contract";
import { startingWith, transact, type Database, type Transaction, readCounters, writeCounters } from "../database";
import { MAX_CHANGED } from "../changes";
import { DamagedIndex } from "../intact";
import type { TimeSpan } from "../schema";
import { withoutSpan, withSpans } from "./time-spans";
import { makeSegments, SEGMENT_SIZE } from "./make-segments";
import { replaceSignatures } from "./signature-blocks";

const STORES = ["messages", "segments", "segmentTexts", "signatures", "settings"] as const;

type SegmentTransaction = Transaction<(typeof STORES)[number]>;

/** A segment with fewer messages than this is joined to its neighbour when that is written anyway. */
const SMALL = SEGMENT_SIZE / 2;

/**
 * Does one bounded round of bringing the segments up to date, newest first; resolves to whether more is left. Segments
 * are always built from the messages alone, so it doesn't matter what happened since, or which hub crashed when.
 */
export function updateIndex(database: Database): Promise<{ more: boolean }> {
  return transact(database, STORES, "write", async (transaction) => {
    const counters = await readCounters(transaction);
    const unindexed = counters.unindexed ?? (await everything(transaction));
    const span = unindexed.at(-1);
    let left = unindexed;
    try {
      if (span) left = await indexNewest(transaction, span, unindexed);
    } catch (thrown) {
      if (!(thrown instanceof DamagedIndex)) throw thrown;
      // It is rebuilt from the messages, which may take many rounds.
      clearIndex(transaction);
      left = await everything(transaction);
    }
    if (span || !counters.unindexed) writeCounters(transaction, { ...counters, unindexed: left });
    return { more: left.length > 0 };
  });
}

export function clearIndex(transaction: Transaction<"segments" | "segmentTexts" | "signatures">): void {
  for (const name of ["segments", "segmentTexts", "signatures"] as const) transaction.store(name).clear();
}

/** The span from the oldest to the newest message. */
async function everything(transaction: SegmentTransaction): Promise<TimeSpan[]> {
  const index = transaction.store("messages").index("order");
  const [[oldest], [newest]] = await Promise.all([index.getAll(undefined, 1), index.getLast(startingWith(), 1)]);
  return oldest && newest ? [[oldest.time, newest.time]] : [];
}

/** Indexes the newest rows of a span, with segments it cuts and small ones. Resolves to what is left. */
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
  const least = Math.max(end, cut?.to ?? end);
  let to = next && next.times.length < SMALL ? next.to : least;
  let newest = await newestRows(transaction, [start, to]);
  if (newest.from > end && to > least) {
    // The neighbour is all that was read: it has very many earlier versions, which no segment holds.
    to = least;
    newest = await newestRows(transaction, [start, to]);
  }
  let { rows, from } = newest;
  let left = withoutSpan(unindexed, from, to);
  const [previous] = await segments.getLast(IDBKeyRange.upperBound(from, true), 1);
  if (previous && (previous.to >= from || previous.times.length < SEGMENT_SIZE)) {
    const span: TimeSpan = [previous.from, from - 1];
    const joined = await transaction
      .store("messages")
      .index("order")
      .getAll(timesWithin(...span), MAX_CHANGED);
    if (joined.length < MAX_CHANGED) {
      rows = [...rows, ...joined];
      from = previous.from;
      left = withoutSpan(left, ...span);
    } else if (previous.to >= from) {
      // It is replaced here, and what it had before is indexed later.
      left = withSpans(left, [span]);
      from = previous.from;
    }
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
  const signed = made.map(({ record, signature }) => ({ from: record.from, to: record.to, signature }));
  await replaceSignatures(transaction, [from, to], signed);
  return left;
}

/** All of an index in the order of the feed that lies within these times, both included. */
function timesWithin(from: number, to: number): IDBKeyRange {
  return IDBKeyRange.bound([from], [to, []]);
}

/** The newest rows of a span, in whole seconds, and where they begin. */
async function newestRows(
  transaction: SegmentTransaction,
  [start, end]: TimeSpan,
): Promise<{ rows: StoredMessage[]; from: number }> {
  const index = transaction.store("messages").index("order");
  const read = await index.getLast(timesWithin(start, end), MAX_CHANGED);
  if (read.length < MAX_CHANGED) return { rows: read, from: start };
  const from = read.at(-1)?.time ?? start;
  return { rows: [...read.filter(({ time }) => time > from), ...(await index.getAll(startingWith(from)))], from };
}
