import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Stillness } from "../../src/ui/snapshot/first-screen";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance", "setTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** How long it waits, ms, if something moves at these moments, ms from the start. */
async function waitsFor(...movesAtMs: number[]): Promise<number> {
  const stillness = new Stillness();
  const startMs = performance.now();
  for (const atMs of movesAtMs) {
    if (atMs === 0) stillness.moved();
    else setTimeout(() => stillness.moved(), atMs);
  }
  const waited = stillness.still().then(() => performance.now() - startMs);
  await vi.advanceTimersByTimeAsync(10_000);
  return waited;
}

test("nothing waits while nobody scrolls", async () => {
  expect(await waitsFor()).toBe(0);
});

test("a fling is waited for until nothing has moved for a tenth of a second", async () => {
  expect(await waitsFor(0, 60, 120, 200)).toBe(300);
});

test("a fling that does not end is not waited for longer than two seconds", async () => {
  expect(await waitsFor(...Array.from({ length: 100 }, (_, at) => at * 50))).toBe(2_000);
});
