import { expect, test } from "vitest";
import { fail } from "../../src/protocol";
import type { Store } from "../../src/store";
import { must } from "../store/samples";
import { backupOf } from "./backup-profile";
import { over, World } from "./world";

/** A device with a topic that is caught up and live, and a backup with a message of it that its server still has. */
async function caughtUp(wrapStore: (store: Store) => Store = (store) => store) {
  const world = await World.make();
  const { hub, tab, subIds } = await world.subscribed(["a"], {}, { wrapStore });
  await world.time.advance(20_000);
  world.server.down = true;
  world.server.cut();
  const event = world.server.publish("a", "in both");
  const other = await World.make();
  const { serverId } = must(await other.store.addServer(world.server.address));
  const [{ subId } = { subId: 0 }] = must(
    await other.store.addSubscriptions({ serverId, accountId: 0, topics: ["a"] }),
  );
  must(
    await other.store.ingest({
      arrivals: [{ subId, event, via: "poll" }],
      nowMs: world.time.now(),
      serverNowS: world.server.nowS,
      alerts: false,
    }),
  );
  const file = new Blob([await backupOf(other.store)]);
  must(await tab.send("readBackup", { importId: "one", file, by: "file" }));
  return { world, hub, tab, subId: subIds[0] ?? 0 };
}

/** The server is back, and what it has of the topic is known already: the import's copy. */
async function receiveCopy(world: World): Promise<void> {
  world.server.down = false;
  await world.time.advance(15_000);
  expect(await world.feed()).toEqual(["in both"]);
}

test("a message that came while an import's copy was there comes again once the import failed", async () => {
  let isFull = (): Promise<void> => Promise.resolve();
  const { world, tab } = await caughtUp((store) =>
    over(store, {
      importer: {
        ...store.importer,
        finish: async () => {
          await isFull();
          return fail({ kind: "quota", text: "" } as const);
        },
      },
    }),
  );
  isFull = () => receiveCopy(world);
  const taken = await tab.send("takeBackup", { importId: "one", settings: [], topicRules: false, credentials: [] });
  expect(taken).toMatchObject({ ok: false, error: { kind: "quota" } });
  await world.time.advance(5_000);
  expect(await world.feed()).toEqual(["in both"]);
  expect(world.problems).toEqual([]);
});

test("a message that came while an import's copy was there comes again once the cut import is undone", async () => {
  const { world, hub, subId } = await caughtUp();
  const importer = world.store.importer;
  must(await importer.start("one", [], world.time.now()));
  must(await importer.takePart("one", world.time.now()));
  hub.stop();
  const tab = world.openTab(world.startHub());
  // The import counts as under way for another 30 s.
  world.server.down = false;
  await world.time.advance(20_000);
  expect(await world.feed()).toEqual(["in both"]);
  tab.events.length = 0;
  await world.time.advance(20_000);
  expect(must(await importer.takeUndone()).isUndone).toBe(true);
  expect(tab.events.filter(({ kind }) => kind === "catalogue").length, "pages read the topics anew").toBeGreaterThan(0);
  expect(await world.feed()).toEqual(["in both"]);
  expect(must(await world.store.subscriptions()).find((one) => one.subId === subId)?.joined).toBe(1);
  const { writes } = world;
  await world.time.advance(30_000);
  expect(world.writes - writes, "nothing goes round in circles").toBeLessThan(20);
  expect(world.problems).toEqual([]);
});
