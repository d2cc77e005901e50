import fc from "fast-check";
import {
  HAS_VALUES,
  IS_VALUES,
  PLACES,
  type Filter,
  type FilterTerm,
  type RowFilter,
  type RowTerm,
} from "../../../src/contract";
import type { Priority } from "../../../src/protocol";

/** Text with characters and words that mean something to the parser: quotes, escapes, signs, names of fields. */
const text = fc.oneof(
  fc.string({
    unit: fc.constantFrom(
      "a",
      "B",
      "ü",
      "💾",
      " ",
      '"',
      "\\",
      "-",
      ":",
      "=",
      ",",
      "\n",
      "\u00a0",
      "&",
      "#",
      "%",
      "+",
      "/",
    ),
    minLength: 1,
    maxLength: 8,
  }),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }),
  fc.constantFrom(
    "tag:a",
    "-x",
    "title=",
    "priority>4",
    "priority<=low",
    "https://x/y?z",
    "12:30",
    '"',
    "-",
    "\\",
    "%7e",
    "__proto__",
  ),
);
const some = <Value>(values: fc.Arbitrary<Value>) => fc.array(values, { minLength: 1, maxLength: 3 });
const not = fc.boolean();

const rowTerm: fc.Arbitrary<RowTerm> = fc.oneof(
  fc.record({ not, kind: fc.constant("priority" as const), values: some(fc.constantFrom<Priority>(1, 2, 3, 4, 5)) }),
  fc.record({ not, kind: fc.constant("tags" as const), values: some(text) }),
  fc.record({ not, kind: fc.constant("contains" as const), field: fc.constantFrom("title", "message"), text }),
  fc.record({ not, kind: fc.constant("equals" as const), field: fc.constantFrom("title", "message", "id"), text }),
  fc.record({ not, kind: fc.constant("like" as const), field: fc.constantFrom("title", "message"), text }),
  fc.record({ not, kind: fc.constant("text" as const), text }),
  fc.record({ not, kind: fc.constant("is" as const), what: fc.constantFrom(...IS_VALUES) }),
  fc.record({ not, kind: fc.constant("has" as const), what: fc.constantFrom(...HAS_VALUES) }),
  fc.record({
    not,
    kind: fc.constantFrom("after", "before"),
    written: fc.constantFrom("2h", "Today", "2026-11-20", "2026-11-20T10:00Z"),
  }),
);

const term: fc.Arbitrary<FilterTerm> = fc.oneof(
  { weight: 9, arbitrary: rowTerm },
  fc.record({ not, kind: fc.constantFrom(...PLACES), values: some(text) }),
);

/** Any filter that can be applied to rows. */
export const anyRowFilter: fc.Arbitrary<RowFilter> = fc.record({ terms: fc.array(rowTerm, { maxLength: 5 }) });

/** Any filter that the language can express. */
export const anyFilter: fc.Arbitrary<Filter> = fc.record({ terms: fc.array(term, { maxLength: 5 }) });
