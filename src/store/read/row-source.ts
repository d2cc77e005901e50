import { compareAge, type FeedList, type MessageKey, placeIn, type Position, type StoredMessage } from "../../contract";
import type { Transaction } from "../database";

/** What a source reads: the rows of one subscription, of all, or of a short list. */
export type RowSpan = { subId: number } | { all: true } | { list: Exclude<FeedList, "feed"> };

export type Direction = "older" | "newer";

/** A second with this many rows is read in parts of the same size. */
const PART = 256;

/**
 * Reads the rows of a span in order of (time, arrival), chunk by chunk: only those after the position `behind`, and
 * `within` these times, Unix seconds: `from` inclusive, `before` exclusive.
 */
export class RowSource {
  isExhausted = false;
  /** Where a second that is read in parts continues. */
  #rest: Position | undefined;
  /** Rows beyond this time haven't been read yet. */
  #edge: { time: number; inclusive: boolean };

  constructor(
    private readonly transaction: Transaction<"messages">,
    private readonly span: RowSpan,
    private readonly direction: Direction,
    private readonly behind?: Position,
    private readonly within = { from: -Infinity, before: Infinity },
  ) {
    const { from, before } = within;
    if (direction === "newer") {
      this.#edge = { time: Math.max(behind?.time ?? -Infinity, from), inclusive: true };
    } else if (behind && behind.time < before) {
      this.#edge = { time: behind.time, inclusive: true };
    } else {
      this.#edge = { time: before, inclusive: before === Infinity };
    }
    this.isExhausted = !this.#isAhead();
  }

  /**
   * The next rows, about `count`, in whole seconds: keys order the rows of one second by id, so only a second that was
   * read completely can be ordered by arrival. A very full second comes in parts. Empty = exhausted.
   */
  async next(count: number): Promise<StoredMessage[]> {
    while (!this.isExhausted) {
      const rows = await this.#read(count);
      const { behind } = this;
      const sign = this.direction === "older" ? -1 : 1;
      const fresh = behind ? rows.filter((row) => sign * compareAge(this.#place(row), behind) > 0) : rows;
      if (fresh.length > 0) return fresh.sort((a, b) => sign * compareAge(this.#place(a), this.#place(b)));
    }
    return [];
  }

  async #read(count: number): Promise<StoredMessage[]> {
    if (this.#rest) return this.#readPart(this.#rest);
    const { time, inclusive } = this.#edge;
    const isOlder = this.direction === "older";
    const range = isOlder
      ? this.#range(this.within.from, true, time, inclusive)
      : this.#range(time, inclusive, this.within.before, this.within.before === Infinity);
    const source = this.#source();
    const rows = isOlder ? await source.getLast(range, count) : await source.getAll(range, count);
    const last = rows.at(-1);
    if (!last || rows.length < count) {
      this.isExhausted = true;
      return rows;
    }
    // The last second may extend beyond the chunk: it is left for the next one or, if there is nothing else, read
    // completely.
    const { time: cut } = this.#place(last);
    const whole = rows.filter((row) => this.#place(row).time !== cut);
    this.#edge = { time: cut, inclusive: whole.length > 0 };
    this.isExhausted = !this.#isAhead();
    if (whole.length > 0) return whole;
    const second = this.#range(cut, true, cut, true);
    // Snoozed messages are in the order of their return, for which there is no index.
    if ("list" in this.span && this.span.list === "snoozed") return source.getAll(second);
    const begun = await source.getAll(second, PART);
    if (begun.length < PART) return begun;
    const start = { time: cut, arrival: isOlder ? Infinity : -Infinity };
    return this.#readPart(this.behind?.time === cut ? this.behind : start);
  }

  /** Continues within a second, by the index that has the rows of all topics in the order of the feed. */
  async #readPart({ time, arrival }: Position): Promise<StoredMessage[]> {
    const order = this.transaction.store("messages").index("order");
    const rows =
      this.direction === "older"
        ? await order.getLast(IDBKeyRange.bound([time], [time, arrival], false, true), PART)
        : await order.getAll(IDBKeyRange.bound([time, arrival], [time, []], true), PART);
    const last = rows.at(-1);
    this.#rest = last && rows.length >= PART ? { time, arrival: last.arrival } : undefined;
    this.isExhausted = !this.#rest && !this.#isAhead();
    const { span } = this;
    if ("all" in span) return rows;
    return rows.filter(({ subId, listed }) =>
      "subId" in span ? subId === span.subId : listed?.some(([list]) => list === span.list),
    );
  }

  /** Whether anything can lie between the edge and the end; IndexedDB throws on an empty range. */
  #isAhead(): boolean {
    const { time, inclusive } = this.#edge;
    const { from, before } = this.within;
    if (this.direction === "older") return time > from || (time === from && inclusive);
    return time < before || (time === before && before === Infinity);
  }

  #place(row: StoredMessage): Position {
    return placeIn("list" in this.span ? this.span.list : "feed", row);
  }

  #source() {
    const messages = this.transaction.store("messages");
    if ("all" in this.span) return messages.index("order");
    return "list" in this.span ? messages.index("listed") : messages;
  }

  #range(from: number, fromInclusive: boolean, to: number, toInclusive: boolean): IDBKeyRange {
    const prefix = "all" in this.span ? [] : ["list" in this.span ? this.span.list : this.span.subId];
    // An empty array sorts after every id and number, and a key after its own prefix.
    return IDBKeyRange.bound(
      fromInclusive ? [...prefix, from] : [...prefix, from, []],
      toInclusive ? [...prefix, to, []] : [...prefix, to],
      false,
      !toInclusive,
    );
  }
}

/** How many keys are read at a time while looking for an id: about 5 ms. */
const SEARCH_CHUNK = 1_000;

/** Finds rows by id alone, newest first: for links without a time, and first versions. */
export async function findKeysById(
  transaction: Transaction<"messages">,
  subId: number,
  ids: ReadonlySet<string>,
  isWorthwhile: (keysRead: number, missing: ReadonlySet<string>) => boolean = () => true,
): Promise<Map<string, MessageKey>> {
  const messages = transaction.store("messages");
  const found = new Map<string, MessageKey>();
  const missing = new Set(ids);
  let upper: IDBValidKey = [subId, []];
  for (let keysRead = 0; missing.size > 0 && isWorthwhile(keysRead, missing);) {
    const rest = IDBKeyRange.bound([subId], upper, false, true);
    const first = await messages.keyFromEnd(rest, SEARCH_CHUNK - 1);
    const keys = await messages.getAllKeys(first === undefined ? rest : IDBKeyRange.bound(first, upper, false, true));
    for (const key of keys) if (missing.delete(key[2])) found.set(key[2], key);
    if (first === undefined) break;
    upper = first;
    keysRead += keys.length;
  }
  return found;
}
