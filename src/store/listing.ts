import type { Listing, StoredMessage } from "../contract";

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
