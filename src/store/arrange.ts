import type { Arrangement } from "../contract";
import { BY_HAND, transact, type Database } from "./database";
import { readSubscriptions } from "./read-catalogue";

/**
 * Sets the groups and the order of all topics in one transaction. Topics that aren't named, because another tab has
 * just added them, keep their group and come last, so that none is lost.
 */
export function arrange(database: Database, { groups, topics }: Arrangement): Promise<null> {
  return transact(database, ["subscriptions", "settings"], BY_HAND, async (transaction) => {
    const places = new Map(topics.map(({ subId, group }, at) => [subId, { at, group }]));
    const present = await readSubscriptions(transaction);
    const placeOf = (subId: number) => places.get(subId)?.at ?? Infinity;
    // Equal places (both unnamed) stay in their order: sorting is stable, and Infinity − Infinity is NaN.
    const sorted = present.sort((a, b) =>
      placeOf(a.subId) === placeOf(b.subId) ? 0 : placeOf(a.subId) - placeOf(b.subId),
    );
    sorted.forEach((subscription, order) => {
      const { group: before, ...rest } = subscription;
      const place = places.get(subscription.subId);
      const group = place ? place.group : before;
      transaction
        .store("subscriptions")
        .put({ ...rest, order, ...(group !== null && group !== undefined && { group }) });
    });
    transaction.store("settings").put(groups, "groups");
    return null;
  });
}
