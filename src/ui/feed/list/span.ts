import type { Client, SubscriptionRecord } from "../../../client";
import type { FeedState } from "../feed-state.svelte";
import { asksFor } from "../../../contract";
import { totalOf } from "../../state/topics/groups";
import type { Pane } from "../../state/navigation/pane.svelte";
import { isImportant } from "../../state/navigation/view";
import { FeedSpan } from "./extent.svelte";

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
