import { isCurrent, isInFeed, isUnread, type StoredMessage } from "../contract";
import { priorityOf } from "../protocol";

/** What a row adds to each counter: each number is 0 or 1. */
export interface Tally {
  stored: number;
  inFeed: number;
  unread: number;
  /** Unread ones of priority 5. */
  urgent: number;
  /** Unread ones of priority 4. */
  high: number;
  starred: number;
  scheduled: number;
  snoozed: number;
}

const NOTHING: Tally = { stored: 0, inFeed: 0, unread: 0, urgent: 0, high: 0, starred: 0, scheduled: 0, snoozed: 0 };

/** What a row adds to each counter; all zeros if there is no row or the user deleted it. */
export function tallyOf(row: StoredMessage | undefined): Tally {
  if (!row || row.deletedAtMs !== undefined) return NOTHING;
  const inFeed = isInFeed(row);
  const unread = isUnread(row);
  return {
    stored: 1,
    inFeed: Number(inFeed),
    unread: Number(unread),
    urgent: Number(unread && priorityOf(row.event) === 5),
    high: Number(unread && priorityOf(row.event) === 4),
    starred: Number(row.starred !== undefined && isCurrent(row)),
    scheduled: Number(row.scheduled !== undefined),
    snoozed: Number(row.snoozedUntilMs !== undefined && row.doneAtMs === undefined && isCurrent(row)),
  };
}
