import type { Transaction, Readable } from "../database";
import type { Direction } from "../read/row-source";
import type { SegmentRecord, TimeSpan } from "../schema";
import type { SegmentFilter } from "./segment-filter";
import { readBlocks, type SignedSegment } from "./signature-blocks";

/** A segment's key, and its index among all segments that a walk passed. */
export interface SegmentPosition {
  from: number;
  at: number;
}

/** Reads what a store has of some segments: as one range if they are neighbours, as for a common word. */
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

/** How many blocks of signatures are read at a time: few at first, because the newest often have all that is wanted. */
const FIRST_BLOCKS = 4;
const MAX_BLOCKS_AT_ONCE = 32;

/** A segment that may have matches. */
export interface WalkedSegment {
  record: SegmentRecord;
  signature: Uint8Array;
  /** Its index among all segments that the walk passed. */
  at: number;
}

export interface WalkStep {
  segments: readonly WalkedSegment[];
  /** All segments up to here were examined, in the order of the walk; absent = there are no more. */
  last?: { from: number; to: number };
}

/** Walks through the segments that overlap a span of time. Those that the signatures rule out aren't read. */
export class SegmentWalk {
  #edge: number | undefined;
  #chunk = FIRST_BLOCKS;
  /** Segments that may have matches and haven't been taken yet. */
  #waiting: (SignedSegment & SegmentPosition)[] = [];
  #lookedAt = 0;
  #last: WalkStep["last"];

  /** @param share how many blocks may still be read, shared by all walks of one call */
  constructor(
    private readonly transaction: Transaction<"segments" | "signatures">,
    private readonly stretch: TimeSpan,
    private readonly direction: Direction,
    private readonly filter: SegmentFilter,
    private readonly share: { blocks: number },
  ) {}

  /** The next segments that may have matches, at most `count`. */
  async next(count: number): Promise<WalkStep> {
    while (this.#waiting.length === 0) {
      if (!(await this.#lookOn())) return { segments: [] };
      if (this.share.blocks <= 0) break;
    }
    const taken = this.#waiting.splice(0, count);
    const records = await readRun(this.transaction.store("segments"), taken);
    const segments = taken.flatMap(({ signature, at }, index): WalkedSegment[] => {
      const record = records[index];
      return record ? [{ record, signature, at }] : [];
    });
    const last = this.#waiting.length > 0 ? taken.at(-1) : this.#last;
    return { segments, ...(last && { last }) };
  }

  /** Examines the signatures of the next blocks; resolves to whether there were any. */
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
      if (this.filter.mayPass(segment.signature)) this.#waiting.push({ ...segment, at });
    }
    return segments.length > 0;
  }

  /** The next blocks, oldest first; the first of them may begin before the span. */
  async #nextBlocks() {
    const [from, to] = this.stretch;
    const edge = this.#edge;
    if (this.direction === "older") {
      if (edge !== undefined && edge <= from) return [];
      const reach = { from: -Infinity, to: edge === undefined ? to : edge - 1 };
      const blocks = await readBlocks(this.transaction, reach, { take: "last", count: this.#chunk });
      this.#edge = blocks[0]?.[0]?.from ?? -Infinity;
      return blocks;
    }
    const before = edge === undefined ? { from: -Infinity, to: from } : undefined;
    const first = before ? await readBlocks(this.transaction, before, { take: "last", count: 1 }) : [];
    const rest = await readBlocks(this.transaction, { from: (edge ?? from) + 1, to }, { count: this.#chunk });
    const blocks = [...first, ...rest];
    this.#edge = blocks.at(-1)?.[0]?.from ?? to;
    return blocks;
  }
}
