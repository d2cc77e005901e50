import { describe, expect, test } from "vitest";
import { TRAFFIC_SPENT, Traffic } from "../newer-server";
import { fail } from "../../src/protocol";
import { must } from "../store/samples";
import { World } from "./world";

const polls = (world: World) => world.server.requests.filter(({ url }) => url.searchParams.get("poll") === "1");

describe("a server that charges for polls", () => {
  test.each([
    ["refuses them", 0],
    ["breaks them off with an error in the body", 3_000],
  ])("and %s is caught up by a stream, without another poll for minutes", async (_, left) => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    await world.time.advance(20_000);
    world.server.down = true;
    world.server.cut();
    for (let at = 0; at < 50; at++) world.server.publish("a", `missed ${at}`);
    world.server.traffic = new Traffic(left, 10, world.time.now());
    world.server.down = false;
    const before = polls(world).length;
    await world.time.advance(120_000);
    expect(await world.feed()).toHaveLength(50);
    expect(tab.newestStatus?.state.kind).toBe("live");
    expect(polls(world).length - before).toBeLessThanOrEqual(2);
    expect(tab.newestStatus?.malformed ?? 0).toBe(0);
  });

  test("shows what the stream brings at once, not only when it ends", async () => {
    const world = await World.make();
    await world.subscribed(["a"]);
    await world.time.advance(20_000);
    world.server.traffic = new Traffic(0, 0, world.time.now());
    world.server.cut();
    for (let at = 0; at < 50; at++) world.server.publish("a", `missed ${at}`);
    await world.time.advance(10_000);
    expect(await world.feed()).toHaveLength(50);
  });

  test("goes on from the newest that the stream replayed, as what came live may not be in the server's cache yet", async () => {
    const world = await World.make();
    await world.subscribed(["a"]);
    await world.time.advance(20_000);
    world.server.traffic = new Traffic(0, 0, world.time.now());
    world.server.down = true;
    world.server.cut();
    const { id } = world.server.publish("a", "missed");
    await world.time.advance(20_000);
    world.server.down = false;
    await world.time.advance(10_000);
    world.server.publish("a", "live");
    const cursor = async () => must(await world.store.cursor([1, 0]))?.id;
    for (let second = 0; second < 60 && !(await cursor()); second++) await world.time.advance(1_000);
    expect(await cursor()).toBe(id);
    expect(await world.feed()).toEqual(["live", "missed"]);
  });

  test("and whose topics need several streams is asked again from before what a dead one of them missed", async () => {
    const world = await World.make();
    const topics = Array.from({ length: 400 }, (_, at) => `topic-number-${String(at).padStart(6, "0")}-abcdefg`);
    const [first = "", last = ""] = [topics[0], topics.at(-1)];
    await world.subscribed(topics);
    await world.time.advance(60_000);
    world.server.traffic = new Traffic(0, 0, world.time.now());
    world.server.down = true;
    world.server.cut();
    world.server.publish(first, "before");
    await world.time.advance(20_000);
    world.server.down = false;
    await world.time.advance(70_000);
    for (const stream of [...world.server.streams]) if (stream.topics[0] === first) world.server.streams.delete(stream);
    const { id } = world.server.publish(first, "missed");
    await world.time.advance(2_000);
    const passing = world.server.publish(last, "received");
    for (let second = 0; second < 100 && !(await world.feed()).includes("missed"); second++) {
      expect([id, passing.id]).not.toContain(must(await world.store.cursor([1, 0]))?.id);
      await world.time.advance(1_000);
    }
    expect(await world.feed()).toContain("missed");
  });

  test("and lets no stream through is waited for, and the state says so", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    await world.time.advance(20_000);
    world.server.traffic = new Traffic(0, 0, world.time.now());
    world.server.publish("a", "missed", {});
    world.server.buffers = new Set(["json", "sse", "ws"]);
    world.server.cut();
    await world.time.advance(300_000);
    expect(tab.newestStatus?.state).toMatchObject({ why: { kind: "busy", code: TRAFFIC_SPENT.code } });
  });
});

describe("a replay that is cut", () => {
  const gaps = async (world: World) => {
    const read = await world.store.gaps([1, 2]);
    return read.ok ? read.value : [];
  };

  test.each([
    ["said by the server", true, 100_000, 1_000],
    ["at the size that is known", false, 10_000_000, 100_000],
  ])("leaves a gap, and isn't taken for a loss: %s", async (_, tells, bytes, size) => {
    const world = await World.make();
    await world.subscribed(["a", "b"]);
    world.server.publish("a", "before");
    world.server.publish("b", "before");
    await world.time.advance(60_000);
    world.server.down = true;
    world.server.cut();
    await world.time.advance(60_000);
    for (let at = 0; at < 150; at++) world.server.publish("a", `${at} ${"x".repeat(size)}`);
    Object.assign(world.server, { replayBytes: bytes, tellsCuts: tells });
    await world.time.advance(60_000);
    world.server.down = false;
    await world.time.advance(1_200_000);
    const found = await gaps(world);
    expect(found).toMatchObject([{ cut: 1 }]);
    expect(found[0]).not.toHaveProperty("forgot");
  });

  test("leaves its gap even if the worker dies while storing it", async () => {
    const world = await World.make();
    const { hub } = await world.subscribed(["a"]);
    world.server.publish("a", "before");
    await world.time.advance(60_000);
    hub.stop();
    // The first poll of a day asks for everything, and moves all cursors at once.
    await world.time.advance(90_000_000);
    for (let at = 0; at < 150; at++) world.server.publish("a", `${at} ${"x".repeat(1_000)}`);
    Object.assign(world.server, { replayBytes: 100_000, tellsCuts: true });
    const { addGap } = world.store;
    const next = world.startHub();
    Object.assign(world.store, {
      addGap: () => {
        next.stop();
        return fail({ kind: "failed", text: "" });
      },
    });
    await world.time.advance(60_000);
    Object.assign(world.store, { addGap });
    world.startHub();
    await world.time.advance(600_000);
    expect(await gaps(world)).toMatchObject([{ cut: 1 }]);
  });

  test("leaves a gap that covers what was accepted late, before the time that was proven", async () => {
    const world = await World.make();
    await world.subscribed(["a"]);
    world.server.publish("a", "before");
    await world.time.advance(60_000);
    world.server.down = true;
    world.server.cut();
    await world.time.advance(60_000);
    const late = world.server.publish("a", "a slow upload", { time: world.server.nowS - 300 });
    for (let at = 0; at < 150; at++) world.server.publish("a", `${at} ${"x".repeat(1_000)}`);
    Object.assign(world.server, { replayBytes: 100_000, tellsCuts: true, down: false });
    await world.time.advance(600_000);
    const [gap] = await gaps(world);
    expect(gap?.from).toBeLessThanOrEqual(late.time);
  });

  test("below that size leaves none", async () => {
    const world = await World.make();
    await world.subscribed(["a"]);
    for (let at = 0; at < 50; at++) world.server.publish("a", `${at} ${"x".repeat(100_000)}`);
    await world.time.advance(60_000);
    world.server.cut();
    await world.time.advance(1_200_000);
    expect(await gaps(world)).toEqual([]);
  });
});
