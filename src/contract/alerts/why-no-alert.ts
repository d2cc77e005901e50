// Why a message raises no alert. This alone decides whether it is claimed.
import { guards, type Priority, priorityOf, isJsonObject } from "../../protocol";
import { type NoAlertReason, type StoredMessage, isUnread } from "../stored-message";
import { decodeQuietHours, isMuted, type QuietHours, quietState, type QuietState } from "./quiet-hours";

/** A claimed alert that no tab has shown for this long, ms, is dropped: users who come back see what is new anyway. */
export const ALERT_WITHIN_MS = 300_000;

/** What decides, besides the message itself. */
export interface AlertFacts {
  /** Device clock, ms. */
  nowMs: number;
  /** Whether it comes with the history of a topic just added. */
  isHistory?: boolean;
  /** It is listed as superseded, but the server hasn't confirmed a newer version. */
  isUnsure?: boolean | undefined;
  /** What its topic asks for; `mutedUntilMs`: device clock, ms. `quietHours`: as stored. */
  topic?: { mutedUntilMs?: number; minPriority?: Priority; quietHours?: unknown };
  /** What else holds alerts back; absent = there are no general rules and no quiet hours. */
  heldBack?: HeldBack | undefined;
}

/** Why a message raises no alert; undefined = it does. */
export function whyNoAlert(
  row: StoredMessage,
  { nowMs, isHistory, isUnsure, topic, heldBack }: AlertFacts,
): NoAlertReason | undefined {
  if (isHistory) return "history";
  if (row.supersededBy !== undefined && !isUnsure) return "superseded";
  if (!isUnread(isUnsure ? asNewest(row) : row)) return "read";
  if (isMuted(topic?.mutedUntilMs, nowMs)) return "muted";
  if (priorityOf(row.event) < (topic?.minPriority ?? 1)) return "priority";
  return heldBack?.(row, topic?.quietHours);
}

/** The message as if no newer version were known. */
export function asNewest({ supersededBy: _, ...row }: StoredMessage): StoredMessage {
  return row;
}

/** An urgent alert is repeated after this, ms. */
export const REPEAT_AFTER_MS = 300_000;

/** How often it is repeated, at most: for an hour. */
export const MAX_ALERT_REPEATS = 12;

/** The setting with the rules for alerts of all topics. */
export interface AlertRules {
  /** Everything is muted until then; device clock, ms; Infinity = until unmuted. */
  mutedUntilMs?: number;
  /** Alerts of priority 5 are repeated until the message is read, as `REPEAT_AFTER_MS` and `MAX_ALERT_REPEATS` say. */
  repeatUrgent?: boolean;
  /** A topic's own quiet hours replace these. */
  quietHours?: QuietHours;
  /** After how many minutes out of reach a server is reported; absent = never. */
  outageAfterMin?: (typeof OUTAGE_AFTER)[number];
}

/** Choices, in minutes, of when to report that a server is out of reach. */
export const OUTAGE_AFTER = [1, 5, 15, 60] as const;

/** Reads the rules from a stored value, which may come from an import or from another version of the app. */
export function decodeAlertRules(value: unknown): AlertRules {
  const rules: Partial<Record<keyof AlertRules, unknown>> = isJsonObject(value) ? value : {};
  const { mutedUntilMs, repeatUrgent, quietHours, outageAfterMin } = rules;
  const hours = decodeQuietHours(quietHours);
  const after = OUTAGE_AFTER.find((minutes) => minutes === outageAfterMin);
  return {
    ...(guards.timeOrNever(mutedUntilMs) && { mutedUntilMs }),
    ...(after && { outageAfterMin: after }),
    ...(repeatUrgent === true && { repeatUrgent }),
    ...(hours && { quietHours: hours }),
  };
}

/** Returns why the rules hold back a message's alert; undefined = they don't. `own`: its topic's quiet hours. */
export type HeldBack = (row: StoredMessage, own: unknown) => NoAlertReason | undefined;

/**
 * Returns a function that tells what the rules hold back at a moment.
 * @param stored the setting as it is stored
 * @param nowMs device clock
 */
export function heldBackBy(stored: unknown, nowMs: number): HeldBack {
  const rules = decodeAlertRules(stored);
  const known = new Map<unknown, { urgentAlerts: boolean; state: QuietState } | undefined>();
  const hoursOf = (own: unknown) => {
    const hours = decodeQuietHours(own) ?? rules.quietHours;
    return hours && { urgentAlerts: hours.urgentAlerts, state: quietState(hours, nowMs) };
  };
  return (row, own) => {
    if (isMuted(rules.mutedUntilMs, nowMs)) return "all-muted";
    if (!known.has(own)) known.set(own, hoursOf(own));
    const hours = known.get(own);
    if (hours?.state.kind !== "quiet" || (hours.urgentAlerts && priorityOf(row.event) === 5)) return undefined;
    return { kind: "quiet", untilMs: hours.state.untilMs };
  };
}
