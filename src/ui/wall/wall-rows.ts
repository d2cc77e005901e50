import { isUnread, newestFirst, type FilterTerm, type StoredMessage } from "../../contract";
import { priorityOf } from "../../protocol";

/** What comes first on a wall, as conditions of a filter. */
export const UNREAD_HIGH_TERMS: FilterTerm[] = [
  { not: false, kind: "is", what: "unread" },
  { not: false, kind: "priority", values: [4, 5] },
];

/** The rows of a wall: unread ones of high priority first, by priority, then all others; newest first among equals. */
export function wallRows(rows: readonly StoredMessage[]): StoredMessage[] {
  const rank = (row: StoredMessage) => (isUnread(row) && priorityOf(row.event) > 3 ? priorityOf(row.event) : 0);
  return [...rows].sort((a, b) => rank(b) - rank(a) || newestFirst(a, b));
}
