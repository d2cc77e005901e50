import { expect, test } from "vitest";
import type { Snapshot } from "../../src/contract";
import type { Store } from "../../src/store";
import { memoryEngine, snapshotIn } from "./memory-engine";
import { DAY_S, message, must, NOW_MS, NOW_S, receive, storeWith, control, type Engine } from "./samples";

const SNAPSHOT: Snapshot = { view: "#/", conditions: "as today", height: 800, root: { lang: "en" }, tree: "[]" };

interface Kept {
  engine: Engine;
  store: Store;
  topic: number;
}

/** A database with messages and a snapshot that shows them. */
async function withSnapshot(): Promise<Kept> {
  const engine = memoryEngine();
  const { store, subIds } = await storeWith(engine, ["backup"]);
  const topic = subIds[0] ?? 0;
  await receive(store, topic, [message("a"), message("b", NOW_S - 1), message("s1", NOW_S - 2, { sequence_id: "s" })]);
  const shown = ["a", "b"].map((id, at): [number, number, string] => [topic, NOW_S - at, id]);
  must(await store.keepSnapshot(SNAPSHOT, shown));
  expect(await snapshotIn(engine)).toEqual(SNAPSHOT);
  return { engine, store, topic };
}

const first = (topic: number): [number, number, string][] => [[topic, NOW_S, "a"]];

test.each<[what: string, change: (kept: Kept) => Promise<unknown>]>([
  [
    "a message that replaces one",
    ({ store, topic }) => receive(store, topic, [message("s2", NOW_S, { sequence_id: "s" })]),
  ],
  ["a delete", ({ store, topic }) => store.mark(first(topic), { kind: "deleted", on: true }, NOW_MS)],
  ["a delete by the sender", ({ store, topic }) => receive(store, topic, [control("delete", "d", "s")])],
  ["a message marked read", ({ store, topic }) => store.mark(first(topic), { kind: "read", on: true }, NOW_MS)],
  ["a topic that is removed", ({ store, topic }) => store.removeSubscription(topic, NOW_MS)],
  ["a topic that is renamed", ({ store, topic }) => store.patchSubscription(topic, { displayName: "Backups" })],
  ["another look", ({ store }) => store.setSetting("theme", "dark")],
  ["a saved view", ({ store }) => store.setViews([{ name: "Urgent", link: "#/?priority=5" }])],
  ["a gap", ({ store, topic }) => store.addGap({ subId: topic, from: NOW_S - 9, to: NOW_S - 3 })],
  ["a repair", ({ store }) => store.repair()],
])("%s takes the snapshot with it", async (_what, change) => {
  const kept = await withSnapshot();
  const result = (await change(kept)) as { ok?: boolean } | undefined;
  expect(result?.ok ?? true).toBe(true);
  expect(await snapshotIn(kept.engine)).toBeUndefined();
  kept.store.close();
});

test("a new message, and invisible changes, leave the snapshot", async () => {
  const { engine, store, topic } = await withSnapshot();
  await receive(store, topic, [message("a")]);
  await receive(store, topic, [message("new")]);
  await receive(store, topic, [], { cursors: { timeCursors: [{ subId: topic, time: NOW_S }], joined: [topic] } });
  must(await store.noteKeptFor(new Map([[topic, { leastS: DAY_S, day: 1 }]])));
  for (let more = true; more;) ({ more } = must(await store.updateIndex()));
  const [server] = must(await store.servers());
  must(await store.patchServer(server?.serverId ?? 0, { heardS: NOW_S }));
  expect(await snapshotIn(engine)).toEqual(SNAPSHOT);
  store.close();
});

test("a change to what does not exist leaves the snapshot", async () => {
  const { engine, store, topic } = await withSnapshot();
  expect((await store.patchSubscription(topic + 1, { displayName: "none" })).ok).toBe(true);
  expect(await snapshotIn(engine)).toEqual(SNAPSHOT);
  store.close();
});

test("a snapshot of messages that are gone by then isn't kept", async () => {
  const { engine, store, topic } = await withSnapshot();
  must(await store.mark(first(topic), { kind: "deleted", on: true }, NOW_MS));
  must(await store.keepSnapshot(SNAPSHOT, first(topic)));
  expect(await snapshotIn(engine), "deleted").toBeUndefined();
  must(await store.keepSnapshot(SNAPSHOT, [[topic, NOW_S - DAY_S, "pruned"]]));
  expect(await snapshotIn(engine), "never stored").toBeUndefined();
  must(await store.removeSubscription(topic, NOW_MS));
  must(await store.keepSnapshot(SNAPSHOT, [[topic, NOW_S - 1, "b"]]));
  expect(await snapshotIn(engine), "of a removed topic").toBeUndefined();
  store.close();
});

test("the last 16 views have snapshots, and all go at once", async () => {
  const { engine, store, topic } = await withSnapshot();
  const views = ["#/", ...Array.from({ length: 16 }, (_, at) => `#/topic${String(at)}`)];
  const kept = async () =>
    (await Promise.all(views.map((view) => snapshotIn(engine, view)))).map((one) => one !== undefined);
  for (const view of views.slice(1, 16)) must(await store.keepSnapshot({ ...SNAPSHOT, view }, []));
  expect(await kept()).toEqual(views.map((_, at) => at < 16));
  must(await store.keepSnapshot({ ...SNAPSHOT, view: views[16] ?? "" }, []));
  expect(await kept()).toEqual(views.map((_, at) => at === 16));
  must(await store.keepSnapshot(SNAPSHOT, []));
  must(await store.mark(first(topic), { kind: "deleted", on: true }, NOW_MS));
  expect(await kept()).toEqual(views.map(() => false));
  store.close();
});
