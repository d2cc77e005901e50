import type { Mark, MessageKey, StorableEvent, StoredMessage, SubscriptionCounts, Via } from "../protocol";
import type { CursorRecord } from "./schema";

/**
 * What a write changed, as the hub announces it. A list takes every row of `changed` as it now is: it may have entered
 * or left that list. Counters are those of every subscription touched, exact at the end of the transaction.
 */
export interface Changes {
  changed: StoredMessage[];
  /** Gone from every list: deleted, cancelled, pruned. */
  removed: MessageKey[];
  counts: SubscriptionCounts[];
  /** Messages stored in all. */
  total: number;
}

/** A mark to set on some messages. */
export interface Marking {
  mark: Mark;
  keys: MessageKey[];
}

/** One event that arrived. */
export interface Arrival {
  subId: number;
  event: StorableEvent;
  via: Via;
}

/** Moves of the safe cursors, forward only (docs/design.md §4) but for a clock; for polls that ended properly. */
export interface CursorMoves {
  group?: CursorRecord;
  /** Server time, seconds. */
  timeCursors?: { subId: number; time: number }[];
  /** The server's clock was set back, and all that it has was asked for: the time cursors follow the clock. */
  isClockSetBack?: boolean;
  /** Subscriptions that were caught up alone and join their group. */
  joined?: number[];
}

/** What goes into one ingest transaction. All arrivals are of one server. */
export interface IngestBatch {
  /** In the order in which they came. */
  arrivals: Arrival[];
  /**
   * They came as the answer to a poll of one topic alone: of one second it has the server's own order (decision 0016).
   */
  isOrdered?: boolean;
  nowMs: number;
  /** The server's clock as it is known, seconds: decides what is not yet due. Infinity = all of it was delivered. */
  serverNowS: number;
  /** Whether new messages may alert; false for the history of a new subscription. */
  alerts: boolean;
  cursors?: CursorMoves;
  /** So many arrival numbers are set aside in front of this batch's: for older messages that are stored after it. */
  setAside?: number;
  /** The first of the arrival numbers that an earlier batch set aside, to be used instead of the next ones. */
  arrivalsFrom?: number;
}

/** What became of a batch. */
export interface IngestResult extends Changes {
  /**
   * Rows that were truly new, in order of arrival: in the feed, or listed as scheduled; superseded ones are left out.
   */
  added: StoredMessage[];
  /** Those of `added`, or fallen due, whose alert this transaction claimed. */
  alerts: StoredMessage[];
  /** Events that were known before. */
  duplicates: number;
  /** Events without a place here: of an unknown or removed subscription, older than its `fromTime`, deleted before. */
  dropped: number;
  /** The first of the arrival numbers that were set aside. */
  setAsideFrom?: number;
  /**
   * The order of events of one sequence in one second makes a difference and is not known: `Store.unsettled` tells of
   * it.
   */
  isUnsettled: boolean;
}

/** A second of a sequence whose order makes a difference and is not known. */
export interface UnsettledSecond {
  subId: number;
  sequence: string;
  /** Server time, seconds. */
  time: number;
  /** When the server drops the last of its messages, Unix seconds: nobody can tell the order from then on. */
  expires: number;
}

/** Time passes: scheduled messages of one server, or of all, that are due by the server's clock. */
export interface SettleInput {
  serverId?: number;
  serverNowS: number;
  nowMs: number;
  alerts: boolean;
}

/** What fell due; `changed` holds the rows that entered the feed. */
export interface SettleResult extends Changes {
  alerts: StoredMessage[];
  /** When the next scheduled one falls due, Unix seconds; absent = none. */
  nextDueS?: number;
}

/** What a complete poll with `scheduled=1` said about messages that are not due. */
export interface ReconcileInput {
  /** The topics that were polled. */
  subIds: number[];
  /** Every id that the poll brought. */
  presentIds: ReadonlySet<string>;
  /** The server's clock before the poll began, seconds: what was due by then was delivered, not cancelled. */
  serverNowS: number;
  /** Rows that arrived after the poll began are left alone: it could not know them. Device clock, ms. */
  beforeMs: number;
}

/** What a round of retention removed. */
export interface PruneResult extends Changes {
  /** More is left to remove: call again. */
  more: boolean;
}
