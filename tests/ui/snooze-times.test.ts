import fc from "fast-check";
import { expect, test } from "vitest";
import { snoozeTimes } from "../../src/ui/message/snooze-times";
import { fieldTime } from "../../src/ui/strings";

const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).getTime();
const offered = (nowMs: number) => snoozeTimes(nowMs).map(({ name, atMs }) => [name, fieldTime(atMs)]);

test("in the morning all times are offered, soonest first", () => {
  expect(offered(at(21, 9, 20))).toEqual([
    ["hour", "2026-11-21T10:20"],
    ["evening", "2026-11-21T18:00"],
    ["tomorrow", "2026-11-22T08:00"],
    ["monday", "2026-11-23T08:00"],
  ]);
});

test("at night the same day's morning is offered too, until an hour before it", () => {
  expect(offered(at(21, 3)).slice(0, 4)).toEqual([
    ["hour", "2026-11-21T04:00"],
    ["morning", "2026-11-21T08:00"],
    ["evening", "2026-11-21T18:00"],
    ["tomorrow", "2026-11-22T08:00"],
  ]);
  expect(offered(at(21, 7)).map(([name]) => name)).not.toContain("morning");
});

test("in the evening no other evening is offered", () => {
  expect(offered(at(21, 21))).toEqual([
    ["hour", "2026-11-21T22:00"],
    ["tomorrow", "2026-11-22T08:00"],
    ["monday", "2026-11-23T08:00"],
  ]);
});

test("the same moment is not offered twice", () => {
  expect(offered(at(21, 17)).map(([name]) => name)).toEqual(["hour", "tomorrow", "monday"]);
  expect(offered(at(21, 16, 59)).map(([name]) => name)).toEqual(["hour", "evening", "tomorrow", "monday"]);
  expect(
    offered(at(22, 9)).map(([name]) => name),
    "tomorrow is Monday",
  ).toEqual(["hour", "evening", "tomorrow"]);
});

test("on a Monday the next Monday is meant", () => {
  expect(offered(at(23, 22))).toEqual([
    ["hour", "2026-11-23T23:00"],
    ["tomorrow", "2026-11-24T08:00"],
    ["monday", "2026-11-30T08:00"],
  ]);
});

test("at any moment all offers are ahead, in order and distinct", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), (nowMs) => {
      const times = snoozeTimes(nowMs).map(({ atMs }) => atMs);
      expect(times.every((atMs) => atMs > nowMs)).toBe(true);
      expect([...new Set(times)].sort((a, b) => a - b)).toEqual(times);
    }),
  );
});
