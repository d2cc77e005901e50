import {
  MAX_SINGLE,
  OWN_PICTURES,
  titleText,
  type AlertCount,
  type NotificationData,
  type ShownNotification,
} from "../../contract";
import { alertStrings, appStrings } from "../strings";

/** Notifications shown within this time, ms, count as shown at once. */
const SINGLE_SPAN_MS = 10_000;

/** A growing summary sounds again after this, ms, or when something urgent comes. */
const HEARD_AGAIN_MS = 30_000;

/** How many lines a summary has, at most, because phones show few. */
const MAX_LINES = 4;

/** The tag of the summary; message tags begin with an address, so none is equal. */
export const SUMMARY_TAG = "summary";

/**
 * Whether `count` more messages get a notification each.
 * @param shown data of the notifications on screen
 * @param nowMs device clock
 */
export function areSingle(count: number, shown: readonly NotificationData[], nowMs: number): boolean {
  const lately = shown.filter(({ shownAtMs }) => shownAtMs > nowMs - SINGLE_SPAN_MS);
  // Messages right after a summary belong to the same burst, because a backlog comes in pieces.
  if (lately.some(({ summary = {} }) => Object.keys(summary).length > 0)) return false;
  return count + lately.filter(({ key }) => key).length <= MAX_SINGLE;
}

export interface SummaryPart extends AlertCount {
  /** The user's name for it, else its own. */
  topic: string;
}

/**
 * The notification that sums up many messages: "12 new in backups, 2 urgent", then a line per topic, urgent first.
 * @param isSilent true if the new messages in it make no sound
 * @param before data of the summary that is shown now
 */
export function summaryNotification(
  parts: readonly SummaryPart[],
  data: NotificationData,
  isSilent: boolean,
  before: NotificationData | undefined,
): ShownNotification {
  const urgent = sum(parts.map((part) => part.urgent));
  const urgentBefore = sum(Object.values(before?.summary ?? {}).map((part) => part.urgent));
  const count = sum(parts.map((part) => part.count));
  const [first] = parts;
  const text =
    first && parts.length === 1
      ? alertStrings.inOne({ count, topic: titleText(first.topic) })
      : alertStrings.inSeveral({ count, topics: appStrings.common.topics({ count: parts.length }) });
  const isDue = !before || urgent > urgentBefore || data.shownAtMs - before.shownAtMs >= HEARD_AGAIN_MS;
  const isHeard = isDue && !isSilent;
  return {
    title: urgent > 0 ? alertStrings.withUrgent({ text, count: urgent }) : text,
    options: {
      body: parts.length > 1 ? bodyOf(parts) : "",
      tag: SUMMARY_TAG,
      timestamp: data.shownAtMs,
      silent: !isHeard,
      renotify: isHeard,
      requireInteraction: urgent > 0,
      ...OWN_PICTURES,
      // A summary that doesn't sound again keeps the time when it last did.
      data: isHeard || !before ? data : { ...data, shownAtMs: before.shownAtMs },
    },
  };
}

function bodyOf(parts: readonly SummaryPart[]): string {
  const sorted = [...parts].sort((a, b) => b.urgent - a.urgent || b.count - a.count);
  const shown = sorted.length > MAX_LINES ? sorted.slice(0, MAX_LINES - 1) : sorted;
  const lines = shown.map(({ topic, count, urgent }) => {
    const line = alertStrings.topicLine({ topic: titleText(topic), count });
    return urgent > 0 ? alertStrings.withUrgent({ text: line, count: urgent }) : line;
  });
  const left = sorted.length - shown.length;
  return [...lines, ...(left > 0 ? [alertStrings.more({ count: left })] : [])].join("\n");
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
