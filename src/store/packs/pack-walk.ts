import type { Transaction } from "../database";
import type { Direction } from "../row-source";
import type { PackRecord, TimeSpan } from "../schema";
import type { PackFilter } from "./pack-filter";
import { readRun, type PackPosition } from "./read-run";
import type { Signatures } from "./signature";
import { readBlocks, type SignedPack } from "./signature-blocks";

/** How many blocks of signatures are read at a time: few at first, as the newest often have all that is wanted. */
const FIRST_BLOCKS = 4;
const MOST_BLOCKS_AT_ONCE = 32;

/** A pack that may have matches, with its signatures if they were read. */
export interface WalkedPack {
  record: PackRecord;
  signatures: Partial<Signatures>;
  /** Its index among all packs that the walk passed. */
  at: number;
}

/** One step of a walk. */
export interface Step {
  packs: readonly WalkedPack[];
  /** All packs up to here have been looked at, in the order of the walk; absent = there are no more. */
  last?: { from: number; to: number };
}

/** Walks through the packs that overlap a span of time. */
export interface PackWalk {
  /** The next packs that may have matches, at most `count`. */
  next(count: number): Promise<Step>;
}

type WalkTransaction = Transaction<"packs" | "signatures">;

/** Takes every pack, when only the columns can tell. */
export class PlainWalk implements PackWalk {
  /** Where the last pack taken begins. */
  #edge: number | undefined;
  #taken = 0;

  constructor(
    private readonly transaction: WalkTransaction,
    private readonly stretch: TimeSpan,
    private readonly direction: Direction,
  ) {}

  async next(count: number): Promise<Step> {
    const records = await this.#read(count);
    const last = records.at(-1);
    this.#edge = last?.from ?? this.#edge;
    const packs = records.map((record) => ({ record, signatures: {}, at: this.#taken++ }));
    return { packs, ...(last && { last }) };
  }

  async #read(count: number): Promise<PackRecord[]> {
    const packs = this.transaction.store("packs");
    const edge = this.#edge;
    const [from, to] = this.stretch;
    if (this.direction === "older") {
      if (edge !== undefined && edge <= from) return [];
      const read = await packs.getLast(IDBKeyRange.upperBound(edge ?? to, edge !== undefined), count);
      return read.filter((pack) => pack.to >= from);
    }
    if (edge === undefined) {
      const [first] = await packs.getLast(IDBKeyRange.upperBound(from), 1);
      if (first && first.to >= from) return [first];
    }
    const after = edge ?? from;
    if (after >= to) return [];
    return packs.getAll(IDBKeyRange.bound(after, to, true), count);
  }
}

/** Takes packs that the signatures don't rule out; nothing of the others is read. */
export class SignedWalk implements PackWalk {
  #edge: number | undefined;
  #chunk = FIRST_BLOCKS;
  /** Packs that may have matches and aren't taken yet. */
  #waiting: (SignedPack & PackPosition)[] = [];
  #lookedAt = 0;
  #last: Step["last"];

  /** @param share how many blocks may still be read, shared by all walks of one call */
  constructor(
    private readonly transaction: WalkTransaction,
    private readonly stretch: TimeSpan,
    private readonly direction: Direction,
    private readonly filter: PackFilter,
    private readonly share: { blocks: number },
  ) {}

  async next(count: number): Promise<Step> {
    while (this.#waiting.length === 0) {
      if (!(await this.#lookOn())) return { packs: [] };
      if (this.share.blocks <= 0) break;
    }
    const taken = this.#waiting.splice(0, count);
    const records = await readRun(this.transaction.store("packs"), taken);
    const packs = taken.flatMap(({ signatures, at }, index): WalkedPack[] => {
      const record = records[index];
      return record ? [{ record, signatures, at }] : [];
    });
    const last = this.#waiting.length > 0 ? taken.at(-1) : this.#last;
    return { packs, ...(last && { last }) };
  }

  /** Looks at the signatures of the next blocks; resolves to whether there were any. */
  async #lookOn(): Promise<boolean> {
    const blocks = await this.#nextBlocks();
    this.#chunk = Math.min(this.#chunk * 2, MOST_BLOCKS_AT_ONCE);
    this.share.blocks -= blocks.length;
    const [from, to] = this.stretch;
    const packs = blocks.flat().filter((pack) => pack.from <= to && pack.to >= from);
    if (this.direction === "older") packs.reverse();
    this.#last = packs.at(-1) ?? this.#last;
    for (const pack of packs) {
      const at = this.#lookedAt++;
      if (this.filter.mayPass(pack.signatures)) this.#waiting.push({ ...pack, at });
    }
    return packs.length > 0;
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
