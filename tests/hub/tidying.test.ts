import { expect, test } from "vitest";
import { markingAll } from "./marking-all";
import { World } from "./world";

const MINUTE_MS = 60_000;

test("old and surplus messages are removed even if something is marked every half minute", async () => {
  const world = await World.make();
  const { tab, subIds } = await world.subscribed(["a", "b"]);
  await tab.send("setSetting", { key: "keepMessages", value: 5 });
  await tab.send("unsubscribe", { subId: subIds[1] ?? 0 });
  for (let halfMinute = 0; halfMinute < 150; halfMinute++) {
    world.server.publish("a", String(halfMinute));
    await world.time.advance(MINUTE_MS / 2);
    await tab.send("mark", markingAll([subIds[0] ?? 0]));
  }
  expect((await world.rows("feed")).length).toBeLessThan(50);
  expect(await world.store.reader.catalogue()).toMatchObject({ subscriptions: [{ topic: "a" }] });
});

test("counters that are missing, as after an upgrade, are counted soon after the start, and pages read them anew", async () => {
  const world = await World.make();
  const { subIds, hub } = await world.subscribed(["a"]);
  const [subId = 0] = subIds;
  world.server.publish("a", "urgent", { priority: 5 });
  world.server.publish("a", "high", { priority: 4 });
  await world.time.settle();
  hub.stop();
  const request = world.indexedDB.open("earshot");
  await new Promise((resolve) => (request.onsuccess = resolve));
  const database = request.result;
  const transaction = database.transaction(["settings", "subscriptions"], "readwrite");
  transaction.objectStore("settings").delete("counters");
  const found = transaction.objectStore("subscriptions").get(subId);
  await new Promise((resolve) => (found.onsuccess = resolve));
  // Version 2 counted no high ones.
  const { unreadHigh: _, ...former } = found.result as Record<string, unknown>;
  transaction.objectStore("subscriptions").put({ ...former, unread: 7 });
  await new Promise((resolve) => (transaction.oncomplete = resolve));
  database.close();

  const tab = world.openTab(world.startHub());
  await world.time.advance(5_000);
  expect(tab.events).toContainEqual({ kind: "missed" });
  const counts = { unread: 2, unreadUrgent: 1, unreadHigh: 1 };
  expect(await world.store.reader.catalogue()).toMatchObject({ subscriptions: [counts] });
});
