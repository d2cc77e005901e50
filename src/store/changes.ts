import type { Changes, Mark, MessageKey, StoredMessage, Via } from "../contract";
import type { StorableEvent } from "../protocol";
import type { CursorRecord } from "./schema";

/** One transaction changes at most this many rows (some 30 ms), so that no page and no new message waits long. */
export const MAX_CHANGED = 500;

/** A mark to set on some messages. */
export interface Marking {
  mark: Mark;
  keys: MessageKey[];
}

export interface Arrival {
  subId: number;
  event: StorableEvent;
  via: Via;
}

/** Moves of the cursors after complete polls: forward, unless the server's clock was set back (docs/design.md §4). */
export interface CursorMoves {
  group?: CursorRecord;
  /** Server time, Unix seconds. */
  timeCursors?: { subId: number; time: number }[];
  /** The server's clock was set back, and everything it has was asked for: the time cursors follow the clock. */
  isClockSetBack?: boolean;
  /** Subscriptions that were caught up alone and join their group. */
  joined?: number[];
}

/** What goes into one ingest transaction. All arrivals are of one server. */
export interface IngestBatch {
  /** In order of arrival. */
  arrivals: Arrival[];
  /** The answer to a poll of one topic, so each second is in the server's order (decision 0016). */
  isOrdered?: boolean;
  nowMs: number;
  /** The server's clock, Unix seconds, by which messages fall due. Infinity = all were delivered. */
  serverNowS: number;
  /** What the server's clock shows, Unix seconds, if `serverNowS` doesn't say. */
  clockS?: number;
  /** Whether new messages may raise alerts; false for the history of a new subscription. */
  alerts: boolean;
  cursors?: CursorMoves;
  /** New messages from before this server time, Unix seconds, count as read; absent = as the subscription says. */
  readBefore?: number;
  /** Reserves this many arrival numbers before this batch's, for older messages stored later. */
  setAside?: number;
  /** The first arrival number reserved by an earlier batch, to use now. */
  arrivalsFrom?: number;
}

export interface IngestResult extends Changes {
  /** Rows that were really new, by arrival: in the feed or listed as scheduled, without superseded ones. */
  added: StoredMessage[];
  /** Rows of `added`, or fallen due, whose alert this transaction claimed. */
  alerts: StoredMessage[];
  /** The first of the reserved arrival numbers, if any. */
  setAsideFrom?: number;
  /** An order within a second matters and isn't known; see `Store.unsettled`. */
  isUnsettled: boolean;
}

/** A second of a sequence whose order matters and isn't known. */
export interface UnsettledSecond {
  subId: number;
  sequence: string;
  /** Server time, Unix seconds. */
  time: number;
  /** When the server drops the last of its messages, Unix seconds; after that the order can't be found out. */
  expires: number;
}

/** Asks for scheduled messages, of one server or of all, that are due by the server's clock. */
export interface SettleInput extends Pick<IngestBatch, "serverNowS" | "nowMs" | "alerts"> {
  serverId?: number;
}

/** What fell due; `changed` holds the rows that entered the feed. */
export interface SettleResult extends Changes {
  alerts: StoredMessage[];
  /** When the next scheduled message falls due, Unix seconds; absent = there is none. */
  nextDueS?: number;
}

/** What a complete poll with `scheduled=1` said about messages that aren't due. */
export interface ReconcileInput {
  /** The topics that were polled. */
  subIds: number[];
  /** Every id that the poll brought. */
  presentIds: ReadonlySet<string>;
  /** The server's clock before the poll began, Unix seconds: a message due by then was delivered, not cancelled. */
  serverNowS: number;
  /** Device clock, ms. Rows that arrived after the poll began are left alone, because it couldn't know them. */
  beforeMs: number;
}

/** What a round of retention removed. */
export interface PruneResult extends Changes {
  /** Whether more is left to remove: then call again. */
  more: boolean;
}

/** How long the deletion of a message or topic can be undone, ms. Every Undo button disappears sooner. */
export const DELETE_UNDO_MS = 60_000;
