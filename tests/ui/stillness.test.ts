import { expect, test } from "vitest";
import { Stillness } from "../../src/ui/snapshot/first-screen";

/** A clock that only waiting moves, and what happens at certain moments, ms. */
function clock(happens: Record<number, (stillness: Stillness) => void> = {}) {
  let nowMs = 1_000;
  const stillness = new Stillness(
    () => nowMs,
    (ms) => {
      const endMs = nowMs + ms;
      for (const atMs of Object.keys(happens).map(Number)) {
        if (atMs <= nowMs || atMs > endMs) continue;
        const backMs = nowMs;
        nowMs = atMs;
        happens[atMs]?.(stillness);
        nowMs = backMs;
      }
      nowMs = endMs;
      return Promise.resolve();
    },
  );
  return { stillness, nowMs: () => nowMs };
}

test("nothing waits while nobody scrolls", async () => {
  const { stillness, nowMs } = clock();
  await stillness.still();
  expect(nowMs()).toBe(1_000);
});

test("a fling is waited for until nothing has moved for a tenth of a second", async () => {
  const moved = (stillness: Stillness) => stillness.moved();
  const { stillness, nowMs } = clock({ 1_060: moved, 1_120: moved, 1_200: moved });
  stillness.moved();
  await stillness.still();
  expect(nowMs()).toBe(1_300);
});

test("a fling that does not end is not waited for longer than two seconds", async () => {
  const { stillness, nowMs } = clock(
    Object.fromEntries(Array.from({ length: 100 }, (_, at) => [1_000 + at * 50, (own: Stillness) => own.moved()])),
  );
  stillness.moved();
  await stillness.still();
  expect(nowMs()).toBe(3_000);
});
