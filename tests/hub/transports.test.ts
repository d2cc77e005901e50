import { describe, expect, test } from "vitest";
import type { Transport } from "../../src/contract";
import type { Credentials } from "../../src/protocol";
import { htmlAnswer } from "./fake-server";
import { World, type HubOptions, type Tab } from "./world";

const ADA: Credentials = { kind: "basic", user: "ada", password: "s3cret" };
const SECRETS = ["s3cret", "YWRhOnMzY3JldA", "QmFzaWMgWVdSaE9uTXpZM0psZEE5PQ"];

const serverIdOf = (tab: Tab): number => tab.newestStatus?.serverId ?? 0;

/** Starts a device and sets its transport by hand. */
async function receiving(transport: Transport, topics = ["a"], options: HubOptions = {}) {
  const world = await World.make();
  const { hub, tab } = await world.subscribed(topics, {}, options);
  await tab.send("patchServer", { serverId: serverIdOf(tab), transport });
  await world.time.settle();
  return { world, hub, tab };
}

test("if only polls are wanted, the state says how often they come, and when the last one was answered", async () => {
  const { world, tab } = await receiving("poll");
  expect(tab.newestStatus?.state).toMatchObject({ kind: "live", transport: "poll", everyMs: 30_000 });
  for (const _ of [1, 2, 3]) {
    await world.time.advance(30_000);
    expect(world.time.now() - (tab.newestStatus?.lastContactAtMs ?? 0)).toBeLessThan(1_000);
  }
});

describe.each<Transport>(["json", "sse", "ws", "poll"])("by %s", (transport) => {
  test("live and missed messages come once, and the state says by which transport", async () => {
    const { world, tab } = await receiving(transport);
    expect(tab.newestStatus?.state).toMatchObject({ kind: "live", transport });
    world.server.publish("a", "live");
    await world.time.advance(31_000);
    world.server.down = true;
    world.server.cut();
    world.server.publish("a", "meanwhile");
    await world.time.advance(40_000);
    expect(tab.newestStatus?.state.kind).toBe("waiting");
    world.server.down = false;
    await world.time.advance(61_000);
    expect(tab.newestStatus?.state).toMatchObject({ kind: "live", transport });
    expect(tab.added).toEqual(["live", "meanwhile"]);
    expect(await world.feed()).toEqual(["meanwhile", "live"]);
  });

  test("the last contact is no further back than the last check", async () => {
    const { world, tab } = await receiving(transport);
    await world.time.advance(320_000);
    const [status] = await tab.send("status", {});
    expect(status?.lastContactAtMs).toBeGreaterThanOrEqual(status?.lastCompleteAtMs ?? Infinity);
    expect(world.time.now() - (status?.lastCompleteAtMs ?? 0)).toBeLessThan(300_000);
  });

  test("a half-open connection is noticed, and no message is lost", async () => {
    const { world, tab } = await receiving(transport);
    await world.time.advance(100_000);
    world.server.freeze();
    const stuck = [...world.server.streams];
    world.server.publish("a", "unheard");
    await world.time.advance(180_000);
    expect(await world.feed()).toEqual(["unheard"]);
    for (const stream of stuck) expect(world.server.streams.has(stream)).toBe(false);
    expect(tab.newestStatus?.state).toMatchObject({ kind: "live", transport });
  });

  test("credentials give access to the messages and are revealed to nobody", async () => {
    const world = await World.make();
    world.server.users.push(ADA);
    world.server.readers.set("a", [ADA]);
    const { tab } = await world.subscribed(["a"], { credentials: ADA });
    await tab.send("patchServer", { serverId: serverIdOf(tab), transport });
    await world.time.settle();
    expect(tab.newestStatus?.state).toMatchObject({ kind: "live", transport });
    world.server.publish("a", "hush");
    await world.time.advance(31_000);
    expect(await world.feed()).toEqual(["hush"]);
    world.server.down = true;
    world.server.cut();
    await world.time.advance(120_000);
    const seen = JSON.stringify([tab.events, world.problems]);
    for (const secret of SECRETS) expect(seen).not.toContain(secret);
    const streams = world.server.requests.filter(({ url }) => url.pathname.endsWith(`/${transport}`));
    if (transport !== "poll") expect(streams.length).toBeGreaterThan(0);
    for (const { url } of streams) expect(url.searchParams.has("auth")).toBe(transport === "ws");
  });

  test("a topic that became forbidden is left out, and the others go on", async () => {
    const { world, tab } = await receiving(transport, ["a", "b"]);
    world.server.readers.set("b", [ADA]);
    world.server.cut();
    await world.time.advance(60_000);
    expect(tab.newestStatus).toMatchObject({ state: { kind: "live", transport }, refusedTopics: ["b"] });
    world.server.publish("a", "goes on");
    await world.time.advance(31_000);
    expect(await world.feed()).toEqual(["goes on"]);
  });
});

describe("a WebSocket", () => {
  test("that is quiet but works is kept, with a poll now and then", async () => {
    const { world } = await receiving("ws");
    const [stream] = world.server.streams;
    const before = world.server.requests.length;
    await world.time.advance(3_600_000);
    expect([...world.server.streams]).toEqual([stream]);
    // It polls after every 100 s of silence, and reconciles every 5 minutes.
    expect(world.server.requests.length - before).toBeLessThanOrEqual(36 + 12 + 2);
  });

  test("that is quiet is opened anew if the server keeps nothing, as no poll could test it", async () => {
    const { world } = await receiving("ws");
    world.server.retentionS = 0;
    world.server.publish("a", "uncached", { uncached: true });
    await world.time.advance(1_000);
    world.server.publish("a", "told to expire at once");
    const [stream] = world.server.streams;
    await world.time.advance(110_000);
    expect([...world.server.streams]).not.toContain(stream);
    expect(world.server.streams.size).toBe(1);
  });

  test("that sends lines that are no events goes on, and they are counted", async () => {
    const { world, tab } = await receiving("ws");
    for (const bad of ["{", "[]", '{"event":"message"}', `"${"x".repeat(1_100_000)}"`]) world.server.sendRaw(bad);
    world.server.sendRaw('{"id":"n","time":1,"event":"something_new","topic":"a"}');
    world.server.publish("a", "still here");
    await world.time.settle();
    expect(tab.newestStatus?.malformed).toBe(4);
    expect(await world.feed()).toEqual(["still here"]);
  });
});

describe("the choice of the transport", () => {
  const block = (world: World, blocked: readonly Transport[]): void => {
    for (const one of blocked) {
      if (one === "ws") world.server.blocksUpgrades = true;
      else if (one !== "poll") world.server.buffers.add(one);
    }
  };

  test.each<[Transport[], Transport]>([
    [[], "json"],
    [["json"], "sse"],
    [["json", "sse"], "ws"],
    [["json", "sse", "ws"], "poll"],
    [["sse", "ws"], "json"],
  ])("where %s are held back it is %s", async (blocked, transport) => {
    const world = await World.make();
    block(world, blocked);
    const { tab } = await world.subscribed(["a"]);
    await world.time.advance(16_000);
    expect(tab.newestStatus?.state).toMatchObject({ kind: "live", transport });
    world.server.publish("a", "hello");
    await world.time.advance(31_000);
    expect(await world.feed()).toEqual(["hello"]);
  });

  test("remembers what worked over a restart, and tries better ones again while it goes on receiving", async () => {
    const world = await World.make();
    block(world, ["json", "sse"]);
    const { hub, tab } = await world.subscribed(["a"]);
    await world.time.advance(16_000);
    hub.stop();
    const before = world.server.requests.length;
    const next = world.openTab(world.startHub());
    await world.time.settle();
    const streams = world.server.requests.slice(before).filter(({ url }) => !url.searchParams.has("poll"));
    expect(streams.map(({ url }) => url.pathname)).toEqual(["/a/ws"]);

    await world.time.advance(3_602_000);
    expect(next.newestStatus?.state).toMatchObject({ kind: "live", transport: "ws" });
    expect(
      world.server
        .requestsTo("/json")
        .filter(({ url }) => !url.searchParams.has("poll"))
        .slice(1),
    ).toHaveLength(1);
    world.server.publish("a", "during the try");
    await world.time.settle();
    expect(tab.added).toEqual(["during the try"]);
    await world.time.advance(20_000);
    expect(next.newestStatus?.state).toMatchObject({ kind: "live", transport: "ws" });
    world.server.buffers.clear();
    await world.time.advance(3_700_000);
    expect(next.newestStatus?.state).toMatchObject({ kind: "live", transport: "json" });
    expect(world.server.streams.size).toBe(1);
  });

  test("leaves streams that something cuts again and again", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    for (let round = 0; round < 12; round++) {
      await world.time.advance(5_000);
      for (const stream of [...world.server.streams]) if (stream.format !== "ws") stream.cut();
    }
    await world.time.advance(60_000);
    expect(tab.newestStatus?.state).toMatchObject({ kind: "live", transport: "ws" });
  });

  test("stays with streams that a proxy cuts every 20 s, as each is replaced at once", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    for (let round = 0; round < 30; round++) {
      await world.time.advance(20_000);
      world.server.cut();
      await world.time.advance(250);
      expect(tab.newestStatus?.state).toMatchObject({ kind: "live", transport: "json" });
    }
  });

  test("does not blame the transport for an outage", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    for (const outage of [() => "network-error" as const, () => htmlAnswer(502), () => "hang" as const]) {
      world.server.intercept = outage;
      world.server.cut();
      await world.time.advance(300_000);
      world.server.intercept = undefined;
      await world.time.advance(120_000);
      expect(tab.newestStatus?.state.kind).toBe("live");
    }
    await world.time.advance(3_700_000);
    expect(tab.newestStatus?.state).toMatchObject({ kind: "live", transport: "json" });
  });

  test.each([20, 40, 60, 80, 100, 120])(
    "streams are back soon after a server answered nothing for %i s",
    async (seconds) => {
      const world = await World.make();
      const { tab } = await world.subscribed(["a"]);
      world.server.intercept = () => "hang";
      world.server.cut();
      await world.time.advance(seconds * 1_000);
      world.server.intercept = undefined;
      await world.time.advance(90_000);
      expect(tab.newestStatus?.state).toMatchObject({ kind: "live", transport: expect.not.stringMatching("poll") });
    },
  );

  test("where only polls get through, streams are tried less and less often", async () => {
    const world = await World.make();
    block(world, ["json", "sse", "ws"]);
    const { tab } = await world.subscribed(["a"]);
    const tries = () => world.server.requestsTo("/ws").length;
    await world.time.advance(3_600_000);
    expect(tab.newestStatus?.state).toMatchObject({ kind: "live", transport: "poll" });
    expect(tries()).toBeLessThan(10);
  });

  test("where something cuts every stream after 5 s, streams are tried less and less often", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    let streams = 0;
    for (let round = 0; round < 720; round++) {
      await world.time.advance(5_000);
      streams += world.server.streams.size;
      world.server.cut();
    }
    expect(tab.newestStatus?.state).toMatchObject({ kind: "live", transport: "poll" });
    expect(streams).toBeLessThan(100);
  });
});

test("three thousand topics are received by a bounded number of requests, and the state says how many wait their turn", async () => {
  const world = await World.make();
  const topics = Array.from({ length: 3_000 }, (_, index) => `topic-${index}`.padEnd(20, "x"));
  const { tab } = await world.subscribed(topics);
  await world.time.advance(900_000);
  const state = tab.newestStatus?.state;
  expect(state).toMatchObject({ kind: "live", transport: "json" });
  const carried = new Set([...world.server.streams].flatMap((stream) => stream.topics));
  expect(state).toMatchObject({ inTurn: { topics: 3_000 - carried.size } });
  for (const { url } of world.server.requests) expect(url.href.length).toBeLessThanOrEqual(4_000);
  expect(world.server.streams.size).toBe(3);
  const before = world.server.requests.length;
  for (const at of [0, 1_500, 2_999]) world.server.publish(topics[at] ?? "", `to ${at}`);
  await world.time.advance(600_000);
  expect((await world.feed()).sort()).toEqual(["to 0", "to 1500", "to 2999"]);
  // At first twenty requests at once, then ten a minute at most; a server gives back twelve (docs/protocol.md §11).
  expect(world.server.requests.length - before).toBeLessThanOrEqual(120);
});
