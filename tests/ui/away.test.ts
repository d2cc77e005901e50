import { expect, test } from "vitest";
import { absenceSince, absenceText, readAbsence } from "../../src/ui/away/absence";
import { sumUp } from "../../src/ui/away/summary";
import { row } from "./fake-reader";

const MINUTE_MS = 60_000;

test("away is who did not look for half an hour; a first visit and a clock set back are none", () => {
  const now = 100 * MINUTE_MS;
  expect(absenceSince(71 * MINUTE_MS, now)).toBeUndefined();
  expect(absenceSince(70 * MINUTE_MS, now)).toEqual({ fromMs: 70 * MINUTE_MS, toMs: now });
  expect(absenceSince(0, now)).toBeUndefined();
  expect(absenceSince(now + 90 * MINUTE_MS, now)).toBeUndefined();
});

test("an absence outlives a reload; anything else that is kept is none", () => {
  const absence = { fromMs: 5, toMs: 1_800_005 };
  expect(readAbsence(absenceText(absence))).toEqual(absence);
  for (const text of [undefined, "", "5", "5-x", "x5-6"]) expect(readAbsence(text), text).toBeUndefined();
});

test("what came is told by urgency, and by topic with the most first", () => {
  const message = (number: number, subId: number, priority?: 1 | 2 | 3 | 4 | 5) => {
    const stored = row(number, { subId });
    return priority ? { ...stored, event: { ...stored.event, priority } } : stored;
  };
  const rows = [message(9, 1), message(8, 2, 5), message(7, 2, 1), message(6, 2), message(5, 3, 4), message(4, 2, 3)];
  const summary = sumUp(rows, false);
  expect(summary.count).toBe(6);
  expect(summary.urgent.rows.map(({ id }) => id)).toEqual(["m8"]);
  expect(summary.high.topics).toEqual([{ subId: 3, count: 1 }]);
  expect(summary.others.topics).toEqual([
    { subId: 2, count: 3 },
    { subId: 1, count: 1 },
  ]);
});
