import { isUnread, newestFirst, type FilterTerm, type StoredMessage } from "../../contract";
import { priorityOf } from "../../protocol";

/** Unread messages of this priority or higher come first. */
const HIGH = 4;

/** The same as conditions of a filter. */
export const UNREAD_HIGH_TERMS: FilterTerm[] = [
  { not: false, kind: "is", what: "unread" },
  { not: false, kind: "priority", values: [4, 5] },
];

/** Unread and of high priority or above. */
export function isUnreadHigh(row: StoredMessage): boolean {
  return priorityOf(row.event) >= HIGH && isUnread(row);
}

/** The rows of a wall: unread ones of high priority first, by priority, then all others; newest first among equals. */
export function wallRows(rows: readonly StoredMessage[]): StoredMessage[] {
  const rank = (row: StoredMessage) => (isUnreadHigh(row) ? priorityOf(row.event) : 0);
  return [...rows].sort((a, b) => rank(b) - rank(a) || newestFirst(a, b));
}
