import { type AlertCount, type NotificationData, priorityOf, type StoredMessage } from "../../protocol";
import { alertStrings } from "../strings/alerts";
import { titleText } from "./alert-text";
import { OWN_PICTURES, type Shown } from "./notification";

/** So many single notifications within the span; what comes beyond is summed up. */
export const MOST_SINGLE = 4;
const SINGLE_SPAN_MS = 10_000;

/** A summary that grows is heard again after this, ms, or when something urgent came. */
const HEARD_AGAIN_MS = 30_000;

/** Lines of a summary: phones show few. */
const MOST_LINES = 4;

/** The tag of the one summary. No message has it: they begin with an address. */
export const SUMMARY_TAG = "summary";

/** How many of each subscription. */
export type Summary = Record<number, AlertCount>;

/**
 * Whether so many more are told one by one.
 * @param shown what the notifications carry that are in sight
 * @param nowMs device clock
 */
export function areSingle(count: number, shown: readonly NotificationData[], nowMs: number): boolean {
  const lately = shown.filter(({ shownAtMs }) => shownAtMs > nowMs - SINGLE_SPAN_MS);
  // What follows a summary at once belongs to the same crowd, as a backlog comes in pieces.
  if (lately.some(({ summary }) => summary)) return false;
  return count + lately.filter(({ key }) => key).length <= MOST_SINGLE;
}

/** A summary with more messages in it. */
export function addToSummary(before: Summary, rows: readonly StoredMessage[]): Summary {
  const after: Summary = { ...before };
  for (const { subId, event } of rows) {
    const { count, urgent } = after[subId] ?? { count: 0, urgent: 0 };
    after[subId] = { count: count + 1, urgent: urgent + (priorityOf(event) === 5 ? 1 : 0) };
  }
  return after;
}

/** What a summary says of one topic. */
export interface SummaryPart extends AlertCount {
  /** As the user calls it. */
  topic: string;
}

/**
 * The one notification for many messages: "12 new in backups, 2 urgent", and by topic, urgent first.
 * @param isSilent what is new in it makes no sound
 * @param before what the summary that is shown now carries
 */
export function summaryNotification(
  parts: readonly SummaryPart[],
  data: NotificationData,
  isSilent: boolean,
  before: NotificationData | undefined,
): Shown {
  const urgent = sum(parts.map((part) => part.urgent));
  const urgentBefore = sum(Object.values(before?.summary ?? {}).map((part) => part.urgent));
  const count = sum(parts.map((part) => part.count));
  const [first] = parts;
  const said =
    first && parts.length === 1
      ? alertStrings.inOne(count, titleText(first.topic))
      : alertStrings.inSeveral(count, parts.length);
  const isDue = !before || urgent > urgentBefore || data.shownAtMs - before.shownAtMs >= HEARD_AGAIN_MS;
  const isHeard = isDue && !isSilent;
  return {
    title: urgent > 0 ? alertStrings.withUrgent(said, urgent) : said,
    options: {
      body: parts.length > 1 ? bodyOf(parts) : "",
      tag: SUMMARY_TAG,
      timestamp: data.shownAtMs,
      silent: !isHeard,
      renotify: isHeard,
      requireInteraction: urgent > 0,
      ...OWN_PICTURES,
      // What is not heard again keeps the time of what was.
      data: isHeard || !before ? data : { ...data, shownAtMs: before.shownAtMs },
    },
  };
}

function bodyOf(parts: readonly SummaryPart[]): string {
  const sorted = [...parts].sort((a, b) => b.urgent - a.urgent || b.count - a.count);
  const shown = sorted.length > MOST_LINES ? sorted.slice(0, MOST_LINES - 1) : sorted;
  const lines = shown.map(({ topic, count, urgent }) => {
    const line = alertStrings.topicLine(titleText(topic), count);
    return urgent > 0 ? alertStrings.withUrgent(line, urgent) : line;
  });
  const left = sorted.length - shown.length;
  return [...lines, ...(left > 0 ? [alertStrings.more(left)] : [])].join("\n");
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
