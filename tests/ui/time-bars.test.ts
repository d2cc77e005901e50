import fc from "fast-check";
import { expect, test } from "vitest";
import { timeBars } from "../../src/ui/details/read-repeats";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** A noon by the device's clock. */
const NOON_MS = new Date(2026, 10, 20, 12).getTime();

test.each([
  ["a moment alone has one bar", [0], [1]],
  ["within minutes a bar is a minute", [0, MINUTE_MS, MINUTE_MS, 3 * MINUTE_MS], [1, 2, 0, 1]],
  ["beyond that a bar is a 47th of the time", [0, 47 * HOUR_MS], [1, ...Array<number>(46).fill(0), 1]],
])("%s", (_, after, counts) => {
  expect(timeBars(after.map((ms) => NOON_MS + ms)).counts).toEqual(counts);
});

test("for any moments, each is in one bar, the first and the last bar aren't empty, and there are at most 48", () => {
  const moment = fc.oneof(
    fc.integer({ min: NOON_MS - 3 * DAY_MS, max: NOON_MS }),
    fc.integer({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }),
  );
  fc.assert(
    fc.property(fc.array(moment, { minLength: 1, maxLength: 50 }), (moments) => {
      const { counts, indexOf } = timeBars(moments);
      expect(counts.length).toBeLessThanOrEqual(48);
      expect(counts.reduce((a, b) => a + b)).toBe(moments.length);
      expect(counts[0]).toBeGreaterThan(0);
      expect(counts.at(-1)).toBeGreaterThan(0);
      for (const ms of moments) expect(counts[indexOf(ms)]).toBeGreaterThan(0);
    }),
  );
});
