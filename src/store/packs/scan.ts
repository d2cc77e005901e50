import { timeRangeOf } from "../../protocol";
import type { Transaction } from "../database";
import type { PageQuery } from "../reader";
import { RowSource } from "../row-source";
import type { PackRecord, PackTextRecord, StoredMessage, TimeSpan } from "../schema";
import { compareAge, type Position } from "../standing";
import { divide, type Stretch } from "../time-spans";
import { compilePackFilter, NO, YES, type PackFilter } from "./pack-filter";

/** Packs read at a time: few at first, as the newest often have all that is wanted. By the design's figures fifty take some 10 ms. */
const FIRST_PACKS = 4;
const MOST_PACKS_AT_ONCE = 50;

/** What one call looks through at most, so that no write waits long and a search that nobody wants any more ends. */
const MOST_PACKS = 400;
const MOST_TEXTS = 100;
const MOST_ROWS = 2_000;

/** Rows read at a time where the packs do not hold. */
const ROWS_AT_ONCE = 256;

/** A message that a pack finds. */
export interface Hit {
  pack: PackRecord;
  slot: number;
  id: string;
}

/** Where finds go, in order. */
export interface Sink {
  /** Nothing more is wanted. */
  readonly isFull: boolean;
  /** How many certain finds must be named at most; of others only the number counts. */
  readonly wantsIds: number;
  /** One more, certainly. The row is given where it was read. */
  add(row?: StoredMessage): void;
  /** Finds that must be read: to be shown, or since only the message itself can decide. */
  addHits(hits: readonly Hit[]): Promise<void>;
}

type ScanTransaction = Transaction<"messages" | "packs" | "packTexts">;
type Query = Pick<PageQuery, "filter" | "from" | "direction" | "nowMs">;

/** A find before its id is known. */
interface Find {
  pack: PackRecord;
  slot: number;
  isSure: boolean;
}

/** One walk along the time line: by packs where they hold, by the messages themselves where something changed since. */
export class Scan {
  readonly #filter: PackFilter;
  readonly #stretches: Stretch[];
  readonly #sign: 1 | -1;
  #packsLeft = MOST_PACKS;
  #textsLeft = MOST_TEXTS;
  #rowsLeft = MOST_ROWS;
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

  /** Walks until the sink is full, the call's share is used up, or the end; where to go on, undefined at the end. */
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
      this.#rowsLeft -= rows.length;
      for (const row of rows) {
        if (isShown(row)) sink.add(row);
        if (sink.isFull) return row;
      }
      const last = rows.at(-1);
      if (last && this.#rowsLeft <= 0) return last;
    }
    return undefined;
  }

  async #readPacks(stretch: Stretch, sink: Sink): Promise<Position | undefined> {
    let edge: number | undefined;
    for (;;) {
      const asked = this.#chunk;
      const packs = await this.#nextPacks(stretch, edge, asked);
      this.#chunk = Math.min(this.#chunk * 2, MOST_PACKS_AT_ONCE);
      const last = packs.at(-1);
      if (!last) return undefined;
      edge = last.from;
      this.#packsLeft -= packs.length;
      await this.#take(packs, stretch, sink);
      const end = this.#endOf(last, stretch);
      if (sink.isFull || this.#packsLeft <= 0 || this.#textsLeft <= 0) return end;
    }
  }

  /** Packs that reach into a stretch, behind the one that begins at `edge`, in the order of the walk. */
  async #nextPacks({ from, to }: Stretch, edge: number | undefined, count: number): Promise<PackRecord[]> {
    const packs = this.transaction.store("packs");
    if (this.query.direction === "older") {
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

  /** The position behind everything that a pack has in a stretch. */
  #endOf(pack: PackRecord, { from, to }: Stretch): Position {
    return this.#sign < 0
      ? { time: Math.max(pack.from, from), arrival: 0 }
      : { time: Math.min(pack.to, to), arrival: Number.MAX_SAFE_INTEGER };
  }

  async #take(packs: readonly PackRecord[], stretch: Stretch, sink: Sink): Promise<void> {
    const judged = packs.map((pack) => {
      const verdicts = this.#standing(pack, stretch);
      const left = verdicts.some((verdict) => verdict !== NO) ? this.#filter.byColumns(pack, verdicts) : [];
      return { pack, verdicts, left, isOpen: left.length > 0 && verdicts.some((verdict) => verdict !== NO) };
    });
    const texts = await this.#texts(judged.filter(({ isOpen }) => isOpen).map(({ pack }) => pack));
    const finds: Find[] = [];
    for (const { pack, verdicts, left, isOpen } of judged) {
      const text = texts.get(pack.from);
      if (isOpen && text) this.#filter.byText(pack, text, left, verdicts);
      const own: Find[] = [];
      for (const [slot, verdict] of verdicts.entries()) {
        if (verdict !== NO) own.push({ pack, slot, isSure: verdict === YES });
      }
      finds.push(...(this.#sign < 0 ? own.reverse() : own));
    }
    await this.#hand(finds, texts, sink);
  }

  /** Gives finds to the sink, in order, as many at a time as must be read for certain. */
  async #hand(finds: readonly Find[], texts: Map<number, PackTextRecord>, sink: Sink): Promise<void> {
    for (let at = 0; at < finds.length && !sink.isFull;) {
      const wanted = sink.wantsIds;
      const part = wanted > 0 ? finds.slice(at, at + wanted) : finds.slice(at);
      at += part.length;
      const named = part.filter(({ isSure }) => wanted > 0 || !isSure);
      for (let sure = part.length - named.length; sure > 0; sure--) sink.add();
      const unread = new Map(named.map(({ pack }) => [pack.from, pack]));
      for (const from of texts.keys()) unread.delete(from);
      for (const [from, text] of await this.#texts([...unread.values()])) texts.set(from, text);
      const hits = named.flatMap(({ pack, slot }): Hit[] => {
        const id = texts.get(pack.from)?.ids[slot];
        return id === undefined ? [] : [{ pack, slot, id }];
      });
      await sink.addHits(hits);
    }
  }

  /** Slots of the list and the topics, of the stretch, and behind where the walk begins. */
  #standing(pack: PackRecord, { from, to }: Stretch): Uint8Array<ArrayBuffer> {
    const behind = this.query.from;
    return Uint8Array.from(pack.times, (time, slot) => {
      if (time < from || time > to) return NO;
      if (behind && this.#sign * compareAge({ time, arrival: pack.arrivals[slot] ?? 0 }, behind) <= 0) return NO;
      return this.stands(pack, slot);
    });
  }

  /** Texts of packs. */
  async #texts(packs: readonly PackRecord[]): Promise<Map<number, PackTextRecord>> {
    this.#textsLeft -= packs.length;
    const store = this.transaction.store("packTexts");
    const read = await Promise.all(packs.map(({ from }) => store.get(from)));
    return new Map(read.filter((text) => text !== undefined).map((text) => [text.from, text]));
  }
}
