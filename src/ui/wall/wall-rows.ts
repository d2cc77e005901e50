import type { FilterTerm, StoredMessage } from "../../contract";
import { priorityOf } from "../../protocol";

/** Unread messages of this priority or higher come first. */
const PRESSING = 4;

/** The same as conditions of a filter. */
export const PRESSING_TERMS: FilterTerm[] = [
  { not: false, kind: "is", what: "unread" },
  { not: false, kind: "priority", values: [4, 5] },
];

/** Unread and of high priority or above: what a wall is looked at for. */
export function isPressing(row: StoredMessage): boolean {
  return priorityOf(row.event) >= PRESSING && row.readAtMs === undefined;
}

/** Rows as a wall shows them: what presses first, the worst of it on top; then all else as it came. The newest first in each. */
export function wallRows(rows: readonly StoredMessage[]): StoredMessage[] {
  const rank = (row: StoredMessage) => (isPressing(row) ? priorityOf(row.event) : 0);
  return [...rows].sort((a, b) => rank(b) - rank(a) || b.time - a.time || b.arrival - a.arrival);
}
