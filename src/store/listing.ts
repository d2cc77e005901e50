import type { StoredMessage } from "./schema";

/** Lists that hold few of all messages, each sorted by the number behind it: a time, server's or device's. */
export type ListName = "scheduled" | "starred" | "done" | "snoozed" | "deleted" | "unsettled";

/**
 * Where a row stands in the index `listed`. One index serves all short lists: a row that is in none costs nothing there,
 * while each index more costs every row some 2 % of its writing, even where it has no entry.
 */
export type Listing = [list: ListName, at: number] | [list: "sequence", subId: number, sequence: string, time: number];

/** The lists in which a row stands, by its other fields. */
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

/** Brings a row's place in the index up to its other fields; to be called before every write. */
export function list(row: StoredMessage): void {
  const listings = listingsOf(row);
  if (listings.length > 0) row.listed = listings;
  else if (row.listed) delete row.listed;
}
