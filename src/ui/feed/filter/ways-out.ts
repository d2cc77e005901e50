import type { CountQuery, Reader } from "../../../client";
import type { Filter, FilterTerm } from "../../../contract";
import type { FeedQuery } from "../../state/navigation/view";

/** What a filter would find. */
export interface MatchTotal {
  count: number;
  /** The count is complete; otherwise counting was cut short. */
  isAll: boolean;
}

/** What the filter would find without some of its conditions. */
export interface WayOut extends MatchTotal {
  dropped: FilterTerm[];
  /** The filter without them. */
  filter: Filter;
}

/** Counting stops here, which is enough to tell many from few. */
const ENOUGH = 1_000;

/** With more conditions, as a link may have, trying them would take minutes. */
const MOST_TERMS = 12;

type Counter = Pick<Reader, "count">;

/** How many messages a query finds, counted part by part. */
export async function countFound(reader: Counter, query: CountQuery): Promise<MatchTotal> {
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
 * For a filter that finds nothing: what it would find without some conditions, the one that excludes most first. If
 * dropping one doesn't help, a minimal set is dropped. Resolves to undefined if there are too many to try.
 * @param queryOf the query of the view with another filter
 */
export async function waysOut(
  reader: Counter,
  queryOf: (filter: Filter) => FeedQuery,
  filter: Filter,
  nowMs: number,
): Promise<WayOut[] | undefined> {
  const wayWith = async (kept: readonly FilterTerm[]): Promise<WayOut> => {
    const terms = filter.terms.filter((term) => kept.includes(term));
    const found = await countFound(reader, { ...queryOf({ terms }), nowMs });
    return { ...found, filter: { terms }, dropped: filter.terms.filter((term) => !kept.includes(term)) };
  };

  const ways: WayOut[] = [];
  if (filter.terms.length > MOST_TERMS) return undefined;
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
