import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { StoredMessage } from "../../src/contract";
import type { Priority } from "../../src/protocol";
import { quietNotification } from "../../src/hub/push/push-notifications";
import { Notifications } from "../../src/ui/alerts/notifications";
import { App } from "../../src/ui/state/app.svelte";
import { ADDRESS, catalogue, FakeClient, server, subscription } from "./fake-client";
import { row } from "./fake-reader";
import { stubPage } from "./stub-page";

const NOW_MS = 1_800_000_000_000;

/**
 * A system's notifications: one for each tag, and how often it made a sound. Like Chromium it loses a notification that
 * is not yet on the screen when somebody lists those that are.
 */
class FakeSystem {
  #onTheirWay = new Set<string>();
  /** Called while a notification is on its way to the screen. */
  meanwhile = (): void => undefined;
  shown = new Map<string, { title: string; body: string; tag: string; data: unknown }>();
  heard = 0;

  get titles(): string[] {
    return [...this.shown.values()].map(({ title }) => title);
  }

  readonly registration = {
    showNotification: (title: string, options: NotificationOptions & { renotify?: boolean }) => {
      const { tag = "", body = "", data, silent } = options;
      if (silent !== true && (options.renotify === true || !this.shown.has(tag))) this.heard++;
      this.shown.set(tag, { title, body, tag, data });
      this.#onTheirWay.add(tag);
      this.meanwhile();
      return new Promise<void>((resolve) =>
        setTimeout(() => {
          this.#onTheirWay.delete(tag);
          resolve();
        }),
      );
    },
    getNotifications: ({ tag }: { tag?: string } = {}) => {
      for (const one of this.#onTheirWay) this.shown.delete(one);
      return Promise.resolve(
        [...this.shown.values()]
          .filter((one) => tag === undefined || one.tag === tag)
          .map((one) => ({ ...one, close: () => void this.shown.delete(one.tag) })),
      );
    },
  } as unknown as ServiceWorkerRegistration;
}

let system: FakeSystem;
let client: FakeClient;
let notifications: Notifications;

beforeEach(() => {
  vi.useFakeTimers({ now: NOW_MS, toFake: ["Date"] });
  stubPage();
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: vi.fn() }));
  let turn: Promise<unknown> = Promise.resolve();
  const request = (_name: string, run: () => unknown) => (turn = turn.then(run));
  const serviceWorker = { getRegistrations: () => Promise.resolve([system.registration]) };
  vi.stubGlobal("navigator", { onLine: true, locks: { request }, serviceWorker });
  system = new FakeSystem();
  client = new FakeClient(
    catalogue({
      servers: [server()],
      subscriptions: [subscription({ topic: "backups" }), subscription({ subId: 2, topic: "doors" })],
    }),
  );
  notifications = new Notifications(new App(client, client.tables, ADDRESS), Promise.resolve(system.registration));
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

let numbers = 0;
function messages(count: number, subId = 1, priority: Priority = 3): StoredMessage[] {
  return Array.from({ length: count }, () => {
    const one = row(++numbers, { subId });
    return { ...one, event: { ...one.event, title: `Number ${String(numbers)}`, priority } };
  });
}

test("missed messages that come in pieces become one notification that sounds once", async () => {
  // After hours the first line of a poll is stored at once, and the others as fast as the database takes them.
  for (const piece of [1, 40, 180, 3, 25, 1]) {
    await notifications.show(messages(piece));
    vi.advanceTimersByTime(700);
  }
  expect(system.titles).toEqual([expect.stringMatching(/^Number \d+ · backups$/), "249 new in backups"]);
  expect(system.heard, "the first message, and the summary").toBe(2);
});

test("a pushed message is shown by its pushes' registration, whose worker can remove it, once that is active", async () => {
  const pushed = new FakeSystem();
  const registration: Partial<Record<"active", unknown>> = pushed.registration;
  const { serviceWorker } = navigator as unknown as { serviceWorker: Record<string, unknown> };
  const asked: unknown[] = [];
  serviceWorker["getRegistration"] = (scope: unknown) => (asked.push(scope), Promise.resolve(registration));
  const app = new App(client, client.tables, ADDRESS);
  notifications = new Notifications(app, Promise.resolve(system.registration), (subId) =>
    subId === 1 ? "./push/abc-1/" : undefined,
  );
  const [first] = messages(1);
  await notifications.show([first!]);
  expect([system.shown.size, pushed.shown.size]).toEqual([1, 0]);
  registration.active = {};
  await notifications.show(messages(1));
  await notifications.show(messages(1, 2));
  expect([system.shown.size, pushed.shown.size]).toEqual([2, 1]);
  await notifications.show([first!], { isAgain: true });
  expect([system.shown.size, pushed.shown.size], "none stands in both").toEqual([1, 2]);
  expect(asked).toEqual(["./push/abc-1/", "./push/abc-1/", "./push/abc-1/"]);
});

test("one that is still unread is shown and heard once more when the hub asks for that, and only then", async () => {
  const [urgent] = messages(1, 1, 5);
  await notifications.show([urgent!]);
  await notifications.show([urgent!]);
  expect([system.shown.size, system.heard]).toEqual([1, 1]);
  await notifications.show([urgent!], { isAgain: true });
  expect([system.shown.size, system.heard]).toEqual([1, 2]);
  system.shown.clear();
  await notifications.show([urgent!], { isAgain: true });
  expect([system.shown.size, system.heard], "the user had closed it").toEqual([1, 3]);
  await notifications.show(messages(40, 2, 5), { isAgain: true });
  expect(system.shown.size, "of many the newest, and no summary").toBe(5);
});

test("urgent ones among missed messages are counted, and sound again", async () => {
  await notifications.show(messages(40));
  await notifications.show([...messages(30, 2), ...messages(2, 2, 5)]);
  expect(system.titles).toEqual(["72 new in 2 topics, 2 urgent"]);
  expect([...system.shown.values()][0]?.body.split("\n")).toEqual([
    "doors: 32 messages, 2 urgent",
    "backups: 40 messages",
  ]);
  expect(system.heard).toBe(2);
  await notifications.show(messages(9));
  expect(system.heard, "nothing urgent in it").toBe(2);
});

test("after a summary messages are shown one by one again, beside it", async () => {
  await notifications.show(messages(40));
  vi.advanceTimersByTime(60_000);
  await notifications.show(messages(1, 2));
  expect(system.titles).toEqual(["40 new in backups", expect.stringMatching(/· doors$/)]);
});

test("a summary disappears once nothing of its topics is unread, and a message once it is read", async () => {
  client.messages = messages(1, 2);
  await notifications.show(client.messages);
  await notifications.show(messages(40));
  client.tables = catalogue({
    servers: [server()],
    subscriptions: [
      subscription({ topic: "backups", unread: 1 }),
      subscription({ subId: 2, topic: "doors", unread: 1 }),
    ],
  });
  await notifications.tidy();
  expect(system.shown.size).toBe(2);
  client.messages = client.messages.map((one) => ({ ...one, readAtMs: NOW_MS }));
  client.tables = catalogue({
    servers: [server()],
    subscriptions: [subscription({ topic: "backups" }), subscription({ subId: 2, topic: "doors" })],
  });
  await notifications.tidy();
  expect(system.titles).toEqual([]);
});

test("that messages came without an alert is said until a page is open, and sums up none of its alerts", async () => {
  const said = quietNotification("10 quiet", { address: ADDRESS, words: {} as never, emoji: new Map(), nowMs: NOW_MS });
  await system.registration.showNotification(said.title, said.options);
  client.messages = messages(1);
  await notifications.show(client.messages);
  const alert = expect.stringMatching(/· backups$/) as string;
  expect(system.titles).toEqual(["10 quiet", alert]);
  await notifications.tidy();
  expect(system.titles).toEqual([alert]);
});

test("a notification that is being shown while a tab lists notifications is not forgotten", async () => {
  const tidied: Promise<void>[] = [];
  system.meanwhile = () => void tidied.push(notifications.tidy());
  client.messages = messages(3);
  for (const one of client.messages) await notifications.show([one]);
  await Promise.all(tidied);
  expect(tidied).toHaveLength(3);
  expect(system.titles).toHaveLength(3);
});

test("messages of a removed topic are not shown", async () => {
  await notifications.show(messages(9, 7));
  expect(system.titles).toEqual([]);
});

test("a message of a topic that this page has not read yet is shown, once it read the topic", async () => {
  client.tables = catalogue({
    servers: [server()],
    subscriptions: [...client.tables.subscriptions, subscription({ subId: 3, topic: "just added" })],
  });
  await notifications.show(messages(1, 3));
  expect(system.titles).toHaveLength(1);
});
