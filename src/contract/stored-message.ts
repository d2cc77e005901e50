// A message as it is stored, in the one shape that the database, the hub and every page share, with its key and its
// order.
import type { FeedList } from "./triage";
import type { MessageEvent } from "../protocol";
import type { NoAlertReason } from "./why-no-alert";

/** How a message came. */
export type Via = "stream" | "poll" | "push" | "import";

/** Key of a stored message: subscription, time and id, which never change. */
export type MessageKey = [subId: number, time: number, id: string];

/** A stored message: the event as received, and what happened to it here. Marks that aren't set are absent. */
export interface StoredMessage {
  subId: number;
  /** Copies of the event's fields, as they are parts of the key. */
  time: number;
  id: string;
  event: MessageEvent;
  via: Via;
  /** Grows with every stored message, and orders those of the same second. */
  arrival: number;
  /** Device clock, ms. */
  receivedAtMs: number;
  /** Device clock, ms; absent = unread. */
  readAtMs?: number;
  doneAtMs?: number;
  starred?: 1;
  /** Out of the feed until then; it comes back as unread. Device clock, ms. */
  snoozedUntilMs?: number;
  /** When it came back from being snoozed, device clock, ms. */
  wokenAtMs?: number;
  /** Deleted by the user: hidden everywhere, and restorable until the undo time is over. Device clock, ms. */
  deletedAtMs?: number;
  /** When the ingest transaction claimed its alert, device clock, ms. */
  alertedAtMs?: number;
  /** Absent = it raised an alert or isn't due yet, or it was stored before reasons were noted. */
  noAlert?: NoAlertReason;
  /** Name of its sequence, once it is known to be one of several versions (docs/protocol.md §17). */
  sequence?: string;
  /** It replaced an earlier version; only the newest version has this. */
  updated?: 1;
  /** Id of a newer version, the newest known at that moment. Superseded versions are hidden from feeds. */
  supersededBy?: string;
  /**
   * The order of its sequence's events within its second makes a difference and must be asked for; one row of that
   * second has this.
   */
  unsettled?: 1;
  /**
   * Its place among its sequence's events of that second, as the server ordered them; absent = it was alone, or the
   * order isn't known.
   */
  rank?: number;
  /** Not yet due: listed separately, and neither unread nor alerting until then. */
  scheduled?: 1;
  /** Where it is in the index of short lists. This follows from the other fields; the writer sets it. */
  listed?: Listing[];
}

/** Lists that hold few of all messages. Each is sorted by the number after its name: a server time or a device time. */
export type ListName = "scheduled" | "starred" | "done" | "snoozed" | "deleted" | "unsettled";

/**
 * The position of a row in the index `listed`. One index serves all short lists: a row in none of them costs nothing
 * there, while every further index adds about 2 % to the cost of writing any row, even one without an entry.
 */
export type Listing = [list: ListName, at: number] | [list: "sequence", subId: number, sequence: string, time: number];

/** The key of a message, or of anything else that has its parts. */
export function keyOf({ subId, time, id }: Pick<StoredMessage, "subId" | "time" | "id">): MessageKey {
  return [subId, time, id];
}

/** A string that names a message in maps, lists and links between components. */
export function keyText([subId, time, id]: MessageKey): string {
  return `${String(subId)}/${String(time)}/${id}`;
}

/** The `keyText` of a stored message. */
export function rowKey(row: StoredMessage): string {
  return keyText(keyOf(row));
}

/** A row's position in every list: by time, then by first arrival (docs/design.md §4). */
export interface Position {
  time: number;
  arrival: number;
}

/** A row, or the position of one. */
export type Placed = Position & Pick<StoredMessage, "snoozedUntilMs">;

/**
 * A row's position in a list: snoozed rows are ordered by the time of their return, all others by their own time. The
 * position of a position is itself.
 */
export function placeIn(list: FeedList, { time, arrival, snoozedUntilMs = time }: Placed): Position {
  return { time: list === "snoozed" ? snoozedUntilMs : time, arrival };
}

/** Negative when `a` is older than `b`. */
export function compareAge(a: Position, b: Position): number {
  return a.time - b.time || a.arrival - b.arrival;
}

/** Negative when `a` is newer than `b`. */
export function newestFirst(a: Position, b: Position): number {
  return compareAge(b, a);
}
