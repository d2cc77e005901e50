import { compileFilter, isListedIn, type StoredMessage } from "../../contract";
import type { FeedQuery } from "../state/view";

/** Tells whether a message that was announced belongs into a feed, as if the store had been asked. Device clock, ms. */
export function belongsTo(scope: FeedQuery, nowMs: number): (row: StoredMessage) => boolean {
  const passes = compileFilter(scope.filter, { nowMs });
  const stands = isListedIn(scope.list, scope.filter);
  const subIds = scope.subIds && new Set(scope.subIds);
  return (row) => (subIds?.has(row.subId) ?? true) && stands(row) && passes(row);
}
