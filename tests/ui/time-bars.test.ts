import fc from "fast-check";
import { expect, test } from "vitest";
import { daysOf, timeBars } from "../../src/ui/details/read-repeats";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** A noon by the device's clock. */
const NOON_MS = new Date(2026, 10, 20, 12).getTime();

test.each([
  ["a moment alone has one bar", [0], [1]],
  ["within minutes a bar is a minute", [0, MINUTE_MS, MINUTE_MS, 3 * MINUTE_MS], [1, 2, 0, 1]],
  [
    "within two hours a bar is five minutes",
    [0, 5 * MINUTE_MS, 60 * MINUTE_MS],
    [1, 1, ...Array<number>(10).fill(0), 1],
  ],
  ["within a day a bar is an hour", [0, 20 * HOUR_MS], [1, ...Array<number>(19).fill(0), 1]],
  ["within weeks a bar is a day", [0, DAY_MS, 3 * DAY_MS, 3 * DAY_MS + HOUR_MS], [1, 1, 0, 2]],
])("%s", (_, after, counts) => {
  expect(timeBars(after.map((ms) => NOON_MS + ms)).counts).toEqual(counts);
});

test("over years, a bar covers several days", () => {
  const { counts } = timeBars([NOON_MS, NOON_MS + 1_000 * DAY_MS]);
  expect(counts.length).toBeLessThanOrEqual(48);
  expect(counts.at(-1)).toBe(1);
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

test("days are counted by the calendar once a day has passed", () => {
  expect(daysOf(NOON_MS, NOON_MS + 20 * HOUR_MS)).toBe(0);
  expect(daysOf(NOON_MS, NOON_MS + DAY_MS)).toBe(2);
  expect(daysOf(NOON_MS, NOON_MS + 3 * DAY_MS + HOUR_MS)).toBe(4);
});
