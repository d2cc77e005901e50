import { asksFor, keyOf, type MessageKey, type RowFilter, type StoredMessage } from "../../contract";
import { transact, type Database, type Transaction } from "../database";
import { storedCounters } from "../counters";
import { DamagedIndex } from "../intact";
import { pageOfRows, readPage, readQueryScope, rowTest, type QueryScope } from "../read/read-page";
import type { CountQuery, Matches, Page, PageQuery } from "../read/reader";
import type { SegmentRecord, TimeSpan } from "../schema";
import { withTimes } from "./time-spans";
import { NO, YES } from "./segment-filter";
import { Scan, type Hit, type Sink } from "./scan";
import { FACT } from "./slot-facts";

const STORES = ["messages", "subscriptions", "settings", "segments", "segmentTexts", "signatures"] as const;

/** Topics with so few messages are read directly (some 10 ms): segments hold other topics too. */
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
    const sink = new PageSink(transaction, query, rowTest(query, scope));
    const scan = new Scan(transaction, query, unindexed, slotTest(query, scope));
    const stopped = await scan.run(sink, rowTest(query, scope));
    const last = sink.rows.at(-1);
    const next = sink.isFull && last ? { time: last.time, arrival: last.arrival } : stopped;
    return next ? { rows: sink.rows, next } : { rows: sink.rows };
  });
}

/** Counts a bounded part of what a query finds, newest first. Go on from `next` until there is none. */
export function countMatches(database: Database, query: CountQuery): Promise<Matches> {
  return search(database, async (transaction, isIndexUsable) => {
    const ahead = { ...query, direction: "older", count: COUNTED_ROWS } as const;
    const { scope, unindexed, upTo } = await look(transaction, query, isIndexUsable);
    if (!unindexed || !isLong(query)) {
      const { rows, next } = await pageOfRows(transaction, ahead, scope);
      return { found: rows.length, upTo, ...(next && { next }) };
    }
    const sink = new CountSink(transaction, rowTest(query, scope));
    const next = await new Scan(transaction, ahead, unindexed, slotTest(query, scope)).run(sink, rowTest(query, scope));
    return { found: sink.found, upTo, ...(next && { next }) };
  });
}

type SearchTransaction = Transaction<(typeof STORES)[number]>;

/** Searches by the index or, where that is damaged, in the messages themselves. */
async function search<Value>(
  database: Database,
  work: (transaction: SearchTransaction, isIndexUsable: boolean) => Promise<Value>,
): Promise<Value> {
  try {
    return await transact(database, STORES, { mode: "readonly" }, (transaction) => work(transaction, true));
  } catch (thrown) {
    if (!(thrown instanceof DamagedIndex)) throw thrown;
    return transact(database, STORES, { mode: "readonly" }, (transaction) => work(transaction, false));
  }
}

/** A query's scope, and where segments are outdated; undefined if reading the messages is quicker. */
async function look(
  transaction: SearchTransaction,
  query: Pick<PageQuery, "subIds">,
  isIndexUsable: boolean,
): Promise<{ scope: QueryScope; unindexed: readonly TimeSpan[] | undefined; upTo: number }> {
  const [scope, counters] = await Promise.all([readQueryScope(transaction, query), storedCounters(transaction)]);
  const stored = scope.wanted.reduce((sum, { total }) => sum + total, 0);
  const isShort = !scope.isAll && stored <= FEW_ROWS;
  const { unindexed: changed, overfull = [] } = counters ?? {};
  const unindexed = isShort || !isIndexUsable || !changed ? undefined : withTimes(changed, overfull);
  return { scope, unindexed, upTo: counters?.nextArrival ?? Infinity };
}

/** Tests a slot for its list and topics, as `rowTest` does a row. */
function slotTest(
  { list, filter }: { list: PageQuery["list"]; filter?: RowFilter },
  { wanted }: QueryScope,
): (segment: SegmentRecord, slot: number) => number {
  const subIds = new Set(wanted.map(({ subId }) => subId));
  const hidden = (asksFor(filter, "done") ? 0 : FACT.done) | (asksFor(filter, "snoozed") ? 0 : FACT.snoozed);
  return ({ facts, subIds: own }, slot) => {
    const fact = facts[slot] ?? 0;
    const isListed = list === "done" ? (fact & FACT.done) !== 0 : (fact & hidden) === 0;
    // Removed topics keep their messages until the undo time is over, so the topic is checked even if all are wanted.
    return isListed && subIds.has(own[slot] ?? -1) ? YES : NO;
  };
}

type MessageTransaction = Transaction<"messages">;

function readHits(transaction: MessageTransaction, hits: readonly Hit[]): Promise<(StoredMessage | undefined)[]> {
  const messages = transaction.store("messages");
  return Promise.all(hits.map(({ segment, slot, id }) => messages.get(keyInSegment(segment, slot, id))));
}

function keyInSegment({ subIds, times }: SegmentRecord, slot: number, id: string): MessageKey {
  return keyOf({ subId: subIds[slot] ?? 0, time: times[slot] ?? 0, id });
}

/** Collects rows until there are enough. */
class PageSink implements Sink {
  readonly rows: StoredMessage[] = [];

  constructor(
    private readonly transaction: MessageTransaction,
    private readonly query: PageQuery,
    private readonly isShown: (row: StoredMessage) => boolean,
  ) {}

  get isFull(): boolean {
    return this.rows.length >= this.query.count;
  }

  /** Someone is waiting for the very first page. */
  get isAwaited(): boolean {
    return this.rows.length > 0 && this.query.from === undefined;
  }

  /** Only as many matches are read as rows are wanted. */
  get wantsIds(): number {
    return this.query.count - this.rows.length;
  }

  add(row: StoredMessage): void {
    if (!this.isFull) this.rows.push(row);
  }

  async addHits(hits: readonly Hit[]): Promise<void> {
    for (const row of await readHits(this.transaction, hits)) if (row && this.isShown(row)) this.add(row);
  }
}

/** Counts matches; only what the segments can't decide is read. */
class CountSink implements Sink {
  found = 0;
  readonly isFull = false;
  readonly isAwaited = false;
  readonly wantsIds = 0;

  constructor(
    private readonly transaction: MessageTransaction,
    private readonly isShown: (row: StoredMessage) => boolean,
  ) {}

  add(): void {
    this.found++;
  }

  async addHits(hits: readonly Hit[]): Promise<void> {
    for (const row of await readHits(this.transaction, hits)) if (row && this.isShown(row)) this.found++;
  }
}
