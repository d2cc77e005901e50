// What a stored message counts as, and which lists show it.
import type { Filter } from "./filter/filter-language";
import type { StoredMessage } from "./stored-message";
import type { FeedList } from "./triage";

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

/** Shown in the feed: delivered, newest version, neither done nor snoozed. */
export function isInFeed(row: RowMarks): boolean {
  return isCurrent(row) && row.doneAtMs === undefined && row.snoozedUntilMs === undefined;
}

/** In the feed and not read. */
export function isUnread(row: RowMarks): boolean {
  return isInFeed(row) && row.readAtMs === undefined;
}

/** Makes a test for whether a row is in a list, by its marks. */
export function isListedIn(list: FeedList, filter: Filter | undefined): (row: StoredMessage) => boolean {
  switch (list) {
    case "scheduled":
      return (row) => row.scheduled !== undefined && row.deletedAtMs === undefined;
    case "starred":
      return (row) => isCurrent(row) && row.starred !== undefined;
    case "done":
      return (row) => isCurrent(row) && row.doneAtMs !== undefined;
    case "snoozed":
      return (row) => isCurrent(row) && row.doneAtMs === undefined && row.snoozedUntilMs !== undefined;
    case "feed": {
      const withDone = asksFor(filter, "done");
      const withSnoozed = asksFor(filter, "snoozed");
      return (row) =>
        isCurrent(row) && (withDone || row.doneAtMs === undefined) && (withSnoozed || row.snoozedUntilMs === undefined);
    }
  }
}

/** Whether the filter asks for what a feed otherwise leaves out: done or snoozed messages. */
export function asksFor(filter: Filter | undefined, what: "done" | "snoozed"): boolean {
  return filter?.terms.some((term) => term.kind === "is" && term.what === what && !term.not) ?? false;
}
