import { BY_HAND, transact, type Database } from "./database";
import { takeNumbers } from "./numbers";
import { patched, type Patch } from "./patch";
import { readSubscriptions } from "./read-catalogue";
import { StoreFailure } from "./store-error";
import type { CursorRecord, KeptFor, SubscriptionRecord } from "./schema";

/** A subscription's properties that change; its counters belong to the ledger, its cursors to the polls. */
export type SubscriptionChange = Patch<
  Pick<
    SubscriptionRecord,
    | "displayName"
    | "colour"
    | "icon"
    | "group"
    | "mutedUntilMs"
    | "minPriority"
    | "fromTime"
    | "refusedCode"
    | "keepDays"
  >
> & { order?: number };

/** Topics to add. */
export interface NewSubscriptions {
  serverId: number;
  /** 0 = none. */
  accountId: number;
  topics: string[];
  /** "From now on": server time, seconds. */
  fromTime?: number;
}

/** Adds topics at the end of the order; one that is there already is given as it is. In the order of `topics`. */
export function addSubscriptions(
  database: Database,
  { serverId, accountId, topics, fromTime }: NewSubscriptions,
): Promise<SubscriptionRecord[]> {
  return transact(database, ["servers", "subscriptions", "settings"], BY_HAND, async (transaction) => {
    // It may have gone with its last subscription meanwhile.
    if ((await transaction.store("servers").getKey(serverId)) === undefined) {
      throw new StoreFailure({ kind: "failed", text: `There is no server ${serverId}.` });
    }
    const present = await readSubscriptions(transaction);
    const first = await takeNumbers(transaction, topics.length);
    const endOfOrder = Math.max(0, ...present.map(({ order }) => order + 1));
    return topics.map((topic, at) => {
      const known = present.find((other) => other.serverId === serverId && other.topic === topic);
      if (known) return known;
      const subscription: SubscriptionRecord = {
        subId: first + at,
        serverId,
        accountId,
        topic,
        order: endOfOrder + at,
        unread: 0,
        unreadUrgent: 0,
        starred: 0,
        scheduled: 0,
        snoozed: 0,
        inFeed: 0,
        total: 0,
        ...(fromTime !== undefined && { fromTime }),
      };
      present.push(subscription);
      transaction.store("subscriptions").put(subscription);
      return subscription;
    });
  });
}

/** Those that are not removed, by their order. */
export function listSubscriptions(database: Database): Promise<SubscriptionRecord[]> {
  return transact(database, ["subscriptions"], { mode: "readonly" }, readSubscriptions);
}

export function patchSubscription(
  database: Database,
  subId: number,
  patch: SubscriptionChange,
): Promise<SubscriptionRecord | undefined> {
  return change(database, subId, (subscription) =>
    subscription.removedAtMs === undefined ? patched(subscription, patch) : undefined,
  );
}

/** Marks a subscription removed: it shows and receives nothing from now on, and goes once the undo time is over. */
export function removeSubscription(
  database: Database,
  subId: number,
  nowMs: number,
): Promise<SubscriptionRecord | undefined> {
  return change(database, subId, (subscription) => ({ removedAtMs: nowMs, ...subscription }));
}

/**
 * Takes `removeSubscription` back; `undefined` where that is too late, or the topic was added anew. It leaves its group:
 * what was published meanwhile was dropped, and its group's cursor may have passed it.
 */
export function restoreSubscription(database: Database, subId: number): Promise<SubscriptionRecord | undefined> {
  return change(database, subId, (subscription, all) => {
    const { serverId, topic, purging } = subscription;
    const isReplaced = all.some(
      (other) => other.serverId === serverId && other.topic === topic && other.removedAtMs === undefined,
    );
    if (purging || isReplaced) return undefined;
    return patched(leftGroup(subscription), { removedAtMs: null });
  });
}

/** Takes subscriptions out of their group's cursor, so that they are caught up alone again. */
export function unjoin(database: Database, subIds: readonly number[]): Promise<null> {
  return transact(database, ["subscriptions"], { mode: "readwrite" }, async (transaction) => {
    const store = transaction.store("subscriptions");
    for (const subscription of await Promise.all(subIds.map((subId) => store.get(subId)))) {
      if (!subscription?.joined) continue;
      store.put(leftGroup(subscription));
    }
    return null;
  });
}

/** Keeps what was learnt, by subscription, of how long their messages are kept; it can be learnt again. */
export function noteKeptFor(database: Database, learnt: ReadonlyMap<number, KeptFor>): Promise<null> {
  return transact(database, ["subscriptions"], { mode: "readwrite" }, async (transaction) => {
    const store = transaction.store("subscriptions");
    const known = await Promise.all([...learnt.keys()].map((subId) => store.get(subId)));
    for (const subscription of known) {
      const keptFor = subscription && learnt.get(subscription.subId);
      if (keptFor) store.put({ ...subscription, keptFor });
    }
    return null;
  });
}

/** It is caught up alone before it joins a group's cursor again. That it had joined tells its history from what it missed. */
function leftGroup(subscription: SubscriptionRecord): SubscriptionRecord {
  return subscription.joined === undefined ? subscription : { ...subscription, joined: 0 };
}

export function getCursor(database: Database, serverId: number, accountId: number): Promise<CursorRecord | undefined> {
  return transact(database, ["cursors"], { mode: "readonly" }, (transaction) =>
    transaction.store("cursors").get([serverId, accountId]),
  );
}

function change(
  database: Database,
  subId: number,
  make: (subscription: SubscriptionRecord, all: SubscriptionRecord[]) => SubscriptionRecord | undefined,
): Promise<SubscriptionRecord | undefined> {
  return transact(database, ["subscriptions"], BY_HAND, async (transaction) => {
    const store = transaction.store("subscriptions");
    const all = await store.getAll();
    const subscription = all.find((other) => other.subId === subId);
    const after = subscription && make(subscription, all);
    if (after) store.put(after);
    return after;
  });
}
