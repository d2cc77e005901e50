import { compareAge, type Position, type StoredMessage, timeRangeOf } from "../../contract";
import type { Transaction } from "../database";
import type { PageQuery } from "../reader";
import { RowSource } from "../row-source";
import type { PackRecord, PackTextRecord, TimeSpan } from "../schema";
import { divide, type Stretch } from "../time-spans";
import { compilePackFilter, NO, YES, type PackFilter } from "./pack-filter";
import { PlainWalk, SignedWalk, type PackWalk, type WalkedPack } from "./pack-walk";
import { readRun, type PackPosition } from "./read-run";

/**
 * How many packs are read at a time: few at first, as the newest often have all that is wanted. By the design's figures
 * fifty take some 10 ms.
 */
const FIRST_PACKS = 4;
const MOST_PACKS_AT_ONCE = 50;

/** How much one call looks through at most, so that no write waits long and an abandoned search ends. */
const MOST_PACKS = 400;
const MOST_TEXTS = 100;
const MOST_BLOCKS = 128;
const MOST_ROWS = 2_000;

/**
 * After this many texts the first matches of a search are returned, even if more would fit: somebody waits for them.
 */
const SOON_TEXTS = 16;

/** How many rows are read at a time where the packs aren't up to date. */
const ROWS_AT_ONCE = 256;

/** A message that was found in a pack. */
export interface Hit {
  pack: PackRecord;
  slot: number;
  id: string;
}

/** Takes the matches, in order. */
export interface Sink {
  /** No more matches are wanted. */
  readonly isFull: boolean;
  /** Something was found, and somebody waits for the first results. */
  readonly isAwaited: boolean;
  /** How many certain matches need their ids at most; the others are only counted. */
  readonly wantsIds: number;
  /** Adds a certain match; the row is passed if it was read. */
  add(row?: StoredMessage): void;
  /** Adds matches that must be read: to be shown, or because only the message itself can decide. */
  addHits(hits: readonly Hit[]): Promise<void>;
}

type ScanTransaction = Transaction<"messages" | "packs" | "packTexts" | "signatures">;
type Query = Pick<PageQuery, "filter" | "from" | "direction" | "nowMs">;

/** A match before its id is known. */
interface Find {
  pack: PackRecord;
  /** The pack's index in the walk. */
  at: number;
  slot: number;
  isSure: boolean;
}

/**
 * One walk along time: by packs where they are up to date, by the messages themselves where something changed since.
 */
export class Scan {
  readonly #filter: PackFilter;
  readonly #stretches: Stretch[];
  readonly #sign: 1 | -1;
  /** How much this call may still look through. */
  readonly #left = { packs: MOST_PACKS, texts: MOST_TEXTS, blocks: MOST_BLOCKS, rows: MOST_ROWS };
  #chunk = FIRST_PACKS;

  constructor(
    private readonly transaction: ScanTransaction,
    private readonly query: Query,
    unpacked: readonly TimeSpan[],
    private readonly stands: (pack: PackRecord, slot: number) => number,
  ) {
    const { filter = { terms: [] }, from, direction, nowMs } = query;
    this.#filter = compilePackFilter(filter, nowMs);
    this.#sign = direction === "older" ? -1 : 1;
    const within = timeRangeOf(filter, { nowMs });
    const lowest = direction === "newer" && from ? Math.max(within.from, from.time) : within.from;
    const highest = direction === "older" && from ? Math.min(within.before - 1, from.time) : within.before - 1;
    this.#stretches = lowest <= highest ? divide(unpacked, lowest, highest) : [];
    if (direction === "older") this.#stretches.reverse();
  }

  /**
   * Walks until the sink is full, the call's share is used up, or the end is reached. Resolves to where to go on;
   * undefined at the end.
   */
  async run(sink: Sink, isShown: (row: StoredMessage) => boolean): Promise<Position | undefined> {
    for (const stretch of this.#stretches) {
      const stopped = stretch.inside
        ? await this.#readRows(stretch, sink, isShown)
        : await this.#readPacks(stretch, sink);
      if (stopped) return stopped;
    }
    return undefined;
  }

  async #readRows(
    { from, to }: Stretch,
    sink: Sink,
    isShown: (row: StoredMessage) => boolean,
  ): Promise<Position | undefined> {
    const { direction, from: behind } = this.query;
    const within = { from, before: to + 1 };
    const source = new RowSource(this.transaction, { all: true }, direction, { behind, within });
    while (!source.isExhausted) {
      const rows = await source.next(ROWS_AT_ONCE);
      this.#left.rows -= rows.length;
      for (const row of rows) {
        if (isShown(row)) sink.add(row);
        if (sink.isFull) return row;
      }
      const last = rows.at(-1);
      if (last && this.#left.rows <= 0) return last;
    }
    return undefined;
  }

  async #readPacks(stretch: Stretch, sink: Sink): Promise<Position | undefined> {
    const walk = this.#walk(stretch);
    for (;;) {
      const { packs, last } = await walk.next(this.#chunk);
      if (!last) return undefined;
      this.#chunk = Math.min(this.#chunk * 2, MOST_PACKS_AT_ONCE);
      this.#left.packs -= packs.length;
      await this.#take(packs, stretch, sink);
      const isOver = this.#left.packs <= 0 || this.#left.texts <= 0 || this.#left.blocks <= 0;
      const isSoon = sink.isAwaited && this.#left.texts <= MOST_TEXTS - SOON_TEXTS;
      if (sink.isFull || isOver || isSoon) return this.#endOf(last, stretch);
    }
  }

  #walk({ from, to }: Stretch): PackWalk {
    const { direction } = this.query;
    return this.#filter.signed.length > 0
      ? new SignedWalk(this.transaction, [from, to], direction, this.#filter, this.#left)
      : new PlainWalk(this.transaction, [from, to], direction);
  }

  /** The position after everything that a pack has in a stretch. */
  #endOf(pack: { from: number; to: number }, { from, to }: Stretch): Position {
    return this.#sign < 0
      ? { time: Math.max(pack.from, from), arrival: 0 }
      : { time: Math.min(pack.to, to), arrival: Number.MAX_SAFE_INTEGER };
  }

  async #take(packs: readonly WalkedPack[], stretch: Stretch, sink: Sink): Promise<void> {
    const judged = packs.map(({ record: pack, signatures, at }) => {
      const verdicts = this.#verdicts(pack, stretch);
      const left = verdicts.some((verdict) => verdict !== NO) ? this.#filter.byColumns(pack, signatures, verdicts) : [];
      return { pack, at, verdicts, left, isOpen: left.length > 0 && verdicts.some((verdict) => verdict !== NO) };
    });
    const open = judged.filter(({ isOpen }) => isOpen);
    const texts = await this.#texts(open.map(({ pack, at }) => ({ from: pack.from, at })));
    const finds: Find[] = [];
    for (const { pack, at, verdicts, left, isOpen } of judged) {
      const text = texts.get(pack.from);
      if (isOpen && text) this.#filter.byText(pack, text, left, verdicts);
      const own: Find[] = [];
      for (const [slot, verdict] of verdicts.entries()) {
        if (verdict !== NO) own.push({ pack, at, slot, isSure: verdict === YES });
      }
      finds.push(...(this.#sign < 0 ? own.reverse() : own));
    }
    await this.#hand(finds, texts, sink);
  }

  /** Gives matches to the sink in order, at most as many at a time as are certainly needed. */
  async #hand(finds: readonly Find[], texts: Map<number, PackTextRecord>, sink: Sink): Promise<void> {
    for (let at = 0; at < finds.length && !sink.isFull;) {
      const wanted = sink.wantsIds;
      const part = wanted > 0 ? finds.slice(at, at + wanted) : finds.slice(at);
      at += part.length;
      const named = part.filter(({ isSure }) => wanted > 0 || !isSure);
      for (let sure = part.length - named.length; sure > 0; sure--) sink.add();
      const unread = new Map(named.map(({ pack: { from }, at }) => [from, { from, at }]));
      for (const from of texts.keys()) unread.delete(from);
      for (const [from, text] of await this.#texts([...unread.values()])) texts.set(from, text);
      const hits = named.flatMap(({ pack, slot }): Hit[] => {
        const text = texts.get(pack.from);
        return text ? [{ pack, slot, id: idIn(text, slot) }] : [];
      });
      await sink.addHits(hits);
    }
  }

  /**
   * Keeps the slots that belong to the list and the topics, lie in the stretch, and come after the start of the walk.
   */
  #verdicts(pack: PackRecord, { from, to }: Stretch): Uint8Array<ArrayBuffer> {
    const behind = this.query.from;
    return Uint8Array.from(pack.times, (time, slot) => {
      if (time < from || time > to) return NO;
      if (behind && this.#sign * compareAge({ time, arrival: pack.arrivals[slot] ?? 0 }, behind) <= 0) return NO;
      return this.stands(pack, slot);
    });
  }

  /** Reads the texts of packs, which are given in the order of the walk. */
  async #texts(packs: readonly PackPosition[]): Promise<Map<number, PackTextRecord>> {
    this.#left.texts -= packs.length;
    const read = await readRun(this.transaction.store("packTexts"), packs);
    return new Map(read.filter((text) => text !== undefined).map((text) => [text.from, text]));
  }
}

function idIn({ ids, idEnds }: PackTextRecord, slot: number): string {
  return ids.slice(slot === 0 ? 0 : idEnds[slot - 1], idEnds[slot]);
}
