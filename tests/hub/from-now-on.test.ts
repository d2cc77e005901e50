import { expect, test } from "vitest";
import { World } from "./world";

/** Holds up streams but lets everything else through. */
const holdsStreams = (world: World): void => {
  world.server.intercept = ({ url }) => (url.pathname.endsWith("/json") && !url.search ? "hang" : undefined);
};

test("hides no new message if no stream tells the time, whatever the device's clock shows", async () => {
  for (const aheadS of [86_400, -86_400]) {
    const world = await World.make();
    world.server.skewS = -aheadS;
    world.server.publish("a", "long ago");
    await world.time.advance(60_000);
    world.server.publish("a", "newest of before");
    await world.time.advance(60_000);
    holdsStreams(world);
    const { tab } = await world.subscribed(["a"], { history: "now" });
    world.server.intercept = undefined;
    world.server.publish("a", "new");
    await tab.send("refresh", { serverId: tab.newestStatus?.serverId ?? 0 });
    expect(await world.feed()).toEqual(["new", "newest of before"]);
  }
});

test("hides nothing of a topic that has no message yet, without a stream", async () => {
  const world = await World.make();
  world.server.skewS = -86_400;
  holdsStreams(world);
  const { tab } = await world.subscribed(["a"], { history: "now" });
  world.server.publish("a", "new");
  await tab.send("refresh", { serverId: tab.newestStatus?.serverId ?? 0 });
  expect(await world.feed()).toEqual(["new"]);
});

test("does not use a server's clock that is wrong because the device's was set meanwhile", async () => {
  const world = await World.make();
  const { tab } = await world.subscribed(["b"]);
  world.time.set(3_600_000);
  world.server.skewS -= 3_600;
  await tab.send("subscribe", { address: world.server.address, topics: ["a"], history: "now" });
  world.server.publish("a", "new");
  await world.time.advance(15_000);
  expect(await world.feed()).toEqual(["new"]);
});

test("counts from when it was asked for, however long the device slept before it could be done", async () => {
  const world = await World.make();
  world.server.publish("a", "history");
  await world.time.advance(5_000);
  world.server.intercept = ({ url }) => {
    if (!url.pathname.endsWith("/auth")) return undefined;
    world.server.intercept = undefined;
    world.server.publish("a", "while it slept");
    world.time.set(600_000);
    return undefined;
  };
  await world.subscribed(["a"], { history: "now" });
  await world.time.advance(1_000);
  expect(await world.feed()).toEqual(["while it slept"]);
});

test("does not begin if only the access check gets through", async () => {
  const world = await World.make();
  const hub = world.startHub();
  const tab = world.openTab(hub);
  world.server.intercept = ({ url }) => (url.pathname.endsWith("/json") ? "network-error" : undefined);
  const answer = await tab.send("subscribe", { address: world.server.address, topics: ["a"], history: "now" });
  expect(answer).toEqual({ ok: false, error: { kind: "failed", why: { kind: "network" } } });
});

test("history that is wanted as read counts as read, and messages from then on as unread", async () => {
  const world = await World.make();
  world.server.publish("a", "old");
  await world.time.advance(5_000);
  const { tab, subIds } = await world.subscribed(["a"], { history: "read" });
  await tab.send("setAlerting", { able: true });
  world.server.publish("a", "new");
  await world.time.settle();
  const rows = await world.rows("feed");
  expect(rows.map((row) => `${row.event.message}: ${row.readAtMs === undefined ? "unread" : "read"}`)).toEqual([
    "new: unread",
    "old: read",
  ]);
  const { subscriptions } = await world.store.reader.catalogue();
  expect(subscriptions.find(({ subId }) => subId === subIds[0])?.unread).toBe(1);
});
