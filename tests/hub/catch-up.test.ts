import { describe, expect, test } from "vitest";
import type { Store } from "../../src/store";
import { pollAnswer, type SeenRequest } from "./fake-server";
import { over, World, type Announced } from "./world";

const polls = (world: World): SeenRequest[] =>
  world.server.requests.filter((request) => request.url.searchParams.get("poll") === "1");
const sinces = (world: World): (string | null)[] =>
  polls(world).map((request) => request.url.searchParams.get("since"));

describe("catching up", () => {
  test("brings what was published while the stream was cut, and says when it was complete", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a", "b"]);
    world.server.publish("a", "before");
    world.server.cut();
    world.server.publish("a", "missed 1");
    world.server.publish("b", "missed 2");
    await world.time.advance(5_000);
    expect((await world.feed()).sort()).toEqual(["before", "missed 1", "missed 2"]);
    expect(tab.newestStatus?.state.kind).toBe("live");
  });

  test("asks for everything of a new topic alone, then from the newest id on with scheduled messages", async () => {
    const world = await World.make();
    world.server.publish("a", "history");
    const marker = world.server.publish("b", "newest");
    await world.subscribed(["a", "b"]);
    // It polls at the start and again once the stream is open, as neither would bring what was published in between.
    expect(sinces(world)).toEqual(["all", marker.id]);
    expect(polls(world).at(-1)?.url.searchParams.get("scheduled")).toBe("1");
    world.server.cut();
    await world.time.advance(5_000);
    expect(sinces(world).slice(-1)).toEqual([marker.id]);
    expect(polls(world).at(-1)?.url.pathname).toBe("/a,b/json");
  });

  test("reconciles some seconds after open, and every five minutes, from the safe time less a quarter of an hour", async () => {
    const world = await World.make();
    await world.subscribed(["a"]);
    const openedS = world.server.nowS;
    await world.time.advance(10_000);
    // The server's time was unknown when the first poll began. The second poll knew it, and had no id to start from.
    expect(sinces(world)).toEqual(["all", "all", String(openedS - 900)]);
    await world.time.advance(300_000);
    await world.time.advance(300_000);
    const keepalives = Math.floor(310_000 / 45_000) * 45;
    expect(sinces(world).slice(3)).toEqual([String(openedS - 900), String(openedS + keepalives - 900)]);
  });

  test("finds a message that was scheduled before the marker and delivered while away", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    world.server.publish("a", "scheduled long ago", { delayS: 3_600 });
    await world.time.advance(60_000);
    world.server.publish("a", "later");
    await world.time.advance(301_000);
    expect(await world.feed()).toEqual(["later"]);
    world.server.down = true;
    world.server.cut();
    await world.time.advance(3_700_000);
    world.server.down = false;
    await tab.send("resume", {});
    await world.time.advance(15_000);
    expect(await world.feed()).toEqual(["scheduled long ago", "later"]);
  });

  test("lists scheduled messages, shows them in the feed when they are due, and drops cancelled ones", async () => {
    const world = await World.make();
    const { tab, subIds } = await world.subscribed(["a"]);
    const cancelled = world.server.publish("a", "cancelled", { delayS: 7_200 });
    world.server.publish("a", "due", { delayS: 600 });
    await world.time.advance(301_000);
    const scheduled = await world.store.reader.page({
      subIds,
      list: "scheduled",
      direction: "newer",
      count: 10,
      nowMs: world.time.now(),
    });
    expect(scheduled.rows.map((row) => row.event.message)).toEqual(["due", "cancelled"]);
    world.server.cancel(cancelled.id);
    world.server.down = true;
    world.server.cut();
    await world.time.advance(310_000);
    expect(await world.feed()).toEqual(["due"]);
    world.server.down = false;
    await tab.send("tryNow", { serverId: tab.newestStatus?.serverId ?? 0 });
    await world.time.advance(1_000);
    const left = await world.store.reader.page({
      subIds,
      list: "scheduled",
      direction: "newer",
      count: 10,
      nowMs: world.time.now(),
    });
    expect(left.rows).toEqual([]);
    expect(tab.events, "open pages learn of it").toContainEqual(
      expect.objectContaining({
        kind: "rows",
        removed: [[subIds[0], cancelled.time, cancelled.id]],
        counts: [expect.objectContaining({ scheduled: 0 })],
      }),
    );
  });

  test("does not move the safe id for live messages or for a poll that was cut", async () => {
    const world = await World.make();
    const first = world.server.publish("a", "first");
    const { subIds } = await world.subscribed(["a"]);
    world.server.publish("a", "live");
    await world.time.settle();
    const { serverId } = (await world.store.reader.catalogue()).servers[0] ?? { serverId: 0 };
    const cursor = async () => {
      const read = await world.store.cursor([serverId, 0]);
      return read.ok ? read.value?.id : undefined;
    };
    expect(await cursor()).toBe(first.id);
    const cutLine = JSON.stringify({ ...first, id: "cutcutcutcut", time: world.server.nowS, message: "half" });
    world.server.intercept = ({ url }) =>
      url.searchParams.has("poll") ? pollAnswer(`${cutLine}\n${cutLine.slice(0, 30)}`) : undefined;
    world.server.cut();
    await world.time.advance(5_000);
    expect(await cursor()).toBe(first.id);
    expect(await world.feed()).toContain("half");
    world.server.intercept = undefined;
    await world.time.advance(70_000);
    expect(await cursor()).not.toBe(first.id);
    expect(subIds).toHaveLength(1);
  });

  test("takes everything if the server forgot or refuses the id, and on the first start of a day", async () => {
    const world = await World.make();
    world.server.publish("a", "one");
    const { hub } = await world.subscribed(["a"]);
    await world.time.advance(10_000);
    world.server.intercept = ({ url }) =>
      url.searchParams.get("since")?.startsWith("id")
        ? Response.json({ code: 40008, http: 400, error: "invalid since" }, { status: 400 })
        : undefined;
    world.server.cut();
    await world.time.advance(5_000);
    expect(sinces(world).slice(-2)).toEqual(["id0000000001", "all"]);
    world.server.intercept = undefined;
    hub.stop();
    await world.time.advance(86_400_000);
    world.startHub();
    await world.time.settle();
    expect(sinces(world).at(-1)).toBe("all");
  });

  test("polls once, and at once, when several events report that the page is back, without waiting for a stream", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    world.server.freeze();
    await world.time.advance(30_000);
    world.server.publish("a", "missed");
    const before = polls(world).length;
    await tab.send("resume", {});
    await tab.send("resume", {});
    await tab.send("setOnline", { online: true });
    expect(await world.feed()).toEqual(["missed"]);
    expect(polls(world)).toHaveLength(before + 1);
  });

  test("polls for each return, however recent the last poll, but not for each of many in a row", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    const { serverId } = tab.newestStatus ?? { serverId: 0 };
    await world.time.advance(60_000);
    await tab.send("refresh", { serverId });
    world.server.freeze();
    world.server.publish("a", "missed");
    const before = polls(world).length;
    await tab.send("resume", {});
    await world.time.advance(5_000);
    expect(await world.feed()).toEqual(["missed"]);
    for (let times = 0; times < 20; times++) {
      await tab.send("resume", {});
      await world.time.advance(1_500);
    }
    await world.time.advance(6_000);
    expect(polls(world).length - before).toBeLessThanOrEqual(8);
  });

  test("polls on return after the device's clock was set back", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    await world.time.advance(60_000);
    await tab.send("resume", {});
    world.server.skewS += 3_600;
    world.time.set(-3_600_000);
    world.server.freeze();
    world.server.publish("a", "missed");
    await tab.send("resume", {});
    expect(await world.feed()).toEqual(["missed"]);
  });

  test("notices by itself that the device slept", async () => {
    const world = await World.make();
    await world.subscribed(["a"]);
    world.server.freeze();
    world.server.publish("a", "missed");
    await world.time.sleep(7_200_000);
    await world.time.advance(1_000);
    expect(await world.feed()).toEqual(["missed"]);
    expect(world.server.requests.filter((request) => request.url.search === "").length).toBeGreaterThan(1);
  });

  test("says what was missing on a refresh", async () => {
    const world = await World.make();
    const { tab, subIds } = await world.subscribed(["a", "b"]);
    const serverId = tab.newestStatus?.serverId ?? 0;
    expect(await tab.send("refresh", { serverId })).toEqual({ ok: true, value: { missing: 0, found: [] } });
    world.server.freeze();
    const one = world.server.publish("a", "1");
    await world.time.advance(1_000);
    const two = world.server.publish("b", "2");
    await world.time.advance(1_000);
    const three = world.server.publish("b", "3");
    const [a = 0, b = 0] = subIds;
    expect(await tab.send("refresh", { serverId, subId: a })).toEqual({
      ok: true,
      value: { missing: 1, found: [[a, one.time, one.id]] },
    });
    const found = [three, two].map(({ time, id }) => [b, time, id]);
    expect(await tab.send("refresh", { serverId })).toEqual({ ok: true, value: { missing: 2, found } });
    expect(sinces(world).at(-1)).toBe("all");
    world.server.down = true;
    expect(await tab.send("refresh", { serverId })).toEqual({
      ok: false,
      error: { kind: "failed", why: { kind: "network" } },
    });
  });

  test("notes a gap when it was away for longer than the server keeps messages", async () => {
    const world = await World.make();
    world.server.retentionS = 3_600;
    world.server.publish("a", "teaches the retention");
    const { hub, subIds } = await world.subscribed(["a"]);
    await world.time.advance(60_000);
    const lastContactS = world.server.nowS;
    hub.stop();
    world.server.publish("a", "lost for good");
    await world.time.advance(5 * 3_600_000);
    world.startHub();
    await world.time.settle();
    const gaps = await world.store.reader.gaps(subIds);
    expect(gaps).toHaveLength(1);
    expect(gaps[0]?.from).toBeGreaterThanOrEqual(lastContactS - 60);
    expect(gaps[0]?.from).toBeLessThanOrEqual(lastContactS);
    expect(gaps[0]?.to).toBe(world.server.nowS - 3_600);
  });

  test.each([undefined, "poll"] as const)(
    "notes a gap after a sleep of some minutes if the server keeps messages for less (transport: %s)",
    async (transport) => {
      const world = await World.make();
      world.server.retentionS = 280;
      world.server.publish("a", "teaches the retention");
      const { tab, subIds } = await world.subscribed(["a"]);
      if (transport) await tab.send("patchServer", { serverId: tab.newestStatus?.serverId ?? 0, transport });
      await world.time.advance(60_000);
      world.server.freeze();
      world.server.publish("a", "lost for good");
      await world.time.sleep(340_000);
      await world.time.advance(10_000);
      expect(await world.feed()).toEqual(["teaches the retention"]);
      expect(await world.store.reader.gaps(subIds)).toHaveLength(1);
    },
  );

  test("notes no gap after a short absence, but one after every absence if the server keeps nothing", async () => {
    const world = await World.make();
    world.server.publish("a", "kept for 12 hours");
    const { subIds } = await world.subscribed(["a"]);
    world.server.cut();
    await world.time.advance(30_000);
    expect(await world.store.reader.gaps(subIds)).toEqual([]);

    const cacheless = await World.make();
    cacheless.server.retentionS = 0;
    const { tab, subIds: ids } = await cacheless.subscribed(["a"]);
    cacheless.server.publish("a", "live only");
    await cacheless.time.settle();
    expect(tab.newestStatus?.cacheless).toBe(true);
    await cacheless.time.advance(600_000);
    expect(await cacheless.store.reader.gaps(ids)).toEqual([]);
    cacheless.server.down = true;
    cacheless.server.cut();
    await cacheless.time.advance(120_000);
    cacheless.server.down = false;
    await cacheless.time.advance(90_000);
    expect(await cacheless.store.reader.gaps(ids)).toHaveLength(1);
  });

  test("takes only messages from now on, by the server's clock", async () => {
    const world = await World.make();
    world.server.skewS = -7_200;
    world.server.publish("a", "history");
    await world.time.advance(2_000);
    const { tab, subIds } = await world.subscribed(["a"], { history: "now" });
    world.server.publish("a", "new");
    await world.time.advance(15_000);
    await tab.send("refresh", { serverId: tab.newestStatus?.serverId ?? 0 });
    expect(await world.feed()).toEqual(["new"]);
    const { subscriptions } = await world.store.reader.catalogue();
    expect(subscriptions.find(({ subId }) => subId === subIds[0])?.fromTime).toBe(world.server.nowS - 15);
  });

  test("stores a backlog from its newest message on, announces a few rows and counts the rest", async () => {
    const world = await World.make();
    for (let index = 0; index < 5_000; index++) world.server.publish("a", `m${index}`, { time: 1_000 + (index >> 1) });
    world.server.retentionS = 1e10;
    const { tab } = await world.subscribed(["a"]);
    const rows = tab.events.filter((event): event is Announced & { kind: "rows" } => event.kind === "rows");
    expect(rows[0]?.added.at(-1)?.event.message).toBe("m4999");
    for (const event of rows) expect(event.added.length).toBeLessThanOrEqual(200);
    expect(rows.reduce((sum, event) => sum + event.added.length + event.more, 0)).toBe(5_000);
    expect(rows.at(-1)?.total).toBe(5_000);
    expect(await world.feed()).toEqual(Array.from({ length: 5_000 }, (_, index) => `m${4_999 - index}`));
  });

  test("keeps the server's order within a second, however the backlog was cut", async () => {
    const world = await World.make();
    for (let index = 0; index < 5_000; index++) world.server.publish("a", `m${index}`, { time: 1_000 });
    world.server.retentionS = 1e10;
    const { tab } = await world.subscribed(["a"]);
    expect(await world.feed()).toEqual(Array.from({ length: 5_000 }, (_, index) => `m${4_999 - index}`));
    world.server.publish("a", "afterwards", { time: 1_000 });
    await tab.send("refresh", { serverId: tab.newestStatus?.serverId ?? 0 });
    expect((await world.feed())[0]).toBe("afterwards");
  });

  test("continues after a bug of ours, which is reported", async () => {
    const world = await World.make();
    let isBroken = false;
    const wrapStore = (store: Store): Store =>
      over(store, {
        subscriptions: () => (isBroken ? Promise.reject(new Error("a fault")) : store.subscriptions()),
        serverTables: () => (isBroken ? Promise.reject(new Error("a fault")) : store.serverTables()),
      });
    const { tab } = await world.subscribed(["a"], {}, { wrapStore });
    await world.time.advance(20_000);
    isBroken = true;
    // The plan is read anew, and the topics are polled: both fail.
    await tab.send("setSetting", { key: "density", value: "compact" });
    await tab.send("refresh", { serverId: tab.newestStatus?.serverId ?? 0 });
    expect(world.problems).toEqual(Array.from({ length: 2 }, () => new Error("a fault")));
    isBroken = false;
    const added = await tab.send("subscribe", { address: world.server.address, topics: ["b"], history: "all" });
    expect(added).toMatchObject({ ok: true });
    await world.time.advance(10_000);
    expect(polls(world).at(-1)?.url.pathname).toContain("b");
    world.server.publish("b", "of the new topic");
    await world.time.advance(1_000);
    expect(await world.feed()).toEqual(["of the new topic"]);
    expect(tab.newestStatus?.checking).toBe(false);
  });
});
