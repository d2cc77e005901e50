import { isUnread, priorityOf, type StoredMessage } from "../protocol";
import type { SubscriptionRecord } from "./schema";

/**
 * Claims the alert of a row that has just entered the feed, by a mark on it: whoever else stores it later finds the mark.
 * A muted topic and one with a higher minimum priority claim none.
 *
 * @param isUnsure nobody has told that a newer version took its place, although it is listed so
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
