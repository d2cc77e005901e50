import type { Transaction } from "../database";
import type { SignatureRecord, TimeSpan } from "../schema";
import { SIGNATURE_KINDS, type SignatureKind, type Signatures } from "./signature";

/**
 * How many segments share one signature record. A search reads all signatures, which takes a seventh of the time of
 * reading as many bytes segment by segment; and a record has only a few kilobytes, so it can be rewritten quickly.
 */
const MAX_SEGMENTS = 16;

/** A block with fewer segments is joined to a neighbour that has room, when it is written anyway. */
const FEW_SEGMENTS = MAX_SEGMENTS / 2;

/** A segment as described by its signature record. */
export interface SignedSegment {
  /** Times of its first and last message, Unix seconds. */
  from: number;
  to: number;
  /** Only the kinds that were asked for. */
  signatures: Partial<Signatures>;
}

/** Consecutive segments, oldest first. */
export type Block = readonly SignedSegment[];

type SignatureTransaction = Transaction<"signatures">;

/** The blocks that begin within a span, oldest first: the first or last `count`. */
export async function readBlocks(
  transaction: SignatureTransaction,
  kinds: readonly SignatureKind[],
  { from, to }: { from: number; to: number },
  { take = "first", count }: { take?: "first" | "last"; count?: number } = {},
): Promise<Block[]> {
  if (from > to) return [];
  const store = transaction.store("signatures");
  const read = await Promise.all(
    kinds.map(async (kind) => {
      const range = IDBKeyRange.bound([kind, from], [kind, to]);
      if (take === "first" || count === undefined) return store.getAll(range, count);
      return (await store.getLast(range, count)).reverse();
    }),
  );
  return (read[0] ?? []).map((first, at) =>
    [...first.froms].map((from, slot) => ({
      from,
      to: first.tos[slot] ?? from,
      signatures: Object.fromEntries(
        read.flatMap((records) => {
          const record = records[at];
          return record ? [[record.kind, signatureIn(record, slot)]] : [];
        }),
      ),
    })),
  );
}

function signatureIn({ ends, bits }: SignatureRecord, slot: number): Uint8Array {
  return bits.subarray(slot === 0 ? 0 : ends[slot - 1], ends[slot]);
}

/** Makes these segments, oldest first, the only ones that begin within a span. What hasn't changed isn't written. */
export async function replaceSignatures(
  transaction: SignatureTransaction,
  [from, to]: TimeSpan,
  fresh: readonly SignedSegment[],
): Promise<void> {
  const [[left], inside, [right]] = await Promise.all([
    readBlocks(transaction, SIGNATURE_KINDS, { from: -Infinity, to: from - 1 }, { take: "last", count: 1 }),
    readBlocks(transaction, SIGNATURE_KINDS, { from, to }),
    readBlocks(transaction, SIGNATURE_KINDS, { from: to + 1, to: Infinity }, { count: 1 }),
  ]);
  const reachesIn = (left?.at(-1)?.from ?? -Infinity) >= from;
  const replaced = left && reachesIn ? [left, ...inside] : [...inside];
  const former = replaced.flat();
  let segments = [
    ...former.filter((segment) => segment.from < from),
    ...fresh,
    ...former.filter((segment) => segment.from > to),
  ];
  if (areSame(former, segments)) return;
  const hasRoom = (block: Block) => segments.length < FEW_SEGMENTS && segments.length + block.length <= MAX_SEGMENTS;
  if (right && hasRoom(right)) {
    replaced.push(right);
    segments = [...segments, ...right];
  } else if (left && !reachesIn && hasRoom(left)) {
    replaced.push(left);
    segments = [...left, ...segments];
  }
  const store = transaction.store("signatures");
  for (const kind of SIGNATURE_KINDS) {
    for (const [first] of replaced) if (first) store.delete([kind, first.from]);
    for (let at = 0; at < segments.length; at += MAX_SEGMENTS)
      store.put(recordOf(kind, segments.slice(at, at + MAX_SEGMENTS)));
  }
}

function recordOf(kind: SignatureKind, segments: readonly SignedSegment[]): SignatureRecord {
  const parts = segments.map(({ signatures }) => signatures[kind] ?? new Uint8Array());
  const ends = new Uint32Array(segments.length);
  let length = 0;
  for (const [slot, part] of parts.entries()) ends[slot] = length += part.length;
  const bits = new Uint8Array(length);
  for (const [slot, part] of parts.entries()) bits.set(part, (ends[slot] ?? 0) - part.length);
  return {
    kind,
    from: segments[0]?.from ?? 0,
    froms: Float64Array.from(segments, (segment) => segment.from),
    tos: Float64Array.from(segments, (segment) => segment.to),
    ends,
    bits,
  };
}

function areSame(before: readonly SignedSegment[], after: readonly SignedSegment[]): boolean {
  return (
    before.length === after.length &&
    before.every((one, at) => {
      const other = after[at];
      return (
        one.from === other?.from &&
        one.to === other.to &&
        SIGNATURE_KINDS.every((kind) => areSameBits(one.signatures[kind], other.signatures[kind]))
      );
    })
  );
}

function areSameBits(one: Uint8Array = new Uint8Array(), other: Uint8Array = new Uint8Array()): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
