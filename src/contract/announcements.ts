// What the hub announces to every tab.
import type { Failure, Priority, ServerAddress } from "../protocol";
import type { ServerStatus } from "./server-status";
import { newestFirst, type MessageKey, type StoredMessage } from "./stored-message";

export interface SubscriptionCounts {
  subId: number;
  unread: number;
  unreadUrgent: number;
  unreadHigh: number;
  starred: number;
  scheduled: number;
  snoozed: number;
  inFeed: number;
  total: number;
  newest?: { id: string; time: number; arrival: number; text: string; priority?: Priority };
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

function newest(rows: StoredMessage[]): StoredMessage[] {
  if (rows.length <= MAX_ANNOUNCED_ROWS) return rows;
  return [...rows].sort(newestFirst).slice(0, MAX_ANNOUNCED_ROWS);
}

/** The announcement of a write; undefined if it changed nothing. */
export function rowsEvent({ added = [], ...changes }: Changes & { added?: StoredMessage[] }): HubEvent | undefined {
  const { changed, removed, counts, total, lastArrival } = changes;
  if (added.length + changed.length + removed.length + counts.length === 0) return undefined;
  const shown = { added: newest(added), changed: newest(changed) };
  const more = added.length - shown.added.length + changed.length - shown.changed.length;
  return { kind: "rows", ...shown, removed, more, counts, total, lastArrival };
}
