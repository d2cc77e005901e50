import type { Transaction, Readable } from "../database";
import type { Direction } from "../read/row-source";
import type { SegmentRecord, TimeSpan } from "../schema";
import type { SegmentFilter } from "./segment-filter";
import type { Signatures } from "./signature";
import { readBlocks, type SignedSegment } from "./signature-blocks";

/** A segment's key, and its index among all segments that a walk passed. */
export interface SegmentPosition {
  from: number;
  at: number;
}

/** Reads what a store has of some segments: as one range if they are neighbours, as they are for a common word. */
export async function readRun<Value>(
  store: Readable<unknown, Value>,
  places: readonly SegmentPosition[],
): Promise<(Value | undefined)[]> {
  const [first, last] = [places[0], places.at(-1)];
  if (!first || !last) return [];
  if (last.at - first.at !== places.length - 1) return Promise.all(places.map(({ from }) => store.get(from)));
  if (first.from <= last.from) return store.getAll(IDBKeyRange.bound(first.from, last.from));
  return (await store.getAll(IDBKeyRange.bound(last.from, first.from))).reverse();
}

/** How many blocks of signatures are read at a time: few at first, as the newest often have all that is wanted. */
const FIRST_BLOCKS = 4;
const MAX_BLOCKS_AT_ONCE = 32;

/** A segment that may have matches, with its signatures if they were read. */
export interface WalkedSegment {
  record: SegmentRecord;
  signatures: Partial<Signatures>;
  /** Its index among all segments that the walk passed. */
  at: number;
}

/** One step of a walk. */
export interface WalkStep {
  segments: readonly WalkedSegment[];
  /** All segments up to here have been looked at, in the order of the walk; absent = there are no more. */
  last?: { from: number; to: number };
}

/** Walks through the segments that overlap a span of time. */
export interface SegmentWalk {
  /** The next segments that may have matches, at most `count`. */
  next(count: number): Promise<WalkStep>;
}

type WalkTransaction = Transaction<"segments" | "signatures">;

/** Takes every segment, when only the columns can tell. */
export class PlainWalk implements SegmentWalk {
  /** Where the last segment taken begins. */
  #edge: number | undefined;
  #taken = 0;

  constructor(
    private readonly transaction: WalkTransaction,
    private readonly stretch: TimeSpan,
    private readonly direction: Direction,
  ) {}

  async next(count: number): Promise<WalkStep> {
    const records = await this.#read(count);
    const last = records.at(-1);
    this.#edge = last?.from ?? this.#edge;
    const segments = records.map((record) => ({ record, signatures: {}, at: this.#taken++ }));
    return { segments, ...(last && { last }) };
  }

  async #read(count: number): Promise<SegmentRecord[]> {
    const segments = this.transaction.store("segments");
    const edge = this.#edge;
    const [from, to] = this.stretch;
    if (this.direction === "older") {
      if (edge !== undefined && edge <= from) return [];
      const read = await segments.getLast(IDBKeyRange.upperBound(edge ?? to, edge !== undefined), count);
      return read.filter((segment) => segment.to >= from);
    }
    if (edge === undefined) {
      const [first] = await segments.getLast(IDBKeyRange.upperBound(from), 1);
      if (first && first.to >= from) return [first];
    }
    const after = edge ?? from;
    if (after >= to) return [];
    return segments.getAll(IDBKeyRange.bound(after, to, true), count);
  }
}

/** Takes segments that the signatures don't rule out; nothing of the others is read. */
export class SignedWalk implements SegmentWalk {
  #edge: number | undefined;
  #chunk = FIRST_BLOCKS;
  /** Segments that may have matches and aren't taken yet. */
  #waiting: (SignedSegment & SegmentPosition)[] = [];
  #lookedAt = 0;
  #last: WalkStep["last"];

  /** @param share how many blocks may still be read, shared by all walks of one call */
  constructor(
    private readonly transaction: WalkTransaction,
    private readonly stretch: TimeSpan,
    private readonly direction: Direction,
    private readonly filter: SegmentFilter,
    private readonly share: { blocks: number },
  ) {}

  async next(count: number): Promise<WalkStep> {
    while (this.#waiting.length === 0) {
      if (!(await this.#lookOn())) return { segments: [] };
      if (this.share.blocks <= 0) break;
    }
    const taken = this.#waiting.splice(0, count);
    const records = await readRun(this.transaction.store("segments"), taken);
    const segments = taken.flatMap(({ signatures, at }, index): WalkedSegment[] => {
      const record = records[index];
      return record ? [{ record, signatures, at }] : [];
    });
    const last = this.#waiting.length > 0 ? taken.at(-1) : this.#last;
    return { segments, ...(last && { last }) };
  }

  /** Looks at the signatures of the next blocks; resolves to whether there were any. */
  async #lookOn(): Promise<boolean> {
    const blocks = await this.#nextBlocks();
    this.#chunk = Math.min(this.#chunk * 2, MAX_BLOCKS_AT_ONCE);
    this.share.blocks -= blocks.length;
    const [from, to] = this.stretch;
    const segments = blocks.flat().filter((segment) => segment.from <= to && segment.to >= from);
    if (this.direction === "older") segments.reverse();
    this.#last = segments.at(-1) ?? this.#last;
    for (const segment of segments) {
      const at = this.#lookedAt++;
      if (this.filter.mayPass(segment.signatures)) this.#waiting.push({ ...segment, at });
    }
    return segments.length > 0;
  }

  /** The next blocks, oldest first; the first of them may begin before the span. */
  async #nextBlocks() {
    const { signed } = this.filter;
    const [from, to] = this.stretch;
    const edge = this.#edge;
    if (this.direction === "older") {
      if (edge !== undefined && edge <= from) return [];
      const reach = { from: -Infinity, to: edge === undefined ? to : edge - 1 };
      const blocks = await readBlocks(this.transaction, signed, reach, { take: "last", count: this.#chunk });
      this.#edge = blocks[0]?.[0]?.from ?? -Infinity;
      return blocks;
    }
    const before = edge === undefined ? { from: -Infinity, to: from } : undefined;
    const first = before ? await readBlocks(this.transaction, signed, before, { take: "last", count: 1 }) : [];
    const after = { from: (edge ?? from) + 1, to };
    const rest = await readBlocks(this.transaction, signed, after, { count: this.#chunk });
    const blocks = [...first, ...rest];
    this.#edge = blocks.at(-1)?.[0]?.from ?? to;
    return blocks;
  }
}
