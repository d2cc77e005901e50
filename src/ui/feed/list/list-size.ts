import type { SubscriptionRecord } from "../../../client";
import { asksFor } from "../../../contract";
import type { Pane } from "../../state/navigation/pane.svelte";

/** The number of messages in the feeds of these topics, before any filter. */
export function feedSize(subscriptions: readonly SubscriptionRecord[]): number {
  return subscriptions.reduce((sum, { inFeed }) => sum + inFeed, 0);
}

/**
 * How many messages a pane's filter chooses from, by the counters of its topics. Undefined if the counters don't know:
 * for done or urgent messages, or if the filter asks for more than the list holds.
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
      return view.kind === "urgent" || reachesBeyond ? undefined : feedSize(covered);
    case "starred":
    case "scheduled":
    case "snoozed": {
      const { list } = scope;
      return covered.reduce((sum, counts) => sum + counts[list], 0);
    }
    default:
      return undefined;
  }
}
