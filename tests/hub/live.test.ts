import { describe, expect, test } from "vitest";
import { World } from "./world";

describe("a live stream", () => {
  test("is opened once for all topics, without since, scheduled or filters", async () => {
    const world = await World.make();
    const topics = Array.from({ length: 20 }, (_, index) => `topic${index}`);
    await world.subscribed(topics);
    expect(world.server.streams.size).toBe(1);
    const [stream] = world.server.requests.filter(
      (request) => request.url.pathname.endsWith("/json") && !request.url.searchParams.has("poll"),
    );
    expect(stream?.url.search).toBe("");
    expect(decodeURIComponent(stream?.url.pathname ?? "").split(/[/,]/)).toHaveLength(22);
  });

  test("brings a message to the tabs and into the store, once", async () => {
    const world = await World.make();
    const { hub, tab } = await world.subscribed(["alerts"]);
    const others = [1, 2, 3, 4].map(() => world.openTab(hub));
    world.server.publish("alerts", "hello");
    await world.time.settle();
    for (const each of [tab, ...others]) expect(each.added).toEqual(["hello"]);
    expect(await world.feed()).toEqual(["hello"]);
    expect(world.server.streams.size).toBe(1);
  });

  test("says that it is live, by which transport, and what it knows", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["alerts"]);
    expect(tab.newestStatus).toMatchObject({
      state: { kind: "live", transport: "json" },
      checking: false,
      malformed: 0,
      cacheless: false,
      refusedTopics: [],
    });
    expect(tab.newestStatus?.lastCompleteAtMs).toBe(world.time.now());
  });

  test("skips and counts lines that are no events, and goes on", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["alerts"]);
    world.server.sendRaw("no json at all\n");
    world.server.sendRaw('{"id":"x","event":"message"}\n');
    world.server.sendRaw('{"id":"a","time":1,"event":"message","topic":"elsewhere","message":"not ours"}\n');
    world.server.sendRaw('{"id":"b","time":1,"event":"something_new","topic":"alerts"}\n');
    world.server.publish("alerts", "still here");
    await world.time.settle();
    expect(tab.newestStatus?.malformed).toBe(3);
    expect(await world.feed()).toEqual(["still here"]);
    expect(world.server.streams.size).toBe(1);
  });

  test("overlaps with its successor when a topic is added, and the old one closes", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["one"]);
    world.server.publish("two", "before");
    await tab.send("subscribe", { address: world.server.address, topics: ["two"], history: "all" });
    await world.time.settle();
    expect([...world.server.streams].map((stream) => stream.topics)).toEqual([["one", "two"]]);
    world.server.publish("one", "a");
    world.server.publish("two", "b");
    await world.time.settle();
    expect((await world.feed()).sort()).toEqual(["a", "b", "before"]);
  });

  test("stays below the limit of a URL, by as many streams as that takes", async () => {
    const world = await World.make();
    const topics = Array.from({ length: 200 }, (_, index) => `${"t".repeat(50)}${index}`);
    const { tab } = await world.subscribed(topics);
    expect([...world.server.streams].map(({ format }) => format)).toEqual(["json", "json", "json"]);
    for (const { url } of world.server.requests) expect(url.href.length).toBeLessThanOrEqual(4_000);
    world.server.publish(topics.at(0) ?? "", "first");
    world.server.publish(topics.at(-1) ?? "", "last");
    await world.time.settle();
    expect((await world.feed()).sort()).toEqual(["first", "last"]);
    const asked = [...world.server.streams].flatMap((stream) => stream.topics);
    expect(asked).toHaveLength(200);
    expect(tab.newestStatus?.state).toEqual({
      kind: "live",
      transport: "json",
      sinceMs: expect.any(Number) as number,
    });
  });
});
