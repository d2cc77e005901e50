// How the user adds and removes subscriptions.
import { topicHue, TOPIC_HUES, type Arrangement, type Patch, type SubscriptionPatch } from "../../contract";
import { takeNumbers, transact, type Database, patched } from "../database";
import { readSubscriptions } from "../read/read-catalogue";
import type { SubscriptionRecord, KeptFor } from "../schema";
import { StoreFailure } from "../store-error";
import { NOTHING } from "../tally";
import { CAPTURE_STORES, captureRemoval } from "./shared";

/**
 * A new topic's colour; undefined = the colour of its name, unless another is used less.
 *
 * @param uses topics by colour
 */
export function leastUsedHue(topic: string, uses: readonly number[]): number | undefined {
  const own = topicHue(topic);
  const hues = Array.from({ length: TOPIC_HUES }, (_, step) => (own + step) % TOPIC_HUES);
  const use = (hue: number): number => uses[hue] ?? 0;
  const least = hues.reduce((best, hue) => (use(hue) < use(best) ? hue : best), own);
  return least === own ? undefined : least;
}

/** What new subscriptions have in common, and their topics. */
type NewSubscriptions = Pick<SubscriptionRecord, "serverId" | "accountId" | "fromTime" | "readBefore"> & {
  topics: string[];
};

/** Adds topics last, each in the least used colour. Known ones are returned as they are, in the order of `topics`. */
export function addSubscriptions(
  database: Database,
  { serverId, accountId, topics, fromTime, readBefore }: NewSubscriptions,
): Promise<SubscriptionRecord[]> {
  return transact(database, ["servers", "subscriptions", "settings"], "by hand", async (transaction) => {
    // The server may meanwhile have been removed with its last subscription.
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
        ...NOTHING,
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

/** The user removes a subscription: it receives nothing, and is purged after the undo time. */
export function removeSubscription(
  database: Database,
  subId: number,
  nowMs: number,
): Promise<SubscriptionRecord | undefined> {
  return transact(database, CAPTURE_STORES, "by hand", async (transaction) => {
    const store = transaction.store("subscriptions");
    const subscription = await store.get(subId);
    if (!subscription) return undefined;
    const after = { removedAtMs: nowMs, ...subscription };
    store.put(after);
    await captureRemoval(transaction, after, nowMs);
    return after;
  });
}

/**
 * Undoes `removeSubscription`; `undefined` if it is too late, or the topic was added again. The subscription leaves its
 * group: what was published meanwhile was dropped, and the group's cursor may have passed it.
 * @param of its number, or its server and topic
 */
export function restoreSubscription(
  database: Database,
  of: number | Pick<SubscriptionRecord, "serverId" | "topic">,
): Promise<SubscriptionRecord | undefined> {
  return changeSubscription(database, of, (subscription, all) => {
    const { serverId, topic, purging } = subscription;
    const isReplaced = all.some(
      (other) => other.serverId === serverId && other.topic === topic && other.removedAtMs === undefined,
    );
    if (purging || isReplaced) return undefined;
    return patched(leftGroup(subscription), { removedAtMs: null });
  });
}

/** Sets groups and order of all topics. Those not named, just added in another tab, go last in their group. */
export function arrange(database: Database, { groups, topics }: Arrangement): Promise<null> {
  return transact(database, ["subscriptions", "settings"], "by hand", async (transaction) => {
    const places = new Map(topics.map(({ subId, group }, at) => [subId, { at, group }]));
    const present = await readSubscriptions(transaction);
    const placeOf = ({ subId }: SubscriptionRecord) => places.get(subId)?.at ?? topics.length;
    // Those not named keep their order: sorting is stable.
    const sorted = present.sort((a, b) => placeOf(a) - placeOf(b));
    sorted.forEach((subscription, order) => {
      const place = places.get(subscription.subId);
      const after = { order, ...(place && { group: place.group }) };
      transaction.store("subscriptions").put(patched(subscription, after));
    });
    transaction.store("settings").put(groups, "groups");
    return null;
  });
}

/** A subscription's properties that can be changed; its counters belong to the writer, its cursors to the polls. */
export type SubscriptionChange = SubscriptionPatch &
  Patch<Pick<SubscriptionRecord, "fromTime" | "refusedCode" | "removedAtMs">>;

export function patchSubscription(
  database: Database,
  subId: number,
  patch: SubscriptionChange,
): Promise<SubscriptionRecord | undefined> {
  return changeSubscription(database, subId, (subscription) =>
    subscription.removedAtMs === undefined ? patched(subscription, patch) : undefined,
  );
}

/** Takes subscriptions out of their group's cursor, so that they are caught up alone again. */
export function unjoin(database: Database, subIds: readonly number[]): Promise<null> {
  return transact(database, ["subscriptions"], "write", async (transaction) => {
    const store = transaction.store("subscriptions");
    for (const subscription of await Promise.all(subIds.map((subId) => store.get(subId)))) {
      if (!subscription?.joined) continue;
      store.put(leftGroup(subscription));
    }
    return null;
  });
}

/** Stores how long messages are kept. It can be learnt again, so it doesn't wait for the disk. */
export function noteKeptFor(database: Database, learnt: ReadonlyMap<number, KeptFor>): Promise<null> {
  return transact(database, ["subscriptions"], "write", async (transaction) => {
    const store = transaction.unseen("subscriptions");
    const known = await Promise.all([...learnt.keys()].map((subId) => store.get(subId)));
    for (const subscription of known) {
      const keptFor = subscription && learnt.get(subscription.subId);
      if (keptFor) store.put({ ...subscription, keptFor });
    }
    return null;
  });
}

/** It left its group and is caught up alone. 0 = it had joined, so what it missed is news, not history. */
export function leftGroup(subscription: SubscriptionRecord): SubscriptionRecord {
  return subscription.joined === undefined ? subscription : { ...subscription, joined: 0 };
}

/** Changes one subscription, given it and all others. */
function changeSubscription(
  database: Database,
  of: number | Pick<SubscriptionRecord, "serverId" | "topic">,
  make: (subscription: SubscriptionRecord, all: SubscriptionRecord[]) => SubscriptionRecord | undefined,
): Promise<SubscriptionRecord | undefined> {
  return transact(database, ["subscriptions"], "by hand", async (transaction) => {
    const store = transaction.store("subscriptions");
    const all = await store.getAll();
    const isIt = ({ subId, serverId, topic }: SubscriptionRecord) =>
      typeof of === "number" ? subId === of : serverId === of.serverId && topic === of.topic;
    const subscription = all.findLast(isIt);
    const after = subscription && make(subscription, all);
    if (after) store.put(after);
    return after;
  });
}
