import type { CountQuery, Reader } from "../../client";
import type { Filter, FilterTerm } from "../../protocol";
import type { FeedQuery } from "../state/view";

/** What a filter would find. */
export interface Found {
  count: number;
  /** There are no more: counting is cut short. */
  isAll: boolean;
}

/** What leaving conditions out would show. */
export interface WayOut extends Found {
  dropped: FilterTerm[];
  /** The filter without them. */
  filter: Filter;
}

/** Counted so far: enough to tell much from little. */
const ENOUGH = 1_000;

type Counter = Pick<Reader, "count">;

/** How many messages a query finds, counted part by part. */
export async function countFound(reader: Counter, query: CountQuery): Promise<Found> {
  let count = 0;
  let from: CountQuery["from"];
  do {
    const part = await reader.count({ ...query, ...(from && { from }) });
    count += part.found;
    from = part.next;
  } while (from && count < ENOUGH);
  return { count, isAll: from === undefined };
}

/**
 * For a filter that lets nothing pass: what would pass without some of its conditions, the one that excludes most first. Where
 * leaving out a single one helps nothing, as few as have to go together: what stays could take none of them back.
 */
export async function waysOut(reader: Counter, scope: FeedQuery, filter: Filter, nowMs: number): Promise<WayOut[]> {
  // The view itself may have conditions, which stay (the urgent one has).
  const own = scope.filter.terms.filter((term) => !filter.terms.includes(term));
  const wayWith = async (kept: readonly FilterTerm[]): Promise<WayOut> => {
    const terms = filter.terms.filter((term) => kept.includes(term));
    const found = await countFound(reader, { ...scope, filter: { terms: [...own, ...terms] }, nowMs });
    return { ...found, filter: { terms }, dropped: filter.terms.filter((term) => !kept.includes(term)) };
  };

  const ways: WayOut[] = [];
  for (const left of filter.terms) ways.push(await wayWith(filter.terms.filter((term) => term !== left)));
  if (!ways.some(({ count }) => count > 0)) {
    ways.length = 0;
    for (const first of filter.terms) {
      if (ways.some(({ filter: { terms } }) => terms.includes(first))) continue;
      let way = await wayWith([first]);
      for (const next of way.count > 0 ? way.dropped : []) {
        const more = await wayWith([...way.filter.terms, next]);
        if (more.count > 0) way = more;
      }
      ways.push(way);
    }
  }
  return ways.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count);
}
