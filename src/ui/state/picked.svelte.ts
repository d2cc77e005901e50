import type { Chosen, ListQuery, MessageKey, StoredMessage } from "../../protocol";
import type { Pane } from "./pane.svelte";

/** What names a message, in memory. */
const nameOf = ({ subId, time, id }: StoredMessage): string => `${String(subId)}/${String(time)}/${id}`;

/** All that a list shows, as it was counted. */
interface Every {
  query: ListQuery & { upTo: number };
  count: number;
}

/** The messages of a pane that are picked, so that something is done with all of them at once. */
export class Picked {
  /** Those that are picked one by one; of all that the list shows, those that are not. */
  #keys = $state.raw<ReadonlyMap<string, MessageKey>>(new Map());
  #every = $state.raw<Every>();
  /** Where a range begins: what was picked, or let go, last. */
  #last: string | undefined;

  get count(): number {
    return this.#every ? this.#every.count - this.#keys.size : this.#keys.size;
  }

  /** All that the list shows were picked, also those that are not read yet. */
  get isEvery(): boolean {
    return this.#every !== undefined;
  }

  has(row: StoredMessage): boolean {
    const isNamed = this.#keys.has(nameOf(row));
    return this.#every ? row.arrival <= this.#every.query.upTo && !isNamed : isNamed;
  }

  /** Picks messages, or lets them go. */
  set(rows: readonly StoredMessage[], on: boolean): void {
    const keys = new Map(this.#keys);
    for (const row of rows) {
      if (on === (this.#every === undefined)) keys.set(nameOf(row), [row.subId, row.time, row.id]);
      else keys.delete(nameOf(row));
    }
    this.#keys = keys;
    const last = rows.at(-1);
    this.#last = last && nameOf(last);
    if (this.count === 0) this.clear();
  }

  /** Picks or lets go a message; with `isRange` all from the one before to it. `rows`: as they stand in the list. */
  toggle(row: StoredMessage, rows: readonly StoredMessage[], isRange = false): void {
    const on = !this.has(row);
    const from = isRange ? rows.findIndex((other) => nameOf(other) === this.#last) : -1;
    const to = rows.indexOf(row);
    if (from < 0 || to < 0) this.set([row], on);
    else this.set(from < to ? rows.slice(from, to + 1) : rows.slice(to, from + 1).reverse(), on);
  }

  /** Picks all that a list shows, so many. */
  all(query: Every["query"], count: number): void {
    this.clear();
    if (count > 0) this.#every = { query, count };
  }

  clear(): void {
    this.#every = undefined;
    this.#last = undefined;
    if (this.#keys.size > 0) this.#keys = new Map();
  }

  /** Names them for a change. */
  get chosen(): Chosen {
    const keys = [...this.#keys.values()];
    return this.#every ? { every: this.#every.query, except: keys } : { keys };
  }
}

/** What is picked in a pane, to pick more. */
export function pickedOf(pane: Pane): Picked {
  return (pane.picked ??= new Picked());
}
