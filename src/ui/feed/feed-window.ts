import { rowKey, type Position, type FeedList, type StoredMessage } from "../../contract";

/** A position, or a row. */
export type Placed = Position & Pick<StoredMessage, "snoozedUntilMs">;

/** Order of a list: negative if `a` is above `b`. */
export type Order = (a: Placed, b: Placed) => number;

/** Newest first, ties of one second by arrival (docs/design.md §4). */
export const newestFirst: Order = (a, b) => b.time - a.time || b.arrival - a.arrival;

/** Soonest first, for messages in the future. */
export const soonestFirst: Order = (a, b) => newestFirst(b, a);

/**
 * Snoozed messages: those that return soonest come first. Positions in this list hold the moment of return as time, ms.
 */
export const soonestBack: Order = (a, b) => soonestFirst(backAt(a), backAt(b));

function backAt({ time, arrival, snoozedUntilMs = time }: Placed): Position {
  return { time: snoozedUntilMs, arrival };
}

/** Order of a list, and whether it runs from older to newer. */
export function orderOf(list: FeedList): { order: Order; isAhead: boolean } {
  if (list === "snoozed") return { order: soonestBack, isAhead: true };
  return list === "scheduled" ? { order: soonestFirst, isAhead: true } : { order: newestFirst, isAhead: false };
}

/** The position of a row in a list, from which the next page continues. */
export function positionOf(list: FeedList, row: Placed): Position {
  return list === "snoozed" ? backAt(row) : { time: row.time, arrival: row.arrival };
}

/** Whether a list is in order, without ties. */
function isInOrder(rows: readonly Placed[], order: Order): boolean {
  return rows.every((row, index) => {
    const before = rows[index - 1];
    return !before || order(before, row) < 0;
  });
}

/** Merges two lists in order, each message once; of two with the same key, that of `added` is taken. */
export function mergeRows(
  rows: readonly StoredMessage[],
  added: readonly StoredMessage[],
  order: Order,
): readonly StoredMessage[] {
  if (added.length === 0) return rows;
  // What comes at an end, as nearly everything does.
  if (isInOrder([...rows.slice(-1), ...added], order)) return [...rows, ...added];
  if (isInOrder([...added, ...rows.slice(0, 1)], order)) return [...added, ...rows];
  const byKey = new Map<string, StoredMessage>();
  for (const row of rows) byKey.set(rowKey(row), row);
  for (const row of added) byKey.set(rowKey(row), row);
  return [...byKey.values()].sort(order);
}

/** Replaces the rows of the given keys. Returns the same array if there are none. */
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

/** Rows without those for which `goes` is true; the same array if there are none. */
export function dropRows(
  rows: readonly StoredMessage[],
  goes: (row: StoredMessage) => boolean,
): readonly StoredMessage[] {
  const next = rows.filter((row) => !goes(row));
  return next.length === rows.length ? rows : next;
}
