import {
  compareAge,
  newestFirst,
  placeIn,
  rowKey,
  type FeedList,
  type Placed,
  type StoredMessage,
} from "../../contract";

/** Collects the changes announced while pages are being read, because a page may not show them. */
export class ChangesMeanwhile {
  added = new Map<string, StoredMessage>();
  changed = new Map<string, StoredMessage>();
  removed = new Set<string>();
  /** How many pages are being read. */
  #reads = 0;

  get isReading(): boolean {
    return this.#reads > 0;
  }

  /** Call this when a read begins. */
  begin(): void {
    this.#reads++;
  }

  /** Call this when a read has ended. After the last one, the changes are forgotten. */
  end(): void {
    this.#reads--;
    if (this.isReading) return;
    this.added = new Map();
    this.changed = new Map();
    this.removed = new Set();
  }

  add(rows: readonly StoredMessage[]): void {
    if (!this.isReading) return;
    for (const row of rows) {
      this.added.set(rowKey(row), row);
      this.removed.delete(rowKey(row));
    }
  }

  /** Records rows that changed, by key, and the keys of those removed. */
  change(changed: ReadonlyMap<string, StoredMessage>, removed: ReadonlySet<string>): void {
    if (!this.isReading) return;
    for (const key of removed) {
      this.removed.add(key);
      this.added.delete(key);
    }
    for (const [key, row] of changed) {
      this.changed.set(key, row);
      this.removed.delete(key);
    }
  }
}

/** Order of a list: negative if `a` is above `b`. */
export type RowOrder = (a: Placed, b: Placed) => number;

/** Snoozed messages: soonest to return first. In this list, a position's time is the return, ms. */
export const soonestBack: RowOrder = (a, b) => compareAge(placeIn("snoozed", a), placeIn("snoozed", b));

/** Order of a list, and whether it runs from older to newer. */
export function rowOrderOf(list: FeedList): { order: RowOrder; isAhead: boolean } {
  if (list === "snoozed") return { order: soonestBack, isAhead: true };
  return list === "scheduled" ? { order: compareAge, isAhead: true } : { order: newestFirst, isAhead: false };
}

/** Whether a list is in order, without ties. */
function isInOrder(rows: readonly Placed[], order: RowOrder): boolean {
  return rows.every((row, index) => {
    const before = rows[index - 1];
    return !before || order(before, row) < 0;
  });
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
  const byKey = new Map<string, StoredMessage>();
  for (const row of rows) byKey.set(rowKey(row), row);
  for (const row of added) byKey.set(rowKey(row), row);
  return [...byKey.values()].sort(order);
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
