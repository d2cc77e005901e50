import type { FeedList, Filter, MessageKey, StoredMessage } from "../protocol";
import type { AccountRecord, GapRecord, ServerRecord, Settings, SubscriptionRecord, ViewRecord } from "./schema";

/** Which messages a feed shows. */
export interface PageQuery {
  /** Absent = every subscription that is not removed. */
  subIds?: number[];
  /**
   * `feed`: delivered, newest version, not done, not snoozed (but for those that the filter asks for by `is:done` or
   * `is:snoozed`). `scheduled`: not due yet; soonest first is the direction `newer`. `snoozed`: ordered by the moment
   * of their return, so the positions of that list hold device clock, ms, in place of server time.
   */
  list: FeedList;
  filter?: Filter;
  /** Start behind this position (exclusive); absent = from the newest (or, for `newer`, the oldest). */
  from?: { time: number; arrival: number };
  direction: "older" | "newer";
  /** Rows wanted. Fewer come back when a filter made the scan long; more, to the end of a second. Go on from `next`. */
  count: number;
  /** Device clock, ms: what the filter's dates and `is:snoozed` are counted from. */
  nowMs: number;
}

export interface Page {
  /** In the order of the direction: by (time, arrival). */
  rows: StoredMessage[];
  /** Where to go on; absent = nothing is left. */
  next?: { time: number; arrival: number };
}

/** What to count: a page query without a page. */
export type CountQuery = Omit<PageQuery, "direction" | "count">;

/** Part of a count. */
export interface Matches {
  /** Messages found from `from` on. */
  found: number;
  /** Messages with this arrival number or a greater one were not there yet. */
  upTo: number;
  /** Where to go on; absent = that is all. */
  next?: { time: number; arrival: number };
}

/** A tag, in lower case, and how many of the newest messages have it. */
export interface TagCount {
  tag: string;
  count: number;
}

/** How many messages the feed has of one day. */
export interface DayCount {
  /** UTC: server time div 86,400. */
  day: number;
  count: number;
}

/** All the small tables at once; removed subscriptions are left out. */
export interface Catalogue {
  servers: ServerRecord[];
  accounts: AccountRecord[];
  subscriptions: SubscriptionRecord[];
  views: ViewRecord[];
  settings: Settings;
  /** Spans in which messages may be missing, oldest first within each subscription. */
  gaps: GapRecord[];
  /** Messages stored in all. */
  total: number;
}

/**
 * The one interface by which a page reads (docs/design.md §3): the database, or memory in the hub over the port. Its
 * promises reject with a `StoreFailure` when the database can't be read.
 */
export interface Reader {
  catalogue(): Promise<Catalogue>;
  page(query: PageQuery): Promise<Page>;
  /** Counts a bounded part of what a query finds, newest first: go on from `next` until there is none. */
  count(query: CountQuery): Promise<Matches>;
  /** Tags of the newest messages, most frequent first; one bounded read. */
  tags(): Promise<TagCount[]>;
  get(key: MessageKey): Promise<StoredMessage | undefined>;
  /** By subscription and id alone, as a link names it. */
  find(subId: number, id: string, time?: number): Promise<StoredMessage | undefined>;
  /** Earlier versions of a message's sequence, newest first. */
  versions(subId: number, sequence: string): Promise<StoredMessage[]>;
  gaps(subIds?: number[]): Promise<GapRecord[]>;
  /** Days, oldest first, that the feed has messages of; all topics where none are named. Filters play no part. */
  days(subIds?: number[]): Promise<DayCount[]>;
}
