import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { World } from "./world";
import { runs } from "../long";

const TOPICS = Array.from({ length: 120 }, (_, at) => `topic${at}`);

/** All topics that open streams carry. */
function carried(world: World): Set<string> {
  return new Set([...world.server.streams].flatMap((stream) => stream.topics));
}

/** Counts the answers that refuse something. */
function countRefusals(world: World): () => number {
  let refusals = 0;
  const { fetch } = world.server;
  Object.assign(world.server, {
    fetch: async (url: string, init?: RequestInit) => {
      const answer = await fetch(url, init);
      if (answer.status >= 400 && answer.status < 500) refusals += 1;
      return answer;
    },
  });
  return () => refusals;
}

describe.each([false, true])(
  "a server that admits 100 new topics and then one a minute (lists whole: %s)",
  (isWhole) => {
    async function limited(): Promise<World> {
      const world = await World.make();
      world.server.admits = 100;
      world.server.admitsListsWhole = isWhole;
      return world;
    }

    test("has 100 of 120 topics live within seconds, and each of the others a minute later than the one before", async () => {
      const world = await limited();
      const refusals = countRefusals(world);
      const { tab } = await world.subscribed(TOPICS);
      await world.time.advance(5_000);
      expect(carried(world).size).toBe(100);
      expect(tab.newestStatus).toMatchObject({ state: { kind: "live" }, refusedTopics: [] });
      expect(tab.newestStatus?.waitingTopics).toHaveLength(20);
      const topic = tab.newestStatus?.waitingTopics[0];
      const { subscriptions } = await world.store.reader.catalogue();
      const { subId = 0, serverId = 0 } = subscriptions.find((one) => one.topic === topic) ?? {};
      expect(await tab.send("refresh", { serverId, subId }), "a refresh says why it can't").toEqual({
        ok: false,
        error: { kind: "failed", why: { kind: "busy", code: 42911 } },
      });
      await world.time.advance(600_000);
      expect(carried(world).size).toBeGreaterThanOrEqual(105);
      expect(refusals()).toBeLessThan(50);
      await world.time.advance(1_200_000);
      expect(carried(world).size).toBe(120);
      expect(tab.newestStatus?.waitingTopics).toEqual([]);
    });

    test("has as many live if they are asked for only from now on", async () => {
      const world = await limited();
      const { tab } = await world.subscribed(TOPICS, { history: "now" });
      await world.time.advance(5_000);
      expect(carried(world).size).toBe(100);
      expect(tab.newestStatus?.waitingTopics).toHaveLength(20);
    });

    test("has those live after a restart that exist or fit, and misses nothing of the others", async () => {
      const world = await World.make();
      world.server.admitsListsWhole = isWhole;
      const topics = TOPICS.slice(0, 60);
      const { tab } = await world.subscribed(topics);
      await world.time.advance(20_000);
      world.server.admits = 3;
      for (const at of [0, 1, 2, 50, 51, 52, 53, 54, 55]) world.server.existing.add(TOPICS[at] ?? "");
      world.server.cut();
      await world.time.advance(10_000);
      expect([...carried(world)]).toEqual(expect.arrayContaining(["topic0", "topic1", "topic2", "topic3", "topic5"]));
      world.server.publish("topic0", "at once");
      world.server.publish("topic6", "while it waits");
      await world.time.advance(1_000);
      expect(await world.feed()).toEqual(["at once"]);
      await world.time.advance(3_600_000);
      expect(carried(world).size).toBe(60);
      expect((await world.feed()).sort()).toEqual(["at once", "while it waits"]);
      expect(tab.newestStatus?.state.kind).toBe("live");
    });

    test("has those with messages live at once after a restart, wherever they are in the list", async () => {
      const world = await World.make();
      world.server.admitsListsWhole = isWhole;
      await world.subscribed(TOPICS);
      const known = [7, 41, 42, 99, 118].map((at) => TOPICS[at] ?? "");
      for (const topic of known) world.server.publish(topic, "before");
      await world.time.advance(20_000);
      world.server.admits = 0;
      for (const topic of known) world.server.existing.add(topic);
      world.server.cut();
      await world.time.advance(10_000);
      expect([...carried(world)].sort()).toEqual(known.sort());
    });

    test("with nothing left says that all of them wait", async () => {
      const world = await limited();
      world.server.admits = 0;
      const { tab } = await world.subscribed(["a", "b"]);
      await world.time.advance(5_000);
      expect(tab.newestStatus).toMatchObject({
        state: { kind: "waiting", why: { code: 42911 } },
        waitingTopics: ["a", "b"],
      });
      await world.time.advance(180_000);
      expect(tab.newestStatus).toMatchObject({ state: { kind: "live" }, waitingTopics: [] });
    });
  },
);

test.each([40009, 40010, 40099, 40301, 40399, 41399, 42211])(
  "one of three topics that is refused with %i leaves the others live",
  async (code) => {
    const world = await World.make();
    world.server.refuses.set("b", code);
    const { tab } = await world.subscribed(["a", "c"]);
    // The dialog refuses it; an import or a change on the server doesn't.
    world.server.refuses.clear();
    await tab.send("subscribe", { address: world.server.address, topics: ["b"], history: "all" });
    world.server.refuses.set("b", code);
    world.server.cut();
    await world.time.advance(60_000);
    world.server.publish("a", "still here");
    await world.time.advance(1_000);
    expect(await world.feed()).toEqual(["still here"]);
    expect(tab.newestStatus).toMatchObject({ state: { kind: "live" }, refusedTopics: ["b"] });
  },
);

test("of any topics those that may be read are live, the refused ones are named, and the others wait", async () => {
  const fate = fc.constantFrom("allowed", "allowed", "allowed", "refused", "new");
  await fc.assert(
    fc.asyncProperty(
      fc.array(fate, { minLength: 1, maxLength: 40 }),
      fc.constantFrom(40009, 40010, 40301),
      async (fates, code) => {
        const world = await World.make();
        const topics = fates.map((_, at) => `t${at}`);
        const named = (wanted: string): string[] => topics.filter((_, at) => fates[at] === wanted);
        const { tab } = await world.subscribed(topics);
        await world.time.advance(15_000);
        const refusals = countRefusals(world);
        world.server.admits = 0;
        for (const topic of [...named("allowed"), ...named("refused")]) world.server.existing.add(topic);
        for (const topic of named("refused")) world.server.refuses.set(topic, code);
        world.server.cut();
        let tenMinutes = 0;
        for (let round = 0; round < 12; round++) {
          const before = refusals();
          await world.time.advance(600_000);
          tenMinutes = Math.max(tenMinutes, refusals() - before);
        }
        expect(tenMinutes).toBeLessThan(50);
        expect([...carried(world)].sort()).toEqual([...named("allowed"), ...named("new")].sort());
        expect([...(tab.newestStatus?.refusedTopics ?? [])].sort()).toEqual(named("refused").sort());
        expect(tab.newestStatus?.waitingTopics).toEqual([]);
      },
    ),
    { numRuns: runs(15) },
  );
});

test("a refresh of a topic that isn't admitted yet says so though another is refused", async () => {
  const world = await World.make();
  world.server.admits = 3;
  const { tab } = await world.subscribed(["a", "b", "c", "d", "e"]);
  await world.time.advance(5_000);
  const waiting = tab.newestStatus?.waitingTopics ?? [];
  const { subscriptions } = await world.store.reader.catalogue();
  const refused = subscriptions.find(({ topic }) => !waiting.includes(topic));
  const { subId = 0, serverId = 0 } = subscriptions.find(({ topic }) => topic === waiting.at(-1)) ?? {};
  await world.store.patchSubscription(refused?.subId ?? 0, { refusedCode: 40301 });
  await tab.send("patchServer", { serverId, name: "x" });
  expect(tab.newestStatus?.refusedTopics).toEqual([refused?.topic]);
  expect(await tab.send("refresh", { serverId, subId })).toMatchObject({ error: { why: { kind: "busy" } } });
});
