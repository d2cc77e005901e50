import type { StoredMessage } from "../../client";
import { compileFilter } from "../../protocol";
import type { FeedQuery } from "../state/view";

/** Tells whether a message stands in the list of a scope, by its marks alone; the same rule as the store's pages. */
export function isListedIn({ list, filter }: FeedQuery): (row: StoredMessage) => boolean {
  const asksFor = (what: "done" | "snoozed") =>
    filter.terms.some((term) => term.kind === "is" && term.what === what && !term.not);
  const isCurrent = (row: StoredMessage) =>
    row.scheduled === undefined && row.deletedAtMs === undefined && row.supersededBy === undefined;
  switch (list) {
    case "feed": {
      const withDone = asksFor("done");
      const withSnoozed = asksFor("snoozed");
      return (row) =>
        isCurrent(row) && (withDone || row.doneAtMs === undefined) && (withSnoozed || row.snoozedUntilMs === undefined);
    }
    case "scheduled":
      return (row) => row.scheduled !== undefined && row.deletedAtMs === undefined;
    case "starred":
      return (row) => isCurrent(row) && row.starred !== undefined;
    case "done":
      return (row) => isCurrent(row) && row.doneAtMs !== undefined;
    case "snoozed":
      return (row) => isCurrent(row) && row.doneAtMs === undefined && row.snoozedUntilMs !== undefined;
  }
}

/** Tells whether a message that was announced belongs into a feed, as if the store had been asked. Device clock, ms. */
export function belongsTo(scope: FeedQuery, nowMs: number): (row: StoredMessage) => boolean {
  const passes = compileFilter(scope.filter, { nowMs });
  const stands = isListedIn(scope);
  const subIds = scope.subIds && new Set(scope.subIds);
  return (row) => (subIds?.has(row.subId) ?? true) && stands(row) && passes(row);
}
