import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { HubConnection } from "../../src/client/hub-connection";
import { followPage } from "../../src/client/page-life";
import { VisiblePage } from "./visible-page";

const HOUR_MS = 3_600_000;

let page: VisiblePage;
const send = vi.fn();
const hub = { send, setVisible: vi.fn() } as unknown as HubConnection;

beforeEach(() => {
  vi.useFakeTimers();
  page = new VisiblePage();
  vi.stubGlobal("document", page);
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("navigator", { onLine: true });
  send.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a device that slept while the page was in sight is noticed", () => {
  const end = followPage(hub);
  vi.advanceTimersByTime(60_000);
  expect(send).not.toHaveBeenCalled();
  vi.setSystemTime(Date.now() + HOUR_MS);
  vi.advanceTimersByTime(5_000);
  expect(send.mock.calls).toEqual([["resume", { reason: "clock" }]]);
  end();
  expect(vi.getTimerCount()).toBe(0);
});

test("out of sight no timer runs, and a return is reported only as a return", () => {
  const end = followPage(hub);
  page.turn("hidden");
  expect(vi.getTimerCount()).toBe(0);
  vi.setSystemTime(Date.now() + HOUR_MS);
  page.turn("visible");
  vi.advanceTimersByTime(60_000);
  expect(send.mock.calls).toEqual([["resume", { reason: "visible" }]]);
  end();
});
