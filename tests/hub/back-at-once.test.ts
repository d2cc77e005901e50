import { describe, expect, test } from "vitest";
import type { Credentials } from "../../src/protocol";
import { errorAnswer, htmlAnswer } from "./fake-server";
import { World, type HubOptions, type Tab } from "./world";

/** As a page in sight does, which says so with each ping. */
async function inSight(world: World, tab: Tab): Promise<void> {
  const ping = (): void => {
    void tab.send("ping", { inSight: true });
    world.time.setTimer(ping, 10_000);
  };
  ping();
  await world.time.settle();
  world.server.publish("a", "teaches the retention");
  await world.time.advance(30_000);
}

async function watched(options: HubOptions = {}): Promise<{ world: World; tab: Tab }> {
  const world = await World.make();
  const { tab } = await world.subscribed(["a"], {}, options);
  await inSight(world, tab);
  return { world, tab };
}

/** Milliseconds of world time until a message is stored; at most five minutes. */
async function untilStored(world: World, text: string): Promise<number> {
  const fromMs = world.time.now();
  for (let ms = 0; ms < 300_000; ms += 50) {
    if ((await world.feed()).includes(text)) return world.time.now() - fromMs;
    await world.time.advance(50);
  }
  return Infinity;
}

const CHANCES = [0, 0.25, 0.5, 0.75, 0.999];

describe("a server that was gone, with a page in sight", () => {
  test.each([5, 20, 60, 300].flatMap((seconds) => CHANCES.map((chance) => [seconds, chance])))(
    "for %i s is received again within 2 s (chance %f)",
    async (seconds, chance) => {
      const { world } = await watched({ random: () => chance });
      world.server.down = true;
      world.server.cut();
      await world.time.advance(seconds * 1_000);
      world.server.publish("a", "meanwhile");
      world.server.down = false;
      expect(await untilStored(world, "meanwhile")).toBeLessThanOrEqual(2_000);
    },
  );

  test("costs no stream and no poll for each probe over an hour, and never waits more than 5 s for one", async () => {
    const { world } = await watched();
    world.server.down = true;
    world.server.cut();
    await world.time.advance(60_000);
    world.server.requests.length = 0;
    await world.time.advance(3_600_000);
    const probes = world.server.requestsTo("/v1/health").length;
    expect(probes).toBeGreaterThanOrEqual(720);
    // Two a minute at most: a stream and a poll every minute.
    expect(world.server.requests.length - probes).toBeLessThanOrEqual(240);
  });

  test("is not probed where nobody looks", async () => {
    const world = await World.make();
    await world.subscribed(["a"]);
    world.server.down = true;
    world.server.cut();
    await world.time.advance(600_000);
    expect(world.server.requestsTo("/v1/health")).toEqual([]);
  });

  test("whose place a guest network's page takes is not taken to be back", async () => {
    const { world, tab } = await watched();
    world.server.intercept = () => htmlAnswer(200);
    world.server.cut();
    await world.time.advance(120_000);
    world.server.requests.length = 0;
    await world.time.advance(60_000);
    const others = world.server.requests.filter(({ url }) => !url.pathname.endsWith("/v1/health"));
    expect(others.length).toBeLessThanOrEqual(8);
    expect(tab.newestStatus?.state.kind).toBe("waiting");
  });

  test("that answers probes and nothing else is not asked in a storm", async () => {
    const { world } = await watched();
    world.server.intercept = ({ url }) => (url.pathname.endsWith("/v1/health") ? undefined : "network-error");
    world.server.cut();
    await world.time.advance(60_000);
    world.server.requests.length = 0;
    await world.time.advance(3_600_000);
    const others = world.server.requests.filter(({ url }) => !url.pathname.endsWith("/v1/health"));
    // What a server gives back in an hour (docs/protocol.md §11).
    expect(others.length).toBeLessThanOrEqual(720);
  });

  test("that refuses probes and nothing else is received all the same", async () => {
    const { world, tab } = await watched();
    world.server.intercept = ({ url }) => (url.pathname.endsWith("/v1/health") ? htmlAnswer(404) : undefined);
    await world.time.advance(120_000);
    expect(tab.newestStatus?.state.kind).toBe("live");
    world.server.cut();
    await world.time.advance(1_000);
    expect(tab.newestStatus?.state.kind).toBe("live");
  });
});

describe("a stream that had worked", () => {
  test.each(CHANCES)("is replaced at once, with what was sent meanwhile (chance %f)", async (chance) => {
    const { world } = await watched({ random: () => chance });
    for (let round = 0; round < 20; round++) {
      world.server.cut();
      world.server.publish("a", `in the cut ${round}`);
      expect(await untilStored(world, `in the cut ${round}`)).toBeLessThanOrEqual(300);
      await world.time.advance(20_000);
    }
  });

  test("and is cut every second costs no more than a server gives back", async () => {
    const { world } = await watched();
    world.server.requests.length = 0;
    for (let second = 0; second < 3_600; second++) {
      world.server.cut();
      await world.time.advance(1_000);
    }
    const others = world.server.requests.filter(({ url }) => !url.pathname.endsWith("/v1/health"));
    expect(others.length).toBeLessThanOrEqual(720 + 60);
  }, 60_000);
});

describe("a sleep that no event tells of", () => {
  test.each([5, 20, 600])("of %i s is found by the clock, with the stream half open", async (seconds) => {
    const { world } = await watched();
    world.server.freeze();
    world.server.publish("a", "in the sleep");
    // Timers stand still as well, and go on from where they were.
    world.time.set(seconds * 1_000);
    expect(await untilStored(world, "in the sleep")).toBeLessThanOrEqual(2_000);
  });

  test.each([1, 3, 5])("is made up for where %i connections that the browser kept open are dead", async (dead) => {
    const { world } = await watched();
    world.server.freeze();
    world.server.publish("a", "in the sleep");
    world.server.deadConnections = dead;
    world.time.set(600_000);
    expect(await untilStored(world, "in the sleep")).toBeLessThanOrEqual(2_000);
  });

  test("is made up for within 2 s of the network, where there is none for the first ten seconds", async () => {
    const { world } = await watched();
    world.server.freeze();
    world.server.publish("a", "in the sleep");
    world.server.intercept = () => "hang";
    world.time.set(600_000);
    await world.time.advance(10_000);
    world.server.intercept = undefined;
    expect(await untilStored(world, "in the sleep")).toBeLessThanOrEqual(2_000);
  });

  test("never cuts a stream before another one is open beside it", async () => {
    const { world } = await watched();
    const [old] = world.server.streams;
    world.server.intercept = ({ url }) => (url.searchParams.has("poll") ? undefined : "hang");
    world.time.set(600_000);
    await world.time.advance(1_500);
    expect(world.server.streams.has(old as never)).toBe(true);
    world.server.intercept = undefined;
    await world.time.advance(30_000);
    expect(world.server.streams.size).toBe(1);
    expect(world.server.streams.has(old as never)).toBe(false);
  });

  test("is not seen in timers that are slowed down to save power", async () => {
    const { world } = await watched();
    await world.time.advance(60_000);
    world.server.requests.length = 0;
    for (let round = 0; round < 60; round++) {
      await world.time.sleep(20_000);
      await world.time.advance(1);
    }
    const others = world.server.requests.filter(({ url }) => !url.pathname.endsWith("/v1/health"));
    expect(others.length).toBeLessThanOrEqual(60);
  });
});

describe("connections that died without a word", () => {
  test.each([1, 5])("are found within seconds while somebody looks (%i of them)", async (dead) => {
    const { world } = await watched();
    world.server.freeze();
    world.server.deadConnections = dead;
    world.server.publish("a", "into a dead stream");
    expect(await untilStored(world, "into a dead stream")).toBeLessThanOrEqual(7_000);
  });

  test("a stream that alone is dead is replaced after its next keepalive has not come", async () => {
    const { world } = await watched();
    // The interval between two of them is known.
    await world.time.advance(90_000);
    world.server.freeze();
    world.server.publish("a", "into a dead stream");
    expect(await untilStored(world, "into a dead stream")).toBeLessThanOrEqual(52_000);
  });

  test("a request that writes is never made twice", async () => {
    const { world, tab } = await watched();
    world.server.freeze();
    world.server.deadConnections = 2;
    const publishing = tab.send("publish", { address: world.server.address, topic: "a", message: "once" });
    await world.time.advance(60_000);
    await publishing;
    expect(world.server.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
  });
});

describe("polls in place of a stream", () => {
  test("come every 5 s while somebody looks, and every 30 s otherwise", async () => {
    const { world, tab } = await watched();
    world.server.buffers.add("json").add("sse");
    world.server.blocksUpgrades = true;
    world.server.cut();
    await world.time.advance(60_000);
    expect(tab.newestStatus?.state).toMatchObject({ kind: "live", transport: "poll", everyMs: 5_000 });
    world.server.publish("a", "polled");
    expect(await untilStored(world, "polled")).toBeLessThanOrEqual(5_100);
  });

  test("keep to 30 s after the server said that there were too many", async () => {
    const { world, tab } = await watched();
    world.server.buffers.add("json").add("sse");
    world.server.blocksUpgrades = true;
    world.server.cut();
    await world.time.advance(60_000);
    world.server.intercept = () => errorAnswer(429, 42901);
    await world.time.advance(20_000);
    world.server.intercept = undefined;
    await world.time.advance(60_000);
    expect(tab.newestStatus?.state).toMatchObject({ kind: "live", transport: "poll", everyMs: 30_000 });
  });
});

describe("a topic that was refused", () => {
  const ADA: Credentials = { kind: "basic", user: "ada", password: "s3cret" };

  test("comes back by itself within a minute while somebody looks, with what was sent meanwhile", async () => {
    const { world, tab } = await watched();
    await tab.send("subscribe", { address: world.server.address, topics: ["b", "c"], history: "all" });
    world.server.users.push(ADA);
    world.server.readers.set("b", [ADA]).set("c", [ADA]);
    world.server.cut();
    await world.time.advance(30_000);
    expect(tab.newestStatus?.refusedTopics).toEqual(["b", "c"]);
    world.server.publish("b", "while refused");
    world.server.readers.delete("b");
    expect(await untilStored(world, "while refused")).toBeLessThanOrEqual(60_000);
    expect(tab.newestStatus?.refusedTopics).toEqual(["c"]);
  });

  test("comes back at the next start", async () => {
    const world = await World.make();
    const { hub, tab } = await world.subscribed(["a", "b"]);
    world.server.users.push(ADA);
    world.server.readers.set("b", [ADA]);
    world.server.cut();
    await world.time.advance(30_000);
    expect(tab.newestStatus?.refusedTopics).toEqual(["b"]);
    hub.stop();
    world.server.readers.delete("b");
    const later = world.openTab(world.startHub());
    await world.time.advance(1_000);
    expect(later.newestStatus?.refusedTopics).toEqual([]);
  });

  test("is asked for by a few requests a minute, and its refused credentials never", async () => {
    const { world, tab } = await watched();
    const topics = Array.from({ length: 30 }, (_, index) => `refused-${index}`);
    await tab.send("subscribe", { address: world.server.address, topics, history: "all" });
    world.server.users.push(ADA);
    for (const topic of topics) world.server.readers.set(topic, [ADA]);
    await tab.send("subscribe", { address: world.server.address, topics: ["own"], history: "all", credentials: ADA });
    world.server.users.length = 0;
    world.server.cut();
    await world.time.advance(300_000);
    world.server.requests.length = 0;
    await world.time.advance(3_600_000);
    expect(world.server.requestsTo("/auth").length).toBeLessThanOrEqual(480);
    expect(world.server.requests.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
  });
});

describe("a server that takes no more requests for now", () => {
  /** As of the requests that cost one: so many are left, and one comes back every 5 s (docs/protocol.md §11). */
  function ration(world: World, left: number): void {
    let refilledMs = world.time.now();
    world.server.intercept = ({ url }) => {
      if (url.pathname.endsWith("/v1/health")) return undefined;
      const refill = Math.floor((world.time.now() - refilledMs) / 5_000);
      left = Math.min(60, left + refill);
      refilledMs += refill * 5_000;
      if (left < 1) return errorAnswer(429, 42901);
      left -= 1;
      return undefined;
    };
  }

  test("is waited for while topics are added, and it says until when", async () => {
    const world = await World.make();
    const tab = world.openTab(world.startHub());
    ration(world, 0);
    const subscribed = await tab.send("subscribe", { address: world.server.address, topics: ["a"], history: "all" });
    expect(subscribed.ok).toBe(true);
    const told = tab.events.flatMap((event) => (event.kind === "subscribing" ? [event] : []));
    expect(told[0]).toMatchObject({ address: world.server.address, nextTryAtMs: expect.any(Number) as number });
  });

  test("takes five hundred topics with long names after one press, with their progress", async () => {
    const world = await World.make();
    const tab = world.openTab(world.startHub());
    ration(world, 3);
    const topics = Array.from({ length: 500 }, (_, index) => String(index).padStart(64, "x"));
    const subscribed = await tab.send("subscribe", { address: world.server.address, topics, history: "all" });
    expect(subscribed.ok).toBe(true);
    const told = tab.events.flatMap((event) => (event.kind === "subscribing" ? [`${event.done} of ${event.of}`] : []));
    expect(new Set(told).size).toBeGreaterThan(3);
  });

  test("is not asked again by itself where a message would be published twice", async () => {
    const { world, tab } = await watched();
    ration(world, 0);
    const published = await tab.send("publish", { address: world.server.address, topic: "a", message: "once" });
    expect(published).toMatchObject({ ok: false, error: { kind: "failed", why: { kind: "busy" } } });
    expect(world.server.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
  });
});
