import { newestFirst, type FilterTerm, type StoredMessage } from "../../contract";
import { priorityOf } from "../../protocol";

/** Unread messages of this priority or higher come first. */
const PRESSING = 4;

/** The same as conditions of a filter. */
export const PRESSING_TERMS: FilterTerm[] = [
  { not: false, kind: "is", what: "unread" },
  { not: false, kind: "priority", values: [4, 5] },
];

/** Unread and of high priority or above. */
export function isPressing(row: StoredMessage): boolean {
  return priorityOf(row.event) >= PRESSING && row.readAtMs === undefined;
}

/** The rows of a wall: urgent ones first, by priority, then all others; newest first among equals. */
export function wallRows(rows: readonly StoredMessage[]): StoredMessage[] {
  const rank = (row: StoredMessage) => (isPressing(row) ? priorityOf(row.event) : 0);
  return [...rows].sort((a, b) => rank(b) - rank(a) || newestFirst(a, b));
}
