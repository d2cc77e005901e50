import { afterEach, expect, test, vi } from "vitest";
import { isNotificationPress, type NotificationData } from "../../src/contract";
import { answerPress, type AppWindow, type PressEnvironment } from "../../src/sw/notification-press";

const SCOPE = "https://app.example/";
const data: NotificationData = {
  fragment: "#/backups?id=m1&at=5",
  shownAtMs: 1,
  key: [1, 5, "m1"],
  links: { docs: "https://docs.example/" },
};

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** A window of the app that answers messages, or doesn't. */
function appWindow(part: Partial<AppWindow> & { answers?: boolean } = {}) {
  const heard: unknown[] = [];
  const { answers = true, ...more } = part;
  const tab: AppWindow = {
    url: `${SCOPE}#/`,
    focused: false,
    visibilityState: "hidden" as const,
    focus: vi.fn(() => Promise.resolve(null)),
    postMessage: (message: unknown, ports: MessagePort[]) => {
      heard.push(message);
      if (answers) ports[0]?.postMessage("taken");
    },
    ...more,
  };
  return { tab, heard };
}

/** Presses a notification; time passes only while no window answers. */
async function press(
  tabs: AppWindow[],
  action = "",
  mark?: PressEnvironment["mark"],
  pressed: NotificationData | null = data,
) {
  const open = vi.fn((_url: string) => Promise.resolve());
  const clients = { matchAll: () => Promise.resolve(tabs), openWindow: open };
  vi.spyOn(Date, "now").mockReturnValue(1_000);
  const { setTimeout: later } = globalThis;
  vi.stubGlobal("setTimeout", (run: () => void) => later(run, 50));
  await answerPress(pressed, action, { scope: SCOPE, clients, mark: mark ?? (() => Promise.resolve(false)) });
  return open.mock.calls.map(([url]) => url);
}

test("a press goes to the visible tab, which comes to the front", async () => {
  const other = appWindow();
  const looked = appWindow({ focused: true, visibilityState: "visible" });
  expect(await press([other.tab, looked.tab])).toEqual([]);
  expect(looked.heard).toEqual([
    { kind: "notification-press", fragment: data.fragment, key: [1, 5, "m1"], atMs: 1_000 },
  ]);
  expect(looked.tab.focus).toHaveBeenCalledTimes(1);
  expect(other.heard).toEqual([]);
});

test("if there is no tab, or none answers, a window opens at the message", async () => {
  expect(await press([])).toEqual([`${SCOPE}${data.fragment}`]);
  const frozen = appWindow({ answers: false });
  expect(await press([frozen.tab])).toEqual([`${SCOPE}${data.fragment}`]);
});

test("a tab that answers only once it is in front, which takes long, is enough", async () => {
  const slow = appWindow();
  let port: MessagePort | undefined;
  slow.tab.postMessage = (_message, ports: MessagePort[]) => void ([port] = ports);
  slow.tab.focus = async () => {
    // Longer than a tab in front has to answer.
    for (let times = 0; times < 3; times++) await new Promise((resolve) => setTimeout(resolve));
    port?.postMessage("taken");
    return null;
  };
  expect(await press([slow.tab])).toEqual([]);
});

test("a notification of the browser's own, which says nothing about a message, brings the app to the front", async () => {
  expect(await press([], "", undefined, null)).toEqual([`${SCOPE}#/`]);
  const looked = appWindow();
  expect(await press([looked.tab], "", undefined, null)).toEqual([]);
  expect(looked.tab.focus).toHaveBeenCalledTimes(1);
});

test("other windows of the origin are left alone", async () => {
  const attachment = appWindow({ url: `${SCOPE}file/abc.png`, focused: true });
  expect(await press([attachment.tab])).toEqual([`${SCOPE}${data.fragment}`]);
  expect(attachment.heard).toEqual([]);
});

test("a button that clears marks its message read once its link is open: by a page, or without one by the worker", async () => {
  const clearing = { ...data, clears: ["docs"] };
  const tab = appWindow();
  const mark = vi.fn(() => Promise.resolve(true));
  expect(await press([tab.tab], "docs", mark, clearing)).toEqual(["https://docs.example/"]);
  expect(tab.heard).toEqual([
    { kind: "notification-press", fragment: data.fragment, key: [1, 5, "m1"], isCleared: true, atMs: 1_000 },
  ]);
  expect(tab.tab.focus).not.toHaveBeenCalled();
  expect(mark).not.toHaveBeenCalled();
  expect(await press([], "docs", mark, clearing)).toEqual(["https://docs.example/"]);
  expect(mark).toHaveBeenCalledWith([1, 5, "m1"], { kind: "read", on: true });
});

test("a button with an address opens it, and other buttons are left to the page", async () => {
  const tab = appWindow();
  expect(await press([tab.tab], "docs")).toEqual(["https://docs.example/"]);
  expect(tab.heard).toEqual([]);
  expect(await press([tab.tab], "restart")).toEqual([]);
  expect(tab.heard).toEqual([expect.objectContaining({ actionId: "restart", key: [1, 5, "m1"] })]);
});

test("the app's own buttons are left to a page, which stays where it is", async () => {
  const tab = appWindow();
  expect(await press([tab.tab], "earshot:done")).toEqual([]);
  expect(tab.heard).toEqual([expect.objectContaining({ actionId: "earshot:done", key: [1, 5, "m1"] })]);
  expect(tab.tab.focus).not.toHaveBeenCalled();
});

test("with no page the worker marks the message, and the app opens if it can't", async () => {
  const mark = vi.fn(() => Promise.resolve(true));
  expect(await press([], "earshot:snooze", mark)).toEqual([]);
  expect(mark).toHaveBeenCalledWith([1, 5, "m1"], { kind: "snooze", untilMs: 3_601_000 });
  expect(await press([appWindow({ answers: false }).tab], "earshot:done", mark)).toEqual([]);
  expect(mark).toHaveBeenLastCalledWith([1, 5, "m1"], { kind: "done", on: true });
  expect(await press([], "earshot:done", () => Promise.resolve(false))).toEqual([`${SCOPE}${data.fragment}`]);
  expect(await press([], "earshot:done")).toEqual([`${SCOPE}${data.fragment}`]);
});

test("a tab that was frozen doesn't take a press that the worker answered long ago", async () => {
  const frozen = appWindow({ answers: false });
  const mark = vi.fn(() => Promise.resolve(true));
  await press([frozen.tab], "earshot:snooze", mark);
  expect(mark).toHaveBeenCalledTimes(1);
  expect(frozen.heard.map((heard) => isNotificationPress(heard, 2_000))).toEqual([true]);
  expect(frozen.heard.map((heard) => isNotificationPress(heard, 61_000))).toEqual([false]);
  // A worker of an older version doesn't say when it was.
  expect(isNotificationPress({ kind: "notification-press", fragment: "#/" }, 61_000)).toBe(true);
});

test("a tab that can't come to the front shows the message anyway", async () => {
  const tab = appWindow({ focus: () => Promise.reject(new DOMException("no", "InvalidAccessError")) });
  expect(await press([tab.tab])).toEqual([]);
  expect(tab.heard).toHaveLength(1);
});
