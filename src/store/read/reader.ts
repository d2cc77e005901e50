import type { FeedList, ListQuery, OutgoingMessage, Position, RowFilter, StoredMessage } from "../../contract";
import type {
  AccountRecord,
  GapRecord,
  SequenceRecord,
  ServerRecord,
  Settings,
  SubscriptionRecord,
  TombstoneRecord,
  ViewRecord,
} from "../schema";

/** Which messages a feed shows. */
export interface PageQuery extends Pick<ListQuery, "subIds" | "hidden"> {
  /**
   * `feed`: delivered, newest version, not done, not snoozed (except those that the filter asks for by `is:done` or
   * `is:snoozed`). `scheduled`: not due yet; for soonest first use the direction `newer`. `snoozed`: ordered by the
   * time of their return, so its positions hold device clock, ms, instead of server time.
   */
  list: FeedList;
  filter?: RowFilter;
  /** Start after this position (exclusive); absent = from the newest (or, for `newer`, the oldest). */
  from?: Position | undefined;
  direction: "older" | "newer";
  /** Rows wanted. There may be fewer after a long scan, or more to complete a second. Continue from `next`. */
  count: number;
  /** Device clock, ms: the filter's dates and `is:snoozed` are relative to it. */
  nowMs: number;
}

export interface Page {
  /** In the order of `direction`, by (time, arrival). */
  rows: StoredMessage[];
  /** Where to continue; absent = nothing is left. */
  next?: Position;
}

/** What to count: a page query without a page. */
export type CountQuery = Omit<PageQuery, "direction" | "count">;

/** Part of a count. */
export interface Matches {
  /** Messages found from `from` on. */
  found: number;
  /** Where to continue; absent = the count is complete. */
  next?: Position;
}

/** A tag, in lower case, and how many of the newest messages have it. */
export interface TagCount {
  tag: string;
  count: number;
}

/** How many messages the feed has of one day. */
export interface DayCount {
  /** The UTC day: server time div 86,400. */
  day: number;
  count: number;
}

export interface BackupQuery {
  /** Start after this position (exclusive); absent = from the oldest. */
  from?: Position | undefined;
  /** About how many messages to read. */
  count: number;
}

/** Part of the messages for a backup. */
export interface BackupPage {
  /** Oldest first, whatever their marks. */
  rows: StoredMessage[];
  /** Messages that were deleted. */
  traces: TombstoneRecord[];
  /** What is known about sequences; all of it comes with the last page. */
  sequences: SequenceRecord[];
  /** Where to continue; absent = nothing is left. */
  next?: Position;
}

/** All the small tables at once; removed subscriptions are left out. */
export interface Catalogue {
  servers: ServerRecord[];
  accounts: AccountRecord[];
  subscriptions: SubscriptionRecord[];
  views: ViewRecord[];
  settings: Settings;
  /** Gaps, the spans in which messages may be missing, oldest first within each subscription. */
  gaps: GapRecord[];
  /** What has yet to reach its server. */
  outbox: OutgoingMessage[];
  /** How many messages are stored in all. */
  total: number;
  /** The newest arrival number of all. */
  lastArrival: number;
}
