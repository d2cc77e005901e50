import { isPlace, parseFilter, type RowFilter } from "../../../src/contract";

/** Parses a filter that applies to rows; throws if it is wrong or names a place. */
export function rowFilter(text: string): RowFilter {
  const parsed = parseFilter(text);
  if (!parsed.ok) throw new Error(`${text}: ${parsed.error.reason}`);
  return {
    terms: parsed.value.terms.map((term) => {
      if (isPlace(term)) throw new Error(`${text} names a place`);
      return term;
    }),
  };
}
