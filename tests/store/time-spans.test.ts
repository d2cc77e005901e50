import fc from "fast-check";
import { expect, test } from "vitest";
import type { TimeSpan } from "../../src/store";
import { divide, withoutSpan, withSpans } from "../../src/store/search/time-spans";

const withTimes = (spans: readonly TimeSpan[], times: readonly number[]) =>
  withSpans(
    spans,
    times.map((time): TimeSpan => [time, time]),
  );

const time = fc.nat({ max: 200 });
const changes = fc.array(
  fc.oneof(
    fc.array(time, { maxLength: 60 }).map((times) => ({ add: times })),
    fc.tuple(time, time).map(([a, b]) => ({ take: [Math.min(a, b), Math.max(a, b)] as TimeSpan })),
  ),
  { maxLength: 8 },
);
const holds = (spans: readonly TimeSpan[], at: number) => spans.some(([from, to]) => at >= from && at <= to);

test("a set holds at least what was put in and not taken out; its spans are few, apart and in order", () => {
  fc.assert(
    fc.property(changes, (list) => {
      let spans: TimeSpan[] = [];
      const inside = new Set<number>();
      for (const change of list) {
        if ("add" in change) {
          spans = withTimes(spans, change.add);
          for (const at of change.add) inside.add(at);
        } else {
          const [from, to] = change.take;
          spans = withoutSpan(spans, from, to);
          for (let at = from; at <= to; at++) inside.delete(at);
          expect(holds(spans, from) || holds(spans, to)).toBe(false);
        }
        for (const at of inside) expect(holds(spans, at)).toBe(true);
        for (const [at, [from, to]] of spans.entries()) {
          expect(from).toBeLessThanOrEqual(to);
          expect(from).toBeGreaterThan(spans[at - 1]?.[1] ?? -Infinity);
        }
      }
      expect(withTimes(spans, [500]).length).toBeLessThanOrEqual(32);
    }),
  );
});

test("a few times are kept exactly", () => {
  expect(withTimes([[10, 12]], [30, 13, 20])).toEqual([
    [10, 13],
    [20, 20],
    [30, 30],
  ]);
});

test("of many times the closest are joined", () => {
  const spans = withTimes(
    [],
    Array.from({ length: 40 }, (_, at) => at * 10 + (at > 20 ? 1_000 : 0)),
  );
  expect(spans.length).toBeLessThanOrEqual(32);
  expect(holds(spans, 900)).toBe(false);
});

test("a division covers all, part by part", () => {
  fc.assert(
    fc.property(fc.array(time, { maxLength: 60 }), time, time, (times, a, b) => {
      const spans = withTimes([], times);
      const [from, to] = [Math.min(a, b), Math.max(a, b)];
      let at = from;
      for (const part of divide(spans, from, to)) {
        expect(part.from).toBe(at);
        for (let each = part.from; each <= part.to; each++) expect(holds(spans, each)).toBe(part.inside);
        at = part.to + 1;
      }
      expect(at).toBe(to + 1);
    }),
  );
  expect(divide([[5, 6]], -Infinity, Infinity)).toEqual([
    { from: -Infinity, to: 4, inside: false },
    { from: 5, to: 6, inside: true },
    { from: 7, to: Infinity, inside: false },
  ]);
});
