import { describe, expect, test } from "vitest";
import { fail, type Credentials } from "../../src/protocol";
import type { Store } from "../../src/store";
import { errorAnswer } from "./fake-server";
import { over, World, type Tab } from "./world";

const ADA: Credentials = { kind: "basic", user: "ada", password: "s3cret" };

const noticesOf = (tab: Tab) => tab.events.filter((event) => event.kind === "notice");

describe("a stop", () => {
  test("is announced once, to a tab that can notify, and again when it happens again", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    await tab.send("setAlerting", { able: true });
    const serverId = tab.newestStatus?.serverId ?? 0;
    world.server.intercept = () => errorAnswer(404, 40401);
    world.server.cut();
    await world.time.advance(60_000);
    expect(noticesOf(tab)).toMatchObject([{ serverId, why: { kind: "no-topic-server" }, topics: ["a"] }]);
    await tab.send("tryNow", { serverId });
    await world.time.advance(60_000);
    expect(noticesOf(tab)).toHaveLength(1);
    world.server.intercept = undefined;
    await tab.send("tryNow", { serverId });
    expect(tab.newestStatus?.state.kind).toBe("live");
    world.server.intercept = () => errorAnswer(404, 40401);
    world.server.cut();
    await world.time.advance(60_000);
    expect(noticesOf(tab)).toHaveLength(2);
  });

  test("of some topics names them", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a", "b", "c"]);
    await tab.send("setAlerting", { able: true });
    world.server.readers.set("b", [ADA]);
    world.server.cut();
    await world.time.advance(60_000);
    expect(noticesOf(tab)).toMatchObject([{ why: { kind: "forbidden", topics: ["b"] }, topics: ["b"] }]);
    world.server.cut();
    await world.time.advance(60_000);
    expect(noticesOf(tab)).toHaveLength(1);
  });

  test("of a topic is told again after it was back, though another stays refused", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a", "b", "c"]);
    await tab.send("setAlerting", { able: true });
    const refuse = async (...topics: string[]): Promise<void> => {
      for (const topic of ["b", "c"]) world.server.readers.delete(topic);
      for (const topic of topics) world.server.readers.set(topic, [ADA]);
      world.server.cut();
      for (let second = 0; second < 200; second += 10) {
        await tab.send("ping", { inSight: true });
        await world.time.advance(10_000);
      }
    };
    await refuse("c");
    await refuse("b", "c");
    await refuse("c");
    expect(tab.newestStatus).toMatchObject({ refusedTopics: ["c"] });
    await refuse("b", "c");
    expect(noticesOf(tab).map(({ topics }) => topics)).toEqual([["c"], ["b"], ["b"]]);
  });

  test("of a topic is looked at again though its sign-in was refused and tried again meanwhile", async () => {
    const world = await World.make();
    world.server.users.push(ADA);
    const { tab } = await world.subscribed(["a", "b"], { credentials: ADA });
    world.server.readers.set("b", []);
    world.server.cut();
    await world.time.advance(60_000);
    expect(tab.newestStatus).toMatchObject({ state: { kind: "live" }, refusedTopics: ["b"] });
    const { serverId = 0 } = tab.newestStatus ?? {};
    world.server.intercept = ({ authorization }) => (authorization ? errorAnswer(401, 40101) : undefined);
    const look = async (seconds: number): Promise<void> => {
      for (let second = 0; second < seconds; second += 10) {
        await tab.send("ping", { inSight: true });
        await world.time.advance(10_000);
      }
    };
    await look(120);
    expect(tab.newestStatus).toMatchObject({ refusedTopics: ["a", "b"] });
    world.server.intercept = undefined;
    await tab.send("tryNow", { serverId });
    await look(60);
    expect(tab.newestStatus).toMatchObject({ refusedTopics: ["b"] });
    world.server.readers.clear();
    await look(180);
    expect(tab.newestStatus).toMatchObject({ refusedTopics: [] });
  });

  test("of one topic that doesn't exist leaves the others live", async () => {
    const world = await World.make();
    const { hub, tab } = await world.subscribed(["a", "b", "c"]);
    await tab.send("setAlerting", { able: true });
    world.server.refuses.set("b", 40401);
    world.server.cut();
    await world.time.advance(60_000);
    expect(tab.newestStatus).toMatchObject({ state: { kind: "live" }, refusedTopics: ["b"] });
    expect(noticesOf(tab)).toMatchObject([{ why: { kind: "http", code: 40401 }, topics: ["b"] }]);
    world.server.publish("a", "seen");
    await world.time.settle();
    expect(await world.feed()).toEqual(["seen"]);
    hub.stop();
    world.server.refuses.clear();
    const later = world.openTab(world.startHub());
    await world.time.advance(10_000);
    expect(later.newestStatus).toMatchObject({ state: { kind: "live" }, refusedTopics: [] });
  });

  test("of all topics, because they don't exist, isn't retried while someone looks", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a", "b", "c"]);
    world.server.intercept = ({ url }) => (/^\/[abc]/.test(url.pathname) ? errorAnswer(404, 40401) : undefined);
    world.server.cut();
    await world.time.advance(60_000);
    expect(tab.newestStatus).toMatchObject({ state: { kind: "stopped", why: { kind: "no-topic-server" } } });
    const { length } = world.server.requests;
    for (let seconds = 0; seconds < 600; seconds += 5) {
      await tab.send("ping", { inSight: true });
      await world.time.advance(5_000);
    }
    expect(world.server.requests).toHaveLength(length);
  });

  test("of some topics that can't be stored on a full disk isn't retried endlessly", async () => {
    const world = await World.make();
    let isFull = false;
    const wrapStore = (store: Store): Store => ({
      ...store,
      patchSubscription: (subId, patch) =>
        isFull ? Promise.resolve(fail({ kind: "quota", text: "" })) : store.patchSubscription(subId, patch),
    });
    await world.subscribed(["a", "b"], {}, { wrapStore });
    await world.time.advance(20_000);
    isFull = true;
    world.server.readers.set("b", [ADA]);
    let asked = 0;
    world.server.intercept = () => {
      // Tries without a wait in between would never let the time of this test go on.
      if (++asked > 100) throw new Error("too many requests");
      return undefined;
    };
    world.server.cut();
    await world.time.advance(60_000);
    expect(asked).toBeLessThan(60);
    isFull = false;
    world.server.intercept = undefined;
    world.server.publish("a", "still here");
    await world.time.advance(120_000);
    expect(await world.feed()).toEqual(["still here"]);
  });

  test("is found even if a connection breaks during the answer about access", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a", "b"]);
    await world.time.advance(20_000);
    world.server.readers.set("b", [ADA]);
    let broken = 0;
    world.server.intercept = ({ url }) => {
      if (broken > 0 || url.pathname !== "/a/json" || url.searchParams.get("since") !== "none") return undefined;
      broken += 1;
      const body = new ReadableStream({ start: (controller) => controller.error(new TypeError("reset")) });
      return Promise.resolve(new Response(body));
    };
    world.server.cut();
    await world.time.advance(60_000);
    expect(broken).toBe(1);
    world.server.publish("a", "still here");
    await world.time.advance(1_000);
    expect(await world.feed()).toEqual(["still here"]);
    expect(tab.newestStatus?.state.kind).toBe("live");
  });
});

test("a server is complete as of the account that is furthest behind", async () => {
  const world = await World.make();
  world.server.users.push(ADA);
  const { tab } = await world.subscribed(["a"]);
  await tab.send("subscribe", { address: world.server.address, topics: ["b"], history: "all", credentials: ADA });
  await world.time.advance(20_000);
  const before = tab.newestStatus?.lastCompleteAtMs;
  expect(before).toBeGreaterThan(0);
  world.server.intercept = ({ url, authorization }) =>
    authorization && url.searchParams.has("poll") ? "network-error" : undefined;
  await world.time.advance(1_200_000);
  expect(tab.newestStatus?.lastCompleteAtMs).toBe(before);
  world.server.intercept = undefined;
  await world.time.advance(400_000);
  expect(tab.newestStatus?.lastCompleteAtMs).toBeGreaterThan(before ?? 0);
});

test("the server's clock decides what is due, not a device's clock that runs ahead", async () => {
  const world = await World.make();
  world.server.skewS = -3_600;
  const { hub, tab } = await world.subscribed(["a"]);
  world.server.publish("a", "in half an hour", { delayS: 1_800 });
  await tab.send("refresh", { serverId: tab.newestStatus?.serverId ?? 0 });
  expect(await world.feed()).toEqual([]);
  hub.stop();
  await world.time.settle();
  world.server.down = true;
  world.openTab(world.startHub());
  await world.time.advance(120_000);
  expect(await world.feed()).toEqual([]);
  world.server.down = false;
  await world.time.advance(120_000);
  expect(await world.feed()).toEqual([]);
  await world.time.advance(1_800_000);
  expect(await world.feed()).toEqual(["in half an hour"]);
});

test("what fell due and could not be stored enters the feed once there is room, even if the server is gone", async () => {
  const world = await World.make();
  let isFull = false;
  const full = Promise.resolve(fail({ kind: "quota" as const, text: "" }));
  const wrapStore = (store: Store): Partial<Store> => ({
    settleDue: (input) => (isFull ? full : store.settleDue(input)),
  });
  const { tab } = await world.subscribed(["a"], {}, { wrapStore: (store) => over(store, wrapStore(store)) });
  await world.time.advance(20_000);
  world.server.publish("a", "later", { delayS: 400 });
  await tab.send("refresh", { serverId: tab.newestStatus?.serverId ?? 0 });
  await world.time.advance(330_000);
  world.server.down = true;
  world.server.freeze();
  isFull = true;
  await world.time.advance(120_000);
  expect(await world.feed()).toEqual([]);
  isFull = false;
  await world.time.advance(61_000);
  expect(await world.feed()).toEqual(["later"]);
});

test("a bug in one write does not stop later ones", async () => {
  const world = await World.make();
  let isBroken = false;
  const wrapStore = (store: Store): Store => ({
    ...store,
    ingest: (batch) => (isBroken ? Promise.reject(new Error("a bug")) : store.ingest(batch)),
  });
  await world.subscribed(["a"], {}, { wrapStore });
  isBroken = true;
  world.server.publish("a", "hit");
  await world.time.settle();
  expect(world.problems).toHaveLength(1);
  isBroken = false;
  world.server.publish("a", "after");
  await world.time.settle();
  expect(await world.feed()).toContain("after");
  await world.time.advance(400_000);
  expect((await world.feed()).sort()).toEqual(["after", "hit"]);
});
