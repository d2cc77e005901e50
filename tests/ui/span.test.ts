import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DayCount } from "../../src/client";
import { FeedSpan } from "../../src/ui/feed/list/extent.svelte";

const DAY_S = 86_400;

const spread = fc
  .uniqueArray(fc.record({ day: fc.integer({ min: 0, max: 300 }), count: fc.nat({ max: 5_000 }) }), {
    selector: ({ day }) => day,
    maxLength: 40,
  })
  .map((days) => days.toSorted((a, b) => a.day - b.day));

const LATE = 1_000 * DAY_S;

describe("the span of a feed", () => {
  it("knows how many messages are newer than each day's end, and assumes that a day fills evenly", () => {
    const span = new FeedSpan(
      [
        { day: 10, count: 100 },
        { day: 12, count: 50 },
      ],
      LATE,
    );
    expect(span.total).toBe(150);
    expect(span.indexAt(13 * DAY_S)).toBe(0);
    expect(span.indexAt(12 * DAY_S)).toBe(50);
    expect(span.indexAt(11.5 * DAY_S), "a day without messages").toBe(50);
    expect(span.indexAt(10.5 * DAY_S)).toBe(100);
    expect(span.indexAt(0)).toBe(150);
    expect(span.timeAt(0)).toBe(13 * DAY_S);
    expect(span.timeAt(100)).toBe(10.5 * DAY_S);
    expect(span.timeAt(150)).toBe(10 * DAY_S);
  });

  it("lets the newest day end now", () => {
    const span = new FeedSpan([{ day: 10, count: 100 }], 10 * DAY_S + 999);
    expect(span.timeAt(0)).toBe(10 * DAY_S + 1_000);
    expect(span.indexAt(10 * DAY_S + 500)).toBe(50);
  });

  it("is empty for an empty feed", () => {
    expect(new FeedSpan([], LATE).total).toBe(0);
    expect(new FeedSpan([{ day: 4, count: 0 }], LATE).indexAt(7)).toBe(0);
  });

  it("maps numbers to times and back in order, for any distribution", () => {
    fc.assert(
      fc.property(spread, fc.double({ min: 0, max: 1, noNaN: true }), (days: DayCount[], part) => {
        const span = new FeedSpan(days, LATE);
        fc.pre(span.total > 0);
        const index = Math.floor(part * span.total);
        const time = span.timeAt(index);
        // Times are whole seconds, and on a day with many messages a second holds several.
        const perSecond = Math.max(...days.map(({ count }) => count)) / DAY_S;
        expect(Math.abs(span.indexAt(time) - index)).toBeLessThanOrEqual(1 + perSecond);
        expect(span.timeAt(index + 1)).toBeLessThanOrEqual(time);
        const exact = days.filter(({ day }) => day * DAY_S >= time).reduce((sum, { count }) => sum + count, 0);
        expect(span.indexAt(time)).toBeGreaterThanOrEqual(exact);
      }),
    );
  });
});
