import { type Filter, type FilterTerm, isPlace } from "./filter-language";

/** A term with several values, which a filter chip can extend or shorten. */
type ListTerm = Extract<FilterTerm, { values: unknown }>;

function isList(term: FilterTerm): term is ListTerm {
  // "Not both tags" can't be split into its parts, so such a term is only added or removed whole.
  return isAnyOf(term) || (term.kind === "tags" && !term.not);
}

/** One matching value is enough. */
function isAnyOf(term: FilterTerm): term is Exclude<ListTerm, { kind: "tags" }> {
  return term.kind === "priority" || isPlace(term);
}

function keyOf(term: FilterTerm): string {
  return JSON.stringify(Object.entries(term).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const isSame = (a: FilterTerm, b: FilterTerm) => keyOf(a) === keyOf(b);
const isAlike = (a: FilterTerm, b: FilterTerm) => a.kind === b.kind && a.not === b.not;

/** Splits a term into terms of one value each. */
function singles(term: FilterTerm): FilterTerm[] {
  return isList(term) ? term.values.map((value) => ({ ...term, values: [value] }) as FilterTerm) : [term];
}

/** Whether a filter already asks for this, alone or among other values; the chip then shows as pressed. */
export function holdsTerm(filter: Filter, term: FilterTerm): boolean {
  const held = filter.terms.flatMap(singles);
  return singles(term).every((single) => held.some((other) => isSame(other, single)));
}

/**
 * What pressing a filter chip does: removes the term, or adds it in place of its opposite. Priorities share a term, as
 * do topics.
 */
export function toggleTerm(filter: Filter, term: FilterTerm): Filter {
  const gone = singles(holdsTerm(filter, term) ? term : { ...term, not: !term.not });
  const rest = filter.terms.flatMap((other): FilterTerm[] => {
    if (!isList(other)) return gone.some((single) => isSame(single, other)) ? [] : [other];
    const kept = singles(other).filter((value) => !gone.some((single) => isSame(single, value)));
    return kept.length === other.values.length ? [other] : join(kept);
  });
  if (holdsTerm(filter, term)) return { terms: rest };
  const index = isAnyOf(term) ? rest.findIndex((other) => isAlike(other, term)) : -1;
  const found = rest[index];
  return { terms: found ? rest.with(index, join([found, term])[0] ?? term) : [...rest, term] };
}

/** Joins similar terms into one term with all their values; none if there are no terms. */
function join(terms: readonly FilterTerm[]): FilterTerm[] {
  const [first] = terms;
  if (!first || !isList(first)) return [];
  const values = [...new Set<unknown>(terms.flatMap((term): unknown[] => (isList(term) ? term.values : [])))];
  return [{ ...first, values: first.kind === "priority" ? values.sort() : values } as FilterTerm];
}
