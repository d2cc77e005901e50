import { isCurrent, isInFeed, isUnread, type StoredMessage, type Listing } from "../contract";
import { priorityOf } from "../protocol";

/** Days are counted in UTC, so that a change of time zone changes no counter. */
const SECONDS_PER_DAY = 86_400;

/** Day of a server time, for the counts by day. */
export function dayOf(time: number): number {
  return Math.floor(time / SECONDS_PER_DAY);
}

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

/** The lists that a row is in, by its other fields. */
function listingsOf(row: StoredMessage): Listing[] {
  const { subId, time, scheduled, starred, doneAtMs, snoozedUntilMs, deletedAtMs, sequence, unsettled } = row;
  const listings: Listing[] = [];
  if (scheduled) listings.push(["scheduled", time]);
  if (starred) listings.push(["starred", time]);
  if (doneAtMs !== undefined) listings.push(["done", time]);
  if (snoozedUntilMs !== undefined) listings.push(["snoozed", snoozedUntilMs]);
  if (deletedAtMs !== undefined) listings.push(["deleted", deletedAtMs]);
  if (unsettled) listings.push(["unsettled", time]);
  if (sequence !== undefined) listings.push(["sequence", subId, sequence, time]);
  return listings;
}

/** Updates a row's place in the index from its other fields. Call it before every write. */
export function updateListed(row: StoredMessage): void {
  const listings = listingsOf(row);
  if (listings.length > 0) row.listed = listings;
  else if (row.listed) delete row.listed;
}
