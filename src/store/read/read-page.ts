import {
  belongsTo,
  isDelivered,
  placeIn,
  type Position,
  type StoredMessage,
  timeRangeOf,
  compareAge,
} from "../../contract";
import { transact, type Database, type Transaction, startingWith } from "../database";
import { readSubscriptions } from "./read-catalogue";
import type { Page, PageQuery } from "./reader";
import { RowSource, type RowSpan } from "./row-source";
import type { SubscriptionRecord } from "../schema";

/** How many rows are examined for one page (some 30 ms); if few of them match a filter, the next call continues. */
const MAX_SCANNED = 2_000;

/** A page may exceed `count` by this many rows, so that it ends with a whole second and no row is read twice. */
const MAX_EXTRA = 450;

/** How many rows are read beyond those wanted, for hidden ones and for the last second, which may be cut. */
const READ_AHEAD = 16;

/** The most rows read at a time from one source. */
const MAX_AT_ONCE = 512;

/** Reads one page from a position: the cost depends on the page, not on how much is stored (docs/design.md §6). */
export function readPage(database: Database, query: PageQuery): Promise<Page> {
  return transact(database, ["messages", "subscriptions"], "read", async (transaction) =>
    pageOfRows(transaction, query, await readQueryScope(transaction, query)),
  );
}

export interface QueryScope {
  wanted: readonly SubscriptionRecord[];
  /** Whether these are all subscriptions. */
  isAll: boolean;
}

export async function readQueryScope(
  transaction: Transaction<"subscriptions">,
  { subIds }: Pick<PageQuery, "subIds">,
): Promise<QueryScope> {
  const alive = await readSubscriptions(transaction);
  const wanted = subIds ? alive.filter(({ subId }) => subIds.includes(subId)) : alive;
  return { wanted, isAll: wanted.length === alive.length };
}

/** Reads one page from the messages themselves. */
export function pageOfRows(transaction: Transaction<"messages">, query: PageQuery, scope: QueryScope): Promise<Page> {
  return collect(openSources(transaction, query, scope), query, rowTest(query, scope));
}

/** Reads several sources as one, in order of (time, arrival), until there are enough rows. */
async function collect(
  sources: readonly RowSource[],
  { count, list, direction }: PageQuery,
  isShown: (row: StoredMessage) => boolean,
): Promise<Page> {
  const runs = sources.map((source) => ({ source, waiting: [] as StoredMessage[] }));
  const sign = direction === "older" ? -1 : 1;
  const rows: StoredMessage[] = [];
  let last: Position | undefined;
  let chunk = Math.ceil(count / Math.max(runs.length, 1)) + READ_AHEAD;
  for (let scanned = 0; ; scanned++) {
    const isEnough = rows.length >= count || scanned >= MAX_SCANNED;
    const empty = runs.filter(({ source, waiting }) => waiting.length === 0 && !source.isExhausted);
    if (empty.length > 0) {
      if (isEnough) break;
      const read = await Promise.all(empty.map(({ source }) => source.next(Math.min(chunk, MAX_AT_ONCE))));
      for (const [at, run] of empty.entries()) run.waiting = read[at] ?? [];
      chunk *= 2;
    }
    let first: StoredMessage[] | undefined;
    for (const { waiting } of runs) {
      const [row, best] = [waiting[0], first?.[0]];
      if (row && (!best || sign * compareAge(row, best) < 0)) first = waiting;
    }
    const row = first?.[0];
    if (!row) break;
    const place = placeIn(list, row);
    if (isEnough && (last?.time !== place.time || rows.length >= count + MAX_EXTRA)) break;
    last = place;
    first?.shift();
    if (isShown(row)) rows.push(row);
  }
  const isMore = runs.some(({ source, waiting }) => waiting.length > 0 || !source.isExhausted);
  return last && isMore ? { rows, next: last } : { rows };
}

/** Opens one source for everything or for a short list; for some topics, one for each. */
function openSources(
  transaction: Transaction<"messages">,
  { list, filter, from, direction, nowMs }: PageQuery,
  { wanted, isAll }: QueryScope,
): RowSource[] {
  const spans: RowSpan[] =
    list !== "feed" ? [{ list }] : isAll ? [{ all: true }] : wanted.map(({ subId }) => ({ subId }));
  // The times in a filter are message times, which order every list except the snoozed one.
  const within = filter && list !== "snoozed" ? timeRangeOf(filter, { nowMs }) : undefined;
  return spans.map((span) => new RowSource(transaction, span, direction, from, within));
}

/** Makes a test for whether a row belongs to what a query asks for. */
export function rowTest(
  query: Pick<PageQuery, "list" | "filter" | "hidden" | "nowMs">,
  { wanted }: QueryScope,
): (row: StoredMessage) => boolean {
  const subIds = wanted.map(({ subId }) => subId);
  return belongsTo({ ...query, subIds }, query.nowMs);
}

/** Earlier versions of a sequence, newest first. */
export function readVersions(database: Database, subId: number, sequence: string): Promise<StoredMessage[]> {
  return transact(database, ["messages"], "read", async (transaction) => {
    const range = startingWith("sequence", subId, sequence);
    const index = transaction.store("messages").index("listed");
    const rows = await index.getLast(range, MAX_VERSIONS);
    return rows
      .filter((row) => isDelivered(row) && row.supersededBy !== undefined)
      .sort((a, b) => b.time - a.time || rankOf(b) - rankOf(a) || b.arrival - a.arrival);
  });
}

/** A version whose place is unknown counts as later than the ranked ones of its second. */
function rankOf({ rank = Number.MAX_SAFE_INTEGER }: StoredMessage): number {
  return rank;
}

/** Versions shown of one message: a thermometer may have tens of thousands. */
const MAX_VERSIONS = 200;
