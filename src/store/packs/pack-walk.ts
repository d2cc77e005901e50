import type { Transaction } from "../database";
import type { Direction } from "../row-source";
import type { PackRecord, TimeSpan } from "../schema";
import type { PackFilter } from "./pack-filter";
import type { Signatures } from "./signature";
import { readBlocks, type SignedPack } from "./signature-blocks";

/** Blocks of signatures read at a time: few at first, as the newest often have all that is wanted. */
const FIRST_BLOCKS = 4;
const MOST_BLOCKS_AT_ONCE = 32;

/** A pack that may have something, with its signatures where these were asked. */
export interface WalkedPack {
  record: PackRecord;
  signatures: Partial<Signatures>;
}

/** One step of a walk. */
export interface Step {
  packs: readonly WalkedPack[];
  /** All packs up to here were looked at, in the order of the walk; absent = there are no more. */
  last?: { from: number; to: number };
}

/** Packs that reach into a stretch of time, in the order of the walk. */
export interface PackWalk {
  /** The next ones that may have something, so many at most. */
  next(count: number): Promise<Step>;
}

type WalkTransaction = Transaction<"packs" | "signatures">;

/** Takes every pack, where nothing but its columns can tell. */
export class PlainWalk implements PackWalk {
  /** Where the pack begins that was taken last. */
  #edge: number | undefined;

  constructor(
    private readonly transaction: WalkTransaction,
    private readonly stretch: TimeSpan,
    private readonly direction: Direction,
  ) {}

  async next(count: number): Promise<Step> {
    const records = await this.#read(count);
    const last = records.at(-1);
    this.#edge = last?.from ?? this.#edge;
    return { packs: records.map((record) => ({ record, signatures: {} })), ...(last && { last }) };
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

/** Takes packs whose signatures do not rule the filter out; nothing of the others is read. */
export class SignedWalk implements PackWalk {
  #edge: number | undefined;
  #chunk = FIRST_BLOCKS;
  /** Packs that may have something, not taken yet; `at` counts all that were looked at. */
  #waiting: (SignedPack & { at: number })[] = [];
  #lookedAt = 0;
  #last: Step["last"];

  /** @param share blocks that may still be read, shared by all walks of one call */
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
    const records = await this.#read(taken);
    const packs = taken.flatMap(({ signatures }, at): WalkedPack[] => {
      const record = records[at];
      return record ? [{ record, signatures }] : [];
    });
    const last = this.#waiting.length > 0 ? taken.at(-1) : this.#last;
    return { packs, ...(last && { last }) };
  }

  /** Looks at the signatures of the next blocks; whether there were any. */
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

  /** Oldest first; the first of them may reach into the stretch from before it. */
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

  /** In one piece where they follow one another, as the packs of a common word do. */
  async #read(taken: readonly (SignedPack & { at: number })[]): Promise<(PackRecord | undefined)[]> {
    const packs = this.transaction.store("packs");
    const [first, last] = [taken[0], taken.at(-1)];
    if (!first || !last) return [];
    if (last.at - first.at !== taken.length - 1) return Promise.all(taken.map(({ from }) => packs.get(from)));
    if (this.direction === "newer") return packs.getAll(IDBKeyRange.bound(first.from, last.from));
    return (await packs.getAll(IDBKeyRange.bound(last.from, first.from))).reverse();
  }
}
