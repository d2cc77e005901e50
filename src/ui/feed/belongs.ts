import type { PageQuery, StoredMessage } from "../../client";
import { compileFilter } from "../../protocol";
import type { Scope } from "../state/view";

/** Whether a message stands in one of the lists, by its marks alone; the same rule as the store's `PageQuery.list`. */
export function isInList(row: StoredMessage, list: PageQuery["list"]): boolean {
  if (row.supersededBy !== undefined) return false;
  switch (list) {
    case "feed":
      return row.scheduled === undefined && row.doneAtMs === undefined && row.snoozedUntilMs === undefined;
    case "scheduled":
      return row.scheduled !== undefined;
    case "starred":
      return row.starred !== undefined;
    case "done":
      return row.doneAtMs !== undefined;
  }
}

/** Tells whether a message that was announced belongs into a feed, as if the store had been asked. Device clock, ms. */
export function belongsTo(scope: Scope, nowMs: number): (row: StoredMessage) => boolean {
  const passes = compileFilter(scope.filter, { nowMs });
  const subIds = scope.subIds && new Set(scope.subIds);
  return (row) => (subIds?.has(row.subId) ?? true) && isInList(row, scope.list) && passes(row);
}
