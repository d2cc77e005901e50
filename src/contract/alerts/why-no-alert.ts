// Why a message raises no alert: the only place that decides, when it enters the feed and when its claim ends.
import { type Priority, priorityOf } from "../../protocol";
import type { HeldBack } from "./alert-rules";
import type { NoAlertReason, StoredMessage } from "../stored-message";
import { isMuted } from "../topics";
import { isUnread } from "../visibility";

/** A claimed alert that no tab has shown for this long, ms, is dropped: users who come back see what is new anyway. */
export const ALERT_WITHIN_MS = 300_000;

/** What decides, besides the message itself. */
export interface AlertFacts {
  /** Device clock, ms. */
  nowMs: number;
  /** It comes with the history of a topic that was just added. */
  isHistory?: boolean;
  /** It is listed as superseded, but the server hasn't confirmed a newer version. */
  isUnsure?: boolean | undefined;
  /** What its topic asks for; `mutedUntilMs`: device clock, ms. `quietHours`: as stored. */
  topic?: { mutedUntilMs?: number; minPriority?: Priority; quietHours?: unknown };
  /** What else holds alerts back; absent = there are no general rules and no quiet hours. */
  heldBack?: HeldBack | undefined;
}

/** Why a message raises no alert, when it enters the feed or its claim ends unshown; undefined = it does. */
export function whyNoAlert(
  row: StoredMessage,
  { nowMs, isHistory, isUnsure, topic, heldBack }: AlertFacts,
): NoAlertReason | undefined {
  if (row.alertedAtMs !== undefined) return nowMs < row.alertedAtMs + ALERT_WITHIN_MS ? undefined : "unshown";
  if (isHistory) return "history";
  if (row.supersededBy !== undefined && !isUnsure) return "superseded";
  if (!isUnread(isUnsure ? asNewest(row) : row)) return "read";
  if (isMuted(topic?.mutedUntilMs, nowMs)) return "muted";
  if (priorityOf(row.event) < (topic?.minPriority ?? 1)) return "priority";
  return heldBack?.(row, topic?.quietHours);
}

function asNewest({ supersededBy: _, ...row }: StoredMessage): StoredMessage {
  return row;
}
