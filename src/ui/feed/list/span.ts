import type { Client, DayCount, SubscriptionRecord } from "../../../client";
import type { FeedState } from "../feed-state.svelte";
import { asksFor } from "../../../contract";
import { totalOf } from "../../state/topics/groups";
import type { Pane } from "../../state/navigation/pane.svelte";
import { isImportant } from "../../state/navigation/view";
import { DAY_S } from "../../../protocol";

/**
 * How a feed's messages are spread over time, by their number on each day. Converts a time into an index in the whole
 * feed and back: exact at the end of a day; within a day, messages are assumed to be evenly spread.
 */
export class FeedSpan {
  readonly total: number;
  /** Newest first: end of the day, s; its length so far, s; its number of messages; and how many are newer. */
  readonly #days: { endS: number; lengthS: number; count: number; newer: number }[] = [];

  /**
   * @param days oldest first
   * @param nowS where the newest day ends
   */
  constructor(days: readonly DayCount[], nowS: number) {
    let newer = 0;
    for (const { day, count } of days.toReversed()) {
      if (count <= 0) continue;
      const startS = day * DAY_S;
      const endS = Math.max(startS + 1, newer === 0 ? Math.min(startS + DAY_S, nowS + 1) : startS + DAY_S);
      this.#days.push({ endS, lengthS: endS - startS, count, newer });
      newer += count;
    }
    this.total = newer;
  }

  /** How many messages are newer than a time, s. */
  indexAt(time: number): number {
    const day = this.#days.find(({ endS, lengthS }) => time >= endS - lengthS);
    if (!day) return this.total;
    return day.newer + Math.round(day.count * Math.max(0, Math.min(1, (day.endS - time) / day.lengthS)));
  }

  /** The time, s, after which there are `index` newer messages. */
  timeAt(index: number): number {
    const day = this.#days.findLast(({ newer }) => newer <= index) ?? this.#days[0];
    if (!day) return 0;
    const part = Math.max(0, Math.min(1, (index - day.newer) / day.count));
    return Math.floor(day.endS - part * day.lengthS);
  }
}

/** How many messages a feed's topics held when it was measured. */
const measuredAt = new WeakMap<FeedState, number>();

/** A feed is measured again once that number has changed by this fraction. */
const TOLERANCE = 0.05;

/**
 * Gives a feed its span, unless the last one is still good enough. Searches, lists of marked messages and feeds that
 * hide messages have none.
 * @param covered its topics
 */
export async function measureSpan(
  client: Client,
  feed: FeedState,
  covered: readonly SubscriptionRecord[],
): Promise<void> {
  const { list, filter, subIds, hidden } = feed.scope;
  if (list !== "feed" || filter.terms.length > 0 || hidden) return;
  const total = totalOf(covered, "inFeed");
  const before = measuredAt.get(feed);
  if (before !== undefined && Math.abs(total - before) <= before * TOLERANCE) return;
  measuredAt.set(feed, total);
  const days = await client.read((reader) => reader.days(subIds));
  if (days.ok) feed.extent.measured(new FeedSpan(days.value, Date.now() / 1000));
}

/**
 * How many messages a pane's filter chooses from, by its topics' counters. Undefined if the counters can't tell: for
 * done or urgent messages, or if the filter asks for more than the list holds.
 */
export function listSize({
  view,
  filter,
  covered,
  scope,
}: Pick<Pane, "view" | "filter" | "covered" | "scope">): number | undefined {
  const reachesBeyond = asksFor(filter, "done") || asksFor(filter, "snoozed");
  switch (scope?.list) {
    case "feed":
      return isImportant(view) || reachesBeyond ? undefined : totalOf(covered, "inFeed");
    case "starred":
    case "scheduled":
    case "snoozed":
      return totalOf(covered, scope.list);
    default:
      return undefined;
  }
}
