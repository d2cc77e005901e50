import { expect, test } from "vitest";
import { outdatedOf } from "../../src/ui/backup/storage-by-topic";

const DAY_MS = 86_400_000;
const NOW_MS = 1_000 * DAY_MS;

/** Topics with messages of some ages in days: one that follows the limits for all, one limited, one kept for ever. */
const AGES: readonly number[][] = [
  [0, 1, 2, 40, 50],
  [0, 1, 2],
  [0, 400],
];
const reader = {
  days: ([subId = 0]: number[] = []) =>
    Promise.resolve((AGES[subId] ?? []).map((age) => ({ day: NOW_MS / DAY_MS - age, count: 1 }))),
} as never;
const topics = AGES.map((ages, subId) => ({ subId, total: ages.length }));
const limited = topics.map((one, at) => ({
  ...one,
  ...(at === 1 && { keepMessages: 1 }),
  ...(at === 2 && { keepDays: 0 }),
}));
const going = (limits: { keepDays?: number; keepMessages?: number; added?: number }, of = limited) =>
  outdatedOf(reader, of, { keepDays: 0, keepMessages: 0, nowMs: NOW_MS, ...limits });

test("what would go is counted by age, by number, and by what would be added", async () => {
  expect(await going({}, topics)).toBe(0);
  expect(await going({ keepDays: 30 }, topics)).toBe(3);
  expect(await going({ keepMessages: 4 }, topics)).toBe(6);
  expect(await going({ keepMessages: 10 }, topics)).toBe(0);
  expect(await going({ keepMessages: 10, added: 7 }, topics), "those stored here may be the oldest").toBe(7);
  expect(await going({ added: 7 }, topics), "without a limit").toBe(0);
});

test("a topic with limits of its own follows them, and takes no room from the others", async () => {
  expect(await going({})).toBe(2);
  expect(await going({ keepDays: 30 })).toBe(2 + 2);
  expect(await going({ keepMessages: 4 })).toBe(2 + 1);
  expect(await going({ keepMessages: 4, added: 2 })).toBe(2 + 3);
});
