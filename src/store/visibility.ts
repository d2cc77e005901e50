// Where a stored message stands, and which lists show it.
import type { FeedList } from "../protocol";
import type { StoredMessage } from "./schema";

/** Days are counted in UTC, so that a change of time zone moves no counter. */
const SECONDS_PER_DAY = 86_400;

/** Delivered and not deleted by the user: what exists as far as he is concerned. */
export function isDelivered(row: StoredMessage): boolean {
  return row.scheduled === undefined && row.deletedAtMs === undefined;
}

/** The newest version of a delivered message, whether it was dealt with or not. */
export function isCurrent(row: StoredMessage): boolean {
  return isDelivered(row) && row.supersededBy === undefined;
}

/** Shown in the feed: delivered, newest version, neither done nor snoozed. */
export function isInFeed(row: StoredMessage): boolean {
  return isCurrent(row) && row.doneAtMs === undefined && row.snoozedUntilMs === undefined;
}

/** In the feed and not read. */
export function isUnread(row: StoredMessage): boolean {
  return isInFeed(row) && row.readAtMs === undefined;
}

/** Day of a server time, for the counts by day. */
export function dayOf(time: number): number {
  return Math.floor(time / SECONDS_PER_DAY);
}

/** Place of a row in every list: by time, then by first arrival (docs/design.md §4). */
export interface Position {
  time: number;
  arrival: number;
}

/** Place of a row in a list: what is snoozed stands by the moment of its return, all else by its own time. */
export function placeIn(list: FeedList, { time, arrival, snoozedUntilMs }: StoredMessage): Position {
  return { time: list === "snoozed" ? (snoozedUntilMs ?? 0) : time, arrival };
}

/** Negative when `a` is older than `b`. */
export function compareAge(a: Position, b: Position): number {
  return a.time - b.time || a.arrival - b.arrival;
}
