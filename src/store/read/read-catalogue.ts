import { transact, type Database, type Transaction, startingWith, COUNTERS_KEY, storedCounters } from "../database";
import { isIntactSetting } from "../intact";
import type { Catalogue, DayCount } from "./reader";
import { DEFAULT_SETTINGS, type GapRecord, type Settings, type SubscriptionRecord } from "../schema";

/** All the small tables in one read. */
export function readCatalogue(database: Database): Promise<Catalogue> {
  const names = ["servers", "accounts", "subscriptions", "views", "settings", "gaps", "outbox"] as const;
  return transact(database, names, "read", async (transaction) => {
    const [servers, accounts, subscriptions, views, settings, gaps, outbox, counters] = await Promise.all([
      transaction.store("servers").getAll(),
      transaction.store("accounts").getAll(),
      readSubscriptions(transaction),
      transaction.store("views").getAll(),
      readSettings(transaction),
      transaction.store("gaps").getAll(),
      transaction.store("outbox").getAll(),
      storedCounters(transaction),
    ]);
    const known = new Set(servers.map(({ serverId }) => serverId));
    views.sort((a, b) => a.order - b.order || a.viewId - b.viewId);
    return {
      servers,
      accounts,
      // A topic whose server is damaged can't be named or requested.
      subscriptions: subscriptions.filter(({ serverId }) => known.has(serverId)),
      views,
      settings,
      gaps,
      outbox,
      total: counters?.total ?? 0,
      lastArrival: counters ? counters.nextArrival - 1 : 0,
    };
  });
}

/** Servers and accounts, and the subscriptions that aren't removed. */
export function readServerTables(database: Database) {
  return transact(database, ["servers", "accounts", "subscriptions"], "read", async (transaction) => {
    const [servers, accounts, subscriptions] = await Promise.all([
      transaction.store("servers").getAll(),
      transaction.store("accounts").getAll(),
      readSubscriptions(transaction),
    ]);
    return { servers, accounts, subscriptions };
  });
}

/** Subscriptions that aren't removed, in their order. */
export async function readSubscriptions(transaction: Transaction<"subscriptions">): Promise<SubscriptionRecord[]> {
  const all = await transaction.store("subscriptions").getAll();
  return all
    .filter((subscription) => subscription.removedAtMs === undefined)
    .sort((a, b) => a.order - b.order || a.subId - b.subId);
}

/** The settings, with defaults for those that aren't stored or are damaged. */
export async function readSettings(transaction: Transaction<"settings">): Promise<Settings> {
  const store = transaction.store("settings");
  const [keys, values] = await Promise.all([store.getAllKeys(), store.getAll()]);
  const set = keys
    .map((key, at): [string, unknown] => [key, values[at]])
    .filter(([key, value]) => key !== COUNTERS_KEY && isIntactSetting(key, value));
  return { ...DEFAULT_SETTINGS, ...(Object.fromEntries(set) as Partial<Settings>) };
}

/** Gaps, the spans in which messages may be missing, oldest first within each subscription. */
export function readGaps(database: Database, subIds?: readonly number[]): Promise<GapRecord[]> {
  return transact(database, ["gaps"], "read", async (transaction) => {
    const store = transaction.store("gaps");
    if (!subIds) return store.getAll();
    return (await Promise.all(subIds.map((subId) => store.getAll(startingWith(subId))))).flat();
  });
}

/** How many messages of the feed each day has, oldest first; of all topics if none are given. */
export function readDays(database: Database, subIds?: readonly number[]): Promise<DayCount[]> {
  return transact(database, ["counts", "subscriptions"], "read", async (transaction) => {
    const store = transaction.store("counts");
    const alive = subIds ?? (await readSubscriptions(transaction)).map(({ subId }) => subId);
    const records = (await Promise.all(alive.map((subId) => store.getAll(startingWith(subId))))).flat();
    const counts = new Map<number, number>();
    for (const { day, count } of records) counts.set(day, (counts.get(day) ?? 0) + count);
    return [...counts].map(([day, count]) => ({ day, count })).sort((a, b) => a.day - b.day);
  });
}
