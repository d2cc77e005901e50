import { describe, expect, test } from "vitest";
import type { Hub } from "../../src/hub";
import { ERROR_CODES, fail, type Credentials, type ServerAddress } from "../../src/protocol";
import type { Store } from "../../src/store";
import { must } from "../store/samples";
import { locksThat } from "./fake-locks";
import { errorAnswer, htmlAnswer, isFree } from "./fake-server";
import { rationed } from "./ration";
import { over, World, type HubOptions, type Tab } from "./world";

/** Reports the tab as in sight with each ping, as a real page does. */
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

/** Numbers from 0 to 1, the same ones in each run. */
function chances(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

async function watched(options: HubOptions = {}): Promise<{ world: World; hub: Hub; tab: Tab }> {
  const world = await World.make();
  const { hub, tab } = await world.subscribed(["a"], {}, options);
  await inSight(world, tab);
  return { world, hub, tab };
}

const streamRequests = (world: World): number =>
  world.server.requests.filter(({ url }) => url.pathname === "/a/json" && !url.searchParams.has("poll")).length;

/** Virtual milliseconds until a message is stored; gives up after five minutes. */
async function untilStored(world: World, text: string): Promise<number> {
  const fromMs = world.time.now();
  let readAt: number | undefined;
  for (let ms = 0; ms < 300_000; ms += 50) {
    if (world.writes !== readAt) {
      readAt = world.writes;
      if ((await world.feed()).includes(text)) return world.time.now() - fromMs;
    }
    await world.time.advance(50);
  }
  return Infinity;
}

/** Requests that a server gives back in a quarter of an hour, and how many it allows at once (docs/protocol.md §11). */
const RATION_OF_A_QUARTER = 180;
const RATION_AT_ONCE = 60;

const CHANCES = [0, 0.25, 0.5, 0.75, 0.999];

describe("a server that was gone, with a page in sight", () => {
  test.each([
    [5, 0],
    [5, 0.999],
    [20, 0.5],
    [60, 0],
    [60, 0.999],
    [300, 0.25],
    [300, 0.999],
  ])("for %i s is received again within 2 s (chance %f)", async (seconds, chance) => {
    const { world } = await watched({ random: () => chance });
    world.server.down = true;
    world.server.cut();
    await world.time.advance(seconds * 1_000);
    world.server.publish("a", "meanwhile");
    world.server.down = false;
    expect(await untilStored(world, "meanwhile")).toBeLessThanOrEqual(2_000);
  });

  test("is probed at least every 5 s without a stream or a poll for each probe", async () => {
    const { world } = await watched();
    world.server.down = true;
    world.server.cut();
    await world.time.advance(60_000);
    world.server.requests.length = 0;
    await world.time.advance(1_200_000);
    const probes = world.server.requestsTo("/v1/health").length;
    expect(probes).toBeGreaterThanOrEqual(240);
    expect(probes).toBeLessThanOrEqual(500);
    // A stream and a poll every minute are 40 in this time; twice as many are allowed.
    expect(world.server.rationed.length).toBeLessThanOrEqual(80);
  });

  test("is received again even if it says for ever that it is not well", async () => {
    const { world } = await watched({ random: () => 0.999 });
    world.server.intercept = ({ url }) =>
      url.pathname === "/v1/health" ? Response.json({ healthy: false }, { status: 503 }) : undefined;
    world.server.down = true;
    world.server.cut();
    await world.time.advance(300_000);
    world.server.down = false;
    world.server.publish("a", "meanwhile");
    expect(await untilStored(world, "meanwhile")).toBeLessThanOrEqual(60_000);
  });

  test("that comes and goes every second costs no more than a server gives back", async () => {
    const { world } = await watched();
    world.server.requests.length = 0;
    for (let second = 0; second < 900; second++) {
      world.server.down = second % 2 === 0;
      if (world.server.down) world.server.cut();
      await world.time.advance(1_000);
    }
    const probes = world.server.requestsTo("/v1/health").length;
    expect(probes).toBeLessThanOrEqual(900);
    expect(world.server.rationed.length).toBeLessThanOrEqual(RATION_OF_A_QUARTER + RATION_AT_ONCE);
    world.server.down = false;
    world.server.publish("a", "after all");
    expect(await untilStored(world, "after all")).toBeLessThanOrEqual(60_000);
  });

  test("is received again within 2 s even if the page came into sight before its hub had the lead", async () => {
    const world = await World.make();
    const locks = locksThat((lead) => void world.time.setTimer(lead, 50));
    const hub = world.startHub({ locks, random: () => 0.999 });
    const tab = world.openTab(hub);
    void tab.send("ping", { inSight: true });
    await world.time.advance(1_000);
    await tab.send("subscribe", { address: world.server.address, topics: ["a"], history: "all" });
    await world.time.advance(1_000);
    world.server.down = true;
    world.server.cut();
    await world.time.advance(10_000);
    world.server.publish("a", "meanwhile");
    world.server.down = false;
    expect(await untilStored(world, "meanwhile")).toBeLessThanOrEqual(2_000);
  });

  test("is received again within 2 s even if the leading hub died meanwhile", async () => {
    const world = await World.make();
    const turns: (() => void)[] = [];
    const locks = locksThat((lead) => {
      turns.push(lead);
      if (turns.length === 1) lead();
    });
    const first = world.startHub({ locks, random: () => 0.999 });
    const tab = world.openTab(world.startHub({ locks, random: () => 0.999 }));
    await tab.send("subscribe", { address: world.server.address, topics: ["a"], history: "all" });
    void tab.send("ping", { inSight: true });
    await world.time.advance(5_000);
    world.server.down = true;
    world.server.cut();
    first.stop();
    turns[1]?.();
    await world.time.advance(10_000);
    world.server.publish("a", "meanwhile");
    world.server.down = false;
    expect(await untilStored(world, "meanwhile")).toBeLessThanOrEqual(2_000);
  });

  test("is not probed while no page is in sight", async () => {
    const world = await World.make();
    await world.subscribed(["a"]);
    world.server.down = true;
    world.server.cut();
    await world.time.advance(600_000);
    expect(world.server.requestsTo("/v1/health")).toEqual([]);
  });

  test("does not count as back when a guest network's page answers in its place", async () => {
    const { world, tab } = await watched();
    world.server.intercept = () => htmlAnswer(200);
    world.server.cut();
    await world.time.advance(120_000);
    world.server.requests.length = 0;
    await world.time.advance(60_000);
    const others = world.server.rationed;
    expect(others.length).toBeLessThanOrEqual(8);
    expect(tab.newestStatus?.state.kind).toBe("waiting");
  });

  test("does not count as back when only the probe is answered, by an HTML page", async () => {
    const { world, tab } = await watched();
    world.server.intercept = ({ url }) => (url.pathname.endsWith("/v1/health") ? htmlAnswer(200) : "network-error");
    world.server.cut();
    await world.time.advance(120_000);
    world.server.requests.length = 0;
    await world.time.advance(600_000);
    const others = world.server.rationed;
    // A stream and a poll every minute are 20 in this time; three times as many are allowed.
    expect(others.length).toBeLessThanOrEqual(60);
    expect(tab.newestStatus?.state.kind).toBe("waiting");
  });

  test("that answers nothing but probes gets no storm of requests", async () => {
    const { world } = await watched();
    world.server.intercept = ({ url }) => (url.pathname.endsWith("/v1/health") ? undefined : "network-error");
    world.server.cut();
    await world.time.advance(60_000);
    world.server.requests.length = 0;
    await world.time.advance(900_000);
    const others = world.server.rationed;
    expect(others.length).toBeLessThanOrEqual(RATION_OF_A_QUARTER);
  });

  test("that refuses nothing but probes is received all the same", async () => {
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
    for (let round = 0; round < 10; round++) {
      world.server.cut();
      world.server.publish("a", `in the cut ${round}`);
      expect(await untilStored(world, `in the cut ${round}`)).toBeLessThanOrEqual(300);
      await world.time.advance(20_000);
    }
  });

  test("whose server sends keepalives less often than it used to is replaced only once", async () => {
    const world = await World.make();
    world.server.keepaliveMs = 5_000;
    const { tab } = await world.subscribed(["a"]);
    await inSight(world, tab);
    await world.time.advance(60_000);
    world.server.keepaliveMs = 45_000;
    world.server.cut();
    await world.time.advance(2_000);
    const before = streamRequests(world);
    await world.time.advance(15 * 60_000);
    expect(streamRequests(world) - before).toBeLessThanOrEqual(2);
  });

  test("and is cut every second costs no more requests than a server gives back", async () => {
    const { world } = await watched();
    world.server.requests.length = 0;
    for (let second = 0; second < 900; second++) {
      world.server.cut();
      await world.time.advance(1_000);
    }
    const others = world.server.rationed;
    expect(others.length).toBeLessThanOrEqual(RATION_OF_A_QUARTER + RATION_AT_ONCE);
  });
});

describe("a sleep that no event reveals", () => {
  test.each([5, 20, 600])("of %i s is noticed by the clock while the stream is half open", async (seconds) => {
    const { world } = await watched();
    world.server.freeze();
    world.server.publish("a", "in the sleep");
    // Timers stand still during the sleep as well, and go on from where they were.
    world.time.set(seconds * 1_000);
    expect(await untilStored(world, "in the sleep")).toBeLessThanOrEqual(2_000);
  });

  test.each([1, 3, 5])("is made up for though %i connections that the browser kept open are dead", async (dead) => {
    const { world } = await watched();
    world.server.freeze();
    world.server.publish("a", "in the sleep");
    world.server.deadConnections = dead;
    world.time.set(600_000);
    expect(await untilStored(world, "in the sleep")).toBeLessThanOrEqual(2_000);
  });

  test.each([2, 4, 6])(
    "is made up for though the check is answered and %i connections for other requests are dead",
    async (dead) => {
      const { world } = await watched();
      const { server } = world;
      server.freeze();
      server.publish("a", "in the sleep");
      server.deadConnections = dead;
      server.intercept = ({ url }) => {
        if (!isFree(url)) return undefined;
        // The browser opened a new connection for the check, so it took none of the dead ones.
        server.deadConnections += 1;
        return Response.json({ healthy: true });
      };
      world.time.set(20_000);
      expect(await untilStored(world, "in the sleep")).toBeLessThanOrEqual(3_000);
    },
  );

  test.each([0, 50, 150, 250, 290].flatMap((readMs) => [6, 7, 8].map((dead) => [readMs, dead] as const)))(
    "is made up for though the poll is made %i ms later, as that long the database is read, and %i connections are dead",
    async (readMs, dead) => {
      const world = await World.make();
      let isSlow = false;
      const { tab } = await world.subscribed(
        ["a"],
        {},
        {
          wrapStore: (store) =>
            over(store, {
              subscriptions: async () => {
                if (isSlow) await new Promise<void>((resolve) => world.time.setTimer(resolve, readMs));
                return store.subscriptions();
              },
            }),
        },
      );
      await inSight(world, tab);
      world.server.freeze();
      world.server.publish("a", "in the sleep");
      world.server.deadConnections = dead;
      isSlow = true;
      world.time.set(90_000);
      expect(await untilStored(world, "in the sleep")).toBeLessThanOrEqual(2_500);
    },
  );

  test("is made up for within 2 s once the network is back after ten seconds", async () => {
    const { world } = await watched();
    world.server.freeze();
    world.server.publish("a", "in the sleep");
    world.server.intercept = () => "hang";
    world.time.set(600_000);
    await world.time.advance(10_000);
    world.server.intercept = undefined;
    expect(await untilStored(world, "in the sleep")).toBeLessThanOrEqual(2_000);
  });

  test.each([60, 3_600, 86_400])("is made up for though the clock was set back by %i s meanwhile", async (backS) => {
    const { world } = await watched();
    world.server.freeze();
    world.server.publish("a", "in the sleep");
    // The server's own clock goes on unchanged.
    world.server.skewS += backS;
    world.time.set(-backS * 1_000);
    expect(await untilStored(world, "in the sleep")).toBeLessThanOrEqual(2_000);
    world.server.cut();
    world.server.publish("a", "after the sleep");
    expect(await untilStored(world, "after the sleep")).toBeLessThanOrEqual(2_000);
  });

  test.each([0, 3])(
    "that is shorter than the time between two looks at the clock is made up for once a page is in sight (%i dead connections)",
    async (dead) => {
      const world = await World.make();
      const { tab } = await world.subscribed(["a"]);
      await tab.send("ping", { inSight: true });
      await world.time.advance(3_000);
      // A stop may last longer than a page counts as in sight after its ping, so the worker is back to looking at its
      // clock rarely.
      await world.time.advance(30_000);
      world.server.freeze();
      world.server.publish("a", "in the sleep");
      world.server.deadConnections = dead;
      world.time.set(20_000);
      void tab.send("ping", { inSight: true });
      expect(await untilStored(world, "in the sleep")).toBeLessThanOrEqual(2_000);
    },
  );

  test.each([1, 2, 3])(
    "with %i dead connections is never mistaken for a proxy that holds streams back",
    async (dead) => {
      const { world, tab } = await watched();
      world.server.freeze();
      world.server.deadConnections = dead;
      world.time.set(600_000);
      await world.time.advance(2_000);
      expect(tab.newestStatus?.state).toMatchObject({ kind: "live", transport: "json" });
      await world.time.advance(20_000);
      expect(world.server.requestsTo("/sse")).toEqual([]);
      expect(world.server.streams.size).toBe(1);
    },
  );

  test("that begins during a check is made up for even if the check is answered", async () => {
    const { world } = await watched();
    let answer: (answer: Response) => void = () => undefined;
    const answered = new Promise<Response>((resolve) => (answer = resolve));
    world.server.intercept = ({ url }) => (isFree(url) ? answered : undefined);
    world.server.requests.length = 0;
    while (world.server.free.length === 0) await world.time.advance(100);
    world.server.intercept = undefined;
    world.server.freeze();
    world.server.deadConnections = 5;
    world.server.publish("a", "in the sleep");
    world.time.set(20_000);
    world.server.requests.length = 0;
    while (world.server.requests.length === 0) await world.time.advance(10);
    answer(Response.json({ healthy: true }));
    expect(await untilStored(world, "in the sleep")).toBeLessThanOrEqual(2_000);
  });

  test("never cuts a stream before its replacement is open", async () => {
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

  test("is not suspected when timers are slowed down to save power", async () => {
    const { world } = await watched();
    await world.time.advance(60_000);
    world.server.requests.length = 0;
    for (let round = 0; round < 60; round++) {
      await world.time.sleep(20_000);
      await world.time.advance(1);
    }
    const others = world.server.rationed;
    expect(others.length).toBeLessThanOrEqual(60);
  });
});

test("timers that a battery saver delays by up to a minute lose no message and cause no storm of requests", async () => {
  const { world } = await watched();
  const random = chances(7);
  world.server.requests.length = 0;
  let texts = 0;
  for (const untilMs = world.time.now() + 900_000; world.time.now() < untilMs;) {
    await world.time.sleep(random() * 60_000);
    await world.time.advance(1);
    world.server.publish("a", `late ${texts++}`);
  }
  const others = world.server.requests.filter(({ url }) => !url.pathname.endsWith("/v1/health"));
  expect(others.length).toBeLessThanOrEqual(RATION_OF_A_QUARTER);
  await world.time.advance(2_000);
  const stored = new Set(await world.feed());
  expect(Array.from({ length: texts }, (_, at) => `late ${at}`).filter((text) => !stored.has(text))).toEqual([]);
});

describe("connections that died without notice", () => {
  test.each([1, 5].flatMap((dead) => [0, 5_000, 12_500, 19_900].map((afterMs) => [dead, afterMs] as const)))(
    "are found within 30 s while a page is in sight, the first time as well (%i of them, %i ms later)",
    async (dead, afterMs) => {
      const { world } = await watched();
      await world.time.advance(5_000 + afterMs);
      world.server.freeze();
      world.server.deadConnections = dead;
      world.server.publish("a", "into a dead stream");
      expect(await untilStored(world, "into a dead stream")).toBeLessThanOrEqual(30_000);
    },
  );

  test.each([0, 1, 3, 5])(
    "are found within 2 s of a return that an event tells, though no timer was late (%i kept ones)",
    async (dead) => {
      const { world, tab } = await watched();
      await world.time.advance(30_000);
      world.server.freeze();
      world.server.deadConnections = dead;
      world.server.publish("a", "into a dead stream");
      void tab.send("resume", {});
      expect(await untilStored(world, "into a dead stream")).toBeLessThanOrEqual(2_000);
      world.server.freeze();
      world.server.deadConnections = dead;
      await world.time.advance(10_000);
      void tab.send("setOnline", { online: false });
      await world.time.advance(10);
      world.server.publish("a", "into another one");
      void tab.send("setOnline", { online: true });
      expect(await untilStored(world, "into another one")).toBeLessThanOrEqual(2_000);
    },
  );

  test("are found within 30 s again and again", async () => {
    const { world } = await watched();
    for (let round = 0; round < 20; round++) {
      // The rounds begin at different moments between two checks.
      await world.time.advance(5_000 + ((round * 3_700) % 20_000));
      world.server.freeze();
      world.server.deadConnections = 5;
      world.server.publish("a", `into a dead stream ${round}`);
      const lateMs = await untilStored(world, `into a dead stream ${round}`);
      expect(lateMs, `round ${round}`).toBeLessThanOrEqual(30_000);
    }
  });

  test("are found within 30 s even if only the stream's died, and a proxy's page was once taken for the count", async () => {
    const { world } = await watched();
    world.server.intercept = ({ url }) => (url.pathname === "/v1/stats" ? htmlAnswer(200) : undefined);
    await world.time.advance(60_000);
    world.server.intercept = undefined;
    world.server.cut();
    await world.time.advance(60_000);
    world.server.freeze();
    world.server.publish("a", "into a dead stream");
    expect(await untilStored(world, "into a dead stream")).toBeLessThanOrEqual(30_000);
  });

  test("cost three checks a minute, and no request that the server rations", async () => {
    const { world } = await watched();
    world.server.requests.length = 0;
    await world.time.advance(1_200_000);
    expect(world.server.free.length).toBeLessThanOrEqual(60);
    // A reconciling poll each 5 min.
    expect(world.server.rationed.length).toBeLessThanOrEqual(5);
  });

  test.each([0, 5_000, 12_500, 19_900])(
    "a stream that is dead alone is replaced within 30 s of a message, as the server counts it (%i ms later)",
    async (afterMs) => {
      const { world } = await watched();
      await world.time.advance(90_000 + afterMs);
      const [dead] = world.server.streams;
      world.server.freeze();
      world.server.publish("a", "into a dead stream");
      expect(await untilStored(world, "into a dead stream")).toBeLessThanOrEqual(30_000);
      await world.time.advance(2_000);
      expect(world.server.streams.has(dead as never)).toBe(false);
      world.server.publish("a", "into a new one");
      expect(await untilStored(world, "into a new one")).toBeLessThanOrEqual(50);
    },
  );

  test("a stream that alone is dead, at a server that doesn't count messages, is replaced once a keepalive fails to come", async () => {
    const { world } = await watched();
    world.server.published = undefined;
    // By then the app knows the keepalive interval.
    await world.time.advance(90_000);
    world.server.freeze();
    world.server.publish("a", "into a dead stream");
    expect(await untilStored(world, "into a dead stream")).toBeLessThanOrEqual(52_000);
  });

  test("messages that others publish cost at most a poll each 5 min, and no stream is replaced for them", async () => {
    const { world } = await watched();
    await world.time.advance(10_000);
    const [stream] = world.server.streams;
    world.server.requests.length = 0;
    for (let second = 0; second < 1_200; second += 4) {
      world.server.published = (world.server.published ?? 0) + 1;
      await world.time.advance(4_000);
    }
    expect(world.server.rationed.length).toBeLessThanOrEqual(5 + 4);
    expect(world.server.requests.length).toBeLessThanOrEqual(4 * 20);
    expect([...world.server.streams]).toEqual([stream]);
  });

  test("messages that the stream brings cost no poll", async () => {
    const { world } = await watched();
    await world.time.advance(10_000);
    world.server.requests.length = 0;
    for (let round = 0; round < 10; round++) {
      world.server.publish("a", `brought ${round}`);
      await world.time.advance(29_900);
    }
    // A reconciling poll each 5 min.
    expect(world.server.rationed.length).toBeLessThanOrEqual(2);
  });

  test.each<[string, () => Response | "network-error"]>([
    ["blocked by the browser", () => "network-error"],
    ["answered by a page", () => htmlAnswer(200)],
    ["refused", () => errorAnswer(403, 40301)],
    ["not there", () => errorAnswer(404, 40401)],
    ["rationed", () => errorAnswer(429, ERROR_CODES.tooManyRequests)],
    ["an error of a proxy", () => htmlAnswer(503)],
  ])(
    "are found within 30 s where the count of messages is %s, and nothing else is taken for dead",
    async (_, answer) => {
      const { world } = await watched();
      world.server.intercept = ({ url }) => {
        if (url.pathname !== "/v1/stats") return undefined;
        if (world.server.deadConnections === 0) return answer();
        world.server.deadConnections -= 1;
        return "hang";
      };
      await world.time.advance(60_000);
      const [stream] = world.server.streams;
      world.server.requests.length = 0;
      await world.time.advance(60_000);
      expect(world.server.free.length).toBeLessThanOrEqual(4);
      expect([...world.server.streams]).toEqual([stream]);
      world.server.freeze();
      world.server.deadConnections = 5;
      world.server.publish("a", "into a dead stream");
      expect(await untilStored(world, "into a dead stream")).toBeLessThanOrEqual(30_000);
    },
  );

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
  test("come every 6 s while a page is in sight, and every 30 s otherwise", async () => {
    const { world, tab } = await watched();
    world.server.buffers.add("json").add("sse");
    world.server.blocksUpgrades = true;
    world.server.cut();
    await world.time.advance(60_000);
    expect(tab.newestStatus?.state).toMatchObject({ kind: "live", transport: "poll", everyMs: 6_000 });
    world.server.publish("a", "polled");
    expect(await untilStored(world, "polled")).toBeLessThanOrEqual(6_100);
  });

  test("keep to 30 s after the server said that there were too many requests", async () => {
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

  /** Refuses some topics, and waits until that was noticed. */
  async function refuse(world: World, tab: Tab, topics: readonly string[]): Promise<void> {
    world.server.users.push(ADA);
    for (const topic of topics) world.server.readers.set(topic, [ADA]);
    world.server.cut();
    await world.time.advance(3_000);
    expect(tab.newestStatus?.refusedTopics).toEqual(topics);
  }

  test("comes back by itself, each in turn once a minute, while a page is in sight, with what was sent meanwhile", async () => {
    const { world, tab } = await watched();
    await tab.send("subscribe", { address: world.server.address, topics: ["b", "c"], history: "all" });
    await refuse(world, tab, ["b", "c"]);
    await world.time.advance(600_000);
    world.server.publish("b", "while refused");
    await world.time.advance(30_000);
    world.server.readers.delete("b");
    expect(await untilStored(world, "while refused")).toBeLessThanOrEqual(121_000);
    expect(tab.newestStatus?.refusedTopics).toEqual(["c"]);
  });

  const EIGHT = Array.from({ length: 8 }, (_, at) => `refused-${at}`);

  /** Virtual milliseconds until a topic is no longer refused; gives up after five minutes. */
  async function untilBack(world: World, tab: Tab, topic: string): Promise<number> {
    const fromMs = world.time.now();
    while (tab.newestStatus?.refusedTopics.includes(topic)) {
      if (world.time.now() - fromMs > 900_000) return Infinity;
      await world.time.advance(100);
    }
    return world.time.now() - fromMs;
  }

  test.each(["refused-0", "refused-3", "refused-7"])(
    "comes back within ten minutes though it alone of eight is allowed again and no message is published (%s)",
    async (topic) => {
      const { world, tab } = await watched();
      await tab.send("subscribe", { address: world.server.address, topics: EIGHT, history: "all" });
      await refuse(world, tab, EIGHT);
      await world.time.advance(600_000);
      for (let round = 0; round < 3; round++) {
        world.server.readers.delete(topic);
        expect(await untilBack(world, tab, topic)).toBeLessThanOrEqual(600_000);
        world.server.readers.set(topic, [ADA]);
        world.server.cut();
        await world.time.advance(70_000 + round * 3_700);
        expect(tab.newestStatus?.refusedTopics).toEqual(expect.arrayContaining(EIGHT));
      }
    },
  );

  test("brings the others back with it, if they are allowed again too", async () => {
    const { world, tab } = await watched();
    await tab.send("subscribe", { address: world.server.address, topics: EIGHT, history: "all" });
    await refuse(world, tab, EIGHT);
    await world.time.advance(600_000);
    for (const topic of EIGHT) world.server.readers.delete(topic);
    for (const topic of EIGHT) expect(await untilBack(world, tab, topic)).toBeLessThanOrEqual(60_100);
  });

  test.each<[string, (world: World, second: number) => void]>([
    ["streams are cut every second", ({ server }) => server.cut()],
    [
      "the server comes and goes every second",
      ({ server }, second) => {
        server.down = second % 2 === 0;
        if (server.down) server.cut();
      },
    ],
    [
      "others publish every second",
      ({ server }) => {
        server.published = (server.published ?? 0) + 1;
      },
    ],
  ])(
    "costs at most thirteen requests in a quarter of an hour beyond what a server gives back, though %s",
    async (_, happens) => {
      const { world, tab } = await watched();
      await tab.send("subscribe", { address: world.server.address, topics: EIGHT, history: "all" });
      await refuse(world, tab, EIGHT);
      world.server.requests.length = 0;
      for (let second = 0; second < 900; second++) {
        happens(world, second);
        await world.time.advance(1_000);
      }
      expect(world.server.rationed.length).toBeLessThanOrEqual(RATION_OF_A_QUARTER + RATION_AT_ONCE + 13);
    },
  );

  /** A page in sight with topics of a user of their own, of which the first may not be read any more. */
  async function withOwn(topics: string[], wrapStore: (store: Store) => Store = (store) => store) {
    const { world, tab } = await watched({ wrapStore });
    world.server.users.push(ADA);
    const input = { address: world.server.address, topics, history: "all", credentials: ADA } as const;
    const subscribed = must(await tab.send("subscribe", input));
    world.server.readers.set(topics[0] ?? "", []);
    world.server.cut();
    await world.time.advance(3_000);
    expect(tab.newestStatus?.refusedTopics).toEqual(topics.slice(0, 1));
    return { world, tab, subIds: subscribed.subIds };
  }

  test("whose credentials turn out wrong is asked for once with them", async () => {
    const { world, tab } = await watched();
    world.server.users.push(ADA);
    await tab.send("subscribe", { address: world.server.address, topics: ["own"], history: "all", credentials: ADA });
    world.server.readers.set("own", []);
    world.server.cut();
    await world.time.advance(3_000);
    expect(tab.newestStatus?.refusedTopics).toEqual(["own"]);
    world.server.users.length = 0;
    world.server.requests.length = 0;
    await world.time.advance(600_000);
    expect(world.server.requests.filter(({ authorization }) => authorization !== undefined)).toHaveLength(1);
  });

  test("whose credentials turn out wrong stops the others of its account, and the user is told", async () => {
    const { world, tab, subIds } = await withOwn(["own", "live"]);
    await tab.send("setAlerting", { able: true });
    world.server.users.length = 0;
    await world.time.advance(60_000);
    expect(tab.newestStatus?.refusedTopics).toEqual(["own", "live"]);
    const told = tab.events.flatMap((event) => (event.kind === "notice" ? [event] : []));
    expect(told.at(-1)).toMatchObject({ why: { kind: "unauthorized" }, topics: ["live"] });
    const { subscriptions } = await world.store.reader.catalogue();
    expect(subscriptions.filter(({ subId }) => subIds.includes(subId)).map(({ joined }) => joined)).toEqual([0, 0]);
  });

  test("whose credentials turn out wrong is asked for once with them, even if that can't be stored", async () => {
    const { world } = await withOwn(["own"], (store) =>
      over(store, { patchAccount: () => Promise.resolve(fail({ kind: "quota", text: "" })) }),
    );
    world.server.users.length = 0;
    world.server.requests.length = 0;
    await world.time.advance(600_000);
    const asked = world.server.requestsTo("/own/json");
    expect(asked.filter(({ authorization }) => authorization !== undefined)).toHaveLength(1);
  });

  test.each([
    ["the page comes back", (tab: Tab) => tab.send("resume", {})],
    ["the user asks", (tab: Tab) => tab.send("tryNow", { serverId: tab.newestStatus?.serverId ?? 0 })],
  ] as const)("comes back within 2 s when %s", async (_, happens) => {
    const { world, tab } = await watched();
    await refuse(world, tab, ["a"]);
    await world.time.advance(600_000);
    world.server.publish("a", "while refused");
    world.server.readers.delete("a");
    void happens(tab);
    expect(await untilStored(world, "while refused")).toBeLessThanOrEqual(2_000);
  });

  test("is asked for more rarely once the server said that there were too many requests", async () => {
    const { world, tab } = await watched();
    await refuse(world, tab, ["a"]);
    world.server.intercept = ({ url }) => (isFree(url) ? undefined : errorAnswer(429, ERROR_CODES.tooManyRequests));
    world.server.requests.length = 0;
    await world.time.advance(600_000);
    expect(world.server.rationed.length).toBeLessThanOrEqual(30);
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

  test("is asked for by a few requests a minute, and never with refused credentials", async () => {
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
    for (let second = 0; second < 1_200; second += 10) {
      world.server.published = (world.server.published ?? 0) + 1;
      await world.time.advance(10_000);
    }
    // No more errors than servers bear, though a message is published each 10 s.
    expect(
      world.server.rationed.filter(({ url }) => url.searchParams.get("since") === "none").length,
    ).toBeLessThanOrEqual(2 * 30 + 30);
    expect(world.server.requests.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
  });
});

describe("a server that takes no more requests for now", () => {
  test("is waited for while topics are added, and the state says until when", async () => {
    const world = await World.make();
    const tab = world.openTab(world.startHub());
    world.server.intercept = rationed(world, { left: 0 });
    const subscribed = await tab.send("subscribe", { address: world.server.address, topics: ["a"], history: "all" });
    expect(subscribed.ok).toBe(true);
    const told = tab.events.flatMap((event) => (event.kind === "subscribing" ? [event] : []));
    expect(told[0]).toMatchObject({ address: world.server.address, nextTryAtMs: expect.any(Number) as number });
  });

  test("takes five hundred topics with long names after one press, with their progress", async () => {
    const world = await World.make();
    const tab = world.openTab(world.startHub());
    world.server.intercept = rationed(world, { left: 3 });
    const topics = Array.from({ length: 500 }, (_, index) => String(index).padStart(64, "x"));
    const subscribed = await tab.send("subscribe", { address: world.server.address, topics, history: "all" });
    expect(subscribed.ok).toBe(true);
    const told = tab.events.flatMap((event) => (event.kind === "subscribing" ? [`${event.done} of ${event.of}`] : []));
    expect(new Set(told).size).toBeGreaterThan(3);
  });

  test("is not asked again automatically if a message would be published twice", async () => {
    const { world, tab } = await watched();
    world.server.intercept = rationed(world, { left: 0 });
    const published = await tab.send("publish", { address: world.server.address, topic: "a", message: "once" });
    expect(published).toMatchObject({ ok: false, error: { kind: "failed", why: { kind: "busy" } } });
    expect(world.server.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
  });
});

describe("several servers, one of them always away", () => {
  test("the others are as quick as ever, and the one away costs no more than it would alone", async () => {
    const { world, tab } = await watched();
    await tab.send("subscribe", { address: "https://away.example" as ServerAddress, topics: ["z"], history: "all" });
    world.server.intercept = ({ url }) => (url.host === "away.example" ? "network-error" : undefined);
    for (const stream of [...world.server.streams]) if (stream.topics.includes("z")) stream.cut();
    await world.time.advance(600_000);
    world.server.requests.length = 0;
    for (let minute = 0; minute < 15; minute++) {
      for (const stream of [...world.server.streams]) stream.cut();
      world.server.publish("a", `in minute ${minute}`);
      expect(await untilStored(world, `in minute ${minute}`)).toBeLessThanOrEqual(300);
      await world.time.advance(60_000);
    }
    const away = world.server.requests.filter(({ url }) => url.host === "away.example");
    const others = away.filter(({ url }) => !url.pathname.endsWith("/v1/health"));
    expect(others.length).toBeLessThanOrEqual(60);
  });
});

describe("many topics at a server that allows 30 streams,", () => {
  /**
   * Lets the server refuse all but `left` streams, as if other devices held the rest. Polls count as streams while they
   * run.
   */
  function leave(world: World, left: number): void {
    const { server } = world;
    server.intercept = ({ url }) => {
      const isCounted = /\/(json|sse|ws)$/.test(url.pathname);
      return isCounted && server.streams.size >= left ? errorAnswer(429, ERROR_CODES.tooManyStreams) : undefined;
    };
  }

  // Topics without a stream are polled. One request in 6 s takes the lists of topics in turn, so `withinMs` is one
  // whole round.
  test.each([
    { topics: 1_000, length: 17, left: 4, withinMs: 31_000 },
    { topics: 1_000, length: 64, left: 30, withinMs: 155_000 },
    { topics: 1_000, length: 64, left: 1, withinMs: 155_000 },
  ])(
    "$topics of $length characters, of which other devices leave $left: all are received within $withinMs ms, by what the server gives back",
    async ({ topics: count, length, left, withinMs }) => {
      const { world, tab } = await watched();
      const { server } = world;
      leave(world, left);
      const topics = Array.from({ length: count }, (_, at) => `topic-number-${at}`.padEnd(length, "x"));
      const subscribed = await tab.send("subscribe", { address: server.address, topics, history: "all" });
      expect(subscribed.ok).toBe(true);
      await world.time.advance(240_000);
      expect(server.streams.size).toBeLessThanOrEqual(left);
      expect(tab.newestStatus?.state.kind).toBe("live");
      for (const at of [0, count / 2, count - 1]) {
        server.publish(topics[at] ?? "", `to ${at}`);
        expect(await untilStored(world, `to ${at}`)).toBeLessThanOrEqual(withinMs);
      }
      server.requests.length = 0;
      await world.time.advance(900_000);
      expect(server.rationed.length).toBeLessThanOrEqual(RATION_OF_A_QUARTER);
    },
  );

  test.each(["json", "sse"] as const)(
    "take by %s the streams that others give back, within half an hour",
    async (by) => {
      const { world, tab } = await watched();
      const { server } = world;
      leave(world, 1);
      if (by === "sse") server.buffers.add("json");
      const topics = Array.from({ length: 1_000 }, (_, at) => `topic-number-${at}`);
      await tab.send("subscribe", { address: server.address, topics, history: "all" });
      await world.time.advance(240_000);
      expect(tab.newestStatus?.state).toMatchObject({ kind: "live", transport: "poll", inTurn: { topics: 1_001 } });
      leave(world, 30);
      for (const stream of [...server.streams]) stream.cut();
      for (let minute = 0; server.streams.size < 3 && minute < 30; minute++) await world.time.advance(60_000);
      expect(server.streams.size).toBe(3);
      expect(tab.newestStatus?.state).toMatchObject({ kind: "live", transport: by });
    },
  );

  test("cost no more requests than the server gives back if no stream is left, and the state says why", async () => {
    const { world, tab } = await watched();
    const topics = Array.from({ length: 1_000 }, (_, at) => `topic-number-${at}`);
    await tab.send("subscribe", { address: world.server.address, topics, history: "all" });
    leave(world, 0);
    world.server.cut();
    await world.time.advance(240_000);
    expect(tab.newestStatus?.state).toMatchObject({ kind: "waiting", why: { kind: "busy" } });
    world.server.requests.length = 0;
    await world.time.advance(900_000);
    expect(world.server.rationed.length).toBeLessThanOrEqual(RATION_OF_A_QUARTER);
  });

  test("wait for a stream where one would carry them all", async () => {
    const { world, tab } = await watched();
    leave(world, 0);
    world.server.cut();
    await world.time.advance(10_000);
    expect(tab.newestStatus?.state).toMatchObject({ kind: "waiting", why: { kind: "busy" } });
    leave(world, 1);
    await world.time.advance(60_000);
    expect(tab.newestStatus?.state).toMatchObject({ kind: "live", transport: "json" });
  });
});
