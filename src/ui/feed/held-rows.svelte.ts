import { rowKey, type StoredMessage } from "../../contract";
import type { RowOrder } from "./feed-window";

/** How many new rows are held back in memory, at most; further ones are only counted, and read when asked for. */
const MAX_HELD = 200;

/** A feed's new rows, held back while the user is reading further down. */
export class HeldRows {
  /** How many rows are held back, in memory or not. */
  count = $state(0);
  /** Whether more than `count` are held back, because an announcement left some out. */
  isPart = $state(false);
  readonly #order: RowOrder;
  #rows = new Map<string, StoredMessage>();
  /** How many of them aren't in memory. */
  #unread = 0;

  constructor(order: RowOrder) {
    this.#order = order;
  }

  /** Whether all of them are in memory, so that nothing need be read to show them. */
  get isComplete(): boolean {
    return this.#unread === 0 && !this.isPart;
  }

  has(key: string): boolean {
    return this.#rows.has(key);
  }

  /** Holds rows back; the first ones in the order of the list stay in memory. */
  hold(rows: readonly StoredMessage[]): void {
    for (const row of rows) this.#rows.set(rowKey(row), row);
    if (this.#rows.size > MAX_HELD) {
      const kept = [...this.#rows.values()].sort(this.#order).slice(0, MAX_HELD);
      this.#unread += this.#rows.size - kept.length;
      this.#rows = new Map(kept.map((row) => [rowKey(row), row]));
    }
    this.#recount();
  }

  /** Counts rows that an announcement left out; undefined = their number isn't known. */
  countUnread(more: number | undefined): void {
    if (more === undefined) this.isPart = true;
    else this.#unread += more;
    this.#recount();
  }

  /** Applies changes to the rows in memory, and drops those that were removed or no longer belong to the feed. */
  change(
    changed: ReadonlyMap<string, StoredMessage>,
    removed: ReadonlySet<string>,
    belongs: (row: StoredMessage) => boolean,
  ): void {
    for (const key of removed) this.#rows.delete(key);
    for (const [key, row] of changed) {
      if (!this.#rows.has(key)) continue;
      if (belongs(row)) this.#rows.set(key, row);
      else this.#rows.delete(key);
    }
    this.#recount();
  }

  /** Returns the rows in memory, and stops holding any back. */
  release(): StoredMessage[] {
    const rows = [...this.#rows.values()];
    this.#rows.clear();
    this.#unread = 0;
    this.isPart = false;
    this.#recount();
    return rows;
  }

  #recount(): void {
    this.count = this.#rows.size + this.#unread;
  }
}
