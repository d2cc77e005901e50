// A server that takes no more requests for now is asked by one request after the other, whoever makes them.
import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { every } from "../../src/hub/environment";
import { RequestCount } from "../../src/hub/requests/request-count";
import { Requests } from "../../src/hub/requests/requests";
import { Bans } from "../newer-server";
import { errorAnswer, isFree } from "./fake-server";
import { rationed } from "./ration";
import { VirtualTime } from "./virtual-time";
import { type Tab, World } from "./world";

const TOPICS = Array.from({ length: 300 }, (_, at) => `${"long-name-of-a-topic-".repeat(2)}${at}`);

/** All topics that open streams carry. */
function carried(world: World): Set<string> {
  return new Set([...world.server.streams].flatMap((stream) => stream.topics));
}

/** Counts the server's errors, and notes when it is asked, s, and whether it takes the request. */
function watched(world: World): { errors: Bans; asked: { path: string; atS: number; isTaken: boolean }[] } {
  const errors = new Bans();
  const asked: { path: string; atS: number; isTaken: boolean }[] = [];
  const { fetch } = world.server;
  const noted: typeof fetch = async (url, init) => {
    const answer = await fetch(url, init);
    if (answer.status >= 400) errors.note(world.time.now());
    const { pathname: path } = new URL(url);
    if (!isFree(new URL(url))) asked.push({ path, atS: world.time.now() / 1_000, isTaken: answer.status !== 429 });
    return answer;
  };
  Object.assign(world.server, { fetch: noted });
  return { errors, asked };
}

describe.each([Infinity, 100])(
  "300 topics at a server with ten requests and one a second, and %s new topics",
  (admits) => {
    test("are live within two minutes, if it admits them and streams have room", async () => {
      const world = await World.make();
      if (admits < Infinity) world.server.admits = admits;
      world.server.intercept = rationed(world, { most: 10, refillMs: 1_000 });
      const { errors } = watched(world);
      const { tab } = await world.subscribed(TOPICS);
      await world.time.advance(120_000);
      // Three streams of at most 4,000 characters; the rest is polled. One more topic is admitted each minute.
      expect(carried(world).size).toBeGreaterThanOrEqual(admits < Infinity ? 100 : 257);
      expect(tab.newestStatus?.state).toMatchObject({ kind: "live" });
      expect(errors.worst).toBeLessThan(25);
      await world.time.advance(600_000);
      world.server.publish(TOPICS[0] ?? "", "still here");
      await world.time.advance(1_000);
      expect(await world.feed()).toEqual(["still here"]);
      expect(errors.worst).toBeLessThan(admits < Infinity ? 35 : 25);
    });
  },
);

describe("a server that takes no request for now", () => {
  test("gets one request at a time, ever more rarely, and its state says when the next is due", async () => {
    const world = await World.make();
    const { asked, errors } = watched(world);
    const { tab } = await world.subscribed(TOPICS);
    await world.time.advance(60_000);
    asked.length = 0;
    const fromS = world.time.now() / 1_000;
    world.server.intercept = ({ url }) => (isFree(url) ? undefined : errorAnswer(429, 42901));
    world.server.cut();
    await world.time.advance(600_000);
    expect(tab.newestStatus?.state).toMatchObject({ kind: "waiting", why: { kind: "busy", code: 42901 } });
    const times = asked.map(({ atS }) => atS).filter((atS) => atS > fromS + 5);
    expect(times.length).toBeGreaterThan(8);
    const apart = times.slice(1).map((atS, at) => atS - (times[at] ?? 0));
    expect(Math.min(...apart)).toBeGreaterThanOrEqual(6);
    expect(apart.slice(4).every((s) => s === 60)).toBe(true);
    expect(errors.worst).toBeLessThan(30);
    world.server.intercept = undefined;
    await world.time.advance(90_000);
    expect(carried(world).size).toBe(257);
  });

  test.each([
    ["a poll", (_world: World, tab: Tab) => tab.send("refresh", { serverId: 1 })],
    ["a command", ({ server: { address } }: World, tab: Tab) => tab.send("preview", { address, topics: ["b"] })],
  ])("is never said to be overdue for a try, even if %s was refused last", async (_, ask) => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    await world.time.advance(60_000);
    world.server.intercept = ({ url }) => (isFree(url) ? undefined : errorAnswer(429, 42901));
    world.time.setTimer(() => world.server.cut(), 1_000);
    const overdueMs: number[] = [];
    every(world.time, 1_000, () => {
      const state = tab.newestStatus?.state;
      const dueMs = state?.kind === "waiting" ? state.nextTryAtMs - world.time.now() : 0;
      if (dueMs < 0) overdueMs.push(dueMs);
    });
    await expect(ask(world, tab)).rejects.toThrow("no answer");
    expect(tab.newestStatus?.state.kind).toBe("waiting");
    expect(overdueMs).toEqual([]);
  });

  test("is left alone for as long as it asks for", async () => {
    const world = await World.make();
    const { asked } = watched(world);
    await world.subscribed(["a"]);
    await world.time.advance(60_000);
    let isBusy = true;
    world.server.intercept = ({ url }) => {
      if (!isBusy || isFree(url)) return undefined;
      const answer = errorAnswer(429, 42901);
      answer.headers.set("Retry-After", "150");
      return answer;
    };
    world.server.cut();
    await world.time.advance(5_000);
    isBusy = false;
    const before = asked.length;
    await world.time.advance(140_000);
    expect(asked).toHaveLength(before);
    await world.time.advance(30_000);
    expect(carried(world)).toEqual(new Set(["a"]));
  });

  test.each(["json", "ws"] as const)(
    "is asked at once by a press, and for the rest soon after: by %s",
    async (transport) => {
      const world = await World.make();
      const { tab } = await world.subscribed(["a"]);
      await tab.send("patchServer", { serverId: 1, transport });
      await world.time.advance(60_000);
      world.server.intercept = ({ url }) => {
        if (isFree(url)) return undefined;
        const answer = errorAnswer(429, 42901);
        answer.headers.set("Retry-After", "600");
        return answer;
      };
      world.server.cut();
      await world.time.advance(30_000);
      world.server.publish("a", "missed");
      world.server.intercept = undefined;
      await tab.send("tryNow", { serverId: 1 });
      await world.time.advance(1_000);
      expect(carried(world)).toEqual(new Set(["a"]));
      await world.time.advance(6_000);
      expect(await world.feed()).toEqual(["missed"]);
    },
  );

  test("isn't waited for any longer because a request was given up", async () => {
    const time = new VirtualTime();
    const count = new RequestCount(time);
    count.refused(time.now(), 600_000);
    const aborter = new AbortController();
    let isTurn = false;
    void count.turn().then(() => (isTurn = true));
    void count.turn(aborter.signal);
    await time.advance(599_000);
    aborter.abort();
    await time.advance(1_000);
    expect(isTurn).toBe(true);
  });

  test("isn't asked again at once, even if it refuses a request from before it was busy and took another since", () => {
    const time = new VirtualTime();
    const count = new RequestCount(time);
    const madeAtMs = time.now();
    time.set(1_000);
    count.refused(time.now());
    time.set(1_000);
    count.served(time.now());
    time.set(1_000);
    count.refused(madeAtMs);
    expect(count.nextTurnAtMs - time.now()).toBeGreaterThanOrEqual(6_000);
  });

  test("leaves nothing behind on a request's signal, however often it refuses", async () => {
    const world = await World.make();
    world.server.intercept = () => errorAnswer(429, 42901);
    const requests = new Requests(world.environment(), world.server.address);
    requests.isBounded = true;
    const { signal } = new AbortController();
    void requests.send({ url: `${world.server.address}/a/json`, signal });
    await world.time.advance(3_600_000);
    expect(world.server.requests.length).toBeGreaterThan(50);
    expect(getEventListeners(signal, "abort").length).toBeLessThan(3);
  });

  test("is asked at once for what a user wants", async () => {
    const world = await World.make();
    const { asked } = watched(world);
    const { tab } = await world.subscribed(["a"]);
    await world.time.advance(60_000);
    world.server.intercept = ({ url }) => (/^\/a\//.test(url.pathname) ? errorAnswer(429, 42901) : undefined);
    world.server.cut();
    await world.time.advance(300_000);
    void tab.send("subscribe", { address: world.server.address, topics: ["b"], history: "all" });
    await world.time.advance(100);
    expect(asked.find(({ path }) => path === "/b/auth")).toMatchObject({ isTaken: true });
  });
});
