import type { StoredMessage } from "../../client";

/** Whether a message is unread (docs/design.md §5): superseded, done, snoozed and scheduled ones are not. */
export function isUnread(row: StoredMessage): boolean {
  return (
    row.readAtMs === undefined &&
    row.doneAtMs === undefined &&
    row.snoozedUntilMs === undefined &&
    row.supersededBy === undefined &&
    row.scheduled === undefined
  );
}
