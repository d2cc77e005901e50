import { asksFor, isCurrent } from "../../contract";
import { transact, type Database, type Transaction, startingWith, storedCounters } from "../database";
import { DamagedIndex } from "../intact";
import { pageOfRows, readPage, readQueryScope, rowTest, type QueryScope } from "../read/read-page";
import type { CountQuery, Matches, Page, PageQuery, TagCount } from "../read/reader";
import type { SegmentRecord, TimeSpan } from "../schema";
import { MAYBE, NO, YES } from "./segment-filter";
import { Results, Scan } from "./scan";
import { FACT } from "./make-segments";

const STORES = ["messages", "subscriptions", "settings", "segments", "segmentTexts", "signatures"] as const;

/** Topics with this few messages are read directly (some 10 ms): segments hold other topics too. */
const FEW_ROWS = 1_000;

/** How many rows one call counts without segments: some 30 ms. */
const COUNTED_ROWS = 2_000;

/** A list that may be long. Others are short and read without segments. */
function isLong({ list }: Pick<PageQuery, "list">): boolean {
  return list === "feed" || list === "done";
}

/** Reads one page of a list: of a long one with a filter by segments. */
export function readList(database: Database, query: PageQuery): Promise<Page> {
  const isSearch = isLong(query) && query.filter !== undefined && query.filter.terms.length > 0;
  return isSearch ? searchPage(database, query) : readPage(database, query);
}

/** Reads a page of what a filter finds; the newest segments are read first. */
function searchPage(database: Database, query: PageQuery): Promise<Page> {
  return search(database, async (transaction, isIndexUsable) => {
    const { scope, unindexed } = await look(transaction, query, isIndexUsable);
    if (!unindexed) return pageOfRows(transaction, query, scope);
    const results = new Results(transaction, rowTest(query, scope), query);
    const stopped = await new Scan(transaction, query, unindexed, slotTest(query, scope)).run(results);
    const { rows, left } = results;
    const last = rows.at(-1);
    const next = left <= 0 && last ? { time: last.time, arrival: last.arrival } : stopped;
    return next ? { rows, next } : { rows };
  });
}

/** Counts a bounded part of what a query finds, newest first. Continue from `next` until there is none. */
export function countMatches(database: Database, query: CountQuery): Promise<Matches> {
  return search(database, async (transaction, isIndexUsable) => {
    const ahead = { ...query, direction: "older", count: COUNTED_ROWS } as const;
    const { scope, unindexed } = await look(transaction, query, isIndexUsable);
    if (!unindexed || !isLong(query)) {
      const { rows, next } = await pageOfRows(transaction, ahead, scope);
      return { found: rows.length, ...(next && { next }) };
    }
    const results = new Results(transaction, rowTest(query, scope));
    const next = await new Scan(transaction, ahead, unindexed, slotTest(query, scope)).run(results);
    return { found: results.found, ...(next && { next }) };
  });
}

type SearchTransaction = Transaction<(typeof STORES)[number]>;

/** Searches by the index or, where it is damaged, in the messages themselves. */
async function search<Value>(
  database: Database,
  work: (transaction: SearchTransaction, isIndexUsable: boolean) => Promise<Value>,
): Promise<Value> {
  try {
    return await transact(database, STORES, "read", (transaction) => work(transaction, true));
  } catch (thrown) {
    if (!(thrown instanceof DamagedIndex)) throw thrown;
    return transact(database, STORES, "read", (transaction) => work(transaction, false));
  }
}

/** A query's scope, and where segments are outdated; undefined if reading the messages is quicker. */
async function look(
  transaction: SearchTransaction,
  query: Pick<PageQuery, "subIds">,
  isIndexUsable: boolean,
): Promise<{ scope: QueryScope; unindexed: readonly TimeSpan[] | undefined }> {
  const [scope, counters] = await Promise.all([readQueryScope(transaction, query), storedCounters(transaction)]);
  const stored = scope.wanted.reduce((sum, { total }) => sum + total, 0);
  const isShort = !scope.isAll && stored <= FEW_ROWS;
  return { scope, unindexed: isShort || !isIndexUsable ? undefined : counters?.unindexed };
}

/** Tests a slot for its list and topics, as `rowTest` does a row. */
function slotTest(
  { list, filter, hidden: rules = [] }: Pick<PageQuery, "list" | "filter" | "hidden">,
  { wanted }: QueryScope,
): (segment: SegmentRecord, slot: number) => number {
  const subIds = new Set(wanted.map(({ subId }) => subId));
  const ruled = new Set(rules.map(({ subId }) => subId));
  const away = (asksFor(filter, "done") ? 0 : FACT.done) | (asksFor(filter, "snoozed") ? 0 : FACT.snoozed);
  return ({ facts, subIds: own }, slot) => {
    const fact = facts[slot] ?? 0;
    const isListed = list === "done" ? (fact & FACT.done) !== 0 : (fact & away) === 0;
    // Removed topics keep their messages until the undo time is over, so the topic is checked even if all are wanted.
    if (!isListed || !subIds.has(own[slot] ?? -1)) return NO;
    // Only the message itself can tell whether a rule hides it.
    return ruled.has(own[slot] ?? -1) ? MAYBE : YES;
  };
}

/** How many segments are examined: some ten thousand messages, a few milliseconds. */
const MAX_SEGMENTS = 100;

/** How many messages that aren't indexed yet are examined. */
const MAX_ROWS = 300;

/** Tags of the newest messages, most frequent first, by one bounded read. */
export function readTags(database: Database): Promise<TagCount[]> {
  return transact(database, ["segments", "messages"], "read", async (transaction) => {
    const counts = new Map<string, number>();
    const add = (tag: string, count: number) => counts.set(tag, (counts.get(tag) ?? 0) + count);
    const [segments, rows] = await Promise.all([
      transaction
        .store("segments")
        .getLast(IDBKeyRange.upperBound(Infinity), MAX_SEGMENTS)
        .catch((thrown: unknown) => {
          if (!(thrown instanceof DamagedIndex)) throw thrown;
          return [];
        }),
      transaction.store("messages").index("order").getLast(startingWith(), MAX_ROWS),
    ]);
    for (const { tags, tagSlots } of segments) {
      let at = 0;
      for (const tag of tags) {
        const slots = tagSlots[at] ?? 0;
        add(tag, slots);
        at += 1 + slots;
      }
    }
    const indexedTo = segments[0]?.to ?? -Infinity;
    for (const { event } of rows.filter((row) => row.time > indexedTo && isCurrent(row))) {
      for (const tag of new Set(event.tags?.map((each) => each.toLowerCase()))) add(tag, 1);
    }
    return [...counts]
      .map(([tag, count]) => ({ tag, count }))
      .sort((a, b) => b.count - a.count || (a.tag < b.tag ? -1 : 1));
  });
}
