import { beforeEach, expect, test, vi } from "vitest";
import { keyOf, type StoredMessage } from "../../src/contract";
import { rowActions, rowMenu } from "../../src/ui/message/row-menu";
import { App } from "../../src/ui/state/app.svelte";
import { ADDRESS, catalogue, FakeClient, server, subscription } from "./fake-client";
import { row } from "./fake-reader";
import { stubPage } from "./stub-page";

let client: FakeClient;
let app: App;

beforeEach(() => {
  stubPage();
  client = new FakeClient(catalogue({ servers: [server()], subscriptions: [subscription()] }));
  client.answers.mark = () => ({ ok: true, value: { count: 0, undo: "" } });
  app = new App(client, client.tables, ADDRESS);
  return () => vi.unstubAllGlobals();
});

const marked = () => client.sent.filter(({ name }) => name === "mark").map(({ input }) => input);
const read = (n: number): StoredMessage => row(n, { readAtMs: 1 });

test("a fold is marked read as long as any of its messages is unread, then unread as a whole", () => {
  const [first, second, third] = [read(3), row(2), read(1)];
  const keys = [first, second, third].map(keyOf);
  rowActions(app, first, [second, third]).read.run();
  rowActions(app, first, [read(2), third]).read.run();
  expect(marked()).toEqual([
    { keys, mark: { kind: "read", on: true } },
    { keys, mark: { kind: "read", on: false } },
  ]);
  const [label] = rowMenu(app, first, [second, third]);
  expect(label?.label).toBe("Mark read");
  expect(rowMenu(app, first, [third])[0]?.label).toBe("Mark unread");
});

test.each([
  ["done", { doneAtMs: 1 }],
  ["snoozed", { snoozedUntilMs: 1 }],
])("a %s message that was never read is offered to be marked read, and its button does that", (_state, marks) => {
  const one = row(1, marks);
  expect(rowMenu(app, one)[0]?.label).toBe("Mark read");
  expect(rowMenu(app, read(2), [one])[0]?.label).toBe("Mark read");
  rowActions(app, one).read.run();
  rowActions(app, read(2), [one]).read.run();
  expect(marked()).toMatchObject([{ mark: { kind: "read", on: true } }, { mark: { kind: "read", on: true } }]);
});

test('"done" applies to all messages of a fold, a star only to the newest', () => {
  const [first, second] = [row(2), row(1)];
  rowActions(app, first, [second]).done.run();
  rowActions(app, first).star.run();
  expect(marked()).toEqual([
    { keys: [first, second].map(keyOf), mark: { kind: "done", on: true } },
    { keys: [keyOf(first)], mark: { kind: "starred", on: true } },
  ]);
});

test("a message's menu offers to mute its topic as long as that isn't muted", () => {
  const labels = () => rowMenu(app, row(1)).map(({ label }) => label);
  expect(labels()).toContain("Mute…");
  app.catalogue.applyOptimistically({ subscriptions: [subscription({ mutedUntilMs: Infinity })] });
  expect(labels()).not.toContain("Mute…");
});

test("a message's menu hides those like it from Everything, shows them again, and has at most eight entries", async () => {
  const titled = row(1, { event: { ...row(1).event, title: "Backup done in 3 min" } });
  client.answers.patchSubscription = () => ({ ok: true, value: null });
  const entry = (label: string) => rowMenu(app, titled).find((item) => item.label === label);
  expect(rowMenu(app, titled).length).toBeLessThanOrEqual(8);
  entry("Hide messages like this from Everything")?.run();
  const patches = () => client.sent.map(({ input }) => input);
  const hides = ['title~"Backup done in 3 min"'];
  await vi.waitFor(() => expect(patches()).toEqual([{ subId: 1, patch: { hides } }]));
  const text = "Hidden from Everything, still in topic1. Alerts still come.";
  await vi.waitFor(() => expect(app.notices.current?.text).toBe(text));
  app.notices.current?.undo?.();
  expect(patches().at(-1)).toEqual({ subId: 1, patch: { hides: null } });

  app.catalogue.applyOptimistically({ subscriptions: [subscription({ hides: ["message:other", ...hides] })] });
  expect(entry("Hide messages like this from Everything")).toBeUndefined();
  entry("Show messages like this in Everything")?.run();
  await vi.waitFor(() => expect(app.notices.current?.text).toBe("Back in Everything"));
  expect(patches().at(-1)).toEqual({ subId: 1, patch: { hides: ["message:other"] } });
});

test("an urgent message can't be hidden from its menu", () => {
  const urgent = row(1, { event: { ...row(1).event, title: "Fire", priority: 5 } });
  expect(rowMenu(app, urgent).map(({ label }) => label)).not.toContain("Hide messages like this from Everything");
});

test("deleting a scheduled message cancels its delivery, and says where its server can't", async () => {
  const scheduled = row(1, { scheduled: 1 });
  const hidden = { count: 0, undo: "[]" };
  client.answers.cancelScheduled = () => ({ ok: true, value: { cancelled: 1, hidden } });
  await rowActions(app, scheduled).delete.run();
  expect(client.sent).toEqual([{ name: "cancelScheduled", input: { keys: [keyOf(scheduled)] } }]);
  expect(app.notices.current?.text).toBe("Delivery cancelled");
  client.answers.cancelScheduled = () => ({ ok: true, value: { cancelled: 0, hidden: { count: 1, undo: "[]" } } });
  await rowActions(app, scheduled).delete.run();
  expect(app.notices.current?.text).toBe("This server can't cancel; hidden here only.");
});

test("a scheduled message's menu has nothing meant for delivered ones", () => {
  const labels = (one: StoredMessage) => rowMenu(app, one).map(({ label }) => label);
  const scheduled = labels(row(1, { scheduled: 1 }));
  expect(scheduled).toEqual(expect.arrayContaining(["Send now", "Cancel delivery"]));
  for (const label of ["Mark read", "Star", "Done", "Snooze…", "Delete"]) {
    expect(scheduled).not.toContain(label);
    expect(labels(row(1))).toContain(label);
  }
});

test("a change of which only a part was made says why, and offers to undo that part", async () => {
  const fault = { kind: "quota" } as const;
  client.answers.mark = () => ({ ok: true, value: { count: 500, undo: "part", fault } });
  await rowActions(app, row(1)).done.run();
  const notice = app.notices.current;
  expect(notice?.text).toMatch(/^Storage is full\. /);
  notice?.undo?.();
  expect(client.sent.at(-1)).toMatchObject({ name: "undo", input: { undo: "part" } });
});
