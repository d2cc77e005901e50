import { compareAge, keyOf, type MessageKey, type Position, type StoredMessage, timeRangeOf } from "../../contract";
import type { Transaction } from "../database";
import type { PageQuery } from "../read/reader";
import { RowSource } from "../read/row-source";
import type { SegmentRecord, SegmentTextRecord, TimeSpan } from "../schema";
import { divide, type Stretch } from "./time-spans";
import { compileSegmentFilter, idIn, NO, YES, type SegmentFilter } from "./segment-filter";
import { readRun, SegmentWalk, type SegmentPosition, type WalkedSegment } from "./segment-walk";

/** Segments read at a time, few at first: the newest often have what is wanted. Fifty take some 10 ms. */
const FIRST_SEGMENTS = 4;
const MAX_SEGMENTS_AT_ONCE = 50;

/** How much one call examines at most, so that no write waits long and an abandoned search ends. */
const MAX_SEGMENTS = 400;
const MAX_TEXTS = 100;
const MAX_BLOCKS = 128;
const MAX_ROWS = 2_000;

/** After this many texts, the first matches are returned even if there is room for more: someone is waiting. */
const SOON_TEXTS = 16;

/** How many rows are read at a time if the segments aren't up to date. */
const ROWS_AT_ONCE = 256;

/** A message that was found in a segment. */
interface Find {
  key: MessageKey;
  /** Otherwise only the message itself can decide. */
  isSure: boolean;
}

/** Collects the rows of a page; without one, only counts, and reads only what the segments can't decide. */
export class Results {
  readonly rows: StoredMessage[] = [];
  found = 0;

  constructor(
    private readonly transaction: Transaction<"messages">,
    private readonly isShown: (row: StoredMessage) => boolean,
    private readonly page?: PageQuery,
  ) {}

  /** How many more matches are wanted. */
  get left(): number {
    return (this.page?.count ?? Infinity) - this.found;
  }

  /** Whether something was found, and someone is waiting for the very first page. */
  get isAwaited(): boolean {
    return this.page !== undefined && this.found > 0 && this.page.from === undefined;
  }

  /** Takes a row that may match. */
  addRow(row: StoredMessage): void {
    if (!this.isShown(row)) return;
    this.found++;
    if (this.page) this.rows.push(row);
  }

  async addFinds(finds: readonly Find[]): Promise<void> {
    const read = finds.filter(({ isSure }) => this.page || !isSure);
    this.found += finds.length - read.length;
    const messages = this.transaction.store("messages");
    for (const row of await Promise.all(read.map(({ key }) => messages.get(key)))) if (row) this.addRow(row);
  }
}

type ScanTransaction = Transaction<"messages" | "segments" | "segmentTexts" | "signatures">;
type Query = Pick<PageQuery, "filter" | "from" | "direction" | "nowMs">;

/** A walk along time: by segments where they are up to date, else by messages. */
export class Scan {
  readonly #filter: SegmentFilter;
  readonly #stretches: Stretch[];
  readonly #sign: 1 | -1;
  /** How much more this call may examine. */
  readonly #left = { segments: MAX_SEGMENTS, texts: MAX_TEXTS, blocks: MAX_BLOCKS, rows: MAX_ROWS };
  #chunk = FIRST_SEGMENTS;

  constructor(
    private readonly transaction: ScanTransaction,
    private readonly query: Query,
    unindexed: readonly TimeSpan[],
    private readonly stands: (segment: SegmentRecord, slot: number) => number,
  ) {
    const { filter = { terms: [] }, from, direction, nowMs } = query;
    this.#filter = compileSegmentFilter(filter, nowMs);
    this.#sign = direction === "older" ? -1 : 1;
    const within = timeRangeOf(filter, { nowMs });
    const lowest = direction === "newer" && from ? Math.max(within.from, from.time) : within.from;
    const highest = direction === "older" && from ? Math.min(within.before - 1, from.time) : within.before - 1;
    this.#stretches = lowest <= highest ? divide(unindexed, lowest, highest) : [];
    if (direction === "older") this.#stretches.reverse();
  }

  /**
   * Walks until there are enough results or the call's share is used up. Resolves to where to continue; undefined at
   * the end.
   */
  async run(results: Results): Promise<Position | undefined> {
    for (const stretch of this.#stretches) {
      const stopped = await (stretch.inside ? this.#readRows(stretch, results) : this.#readSegments(stretch, results));
      if (stopped) return stopped;
    }
    return undefined;
  }

  async #readRows({ from, to }: Stretch, results: Results): Promise<Position | undefined> {
    const { direction, from: behind } = this.query;
    const source = new RowSource(this.transaction, { all: true }, direction, behind, { from, before: to + 1 });
    while (!source.isExhausted) {
      const rows = await source.next(ROWS_AT_ONCE);
      this.#left.rows -= rows.length;
      for (const row of rows) {
        results.addRow(row);
        if (results.left <= 0) return row;
      }
      const last = rows.at(-1);
      if (last && this.#left.rows <= 0) return last;
    }
    return undefined;
  }

  async #readSegments(stretch: Stretch, results: Results): Promise<Position | undefined> {
    const span: TimeSpan = [stretch.from, stretch.to];
    const walk = new SegmentWalk(this.transaction, span, this.query.direction, this.#filter, this.#left);
    for (;;) {
      const { segments, last } = await walk.next(this.#chunk);
      if (!last) return undefined;
      this.#chunk = Math.min(this.#chunk * 2, MAX_SEGMENTS_AT_ONCE);
      this.#left.segments -= segments.length;
      await this.#take(segments, stretch, results);
      const isOver = this.#left.segments <= 0 || this.#left.texts <= 0 || this.#left.blocks <= 0;
      const isSoon = results.isAwaited && this.#left.texts <= MAX_TEXTS - SOON_TEXTS;
      if (results.left <= 0 || isOver || isSoon) return this.#endOf(last, stretch);
    }
  }

  /** The position after everything that a segment has in a stretch. */
  #endOf(segment: { from: number; to: number }, { from, to }: Stretch): Position {
    return this.#sign < 0
      ? { time: Math.max(segment.from, from), arrival: 0 }
      : { time: Math.min(segment.to, to), arrival: Number.MAX_SAFE_INTEGER };
  }

  async #take(segments: readonly WalkedSegment[], stretch: Stretch, results: Results): Promise<void> {
    const judged = segments.map(({ record, signature, at }) => {
      const verdicts = this.#verdicts(record, stretch);
      const isAny = () => verdicts.some((verdict) => verdict !== NO);
      const left = isAny() ? this.#filter.byColumns(record, signature, verdicts) : [];
      return { record, at, verdicts, left, isOpen: left.length > 0 && isAny() };
    });
    const open = judged.filter(({ isOpen }) => isOpen);
    const texts = await this.#texts(open.map(({ record: { from }, at }) => ({ from, at })));
    const finds: Find[] = [];
    for (const { record, verdicts, left } of judged) {
      const text = texts.get(record.from);
      if (text) this.#filter.byText(record, text, left, verdicts);
      const own: Find[] = [];
      for (const [slot, verdict] of verdicts.entries()) {
        if (verdict === NO) continue;
        const key = keyOf({ subId: record.subIds[slot] ?? 0, time: record.times[slot] ?? 0, id: idIn(record, slot) });
        own.push({ key, isSure: verdict === YES });
      }
      finds.push(...(this.#sign < 0 ? own.reverse() : own));
    }
    // At a time, no more than are certainly needed.
    for (let at = 0; at < finds.length && results.left > 0;) {
      const part = finds.slice(at, at + results.left);
      at += part.length;
      await results.addFinds(part);
    }
  }

  /** Keeps slots of the list and its topics, within the stretch and after the start of the walk. */
  #verdicts(segment: SegmentRecord, { from, to }: Stretch): Uint8Array<ArrayBuffer> {
    const behind = this.query.from;
    return Uint8Array.from(segment.times, (time, slot) => {
      if (time < from || time > to) return NO;
      if (behind && this.#sign * compareAge({ time, arrival: segment.arrivals[slot] ?? 0 }, behind) <= 0) return NO;
      return this.stands(segment, slot);
    });
  }

  async #texts(segments: readonly SegmentPosition[]): Promise<Map<number, SegmentTextRecord>> {
    this.#left.texts -= segments.length;
    const read = await readRun(this.transaction.store("segmentTexts"), segments);
    return new Map(read.flatMap((text) => (text ? [[text.from, text]] : [])));
  }
}
