// What the hub announces to every tab.
import { type Failure, guards, isPriority, isTime, type ServerAddress } from "../protocol";
import type { ServerStatus } from "./server-status";
import type { MessageKey, StoredMessage } from "./stored-message";

const { maybe, number, text } = guards;

/** What is counted of a subscription's messages; `tallyOf` says which ones each counter includes. */
export const COUNTED = {
  /** In the feed and unread. */
  unread: number,
  /** Unread ones of priority 5. */
  unreadUrgent: number,
  /** Unread ones of priority 4. */
  unreadHigh: number,
  /** Current messages with a star, for the starred view. */
  starred: number,
  /** Messages that are not yet due. */
  scheduled: number,
  /** Current messages that are snoozed out of the feed, for the snoozed view. */
  snoozed: number,
  /** Messages in the feed, read or not. */
  inFeed: number,
  /** How many messages are stored, except those that the user deleted. */
  total: number,
};

/** The newest delivered message of a subscription that is neither deleted nor superseded, for the list of topics. */
export const NEWEST = {
  id: text,
  time: isTime,
  /** Decides between two messages of the same second. */
  arrival: number,
  /** Its title or, without one, the beginning of its text. */
  text,
  priority: maybe(isPriority),
};
export type NewestSummary = guards.RecordOf<typeof NEWEST>;

export interface SubscriptionCounts extends guards.RecordOf<typeof COUNTED> {
  subId: number;
  newest?: NewestSummary;
}

/** Says that receiving from a server stopped, for all of its topics or for some. */
export interface ServerNotice {
  serverId: number;
  why: Failure;
  /** The topics concerned. */
  topics: string[];
}

/** Says that a server has been out of reach for long, or is back. Device clock, ms. */
export interface Outage {
  serverId: number;
  sinceMs: number;
  backAtMs?: number;
}

/**
 * What a write changed, as the hub announces it. A list must check every row of `changed`, because it may have entered
 * or left that list. `counts` has the counters of every subscription involved, exact at the end of the transaction.
 */
export interface Changes {
  changed: StoredMessage[];
  /** Gone from every list: deleted, cancelled, pruned. */
  removed: MessageKey[];
  counts: SubscriptionCounts[];
  /** How many messages are stored in all. */
  total: number;
  /** The newest arrival number of all. */
  lastArrival: number;
}

export type HubEvent =
  /** Servers, subscriptions, accounts, views or settings changed, so the catalogue must be read again. */
  | { kind: "catalogue" }
  | { kind: "status"; status: ServerStatus }
  /** New or changed rows, only the newest; `more` counts those left out, which must be read. */
  | ({ kind: "rows"; added: StoredMessage[]; more: number } & Changes)
  /**
   * Progress of a subscription made in parts. `nextTryAtMs`: the server takes no more requests until then, device
   * clock.
   */
  | { kind: "subscribing"; address: ServerAddress; done: number; of: number; nextTryAtMs?: number }
  /** A backup is being read or imported: `done` of `of`, in bytes or parts. */
  | { kind: "importing"; importId: string; done: number; of: number }
  /** The files of these messages are now kept, or no longer. */
  | { kind: "files"; keys: MessageKey[] }
  /** What this device is to a group changed: ask by `deviceGroup`. */
  | { kind: "devices" }
  /** A hub died and may not have announced what it stored last, so what is shown must be read again. */
  | { kind: "missed" }
  /** A push came, and what it brought is stored. `id`: of its message, if it brought one. */
  | { kind: "pushed"; id?: string }
  /** The disk is full: these rows are on screen but not stored. */
  | { kind: "unstored"; rows: StoredMessage[] }
  | { kind: "storage"; problem: "full" | "unreadable" | "newer-version" | "deleted" | "none"; text?: string }
  /**
   * One tab that can should show this notification and confirm it before `untilMs` (device clock, ms); then the next
   * tab is asked. `repeated`: it was shown before, and its messages are still unread.
   */
  | { kind: "alert"; alertId: number; rows: StoredMessage[]; untilMs: number; repeated?: true }
  /** The same for a server that stopped or topics it refuses, told once, because nothing else would show it. */
  | ({ kind: "notice"; alertId: number; untilMs: number } & ServerNotice)
  /** The same for a server that has been out of reach for long, or is back. */
  | ({ kind: "outage"; alertId: number; untilMs: number } & Outage);

/** An announcement carries at most a few screens, as every tab gets a copy; the rest is read when needed. */
export const MAX_ANNOUNCED_ROWS = 100;
