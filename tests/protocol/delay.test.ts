import fc from "fast-check";
import { expect, test } from "vitest";
import { parseDelay } from "../../src/protocol/delay";

const DAY_S = 86_400;
const UNITS = { second: 1, minute: 60, hour: 3_600 } as const;

/** Milliseconds of the next ten years; no second is halved. */
const now = fc.integer({ min: 1_790_000_000, max: 2_100_000_000 }).map((seconds) => seconds * 1_000);
/** Hours that every day has, also one on which clocks are changed. */
const clock = fc.record({ hour: fc.integer({ min: 4, max: 23 }), minute: fc.nat(59) });
const two = (number: number) => String(number).padStart(2, "0");
const duration = fc
  .record({
    count: fc.integer({ min: 1, max: 300 }),
    unit: fc.constantFrom(...(["second", "minute", "hour"] as const)),
  })
  .map(({ count, unit }) => ({
    words: `${String(count)} ${unit}${count === 1 ? "" : "s"}`,
    seconds: count * UNITS[unit],
  }));

test("a duration is counted from now, and one that is over is in the past", () => {
  fc.assert(
    fc.property(now, duration, (nowMs, { words, seconds }) => {
      const nowS = nowMs / 1_000;
      expect(parseDelay(words, nowMs)).toBe(nowS + seconds);
      expect(parseDelay(`in ${words}`, nowMs)).toBe(nowS + seconds);
      expect(parseDelay(`${words} ago`, nowMs)).toBe(nowS - seconds);
    }),
  );
});

test("a time of day alone means its next occurrence", () => {
  fc.assert(
    fc.property(now, clock, (nowMs, { hour, minute }) => {
      const time = parseDelay(`${two(hour)}:${two(minute)}`, nowMs) ?? NaN;
      const date = new Date(time * 1_000);
      expect([date.getHours(), date.getMinutes()]).toEqual([hour, minute]);
      expect(time).toBeGreaterThan(nowMs / 1_000);
      expect(time).toBeLessThanOrEqual(nowMs / 1_000 + DAY_S + 3_600);
    }),
  );
});

test("a date with a time of day is that moment, even if it is past", () => {
  fc.assert(
    fc.property(now, now, clock, (nowMs, otherMs, { hour, minute }) => {
      const then = new Date(otherMs);
      then.setHours(hour, minute, 0, 0);
      const day = [String(then.getFullYear()), two(then.getMonth() + 1), two(then.getDate())].join("-");
      expect(parseDelay(`${day} ${two(hour)}:${two(minute)}`, nowMs)).toBe(then.getTime() / 1_000);
    }),
  );
});

test("a date without a year is the nearest one, so one that is just over is in the past", () => {
  const DAYS = 150;
  fc.assert(
    fc.property(now, fc.integer({ min: -DAYS, max: DAYS }), clock, (nowMs, days, { hour, minute }) => {
      const then = new Date(nowMs);
      then.setHours(hour, minute, 0, 0);
      then.setDate(then.getDate() + days);
      const date = then.toLocaleDateString("en", { month: "long", day: "numeric" });
      // Once it is over, there is none in the next year to look forward to: it can't be read.
      fc.pre(date !== "February 29");
      expect(parseDelay(`${date} at ${two(hour)}:${two(minute)}`, nowMs)).toBe(then.getTime() / 1_000);
    }),
  );
});

test("no text is read as a time because of a part of it", () => {
  fc.assert(
    fc.property(now, fc.string({ maxLength: 64 }), (nowMs, text) => {
      expect(parseDelay(`qqq ${text}`, nowMs)).toBeUndefined();
    }),
  );
});
