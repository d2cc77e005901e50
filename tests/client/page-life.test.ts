import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type HubConnection, followPage } from "../../src/client/hub-connection";
import { VisiblePage } from "./visible-page";

const channel = { open: vi.fn(), close: vi.fn() };
let page: VisiblePage;
const queue = vi.fn();
const hub = { queue, setVisible: vi.fn() } as unknown as HubConnection;

beforeEach(() => {
  vi.useFakeTimers();
  page = new VisiblePage();
  vi.stubGlobal("document", page);
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("navigator", { onLine: true });
  queue.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a return is reported once, until it is over", () => {
  const end = followPage(hub, channel);
  page.turn("hidden");
  expect(queue).not.toHaveBeenCalled();
  page.turn("visible");
  expect(queue.mock.calls).toEqual([["resume", {}]]);
  end();
  page.turn("hidden");
  page.turn("visible");
  expect(queue.mock.calls).toHaveLength(1);
});
