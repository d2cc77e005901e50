// Why a message raises no alert: the one place that decides, when it enters the feed and when its claim ends.
import { type Priority, priorityOf } from "../protocol";
import type { HeldBack } from "./alert-rules";
import type { StoredMessage } from "./stored-message";
import { isUnread } from "./visibility";

/**
 * Why a message raised no alert, in the order in which it is asked:
 *
 * - `unshown`: its alert was claimed, but no tab said within `ALERT_WITHIN_MS` that it shows it. Notifications were off
 *   or not allowed, or no page was awake; which of these isn't known.
 * - `history`: it came with the first catch-up of a topic that was just added, so it isn't news.
 * - `imported`: it came out of a file, and not from its server.
 * - `superseded`: a newer version of it was known when it came.
 * - `read`: it was cleared by its sender, or read, done, snoozed or deleted here, before it came or fell due.
 * - `muted`: its topic was muted.
 * - `priority`: its priority was below the least that alerts in its topic.
 * - `all-muted`: all topics were muted.
 * - `quiet`: it came in quiet hours, its topic's own or those of all topics.
 *
 * The reason is that of the moment and is never asked again. A message's age is none: what was missed while the device
 * was away alerts when it comes. Not noted is what happens to an alert that a tab does show (a notification of its own,
 * or a line in a summary, with or without a sound), nor that the message was dealt with before a tab could show it.
 */
export type NoAlertReason =
  "unshown" | "history" | "imported" | "superseded" | "read" | "muted" | "priority" | "all-muted" | QuietReason;

/** It came in quiet hours, which were to end then; device clock, ms; Infinity = without end. */
export interface QuietReason {
  kind: "quiet";
  untilMs: number;
}

/** A claimed alert that no tab has shown for this long, ms, isn't shown any more: users who come back see what is new. */
export const ALERT_WITHIN_MS = 300_000;

/** What decides besides the message itself. */
export interface AlertFacts {
  /** Device clock, ms. */
  nowMs: number;
  /** It comes with the history of a topic that was just added. */
  isHistory?: boolean;
  /** It is listed as superseded, but the server hasn't confirmed that a newer version replaced it. */
  isUnsure?: boolean | undefined;
  /** What its topic asks for; `mutedUntilMs`: device clock, ms. `quietHours`: as stored. */
  topic?: { mutedUntilMs?: number; minPriority?: Priority; quietHours?: unknown };
  /** What else is held back; absent = there are no rules for all topics and no quiet hours. */
  heldBack?: HeldBack | undefined;
}

/**
 * Why a message raises no alert: as it enters the feed, or, once its alert is claimed, for as long as no tab shows it.
 * Undefined = it raises one.
 */
export function whyNoAlert(
  row: StoredMessage,
  { nowMs, isHistory, isUnsure, topic, heldBack }: AlertFacts,
): NoAlertReason | undefined {
  if (row.alertedAtMs !== undefined) return nowMs < row.alertedAtMs + ALERT_WITHIN_MS ? undefined : "unshown";
  if (isHistory) return "history";
  if (row.supersededBy !== undefined && !isUnsure) return "superseded";
  if (!isUnread(isUnsure ? asNewest(row) : row)) return "read";
  if ((topic?.mutedUntilMs ?? 0) > nowMs) return "muted";
  if (priorityOf(row.event) < (topic?.minPriority ?? 1)) return "priority";
  return heldBack?.(row, topic?.quietHours);
}

function asNewest({ supersededBy: _, ...row }: StoredMessage): StoredMessage {
  return row;
}
