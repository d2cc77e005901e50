import { afterEach, beforeEach, expect, expectTypeOf, test, vi } from "vitest";
import type { Filter, StoredMessage } from "../../src/contract";
import { StoreFailure } from "../../src/store";
import { App } from "../../src/ui/state/app.svelte";
import { unsubscribe } from "../../src/ui/topics/menus";
import { ADDRESS, catalogue, FakeClient, server, subscription } from "./fake-client";
import { row } from "./fake-reader";
import { stubPage } from "./stub-page";

const filter: Filter = { terms: [{ kind: "text", text: "disk", not: false }] };
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Counters of the first topic, as the hub announces them. */
const COUNTS = {
  ...{ subId: 1, unread: 10, unreadUrgent: 2, unreadHigh: 0 },
  ...{ starred: 0, scheduled: 0, snoozed: 0, inFeed: 12, total: 20 },
};

let client: FakeClient;

function start(fragment = "#/"): App {
  stubPage(`https://app.example/${fragment}`);
  const app = new App(client, client.tables, ADDRESS);
  app.start();
  return app;
}

afterEach(() => {
  vi.useRealTimers();
});

beforeEach(() => {
  client = new FakeClient(
    catalogue({
      servers: [server()],
      subscriptions: [
        subscription({ subId: 1, topic: "a", order: 2, unread: 3, unreadUrgent: 1 }),
        subscription({ subId: 2, topic: "b", order: 1, unread: 4 }),
        subscription({ subId: 3, topic: "gone", removedAtMs: 1, unread: 9 }),
      ],
    }),
  );
});

test("a removed topic leaves no gap behind", () => {
  const gaps = [1, 3].map((subId) => ({ subId, from: 10, to: 20 }));
  client.tables = { ...client.tables, gaps };
  expect(start().catalogue.gaps).toEqual([{ subId: 1, from: 10, to: 20 }]);
  client.tables = { ...client.tables, gaps: gaps.slice(0, 1) };
  const { catalogue } = start();
  expect(catalogue.gaps, "the same as long as none is").toBe(catalogue.tables.gaps);
});

test("muted topics are left out of the unread totals until their mute ends", () => {
  vi.useFakeTimers({ now: 600_000 });
  const [a, b] = client.tables.subscriptions;
  client.tables = {
    ...client.tables,
    subscriptions: [
      { ...a!, mutedUntilMs: 660_000 },
      { ...b!, mutedUntilMs: Infinity },
      subscription({ subId: 4, unread: 1 }),
    ],
  };
  const totals = () => {
    const app = start();
    return [app.unread, app.unreadUrgent, app.catalogue.unread];
  };
  expect(totals()).toEqual([1, 0, 8]);
  vi.setSystemTime(659_999);
  expect(totals()).toEqual([1, 0, 8]);
  vi.setSystemTime(660_000);
  expect(totals(), "the end of the first has come").toEqual([4, 1, 8]);
});

test("unread messages are counted without removed topics, and topics are listed in their order", () => {
  const app = start();
  expect([app.catalogue.unread, app.unreadUrgent]).toEqual([7, 1]);
  expect(app.catalogue.subscriptions.map(({ topic }) => topic)).toEqual(["b", "a"]);
});

test("a link to topics of which one is not subscribed names that one, and shows the others", () => {
  const app = start("#/a,new");
  expect(app.pane.unsubscribed).toEqual(["new"]);
  expect(app.pane.covered.map(({ topic }) => topic)).toEqual(["a"]);
  expect(client.sent).toEqual([]);
});

test("the address bar shows the view and the filter", () => {
  const app = start();
  app.navigation.go({ kind: "topics", server: ADDRESS, topics: ["a"] });
  app.navigation.setFilter(filter);
  expect(location.hash).toBe("#/a?q=disk");
  expect(app.pane.scope).toEqual({ list: "feed", subIds: [1], filter });
});

test("a database that closes during a read is reported, and earlier results stay", async () => {
  const app = start(`#/a?id=abc&at=5`);
  await settled();
  const ended = () => Promise.reject(new StoreFailure({ kind: "unavailable", text: "closed" }));
  Object.assign(client.reader, { catalogue: ended, find: ended });
  client.announce({ kind: "catalogue" });
  await settled();
  expect(app.device.storageTrouble).toBe("unreadable");
  expect(app.catalogue.subscriptions).toHaveLength(2);
  expect(await app.read((reader) => reader.find(1, "abc"))).toBeUndefined();
  client.announce({ kind: "storage", problem: "newer-version" });
  client.announce({ kind: "catalogue" });
  await settled();
  expect(app.device.storageTrouble, "the better reason stays").toBe("newer-version");
});

test("a bug in a read is passed on", async () => {
  const app = start();
  await expect(app.read(() => Promise.reject(new TypeError("bug")))).rejects.toThrow("bug");
});

test("counters that the hub announces are taken over", () => {
  const app = start();
  client.announce({
    kind: "rows",
    added: [],
    changed: [],
    removed: [],
    more: 0,
    counts: [COUNTS],
    total: 99,
    lastArrival: 99,
  });
  expect(app.catalogue.subscription(1)).toMatchObject({ unread: 10, total: 20 });
  expect([app.catalogue.unread, app.catalogue.tables.total]).toEqual([14, 99]);
});

test("in sight, counters wait for the frame that shows their messages, and change together", () => {
  vi.useFakeTimers();
  const app = start();
  let frame: () => void = () => undefined;
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => (frame = run));
  vi.stubGlobal("document", { visibilityState: "visible" });
  for (const unread of [10, 11]) {
    const counts = [
      {
        subId: 1,
        unread,
        unreadUrgent: 0,
        unreadHigh: 0,
        starred: 0,
        scheduled: 0,
        snoozed: 0,
        inFeed: unread,
        total: unread,
      },
    ];
    client.announce({
      kind: "rows",
      added: [],
      changed: [],
      removed: [],
      more: 0,
      counts,
      total: unread,
      lastArrival: 0,
    });
  }
  expect(app.catalogue.subscription(1)?.unread).toBe(3);
  frame();
  vi.advanceTimersByTime(0);
  expect(app.catalogue.subscription(1)?.unread).toBe(11);
  expect(app.catalogue.tables.total).toBe(11);
});

test("counters change without a frame if none is drawn", () => {
  vi.useFakeTimers();
  const app = start();
  vi.stubGlobal("requestAnimationFrame", () => 0);
  vi.stubGlobal("document", { visibilityState: "visible" });
  const counts = [
    {
      subId: 1,
      unread: 10,
      unreadUrgent: 0,
      unreadHigh: 0,
      starred: 0,
      scheduled: 0,
      snoozed: 0,
      inFeed: 10,
      total: 10,
    },
  ];
  client.announce({ kind: "rows", added: [], changed: [], removed: [], more: 0, counts, total: 99, lastArrival: 0 });
  vi.runAllTimers();
  expect(app.catalogue.subscription(1)?.unread).toBe(10);
});

test("counters announced while the tables are being read are not overwritten by the older read", async () => {
  const app = start();
  client.announce({ kind: "catalogue" });
  await Promise.resolve();
  const counts = [COUNTS];
  client.announce({ kind: "rows", added: [], changed: [], removed: [], more: 0, counts, total: 99, lastArrival: 0 });
  await settled();
  expect(app.catalogue.subscription(1)?.unread).toBe(10);
});

test("changes while the tables are being read cause one more read", async () => {
  const read = vi.spyOn(client.reader, "catalogue");
  start();
  client.announce({ kind: "catalogue" });
  await Promise.resolve();
  for (let times = 0; times < 4; times++) client.announce({ kind: "catalogue" });
  await settled();
  expect(read).toHaveBeenCalledTimes(2);
});

test("a command that fails is reported in words", async () => {
  client.answers.refresh = () => ({ ok: false, error: { kind: "failed", why: { kind: "network" } } });
  const app = start();
  expect(await app.attempt("refresh", { serverId: 1 })).toBeUndefined();
  expect(app.notices.current?.text).toBe("The server can't be reached.");
});

test("removing a topic leaves its view, and undo returns to it", async () => {
  const app = start("#/a");
  const topic = app.catalogue.subscription(1);
  if (!topic) throw new Error("not there");
  await unsubscribe(app, topic);
  expect(app.navigation.view).toEqual({ kind: "everything" });
  app.notices.answer();
  await settled();
  expect(client.sent.map(({ name }) => name)).toEqual(["unsubscribe", "restoreSubscription"]);
  expect(app.navigation.view).toMatchObject({ topics: ["a"] });
  app.navigation.go({ kind: "topic-list" });
  await unsubscribe(app, topic);
  app.notices.answer();
  await settled();
  expect(app.navigation.view, "other pages stay").toEqual({ kind: "topic-list" });
});

test("a dialog stays when the host names another server at a first visit", () => {
  client.tables = catalogue();
  const app = start("#/new");
  app.dialogs.open({ kind: "keys" });
  app.moveHome("https://topics.example" as typeof ADDRESS);
  expect(app.navigation.view).toMatchObject({ server: "https://topics.example" });
  expect(app.dialogs.current).toEqual({ kind: "keys" });
});

test("a dialog closes when its topic is removed elsewhere", async () => {
  const app = start();
  app.dialogs.open({ kind: "topic", subId: 1 });
  client.announce({ kind: "catalogue" });
  await settled();
  expect(app.dialogs.current).toBeDefined();
  client.tables = { ...client.tables, subscriptions: [] };
  client.announce({ kind: "catalogue" });
  await settled();
  expect(app.dialogs.current).toBeUndefined();
});

test("a link to a stored message selects it", async () => {
  client.messages = [row(5)];
  const app = start("#/a?id=m5&at=5");
  await settled();
  expect(app.selection.key).toEqual([1, 5, "m5"]);
});

test("a link to a message that is not stored says so", async () => {
  const state = { kind: "offline", sinceMs: 0 } as const;
  client.statuses.set(1, {
    serverId: 1,
    state,
    checking: false,
    malformed: 0,
    recentRequests: 0,
    cacheless: false,
    refusedTopics: [],
    waitingTopics: [],
  });
  const app = start("#/a?id=m5&at=5");
  await settled();
  expect(app.selection.key).toBeUndefined();
  expect(app.notices.current?.text).toContain("stored on this device");
});

test("a link to one message opens that message's own topic", () => {
  const app = start();
  const message: StoredMessage = row(5);
  expect(app.navigation.linkTo(message)).toBe("https://app.example/#/a?id=m5&at=5");
});

test("trouble with the storage is known until it is over", () => {
  const app = start();
  client.announce({ kind: "storage", problem: "full" });
  expect(app.device.storageTrouble).toBe("full");
  client.announce({ kind: "storage", problem: "none" });
  expect(app.device.storageTrouble).toBeUndefined();
});

test("a setting shows at once and goes to the hub", async () => {
  const app = start();
  await app.setSettings({ theme: "dark" });
  expect(app.catalogue.settings.theme).toBe("dark");
  expect(client.sent).toEqual([{ name: "setSetting", input: { key: "theme", value: "dark" } }]);
});

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Names of the fields, methods aside, that code outside a class may assign. */
type AssignableFields<T> = {
  [K in keyof T]-?: T[K] extends (...args: never[]) => unknown
    ? never
    : Equal<{ [Name in K]: T[K] }, { -readonly [Name in K]: T[K] }> extends true
      ? K
      : never;
}[keyof T];

test("what the app reads or derives can't be assigned from outside", () => {
  expectTypeOf<AssignableFields<{ open: number; readonly closed: number }>>().toEqualTypeOf<"open">();
  expectTypeOf<AssignableFields<App>>().toEqualTypeOf<"absence" | "openedAbsence">();
  type Part = "catalogue" | "navigation" | "dialogs" | "keyTargets";
  expectTypeOf<{ [K in Part]: AssignableFields<App[K]> }[Part]>().toBeNever();
});
