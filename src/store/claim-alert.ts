import { type AlertFacts, type StoredMessage, whyNoAlert } from "../contract";

/**
 * Claims the alert of a row that has just entered the feed, by marking the row: anyone who stores it later finds the
 * mark. A row that raises none is marked with the reason. What isn't due yet is asked once it is.
 */
export function claimAlert(row: StoredMessage, facts: AlertFacts): boolean {
  if (row.alertedAtMs !== undefined || row.scheduled) return false;
  const why = whyNoAlert(row, facts);
  if (why) row.noAlert = why;
  else row.alertedAtMs = facts.nowMs;
  return !why;
}
