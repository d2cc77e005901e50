import { keyOf, rowKey, type Chosen, type CountedList, type MessageKey, type StoredMessage } from "../../../contract";

/** All messages of a list, as they were counted. */
interface Every {
  query: CountedList;
  count: number;
}

/** The picked messages of a pane, to which an action applies together. */
export class Picked {
  /** Messages picked one by one; if `#every` is set, those *not* picked. */
  #keys = $state.raw<ReadonlyMap<string, MessageKey>>(new Map());
  #every = $state.raw<Every>();
  /** Where a range begins: the message last picked or unpicked. */
  #last: string | undefined;

  get count(): number {
    return this.#every ? this.#every.count - this.#keys.size : this.#keys.size;
  }

  /** Whether all messages of the list were picked, including those not loaded. */
  get isEvery(): boolean {
    return this.#every !== undefined;
  }

  has(row: StoredMessage): boolean {
    const isNamed = this.#keys.has(rowKey(row));
    return this.#every ? row.arrival <= this.#every.query.upTo && !isNamed : isNamed;
  }

  set(rows: readonly StoredMessage[], on: boolean): void {
    const keys = new Map(this.#keys);
    for (const row of rows) {
      if (on === (this.#every === undefined)) keys.set(rowKey(row), keyOf(row));
      else keys.delete(rowKey(row));
    }
    this.#keys = keys;
    const last = rows.at(-1);
    this.#last = last && rowKey(last);
    if (this.count === 0) this.clear();
  }

  /** Picks or unpicks a message with its repeats; `isRange`: all from the last one to it. @param rows in list order */
  toggle(
    row: StoredMessage,
    rows: readonly StoredMessage[],
    {
      isRange = false,
      behind = () => [],
    }: { isRange?: boolean; behind?: (row: StoredMessage) => readonly StoredMessage[] } = {},
  ): void {
    const on = !this.has(row);
    const from = isRange ? rows.findIndex((other) => rowKey(other) === this.#last) : -1;
    const to = rows.indexOf(row);
    const range = from < to ? rows.slice(from, to + 1) : rows.slice(to, from + 1).reverse();
    // The row itself comes last, because a range begins there.
    this.set(
      (from < 0 || to < 0 ? [row] : range).flatMap((one) => [...behind(one), one]),
      on,
    );
  }

  /** Picks all `count` messages of a list. */
  all(query: Every["query"], count: number): void {
    this.clear();
    if (count > 0) this.#every = { query, count };
  }

  clear(): void {
    this.#every = undefined;
    this.#last = undefined;
    if (this.#keys.size > 0) this.#keys = new Map();
  }

  /** The picked messages, as commands take them. */
  get chosen(): Chosen {
    const keys = [...this.#keys.values()];
    return this.#every ? { every: this.#every.query, except: keys } : { keys };
  }
}
