import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { pageAtRest } from "../../src/ui/state/page-at-rest";

/** Tells of a file that came. */
let came: () => void;
let isObserved: boolean;
let isAtRest: boolean;

beforeEach(() => {
  vi.useFakeTimers();
  isObserved = isAtRest = false;
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
  void pageAtRest().then(() => (isAtRest = true));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a page is at rest once no file came for two seconds", async () => {
  await vi.advanceTimersByTimeAsync(1_900);
  came();
  await vi.advanceTimersByTimeAsync(1_900);
  expect(isAtRest).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  expect(isAtRest).toBe(true);
  expect(isObserved).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});

test("a page that loads all the time counts as at rest after half a minute", async () => {
  for (let second = 0; second < 29; second++) {
    await vi.advanceTimersByTimeAsync(1_000);
    came();
  }
  expect(isAtRest).toBe(false);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(isAtRest).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});
