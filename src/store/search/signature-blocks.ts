import type { Transaction } from "../database";
import type { SignatureRecord, TimeSpan } from "../schema";

/**
 * How many segments share one signature record, at most. A search reads all signatures, which takes a seventh of the
 * time of reading as many bytes segment by segment; and a record has only a few kilobytes, so it is quick to rewrite.
 */
const MAX_SEGMENTS = 16;

/** A segment as described by its signature record. */
export interface SignedSegment {
  /** Times of its first and last message, Unix seconds. */
  from: number;
  to: number;
  signature: Uint8Array;
}

/** Consecutive segments, oldest first. */
export type Block = readonly SignedSegment[];

type SignatureTransaction = Transaction<"signatures">;

/** The blocks that begin within a span, oldest first: the first or last `count`. */
export async function readBlocks(
  transaction: SignatureTransaction,
  { from, to }: { from: number; to: number },
  { take = "first", count }: { take?: "first" | "last"; count?: number } = {},
): Promise<Block[]> {
  if (from > to) return [];
  const store = transaction.store("signatures");
  const range = IDBKeyRange.bound(from, to);
  const isFromStart = take === "first" || count === undefined;
  const records = isFromStart ? await store.getAll(range, count) : (await store.getLast(range, count)).reverse();
  return records.map(({ froms, tos, ends, bits }) =>
    Array.from(froms, (from, slot) => ({
      from,
      to: tos[slot] ?? from,
      signature: bits.subarray(slot === 0 ? 0 : ends[slot - 1], ends[slot]),
    })),
  );
}

/** Makes these segments, oldest first, the only ones that begin within a span. The blocks next to it are divided anew. */
export async function replaceSignatures(
  transaction: SignatureTransaction,
  [from, to]: TimeSpan,
  fresh: readonly SignedSegment[],
): Promise<void> {
  const former = await Promise.all([
    readBlocks(transaction, { from: -Infinity, to: from - 1 }, { take: "last", count: 1 }),
    readBlocks(transaction, { from, to }),
    readBlocks(transaction, { from: to + 1, to: Infinity }, { count: 1 }),
  ]);
  const replaced = former.flat();
  const segments = [
    ...replaced.flat().filter((segment) => segment.from < from),
    ...fresh,
    ...replaced.flat().filter((segment) => segment.from > to),
  ];
  const store = transaction.store("signatures");
  for (const [first] of replaced) if (first) store.delete(first.from);
  // Equal parts: full ones with a short rest would leave more and more short ones.
  const parts = Math.ceil(segments.length / MAX_SEGMENTS);
  const begin = (part: number) => Math.floor((part * segments.length) / parts);
  for (let part = 0; part < parts; part++) store.put(recordOf(segments.slice(begin(part), begin(part + 1))));
}

function recordOf(segments: readonly SignedSegment[]): SignatureRecord {
  const ends = new Uint32Array(segments.length);
  let length = 0;
  for (const [slot, { signature }] of segments.entries()) ends[slot] = length += signature.length;
  const bits = new Uint8Array(length);
  for (const [slot, { signature }] of segments.entries()) bits.set(signature, (ends[slot] ?? 0) - signature.length);
  return {
    from: segments[0]?.from ?? 0,
    froms: Float64Array.from(segments, (segment) => segment.from),
    tos: Float64Array.from(segments, (segment) => segment.to),
    ends,
    bits,
  };
}
