import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { networkIdle } from "../../src/ui/state/updates.svelte";

/** Tells of a file that came. */
let came: () => void;
let isObserved: boolean;
let isIdle: boolean;

beforeEach(() => {
  vi.useFakeTimers();
  isObserved = isIdle = false;
  vi.stubGlobal(
    "PerformanceObserver",
    class {
      constructor(hear: () => void) {
        came = hear;
      }
      observe = () => (isObserved = true);
      disconnect = () => (isObserved = false);
    },
  );
  void networkIdle().then(() => (isIdle = true));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a page is idle once no file has come for two seconds", async () => {
  await vi.advanceTimersByTimeAsync(1_900);
  came();
  await vi.advanceTimersByTimeAsync(1_900);
  expect(isIdle).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  expect(isIdle).toBe(true);
  expect(isObserved).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});

test("a page that loads all the time counts as idle after half a minute", async () => {
  for (let second = 0; second < 29; second++) {
    await vi.advanceTimersByTimeAsync(1_000);
    came();
  }
  expect(isIdle).toBe(false);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(isIdle).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});
