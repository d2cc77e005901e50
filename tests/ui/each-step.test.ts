import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LOOK_WITHIN_MS, onEachStep } from "../../src/ui/state/clock.svelte";
import { VisiblePage } from "../client/visible-page";

const MINUTE_MS = 60_000;

let page: VisiblePage;
const tell = vi.fn();

beforeEach(() => {
  vi.useFakeTimers({ now: 10 * MINUTE_MS + 20_000 });
  page = new VisiblePage();
  vi.stubGlobal("document", page);
  tell.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("it calls back once per step, on time, and wakes up no more often than it has to", () => {
  const end = onEachStep(MINUTE_MS, tell);
  vi.advanceTimersByTime(39_999);
  expect(tell).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(tell).toHaveBeenCalledTimes(1);
  const look = vi.spyOn(Date, "now");
  vi.advanceTimersByTime(MINUTE_MS);
  expect(tell).toHaveBeenCalledTimes(2);
  const looks = MINUTE_MS / LOOK_WITHIN_MS;
  // Each look reads the clock two to four times.
  expect(look.mock.calls.length).toBeLessThanOrEqual(4 * looks);
  end();
  expect(vi.getTimerCount()).toBe(0);
});

test("out of sight no timer runs, and a step that was passed is reported on return", () => {
  const end = onEachStep(MINUTE_MS, tell);
  page.turn("hidden");
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(5 * MINUTE_MS);
  expect(tell).not.toHaveBeenCalled();
  page.turn("visible");
  expect(tell).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(1);
  end();
  page.turn("hidden");
  page.turn("visible");
  expect(vi.getTimerCount()).toBe(0);
});

test("after a sleep, in which timers stood still, the new step is reported within a quarter of a minute", () => {
  const end = onEachStep(MINUTE_MS, tell);
  vi.setSystemTime(Date.now() + 60 * MINUTE_MS);
  vi.advanceTimersByTime(LOOK_WITHIN_MS);
  expect(tell).toHaveBeenCalledTimes(1);
  end();
});
