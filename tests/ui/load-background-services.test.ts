import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadBackgroundServices } from "../../src/ui/load-background-services";
import type { Meanwhile } from "../../src/ui/prerender/first-screen";
import type { App } from "../../src/ui/state/app.svelte";

const app = {} as App;
let page: EventTarget;
/** What happened before the services started, as they were given it. */
let carriedOut: readonly Meanwhile[] | undefined;
let tries: number;

beforeEach(() => {
  vi.useFakeTimers();
  page = new EventTarget();
  for (const name of ["addEventListener", "removeEventListener"] as const) vi.stubGlobal(name, page[name].bind(page));
  carriedOut = undefined;
  tries = 0;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function press(key: string): KeyboardEvent {
  const event = Object.assign(new Event("keydown"), { key }) as KeyboardEvent;
  Object.defineProperty(event, "timeStamp", { value: performance.now() });
  page.dispatchEvent(event);
  return event;
}

/** Starts to load, once they are `needed`; the first `failing` tries fail. */
async function load(failing: number, needed: Promise<void> = Promise.resolve()): Promise<void> {
  const once = (): ReturnType<NonNullable<Parameters<typeof loadBackgroundServices>[1]>> => {
    tries += 1;
    if (tries <= failing) return Promise.reject(new TypeError("Failed to fetch dynamically imported module"));
    return Promise.resolve({
      startBackgroundServices: (_: App, before: readonly Meanwhile[]) => void (carriedOut = before),
    });
  };
  void loadBackgroundServices(app, once, needed);
  await vi.advanceTimersByTimeAsync(0);
}

test("the services start when the page is idle, or at once when a key is pressed", async () => {
  await load(0);
  expect(carriedOut).toBeUndefined();
  const key = press("j");
  await vi.advanceTimersByTimeAsync(0);
  expect(carriedOut).toEqual([key]);
});

test("where nobody has done anything yet, they wait until they are needed", async () => {
  let need: () => void = () => undefined;
  await load(0, new Promise((resolve) => (need = resolve)));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tries).toBe(0);
  need();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(carriedOut).toEqual([]);
});

test("keys that were pressed before a failed load and until the next one are carried out in order", async () => {
  await load(1);
  const before = press("j");
  await vi.advanceTimersByTimeAsync(0);
  expect(tries).toBe(1);
  const between = press("k");
  page.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(0);
  expect(carriedOut).toEqual([before, between]);
});

test("a load that fails while there is a network is tried again after a while", async () => {
  await load(3);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(carriedOut).toEqual([]);
  expect(tries).toBe(4);
});

test("a host that is gone for hours is asked only rarely", async () => {
  await load(Infinity);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(tries).toBeLessThan(80);
});

test("keys that were pressed long ago are dropped, as the page has changed since", async () => {
  await load(5);
  press("j");
  await vi.advanceTimersByTimeAsync(60_000);
  const late = press("k");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(carriedOut).toEqual([late]);
});
