import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareAge, newestFirst, placeIn, type Placed } from "../../src/contract";

const placed: fc.Arbitrary<Placed> = fc.record(
  { time: fc.nat(9), arrival: fc.nat(9), snoozedUntilMs: fc.nat(9) },
  { requiredKeys: ["time", "arrival"] },
);

describe("the order of messages", () => {
  test("newest first is the inverse of the order by age", () => {
    fc.assert(
      fc.property(placed, placed, (a, b) => {
        expect(newestFirst(a, b)).toBe(compareAge(b, a));
      }),
    );
  });

  test("snoozed rows are placed by their return, all others by their own time", () => {
    const row = { time: 1_760_000_000, arrival: 7, snoozedUntilMs: 1_770_000_000_000 };
    expect(placeIn("snoozed", row)).toEqual({ time: 1_770_000_000_000, arrival: 7 });
    expect(placeIn("feed", row)).toEqual({ time: 1_760_000_000, arrival: 7 });
  });

  test("the position of a position is itself, so rows compare with positions", () => {
    fc.assert(
      fc.property(placed, fc.constantFrom("feed", "snoozed"), (row, list) => {
        const place = placeIn(list, row);
        expect(placeIn(list, place)).toEqual(place);
      }),
    );
  });
});
