import { priorityOf } from "../protocol";
import type { StoredMessage, SubscriptionRecord } from "./schema";
import { isUnread } from "./standing";

/**
 * Claims the alert of a row that has just entered the feed, by a mark on it: whoever else stores it later finds the mark.
 * A muted topic and one with a higher minimum priority claim none.
 */
export function claimAlert(row: StoredMessage, subscription: SubscriptionRecord, nowMs: number): boolean {
  if (row.alertedAtMs !== undefined || !isUnread(row)) return false;
  if ((subscription.mutedUntilMs ?? 0) > nowMs) return false;
  if (priorityOf(row.event) < (subscription.minPriority ?? 1)) return false;
  row.alertedAtMs = nowMs;
  return true;
}
