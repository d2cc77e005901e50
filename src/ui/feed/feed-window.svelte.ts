import { rowKey, type Placed, type StoredMessage } from "../../contract";

/** Collects the changes announced while pages are being read, because a page may not show them. */
export class ChangesMeanwhile {
  /** Rows that were added or changed, as they are now. */
  changed = new Map<string, StoredMessage>();
  removed = new Set<string>();
  /** How many pages are being read. */
  #reads = 0;

  get isReading(): boolean {
    return this.#reads > 0;
  }

  begin(): void {
    this.#reads++;
  }

  /** Call this when a read has ended. After the last one, the changes are forgotten. */
  end(): void {
    this.#reads--;
    if (this.isReading) return;
    this.changed = new Map();
    this.removed = new Set();
  }

  /** Records rows that were added or changed, by key, and the keys of those removed. */
  change(changed: ReadonlyMap<string, StoredMessage>, removed: ReadonlySet<string>): void {
    if (!this.isReading) return;
    for (const key of removed) {
      this.removed.add(key);
      this.changed.delete(key);
    }
    for (const [key, row] of changed) {
      this.changed.set(key, row);
      this.removed.delete(key);
    }
  }
}

/** Order of a list: negative if `a` is above `b`. */
export type RowOrder = (a: Placed, b: Placed) => number;

/** Whether a list is in order, without ties. */
function isInOrder(rows: readonly Placed[], order: RowOrder): boolean {
  return rows.every((row, index) => {
    const before = rows[index - 1];
    return !before || order(before, row) < 0;
  });
}

/** Rows by key; of several with the same key, the last. */
export function keyed(rows: readonly StoredMessage[]): Map<string, StoredMessage> {
  return new Map(rows.map((row) => [rowKey(row), row]));
}

/** Merges two ordered lists without duplicates; `added` takes precedence. */
export function mergeRows(
  rows: readonly StoredMessage[],
  added: readonly StoredMessage[],
  order: RowOrder,
): readonly StoredMessage[] {
  if (added.length === 0) return rows;
  // New rows nearly always come at an end.
  if (isInOrder([...rows.slice(-1), ...added], order)) return [...rows, ...added];
  if (isInOrder([...added, ...rows.slice(0, 1)], order)) return [...added, ...rows];
  return [...keyed([...rows, ...added]).values()].sort(order);
}

/** Replaces rows by key. Returns the same array if there are none to replace. */
export function replaceRows(
  rows: readonly StoredMessage[],
  changed: ReadonlyMap<string, StoredMessage>,
): readonly StoredMessage[] {
  let found = false;
  const next = rows.map((row) => {
    const to = changed.get(rowKey(row));
    if (to !== undefined) found = true;
    return to ?? row;
  });
  return found ? next : rows;
}

/** The rows for which `goes` is false; the same array if that is all of them. */
export function dropRows(
  rows: readonly StoredMessage[],
  goes: (row: StoredMessage) => boolean,
): readonly StoredMessage[] {
  const next = rows.filter((row) => !goes(row));
  return next.length === rows.length ? rows : next;
}

/** Limits the size of a map or set by deleting its oldest entries. */
export function forgetOldest(entries: Map<string, unknown> | Set<string>, most: number): void {
  for (const key of entries.keys()) {
    if (entries.size <= most) return;
    entries.delete(key);
  }
}

/** How many new rows are held back in memory, at most; further ones are only counted, and read when asked for. */
const MAX_HELD = 200;

/** A feed's new rows, held back while the user is reading further down. */
export class HeldRows {
  /** Whether more than `count` are held back, because an announcement left some out. */
  isPart = $state(false);
  #rows = $state.raw<ReadonlyMap<string, StoredMessage>>(new Map());
  /** How many of them aren't in memory. */
  #unread = $state(0);

  constructor(private readonly order: RowOrder) {}

  /** Those in memory. */
  get rows(): StoredMessage[] {
    return [...this.#rows.values()];
  }

  /** How many rows are held back, in memory or not. */
  get count(): number {
    return this.#rows.size + this.#unread;
  }

  /** Whether all of them are in memory, so that nothing need be read to show them. */
  get isComplete(): boolean {
    return this.#unread === 0 && !this.isPart;
  }

  /** Whether a row is held back or, if it comes after all that are in memory, may be. */
  mayHold(row: StoredMessage): boolean {
    if (this.#rows.has(rowKey(row))) return true;
    return !this.isComplete && [...this.#rows.values()].every((one) => this.order(one, row) < 0);
  }

  /** Holds rows back; the first ones in the order of the list stay in memory. */
  hold(rows: readonly StoredMessage[]): void {
    const all = keyed([...this.#rows.values(), ...rows]);
    const kept = all.size > MAX_HELD ? keyed([...all.values()].sort(this.order).slice(0, MAX_HELD)) : all;
    this.#unread += all.size - kept.size;
    this.#rows = kept;
  }

  /** Counts rows that an announcement left out; undefined = their number isn't known. */
  countUnread(more: number | undefined): void {
    if (more === undefined) this.isPart = true;
    else this.#unread += more;
  }

  /** Applies changes to the rows in memory, and drops those that were removed or no longer belong to the feed. */
  change(
    changed: ReadonlyMap<string, StoredMessage>,
    removed: ReadonlySet<string>,
    belongs: (row: StoredMessage) => boolean,
  ): void {
    const rows = [...this.#rows].map(([key, row]) => changed.get(key) ?? row);
    this.#rows = keyed(rows.filter((row) => !removed.has(rowKey(row)) && (!changed.has(rowKey(row)) || belongs(row))));
  }

  /** Returns the rows in memory, and stops holding any back. */
  release(): StoredMessage[] {
    const rows = [...this.#rows.values()];
    this.#rows = new Map();
    this.#unread = 0;
    this.isPart = false;
    return rows;
  }
}

type ReadKind = "above" | "below" | "top" | "place";

/** A feed's reads, one at a time, and how they end. A restart begins a new turn; earlier results are ignored. */
export class FeedReads {
  phase = $state<"reading" | "ready" | "failed">("reading");
  failure = $state<string>();
  /** Set during a search: how far back it has come, server time, seconds. */
  searchedTo = $state<number>();
  current = $state<ReadKind>();
  #turn = 0;

  beginTurn(): void {
    this.#turn++;
  }

  endAll(): void {
    this.#turn++;
    this.current = undefined;
  }

  /** Returns a function that tells whether this turn is still current. */
  watchTurn(): () => boolean {
    const turn = this.#turn;
    return () => turn === this.#turn;
  }

  async run(kind: ReadKind, read: () => Promise<void>): Promise<void> {
    const isCurrent = this.watchTurn();
    this.current = kind;
    try {
      await read();
      if (isCurrent()) this.phase = "ready";
    } catch (error) {
      if (!isCurrent()) return;
      this.phase = "failed";
      this.failure = readFailureText(error);
    } finally {
      if (isCurrent()) {
        this.current = undefined;
        this.searchedTo = undefined;
      }
    }
  }
}

export function readFailureText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
