import type { SubscriptionRecord } from "../../client";

/**
 * The topics of a section that are drawn if there are too many: the open one, those with urgent messages, those with
 * unread ones, and the first of the others. All are in the order of the list, so that nothing else moves.
 */
export function shortList(
  all: readonly SubscriptionRecord[],
  most: number,
  isOpen: (subscription: SubscriptionRecord) => boolean = () => false,
): readonly SubscriptionRecord[] {
  if (all.length <= most) return all;
  const ranks: SubscriptionRecord[][] = [[], [], [], []];
  for (const subscription of all) {
    const rank = isOpen(subscription) ? 0 : subscription.unreadUrgent > 0 ? 1 : subscription.unread > 0 ? 2 : 3;
    ranks[rank]?.push(subscription);
  }
  const drawn = new Set(ranks.flat().slice(0, most));
  return all.filter((subscription) => drawn.has(subscription));
}
