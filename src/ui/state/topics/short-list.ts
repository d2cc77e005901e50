import type { SubscriptionRecord } from "../../../client";

/** Up to this many topics are all drawn at once; beyond it, a list's sections share this number. */
const MAX_DRAWN = 150;

/** The least each section shows, however many sections there are. */
const LEAST_IN_SECTION = 10;

/** How many topics each section of a list draws at first: all, unless there are too many. */
export function drawnAtFirst(topics: number, sections: number): number {
  return topics <= MAX_DRAWN ? topics : Math.max(LEAST_IN_SECTION, Math.floor(MAX_DRAWN / Math.max(1, sections)));
}

/**
 * The topics of a section to draw if there are too many: the open one, those with urgent messages, unread ones, and the
 * first of the others, all in list order.
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
