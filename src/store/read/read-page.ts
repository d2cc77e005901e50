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
import { RowSource, type RowSpan, type Direction } from "./row-source";
import type { SubscriptionRecord } from "../schema";

/** A source, and what was read from it. */
interface SourceRun {
  source: RowSource;
  rows: StoredMessage[];
  at: number;
}

/** Reads several sources as one, in order of (time, arrival). */
export class MergedRows {
  readonly #runs: SourceRun[];
  readonly #sign: number;

  constructor(sources: readonly RowSource[], direction: Direction) {
    this.#runs = sources.map((source) => ({ source, rows: [], at: 0 }));
    this.#sign = direction === "older" ? -1 : 1;
  }

  /** Reads on, about `count` rows from each source that has none waiting, so that `take` can return the next ones. */
  async fill(count: number): Promise<void> {
    await Promise.all(
      this.#runs.map(async (run) => {
        if (run.at < run.rows.length || run.source.isExhausted) return;
        run.rows = await run.source.next(count);
        run.at = 0;
      }),
    );
  }

  /** The next row; `undefined` when a source must be filled first, or nothing is left. */
  take(): StoredMessage | undefined {
    let first: SourceRun | undefined;
    for (const run of this.#runs) {
      const row = run.rows[run.at];
      if (!row) {
        if (!run.source.isExhausted) return undefined;
        continue;
      }
      const best = first?.rows[first.at];
      if (!best || this.#sign * compareAge(row, best) < 0) first = run;
    }
    return first?.rows[first.at++];
  }

  /** How many sources there are. */
  get width(): number {
    return this.#runs.length;
  }

  /** Whether nothing is waiting and nothing is left to read. */
  get isExhausted(): boolean {
    return this.#runs.every((run) => run.source.isExhausted && run.at >= run.rows.length);
  }
}

/** How many rows are looked through for one page (some 30 ms); if few of them match a filter, the next call goes on. */
const MAX_SCANNED = 2_000;

/** A page may exceed `count` by this many rows, so that it ends with a whole second and no row is read twice. */
const MAX_EXTRA = 450;

/** How many rows are read beyond those wanted, for hidden ones and for the last second, which may be cut. */
const READ_AHEAD = 16;

/** The most rows read at a time from one source. */
const MAX_AT_ONCE = 512;

/** Reads one page from a position: the cost depends on the page, not on how much is stored (docs/design.md §6). */
export function readPage(database: Database, query: PageQuery): Promise<Page> {
  return transact(database, ["messages", "subscriptions"], { mode: "readonly" }, async (transaction) =>
    pageOfRows(transaction, query, await readQueryScope(transaction, query)),
  );
}

/** The subscriptions that a query reads. */
export interface QueryScope {
  wanted: readonly SubscriptionRecord[];
  /** These are all subscriptions. */
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

async function collect(
  merged: MergedRows,
  { count, list }: PageQuery,
  isShown: (row: StoredMessage) => boolean,
): Promise<Page> {
  const rows: StoredMessage[] = [];
  let last: Position | undefined;
  let chunk = Math.ceil(count / Math.max(merged.width, 1)) + READ_AHEAD;
  for (let scanned = 0; ;) {
    const row = merged.take();
    if (!row) {
      if (merged.isExhausted) return { rows };
      if (isFull(rows, count) || scanned >= MAX_SCANNED) break;
      await merged.fill(Math.min(chunk, MAX_AT_ONCE));
      chunk *= 2;
      continue;
    }
    const place = placeIn(list, row);
    const isNextSecond = last?.time !== place.time;
    const mustEnd = rows.length >= count + MAX_EXTRA;
    if ((isFull(rows, count) || scanned >= MAX_SCANNED) && (isNextSecond || mustEnd)) break;
    last = place;
    scanned++;
    if (isShown(row)) rows.push(row);
  }
  return last ? { rows, next: last } : { rows };
}

function isFull(rows: readonly StoredMessage[], count: number): boolean {
  return rows.length >= count;
}

/** Opens one source for everything or for a short list; for some topics, one for each. */
function openSources(
  transaction: Transaction<"messages">,
  { list, filter, from, direction, nowMs }: PageQuery,
  { wanted, isAll }: QueryScope,
): MergedRows {
  const spans: RowSpan[] =
    list !== "feed" ? [{ list }] : isAll ? [{ all: true }] : wanted.map(({ subId }) => ({ subId }));
  // The times in a filter are message times, which order every list except the snoozed one.
  const within = filter && list !== "snoozed" ? timeRangeOf(filter, { nowMs }) : undefined;
  const sources = spans.map(
    (span) => new RowSource(transaction, span, direction, { behind: from, ...(within && { within }) }),
  );
  return new MergedRows(sources, direction);
}

/** Makes a test for whether a row belongs to what a query asks for. */
export function rowTest(
  query: Pick<PageQuery, "list" | "filter" | "nowMs">,
  { wanted }: QueryScope,
): (row: StoredMessage) => boolean {
  const subIds = wanted.map(({ subId }) => subId);
  return belongsTo({ ...query, subIds }, query.nowMs);
}

/** Earlier versions of a sequence, newest first. */
export function readVersions(database: Database, subId: number, sequence: string): Promise<StoredMessage[]> {
  return transact(database, ["messages"], { mode: "readonly" }, async (transaction) => {
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
