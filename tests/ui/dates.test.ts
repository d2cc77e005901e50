import fc from "fast-check";
import { expect, test } from "vitest";
import * as format from "../../src/ui/strings";

const NOW_MS = Date.UTC(2026, 10, 21);
const anyNumber = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom(NaN, Infinity, -Infinity, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER * 1000),
);

test("any number that a server sends as a time is formatted, and nothing throws", () => {
  fc.assert(
    fc.property(anyNumber, (ms) => {
      const said = [
        format.isoTime(ms),
        format.moment(ms, NOW_MS),
        format.momentWithTime(ms, NOW_MS),
        format.day(ms, NOW_MS),
        format.exact(ms),
        format.timeOfDay(ms),
        format.ago(NOW_MS - ms),
        format.duration(ms - NOW_MS),
      ];
      for (const text of said) expect(text).not.toBe("");
      expect(said.slice(0, 6).join()).not.toMatch(/Invalid|NaN/);
    }),
  );
});

test("a moment within the range of Date stays the same", () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (date) => void expect(format.dateOf(date.getTime())).toEqual(date)),
  );
});
