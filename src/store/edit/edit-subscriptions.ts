// Adding and removing subscriptions, by the user.
import { topicHue, TOPIC_HUES, type Arrangement } from "../../contract";
import { takeNumbers } from "../counters";
import { BY_HAND, transact, type Database } from "../database";
import { patched } from "../patch";
import { readSubscriptions } from "../read/read-catalogue";
import type { SubscriptionRecord } from "../schema";
import { StoreFailure } from "../store-error";
import { changeSubscription, leftGroup } from "./subscriptions";

/**
 * The colour for a new topic; undefined = the one from its name, if no colour is used less.
 * @param uses how many topics have each colour
 */
export function leastUsedHue(topic: string, uses: readonly number[]): number | undefined {
  const own = topicHue(topic);
  const hues = Array.from({ length: TOPIC_HUES }, (_, step) => (own + step) % TOPIC_HUES);
  const use = (hue: number): number => uses[hue] ?? 0;
  const least = hues.reduce((best, hue) => (use(hue) < use(best) ? hue : best), own);
  return least === own ? undefined : least;
}

/** Topics to add. */
export interface NewSubscriptions {
  serverId: number;
  /** 0 = none. */
  accountId: number;
  topics: string[];
  /** For "from now on": server time, Unix seconds. */
  fromTime?: number;
  /** For history that counts as read: server time, Unix seconds. */
  readBefore?: number;
}

/**
 * Adds topics at the end of the order, each in the least used colour; a topic that exists is returned as it is. The result is in the order of
 * `topics`.
 */
export function addSubscriptions(
  database: Database,
  { serverId, accountId, topics, fromTime, readBefore }: NewSubscriptions,
): Promise<SubscriptionRecord[]> {
  return transact(database, ["servers", "subscriptions", "settings"], BY_HAND, async (transaction) => {
    // The server may have been removed with its last subscription meanwhile.
    if ((await transaction.store("servers").getKey(serverId)) === undefined) {
      throw new StoreFailure({ kind: "failed", text: `There is no server ${serverId}.` });
    }
    const present = await readSubscriptions(transaction);
    const first = await takeNumbers(transaction, topics.length);
    const uses: number[] = [];
    const count = (hue: number): void => void (uses[hue] = (uses[hue] ?? 0) + 1);
    for (const { topic, colour } of present) count(topicHue(topic, colour));
    const endOfOrder = Math.max(0, ...present.map(({ order }) => order + 1));
    const known = new Map(present.filter((one) => one.serverId === serverId).map((one) => [one.topic, one]));
    return topics.map((topic, at) => {
      const there = known.get(topic);
      if (there) return there;
      const colour = leastUsedHue(topic, uses);
      count(topicHue(topic, colour));
      const subscription: SubscriptionRecord = {
        subId: first + at,
        serverId,
        accountId,
        topic,
        order: endOfOrder + at,
        unread: 0,
        unreadUrgent: 0,
        unreadHigh: 0,
        starred: 0,
        scheduled: 0,
        snoozed: 0,
        inFeed: 0,
        total: 0,
        ...(fromTime !== undefined && { fromTime }),
        ...(colour !== undefined && { colour }),
        ...(readBefore !== undefined && { readBefore }),
      };
      known.set(topic, subscription);
      transaction.store("subscriptions").put(subscription);
      return subscription;
    });
  });
}

/**
 * Marks a subscription removed: from now on it shows and receives nothing, and it is purged once the undo time is over.
 */
export function removeSubscription(
  database: Database,
  subId: number,
  nowMs: number,
): Promise<SubscriptionRecord | undefined> {
  return changeSubscription(database, subId, (subscription) => ({ removedAtMs: nowMs, ...subscription }));
}

/**
 * Undoes `removeSubscription`; `undefined` if it is too late for that, or if the topic was added again. The
 * subscription leaves its group: what was published meanwhile was dropped, and the group's cursor may have passed it.
 */
export function restoreSubscription(database: Database, subId: number): Promise<SubscriptionRecord | undefined> {
  return changeSubscription(database, subId, (subscription, all) => {
    const { serverId, topic, purging } = subscription;
    const isReplaced = all.some(
      (other) => other.serverId === serverId && other.topic === topic && other.removedAtMs === undefined,
    );
    if (purging || isReplaced) return undefined;
    return patched(leftGroup(subscription), { removedAtMs: null });
  });
}

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
