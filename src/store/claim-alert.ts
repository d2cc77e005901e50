import { isUnread, type StoredMessage } from "../contract";
import { priorityOf } from "../protocol";
import type { SubscriptionRecord } from "./schema";

/**
 * Claims the alert of a row that has just entered the feed, by marking the row: anyone who stores it later finds the
 * mark. A muted topic, or one with a higher minimum priority, claims none.
 *
 * @param isUnsure it is listed as superseded, but the server hasn't confirmed that a newer version replaced it
 */
export function claimAlert(
  row: StoredMessage,
  subscription: SubscriptionRecord,
  nowMs: number,
  isUnsure = false,
): boolean {
  if (row.alertedAtMs !== undefined || !isUnread(isUnsure ? asNewest(row) : row)) return false;
  if ((subscription.mutedUntilMs ?? 0) > nowMs) return false;
  if (priorityOf(row.event) < (subscription.minPriority ?? 1)) return false;
  row.alertedAtMs = nowMs;
  return true;
}

function asNewest({ supersededBy: _, ...row }: StoredMessage): StoredMessage {
  return row;
}
