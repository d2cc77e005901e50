import fc from "fast-check";
import { expect, test } from "vitest";
import { stepsOf, waterfallOf, type Asked } from "./waterfall";

const asked = (path: string, atMs: number): Asked => ({ path, atMs, bytes: 1 });

test("a request is one step deeper than what was answered when it was made", () => {
  const requests = [
    asked("page", 0),
    asked("script", 160),
    asked("style", 165),
    asked("part", 330),
    asked("late", 340),
  ];
  expect(stepsOf(requests, 150).map(({ path, step }) => [path, step])).toEqual([
    ["page", 1],
    ["script", 2],
    ["style", 2],
    ["part", 3],
    ["late", 3],
  ]);
});

test("in whatever order requests are given, each is at most one step deeper than the one before it", () => {
  const times = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(times, (times) => {
      const steps = stepsOf(
        times.map((atMs) => asked(String(atMs), atMs)),
        150,
      );
      expect(steps[0]?.step).toBe(1);
      steps.slice(1).forEach(({ step, atMs }, at) => {
        const before = steps[at];
        expect(step - (before?.step ?? NaN)).toBeGreaterThanOrEqual(0);
        expect(step - (before?.step ?? NaN)).toBeLessThanOrEqual(1);
        expect(step).toBeLessThanOrEqual(1 + Math.floor((atMs - (steps[0]?.atMs ?? NaN)) / 150));
      });
    }),
  );
});

test("the text of a waterfall has a line for each request, further to the right the later it was made", () => {
  const lines = waterfallOf(stepsOf([asked("/", 0), asked("/a.js", 200)], 150)).split("\n");
  expect(lines).toEqual(["step 1      0 ms        1 B  ▪ /", "step 2    200 ms        1 B      ▪ /a.js"]);
});
