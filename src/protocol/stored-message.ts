// A message as it is stored: the one shape that the database, the hub and every page share; its key and its order.
import type { FeedList } from "./contract";
import type { MessageEvent } from "./message";

/** How a message came. */
export type Via = "stream" | "poll" | "push";

/** Key of a stored message: found from subscription, time and id, which never change. */
export type MessageKey = [subId: number, time: number, id: string];

/** A stored message: as received, and what happened to it here. Marks that are not set are absent. */
export interface StoredMessage {
  subId: number;
  /** Copies of the event's, as parts of the key. */
  time: number;
  id: string;
  event: MessageEvent;
  via: Via;
  /** Grows with every stored message: ties of one second are ordered by it. */
  arrival: number;
  /** Device clock, ms. */
  receivedAtMs: number;
  /** Device clock, ms; absent = unread. */
  readAtMs?: number;
  doneAtMs?: number;
  starred?: 1;
  /** Out of the feed until then; comes back as unread. Device clock, ms. */
  snoozedUntilMs?: number;
  /** It came back from being snoozed. Device clock, ms. */
  wokenAtMs?: number;
  /** Deleted by the user: hidden everywhere, restorable until the undo time is over. Device clock, ms. */
  deletedAtMs?: number;
  /** The alert was claimed by the ingest transaction. Device clock, ms. */
  alertedAtMs?: number;
  /** Name of its sequence, once it is known to be one of several versions (docs/protocol.md §17). */
  sequence?: string;
  /** It took the place of an earlier version; the newest version alone has this. */
  updated?: 1;
  /** Id of a newer version: the newest known at that moment. Superseded versions are hidden from feeds. */
  supersededBy?: string;
  /**
   * The order of its sequence's events within its second makes a difference and is to be asked for; one row of them has
   * this.
   */
  unsettled?: 1;
  /**
   * Its place among its sequence's events of that second, as the server told; absent = it was alone, or nobody told.
   */
  rank?: number;
  /** Not yet due: listed apart, neither unread nor alerting until then. */
  scheduled?: 1;
  /** Where it stands in the index of short lists. Follows from the other fields; the writer sets it. */
  listed?: Listing[];
}

/** Lists that hold few of all messages, each sorted by the number behind it: a time, server's or device's. */
export type ListName = "scheduled" | "starred" | "done" | "snoozed" | "deleted" | "unsettled";

/**
 * Where a row stands in the index `listed`. One index serves all short lists: a row that is in none costs nothing there,
 * while each index more costs every row some 2 % of its writing, even where it has no entry.
 */
export type Listing = [list: ListName, at: number] | [list: "sequence", subId: number, sequence: string, time: number];

/** Key of a stored message. */
export function keyOf({ subId, time, id }: StoredMessage): MessageKey {
  return [subId, time, id];
}

/** Text that names a message in maps, lists and links between components. */
export function keyText([subId, time, id]: MessageKey): string {
  return `${String(subId)}/${String(time)}/${id}`;
}

/** `keyText` of a stored message. */
export function rowKey(row: StoredMessage): string {
  return keyText(keyOf(row));
}

/** Place of a row in every list: by time, then by first arrival (docs/design.md §4). */
export interface Position {
  time: number;
  arrival: number;
}

/** Place of a row in a list: what is snoozed stands by the moment of its return, all else by its own time. */
export function placeIn(list: FeedList, { time, arrival, snoozedUntilMs }: StoredMessage): Position {
  return { time: list === "snoozed" ? (snoozedUntilMs ?? 0) : time, arrival };
}

/** Negative when `a` is older than `b`. */
export function compareAge(a: Position, b: Position): number {
  return a.time - b.time || a.arrival - b.arrival;
}
