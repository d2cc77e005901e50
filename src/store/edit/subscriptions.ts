import { BY_HAND, transact, type Database } from "../database";
import { patched, type Patch } from "../patch";
import { readSubscriptions } from "../read/read-catalogue";
import type { CursorRecord, KeptFor, SubscriptionRecord } from "../schema";

/** A subscription's properties that can be changed; its counters belong to the writer, its cursors to the polls. */
export type SubscriptionChange = Patch<
  Pick<
    SubscriptionRecord,
    | "displayName"
    | "colour"
    | "icon"
    | "group"
    | "mutedUntilMs"
    | "minPriority"
    | "quietHours"
    | "fromTime"
    | "refusedCode"
    | "keepDays"
    | "keepMessages"
    | "keepFilesMb"
    | "showsRepeats"
  >
> & { order?: number };

/** Subscriptions that aren't removed, in their order. */
export function listSubscriptions(database: Database): Promise<SubscriptionRecord[]> {
  return transact(database, ["subscriptions"], { mode: "readonly" }, readSubscriptions);
}

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
  return transact(database, ["subscriptions"], { mode: "readwrite" }, async (transaction) => {
    const store = transaction.store("subscriptions");
    for (const subscription of await Promise.all(subIds.map((subId) => store.get(subId)))) {
      if (!subscription?.joined) continue;
      store.put(leftGroup(subscription));
    }
    return null;
  });
}

/**
 * Stores what was learnt, per subscription, about how long messages are kept. It can be learnt again, so it doesn't
 * wait for the disk.
 */
export function noteKeptFor(database: Database, learnt: ReadonlyMap<number, KeptFor>): Promise<null> {
  return transact(database, ["subscriptions"], { mode: "readwrite" }, async (transaction) => {
    const store = transaction.unseen("subscriptions");
    const known = await Promise.all([...learnt.keys()].map((subId) => store.get(subId)));
    for (const subscription of known) {
      const keptFor = subscription && learnt.get(subscription.subId);
      if (keptFor) store.put({ ...subscription, keptFor });
    }
    return null;
  });
}

/**
 * The subscription after it left its group: it is caught up alone before it rejoins a cursor. 0 says that it had
 * joined, so what it missed counts as new, not as history.
 */
export function leftGroup(subscription: SubscriptionRecord): SubscriptionRecord {
  return subscription.joined === undefined ? subscription : { ...subscription, joined: 0 };
}

export function getCursor(database: Database, serverId: number, accountId: number): Promise<CursorRecord | undefined> {
  return transact(database, ["cursors"], { mode: "readonly" }, (transaction) =>
    transaction.store("cursors").get([serverId, accountId]),
  );
}

/** Changes one subscription, given it and all others. */
export function changeSubscription(
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
