import {
  COUNTED,
  isCurrent,
  isInFeed,
  isUnread,
  type StoredMessage,
  type SubscriptionCounts,
  type Listing,
} from "../contract";
import { DAY_S, type guards, priorityOf } from "../protocol";
import type { SubscriptionRecord } from "./schema";

/** Day of a server time, for the counts by day: in UTC, so that a change of time zone changes no counter. */
export function dayOf(time: number): number {
  return Math.floor(time / DAY_S);
}

/** What a row adds to each counter of its subscription: each number is 0 or 1. */
export type Tally = guards.RecordOf<typeof COUNTED>;

const NAMES = Object.keys(COUNTED) as (keyof Tally)[];

/** The counters of a subscription without messages. */
export const NOTHING = Object.fromEntries(NAMES.map((name) => [name, 0])) as Readonly<Tally>;

/** What a row adds to each counter; all zeros if there is no row or the user deleted it. */
export function tallyOf(row: StoredMessage | undefined): Tally {
  if (!row || row.deletedAtMs !== undefined) return NOTHING;
  const unread = isUnread(row);
  return {
    unread: Number(unread),
    unreadUrgent: Number(unread && priorityOf(row.event) === 5),
    unreadHigh: Number(unread && priorityOf(row.event) === 4),
    starred: Number(row.starred !== undefined && isCurrent(row)),
    scheduled: Number(row.scheduled !== undefined),
    snoozed: Number(row.snoozedUntilMs !== undefined && row.doneAtMs === undefined && isCurrent(row)),
    inFeed: Number(isInFeed(row)),
    total: 1,
  };
}

/** Changes a subscription's counters by the difference that a row makes. */
export function count(record: Tally, was: Tally, is: Tally): void {
  for (const name of NAMES) record[name] += is[name] - was[name];
}

/** A subscription's counters, as they are announced. */
export function countsOf({ subId, newest, ...record }: SubscriptionRecord): SubscriptionCounts {
  const counts = Object.fromEntries(NAMES.map((name) => [name, record[name]])) as unknown as Tally;
  return { subId, ...counts, ...(newest && { newest }) };
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
