// What a list holds: one test for the store's rows and for those that the hub announces.
import { compileFilter } from "./filter/filter-match";
import type { FeedList } from "./triage";
import type { RowFilter } from "./filter/filter-language";
import type { StoredMessage } from "./stored-message";
import { isListedIn } from "./visibility";

/**
 * Makes a test for whether a row is in a list of these subscriptions (absent = all) and passes the filter. Device clock,
 * ms.
 */
export function belongsTo(
  { list, subIds, filter }: { list: FeedList; subIds?: readonly number[]; filter?: RowFilter },
  nowMs: number,
): (row: StoredMessage) => boolean {
  const wanted = subIds && new Set(subIds);
  const isListed = isListedIn(list, filter);
  const passes = filter && compileFilter(filter, { nowMs });
  return (row) => (wanted?.has(row.subId) ?? true) && isListed(row) && (passes?.(row) ?? true);
}
