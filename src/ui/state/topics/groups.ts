import type { SubscriptionRecord } from "../../../client";
import { isMuted, type TopicGroup } from "../../../contract";

/** A group as the list of topics shows it. */
export interface Group extends TopicGroup {
  /** In the order of the list. */
  subscriptions: SubscriptionRecord[];
  unread: number;
}

type Counter = "unread" | "unreadUrgent" | "unreadHigh" | "inFeed" | "starred" | "scheduled" | "snoozed";

/** A counter over several topics. */
export function totalOf(subscriptions: readonly SubscriptionRecord[], counter: Counter): number {
  return subscriptions.reduce((sum, subscription) => sum + subscription[counter], 0);
}

/**
 * The groups in order, each with its topics; those muted at `nowMs` don't count as unread. A group that exists only in
 * a topic comes last, so no topic is hidden.
 */
export function groupsOf(
  groups: readonly TopicGroup[],
  subscriptions: readonly SubscriptionRecord[],
  nowMs = Infinity,
): Group[] {
  const known = new Map(
    groups.map((group): [string, Group] => [group.name, { ...group, subscriptions: [], unread: 0 }]),
  );
  for (const subscription of subscriptions) {
    const { group: name, unread, mutedUntilMs } = subscription;
    if (name === undefined) continue;
    const group = known.get(name) ?? { name, subscriptions: [], unread: 0 };
    known.set(name, group);
    group.subscriptions.push(subscription);
    if (!isMuted(mutedUntilMs, nowMs)) group.unread += unread;
  }
  return [...known.values()];
}
