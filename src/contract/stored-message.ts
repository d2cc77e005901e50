// A stored message, in the one shape that database, hub and pages share: its key, its order, what it counts as, and
// which lists show it.
import { decodeEvent, guards, isId, isTime, type MessageEvent } from "../protocol";

const { as, count, fields, flag, list, maybe, number, only, stringMap, text, timeOrNever } = guards;

/** How a message came. */
export const isVia = only("stream", "poll", "push", "import");
export type Via = guards.Checked<typeof isVia>;

/** Key of a stored message: subscription, time and id, which never change. */
export type MessageKey = [subId: number, time: number, id: string];

/**
 * Why a message raised no alert, in the order of the checks:
 *
 * - `unshown`: its alert was claimed, but no tab showed it within `ALERT_WITHIN_MS`: notifications were off or
 *   forbidden, or no page was awake.
 * - `history`: it came with the first catch-up of a new topic.
 * - `imported`: it came from a file.
 * - `superseded`: a newer version was known when it came.
 * - `read`: it was cleared by its sender, or read, done, snoozed or deleted here, before it came or fell due.
 * - `muted`: its topic was muted.
 * - `priority`: it was below its topic's minimum priority.
 * - `all-muted`: all topics were muted.
 * - `quiet`: it came in quiet hours, its topic's or the general ones, that were to end at `untilMs`: device clock, ms;
 *   Infinity = never.
 *
 * The reason is that of the moment and never checked again. Age is no reason: what was missed while the device was away
 * alerts when it comes. How a tab shows an alert isn't recorded.
 */
export type NoAlertReason = guards.Checked<typeof isPlainReason> | { kind: "quiet"; untilMs: number };

/** A reason that carries no data. */
export const isPlainReason = only(
  ...(["unshown", "history", "imported", "superseded", "read", "muted", "priority", "all-muted"] as const),
);

/** The latest moment that can be shown, ms. */
const LATEST_MS = 8.64e15;

const PRESSED = {
  /** Of the action. */
  id: text,
  ok: flag,
  /** Device clock, ms. */
  atMs: as<number>((value) => number(value) && Math.abs(value) <= LATEST_MS),
  /** HTTP status, if there was an answer. */
  status: maybe(number),
};
export interface Pressed extends guards.RecordOf<typeof PRESSED> {}

const one = maybe(only(1));

/** A stored message: the event as received, and what happened to it here. Marks that aren't set are absent. */
export const STORED_MESSAGE = {
  subId: count,
  /** Copies of the event's fields, because they are parts of the key. */
  time: isTime,
  id: isId,
  event: as<MessageEvent>((value) => decodeEvent(value)?.event === "message"),
  via: isVia,
  /** Grows with every stored message, and orders those of the same second. */
  arrival: number,
  /** Device clock, ms. */
  receivedAtMs: number,
  /** Device clock, ms; absent = unread. */
  readAtMs: maybe(number),
  doneAtMs: maybe(number),
  starred: one,
  /** Out of the feed until then; it comes back as unread. Device clock, ms. */
  snoozedUntilMs: maybe(number),
  /** When it came back from being snoozed, device clock, ms. */
  wokenAtMs: maybe(number),
  /** Deleted by the user: hidden everywhere, restorable within the undo time. Device clock, ms. */
  deletedAtMs: maybe(number),
  /** When the ingest transaction claimed its alert, device clock, ms. */
  alertedAtMs: maybe(number),
  /** Absent = it raised an alert or isn't due yet, or it was stored before reasons were noted. */
  noAlert: maybe(
    as<NoAlertReason>((value) => text(value) || fields({ kind: only("quiet"), untilMs: timeOrNever })(value)),
  ),
  /** The results of its buttons' last requests. */
  pressed: maybe(list(fields(PRESSED))),
  /** Name of its sequence, once it is known to have several versions (docs/protocol.md §17). */
  sequence: maybe(text),
  /** It replaced an earlier version; only the newest version has this. */
  updated: one,
  /** Id of a newer version, the newest known at that moment. Superseded versions are hidden from feeds. */
  supersededBy: maybe(text),
  /** The order within its second matters and must be asked for; one row of that second has this. */
  unsettled: one,
  /** Its place in the server's order within that second; absent = it was alone, or the order is unknown. */
  rank: maybe(number),
  /** Not yet due: listed separately, and neither unread nor alerting until then. */
  scheduled: one,
  /** Its entries in the index of short lists, derived from the other fields when it is written. */
  listed: maybe(list(as<Listing>(Array.isArray))),
};
export interface StoredMessage extends guards.RecordOf<typeof STORED_MESSAGE> {}

/** The lists in which the user sees messages; the feed has what is neither done nor snoozed nor scheduled. */
export type FeedList = "feed" | "scheduled" | "starred" | "done" | "snoozed";

/** Lists of few messages, each sorted by the number after its name: a server or device time. */
export type ListName = "scheduled" | "starred" | "done" | "snoozed" | "deleted" | "unsettled";

/** An entry in the index `listed`. Rows in no short list have none; another index would slow every write by 2 %. */
export type Listing = [list: ListName, at: number] | [list: "sequence", subId: number, sequence: string, time: number];

/** The key of a message, or of anything with its parts. */
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

/** A position in a list: snoozed rows by their return, others by their time. Given a position, returns it. */
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

/** A page's screen at rest, which the first script rebuilds at the next start. */
export const SNAPSHOT = {
  /** Fragment of the view's link. */
  view: text,
  /** Build, day, languages, width and the like: all must match. */
  conditions: text,
  /** Height of the page, px. */
  height: number,
  /** The document's language, direction, theme, density and font size, and the text to show if the app doesn't load. */
  root: stringMap,
  /** The elements, and the rows below the screen: JSON of two `Tree`s (`src/ui/snapshot/tree.ts`). */
  tree: text,
};
export interface Snapshot extends guards.RecordOf<typeof SNAPSHOT> {}

/** What happened to a message here. Times are device clock, ms. */
export type RowMarks = Partial<
  Pick<StoredMessage, "readAtMs" | "doneAtMs" | "snoozedUntilMs" | "supersededBy" | "scheduled" | "deletedAtMs">
>;

/** Delivered and not deleted by the user: the messages that exist for them. */
export function isDelivered(row: RowMarks): boolean {
  return row.scheduled === undefined && row.deletedAtMs === undefined;
}

/** The newest version of a delivered message, dealt with or not. */
export function isCurrent(row: RowMarks): boolean {
  return isDelivered(row) && row.supersededBy === undefined;
}

/** Read or done. */
export function isDealtWith({ readAtMs, doneAtMs }: RowMarks): boolean {
  return readAtMs !== undefined || doneAtMs !== undefined;
}

/** Shown in the feed: delivered, newest version, neither done nor snoozed. */
export function isInFeed(row: RowMarks): boolean {
  return isCurrent(row) && row.doneAtMs === undefined && row.snoozedUntilMs === undefined;
}

/** In the feed and not read. */
export function isUnread(row: RowMarks): boolean {
  return isInFeed(row) && row.readAtMs === undefined;
}
