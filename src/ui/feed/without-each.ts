import type { Reader } from "../../client";
import type { Filter, FilterTerm } from "../../protocol";
import type { Scope } from "../state/view";

/** What leaving one condition out would show. */
export interface Offer {
  /** Place of the condition in the filter. */
  index: number;
  term: FilterTerm;
  /** The filter without it. */
  filter: Filter;
  /** Messages found, and whether that is all: the search is cut short. */
  count: number;
  isAll: boolean;
}

/** Rows looked for: enough to tell much from little. */
const ENOUGH = 50;

/**
 * For each condition of a filter that lets nothing pass: what would pass without it, the one that excludes most first. One
 * short read each, whatever is stored.
 */
export async function withoutEach(
  reader: Pick<Reader, "page">,
  scope: Scope,
  filter: Filter,
  nowMs: number,
): Promise<Offer[]> {
  // The view itself may have conditions, which stay (the urgent one has).
  const own = scope.filter.terms.filter((term) => !filter.terms.includes(term));
  const offers = await Promise.all(
    filter.terms.map(async (term, index) => {
      const terms = filter.terms.filter((other) => other !== term);
      const query = {
        ...scope,
        filter: { terms: [...own, ...terms] },
        direction: "older",
        count: ENOUGH,
        nowMs,
      } as const;
      const { rows, next } = await reader.page(query);
      return { index, term, filter: { terms }, count: rows.length, isAll: next === undefined };
    }),
  );
  return offers.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count);
}
