import { describe, expect, test } from "vitest";
import type { Channel } from "../../src/hub";
import type { Store } from "../../src/store";
import { FakeLocks, locksThat, NEVER_GRANTED } from "./fake-locks";
import { markingAll } from "./marking-all";
import { World, type Tab } from "./world";

describe("the lead", () => {
  async function threeHubs() {
    const world = await World.make();
    const locks = new FakeLocks().manager;
    const hubs = [];
    for (const hubId of ["x", "y", "z"]) {
      const hub = world.startHub({ hubId, locks, build: "1" });
      hubs.push({ hub, tab: world.openTab(hub) });
      await world.time.advance(100);
    }
    const [first] = hubs;
    if (!first) throw new Error("no hub");
    const answer = await first.tab.send("subscribe", {
      address: world.server.address,
      topics: ["a"],
      history: "all",
    });
    expect(answer.ok).toBe(true);
    await world.time.settle();
    return { world, locks, hubs, first };
  }
  const leaders = async (hubs: { tab: Tab }[]): Promise<boolean[]> => {
    const leading = [];
    for (const { tab } of hubs) leading.push((await tab.send("ping", { inSight: false })).leading);
    return leading;
  };

  test("belongs to one hub, so that five tabs share one stream", async () => {
    const { world, hubs } = await threeHubs();
    expect(await leaders(hubs)).toEqual([true, false, false]);
    expect(world.server.streams.size).toBe(1);
    world.server.publish("a", "hello");
    await world.time.advance(60_000);
    expect(await leaders(hubs)).toEqual([true, false, false]);
    for (const { tab } of hubs) expect(tab.added).toEqual(["hello"]);
  });

  test("belongs to every hub where there are no locks, and each tells its own tabs of its connections", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    world.server.down = true;
    const other = world.openTab(world.startHub());
    await world.time.advance(3_000);
    expect(other.newestStatus?.state.kind).not.toBe("live");
    expect(tab.newestStatus?.state.kind).toBe("live");
  });

  test("passes on when its hub gives it up, and nothing is lost on the way", async () => {
    const { world, hubs, first } = await threeHubs();
    first.hub.stop();
    world.server.publish("a", "in between");
    await world.time.advance(20_000);
    expect((await leaders(hubs)).filter(Boolean)).toHaveLength(1);
    expect((await leaders(hubs))[0]).toBe(false);
    expect(world.server.streams.size).toBe(1);
    expect(await world.feed()).toEqual(["in between"]);
    await first.tab.send("resume", {});
    await world.time.advance(20_000);
    expect(await leaders(hubs), "what has ended does not come back").toContain(true);
    expect((await leaders(hubs))[0]).toBe(false);
  });

  test("comes with the announcement that changes may have been missed, but not for the first leader", async () => {
    const { world, hubs, first } = await threeHubs();
    const missed = (tab: Tab): number => tab.events.filter(({ kind }) => kind === "missed").length;
    expect(hubs.map(({ tab }) => missed(tab))).toEqual([0, 0, 0]);
    first.hub.stop();
    await world.time.advance(20_000);
    expect(hubs.map(({ tab }) => missed(tab) > 0)).toEqual([true, true, true]);
  });

  test("acts on what a follower stored but did not announce before it ended, once a page is back", async () => {
    const { world, locks, first } = await threeHubs();
    const air = world.air.open();
    let hasEnded = false;
    const channel: Channel = { ...air, post: (message) => void (hasEnded || air.post(message)) };
    const wrapStore = (store: Store): Store => ({
      ...store,
      addSubscriptions: async (input) => {
        const added = await store.addSubscriptions(input);
        hasEnded = true;
        return added;
      },
    });
    const options = { hubId: "follower", locks, channel, wrapStore, build: "1" };
    const tab = world.openTab(world.startHub(options));
    await world.time.advance(100);
    await tab.send("subscribe", { address: world.server.address, topics: ["b"], history: "all" });
    await first.tab.send("resume", {});
    await world.time.advance(1_000);
    expect([...world.server.streams].at(-1)?.topics).toEqual(["a", "b"]);
  });

  test("passes without an announcement if a follower announced what it stored", async () => {
    const { world, hubs } = await threeHubs();
    const [, follower] = hubs;
    const { subscriptions } = await world.store.reader.catalogue();
    await follower?.tab.send("mark", markingAll(subscriptions.map(({ subId }) => subId)));
    await world.time.advance(30_000);
    expect(hubs.flatMap(({ tab }) => tab.events).filter(({ kind }) => kind === "missed")).toEqual([]);
  });

  test("includes tidying up after a topic that another hub's tab removed", async () => {
    const { world, hubs } = await threeHubs();
    const { subscriptions } = await world.store.reader.catalogue();
    await world.time.advance(10_000);
    await hubs[2]?.tab.send("unsubscribe", { subId: subscriptions[0]?.subId ?? 0 });
    await world.time.advance(70_000);
    const restored = await hubs[2]?.tab.send("restoreSubscription", { subId: subscriptions[0]?.subId ?? 0 });
    expect(restored).toMatchObject({ ok: false, error: { kind: "not-found" } });
  });

  test("includes tidying up after a topic that was removed shortly before its hub ended", async () => {
    const { world, hubs, first } = await threeHubs();
    const [subscription] = (await world.store.reader.catalogue()).subscriptions;
    await first.tab.send("unsubscribe", { subId: subscription?.subId ?? 0 });
    first.hub.stop();
    await world.time.advance(90_000);
    expect((await leaders(hubs))[0]).toBe(false);
    expect(await world.store.restoreSubscription(subscription?.subId ?? 0)).toEqual({ ok: true, value: undefined });
  });

  test("goes to a hub of a newer build when that starts", async () => {
    const { world, locks, hubs } = await threeHubs();
    const newer = world.startHub({ hubId: "new", locks, build: "2" });
    const all = [...hubs, { hub: newer, tab: world.openTab(newer) }];
    for (let second = 0; second < 120 && !(await leaders(all))[3]; second++) await world.time.advance(1_000);
    await world.time.advance(60_000);
    expect(await leaders(all)).toEqual([false, false, false, true]);
    expect(world.server.streams.size).toBe(1);
  });

  test("lets followers carry out commands on the store, and passes on to the leader what needs the connection", async () => {
    const { world, hubs } = await threeHubs();
    const follower = hubs[2]?.tab;
    if (!follower) throw new Error("no hub");
    world.server.freeze();
    world.server.publish("a", "missing");
    const [status] = await follower.send("status", {});
    expect(status?.state.kind).toBe("live");
    expect(await follower.send("refresh", { serverId: status?.serverId ?? 0 })).toMatchObject({
      ok: true,
      value: { missing: 1 },
    });
    const added = await follower.send("subscribe", { address: world.server.address, topics: ["b"], history: "all" });
    expect(added.ok).toBe(true);
    await world.time.settle();
    expect([...world.server.streams].at(-1)?.topics).toEqual(["a", "b"]);
    expect(await follower.send("setOnline", { online: true })).toMatchObject({ ok: true });
    expect(await follower.send("tryNow", { serverId: 99 })).toEqual({ ok: false, error: { kind: "not-found" } });
  });
});

test("a command that needs the connection waits for a hub to lead", async () => {
  const world = await World.make();
  const tab = world.openTab(world.startHub({ locks: locksThat((lead) => void world.time.setTimer(lead, 5_000)) }));
  const { address } = world.server;
  const added = await tab.send("subscribe", { address, topics: ["a"], history: "all" });
  expect(added.ok).toBe(true);
  const { servers } = await world.store.reader.catalogue();
  expect((await tab.send("ping", { inSight: false })).leading).toBe(false);
  expect(await tab.send("refresh", { serverId: servers[0]?.serverId ?? 0 })).toMatchObject({ ok: true });
});

test("a leader that starts after the last one has ended lets a follower say that changes may have been missed", async () => {
  const world = await World.make();
  const air = world.air.open();
  let hasEnded = false;
  world.startHub({ hubId: "x", channel: { ...air, post: (message) => void (hasEnded || air.post(message)) } });
  const follower = world.openTab(world.startHub({ hubId: "y", locks: NEVER_GRANTED }));
  const missed = (): number => follower.events.filter(({ kind }) => kind === "missed").length;
  await world.time.advance(12_000);
  hasEnded = true;
  expect(missed()).toBe(0);
  const next = world.openTab(world.startHub({ hubId: "z" }));
  await world.time.advance(2_000);
  expect([missed(), (await next.send("ping", { inSight: false })).leading]).toEqual([1, true]);
  await world.time.advance(60_000);
  expect(missed()).toBe(1);
});

describe("a frozen leader", () => {
  test("loses the lead after a silence, and stops its streams when it wakes", async () => {
    const world = await World.make();
    const locks = new FakeLocks().manager;
    let isFrozen = false;
    const open = world.air.open();
    const channel: Channel = { ...open, post: (message) => void (isFrozen || open.post(message)) };
    const frozen = world.startHub({ hubId: "x", locks, channel });
    const tab = world.openTab(frozen);
    await tab.send("subscribe", { address: world.server.address, topics: ["a"], history: "all" });
    const waiting = world.startHub({ hubId: "y", locks });
    const other = world.openTab(waiting);
    await world.time.advance(60_000);
    expect((await other.send("ping", { inSight: false })).leading).toBe(false);
    isFrozen = true;
    await world.time.advance(25_000);
    expect((await other.send("ping", { inSight: false })).leading).toBe(true);
    expect((await tab.send("ping", { inSight: false })).leading).toBe(false);
    expect(world.server.streams.size).toBe(1);
  });
});
