// Finds damaged records, and repairs the database.
import { compareAge, isCurrent } from "../../contract";
import {
  type Damage,
  transact,
  type Database,
  type StoredRecord,
  type StoreName,
  type Transaction,
  COUNTERS_KEY,
  writeCounters,
} from "../database";
import { count, dayOf, NOTHING, tallyOf, updateListed } from "../tally";
import { intact, isDamaged } from "../intact";
import { summaryOf } from "../ingest/message-writer";
import type { SubscriptionRecord } from "../schema";
import { clearIndex } from "../search/update-index";

/** How many records are read at a time: some of the search index have 100 KB. */
const CHUNK = 200;

/** Counts what is damaged, by store, a part at a time, so that nothing waits for it. */
export async function findDamage(database: Database): Promise<Damage> {
  const damage: Damage = {};
  for (const name of database.objectStoreNames) {
    let after: IDBValidKey | undefined;
    do {
      const part = await transact(database, [name], "read", (opened) => opened.store(name).getStored(after, CHUNK));
      const damaged = part.filter(({ key, record }) => isDamaged(name, key, record)).length;
      if (damaged > 0) damage[name] = (damage[name] ?? 0) + damaged;
      after = part.length < CHUNK ? undefined : part.at(-1)?.key;
    } while (after !== undefined);
  }
  return damage;
}

/**
 * Counts everything again, in one transaction. Resolves to whether there was anything to count.
 *
 * @param removes whether to remove first what is damaged (only the damaged fields if the rest is usable), and topics
 * and messages that nothing shows because their server or topic is gone
 */
export function repair(database: Database, removes: boolean): Promise<boolean> {
  const names = [...database.objectStoreNames];
  return transact(database, names, "by hand", async (transaction) => {
    if (removes) for (const name of names) if (name !== "messages") await removeDamaged(transaction, name);
    const servers = new Set(await transaction.store("servers").getAllKeys());
    const all = (await transaction.store("subscriptions").getAll()).filter(({ subId, serverId }) => {
      const stays = !removes || servers.has(serverId);
      if (!stays) transaction.store("subscriptions").delete(subId);
      return stays;
    });
    const subscriptions = new Map(
      all.map(({ newest: _, ...record }) => [record.subId, { ...record, ...NOTHING } as SubscriptionRecord]),
    );
    const days = new Map<string, { subId: number; day: number; count: number }>();
    let total = 0;
    let nextArrival = 1;
    let hasMessages = false;
    await each(transaction, "messages", ({ key, record }) => {
      const row = intact("messages", record);
      const subscription = row && subscriptions.get(row.subId);
      if (removes && !subscription) transaction.store("messages").delete(key as never);
      else if (removes && row && row !== record) {
        updateListed(row);
        transaction.store("messages").put(row);
      }
      if (!row) return;
      hasMessages = true;
      nextArrival = Math.max(nextArrival, row.arrival + 1);
      const tally = tallyOf(row);
      if (!removes || subscription) total += tally.total;
      if (!subscription) return;
      count(subscription, NOTHING, tally);
      const { newest } = subscription;
      if (isCurrent(row) && (!newest || compareAge(row, newest) > 0)) subscription.newest = summaryOf(row);
      if (tally.inFeed === 0) return;
      const day = dayOf(row.time);
      const dayKey = `${String(row.subId)}/${String(day)}`;
      const counted = days.get(dayKey) ?? { subId: row.subId, day, count: 0 };
      counted.count += 1;
      days.set(dayKey, counted);
    });
    for (const record of subscriptions.values()) transaction.store("subscriptions").put(record);
    transaction.store("counts").clear();
    for (const record of days.values()) transaction.store("counts").put(record);
    clearIndex(transaction);
    const counters = { nextArrival, total, nextNumber: await nextNumber(transaction) };
    writeCounters(transaction, hasMessages ? counters : { ...counters, unindexed: [] });
    return hasMessages;
  });
}

async function removeDamaged(transaction: Transaction<StoreName>, name: StoreName): Promise<void> {
  // What is left of the index is cleared at the end, and the counters are written again.
  if (name === "segments" || name === "segmentTexts" || name === "signatures") return;
  await each(transaction, name, ({ key, record }) => {
    if ((name === "settings" && key === COUNTERS_KEY) || !isDamaged(name, key, record)) return;
    const store = transaction.store(name);
    const rest = name === "settings" ? undefined : intact(name, record);
    if (rest) store.put(rest as never);
    else store.delete(key as never);
  });
}

/** Calls `work` with every record of a store, damaged or not. */
async function each(
  transaction: Transaction<StoreName>,
  name: StoreName,
  work: (stored: StoredRecord) => void,
): Promise<void> {
  let after: IDBValidKey | undefined;
  do {
    const part = await transaction.store(name).getStored(after, CHUNK);
    part.forEach(work);
    after = part.length < CHUNK ? undefined : part.at(-1)?.key;
  } while (after !== undefined);
}

/** Servers, accounts, subscriptions and views share their numbers, each given once. */
async function nextNumber(transaction: Transaction<StoreName>): Promise<number> {
  const last = await Promise.all(
    (["servers", "accounts", "subscriptions", "views"] as const).map((name) =>
      transaction.store(name).keyFromEnd(IDBKeyRange.lowerBound(-Infinity), 0),
    ),
  );
  return Math.max(0, ...last.filter((key) => typeof key === "number")) + 1;
}
