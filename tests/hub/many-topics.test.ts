import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { partition } from "../../src/hub/extra-streams";
import { errorAnswer } from "./fake-server";
import { rationed } from "./ration";
import { World, type Tab } from "./world";

/** Publishes messages and measures how long each takes to be stored, looking twice a second. */
class Lateness {
  readonly #sent = new Map<string, number>();
  readonly #late = new Map<string, number>();
  readonly #world: World;
  readonly #tab: Tab;
  readonly #name: string;

  /** @param name begins the texts of its messages, to tell them from others */
  constructor(world: World, tab: Tab, name = "live") {
    this.#world = world;
    this.#tab = tab;
    this.#name = name;
    this.#lookOn();
  }

  publish(topic: string): void {
    const text = `${this.#name} ${this.#sent.size}`;
    this.#sent.set(text, this.#world.time.now());
    this.#world.server.publish(topic, text);
  }

  /** Waits until all are stored, a quarter of an hour at most; resolves to how long each took, seconds, ascending. */
  async seconds(): Promise<number[]> {
    for (let seconds = 0; this.#late.size < this.#sent.size && seconds < 900; seconds++)
      await this.#world.time.advance(1_000);
    return [...this.#sent.keys()].map((text) => this.#late.get(text) ?? Infinity).sort((a, b) => a - b);
  }

  #lookOn(): void {
    const { time } = this.#world;
    for (const text of this.#tab.added) {
      const atMs = this.#sent.get(text);
      if (atMs !== undefined && !this.#late.has(text)) this.#late.set(text, (time.now() - atMs) / 1_000);
    }
    time.setTimer(() => this.#lookOn(), 500);
  }
}

/** Publishes one message after the other; resolves to how long each took to be stored, seconds, ascending. */
async function lateness(world: World, tab: Tab, topics: readonly string[], everyMs: number): Promise<number[]> {
  const late = new Lateness(world, tab);
  for (const topic of topics) {
    late.publish(topic);
    await world.time.advance(everyMs);
  }
  return late.seconds();
}

const TOPICS = Array.from({ length: 5_000 }, (_, at) => `topic-number-${String(at).padStart(6, "0")}-abcdefg`);
/** The number of these names that fit into a link of at most 16,000 characters. */
const LINK = 556;

/** All topics that open streams carry. */
function carried(world: World): Set<string> {
  return new Set([...world.server.streams].flatMap((stream) => stream.topics));
}

describe("5,000 topics, by nine links, at a server that allows 60 requests, one more in 5 s, and 30 streams", () => {
  test("are all received live two minutes after the last press, by fewer requests than the server gives back", async () => {
    const world = await World.make();
    const { server, time } = world;
    server.intercept = rationed(world, { streams: 30 });
    const tab = world.openTab(world.startHub());
    for (let from = 0; from < TOPICS.length; from += LINK) {
      const topics = TOPICS.slice(from, from + LINK);
      const subscribed = await tab.send("subscribe", { address: server.address, topics, history: "all" });
      expect(subscribed.ok).toBe(true);
    }
    await time.advance(120_000);
    expect(carried(world).size).toBe(5_000);
    expect(server.streams.size).toBeLessThanOrEqual(20);
    await time.advance(60_000);
    expect(tab.newestStatus?.state).not.toHaveProperty("inTurn");
    server.requests.length = 0;
    const some = Array.from({ length: 45 }, (_, at) => TOPICS[(at * 997) % TOPICS.length] ?? "");
    const seconds = await lateness(world, tab, some, 20_000);
    expect(seconds.at(-1)).toBeLessThanOrEqual(1);
    await time.advance(2_700_000);
    expect(server.rationed.length).toBeLessThanOrEqual(720);
  }, 240_000);

  test("get messages promptly even while they have no stream", async () => {
    const world = await World.make();
    const { server } = world;
    server.intercept = rationed(world, { streams: 30 });
    const tab = world.openTab(world.startHub());
    const late = new Lateness(world, tab);
    for (let from = 0; from < TOPICS.length; from += LINK) {
      const topics = TOPICS.slice(from, from + LINK);
      await tab.send("subscribe", { address: server.address, topics, history: "all" });
      for (let at = 0; at < 12; at++) late.publish(topics[(at * 47) % topics.length] ?? "");
    }
    const afterLast = new Lateness(world, tab, "after the last");
    for (let at = 0; at < 45; at++) afterLast.publish(TOPICS[(at * 997) % TOPICS.length] ?? "");
    // Each stream takes one of the requests that the server gives back in 5 s, and five are still to be opened.
    expect((await afterLast.seconds()).at(-1)).toBeLessThanOrEqual(25);
    // While links are followed, their own requests take most of what the server gives back.
    expect((await late.seconds()).at(-1)).toBeLessThanOrEqual(60);
  }, 240_000);

  test("hold up a press no longer than the server takes to give back what press and streams need", async () => {
    const world = await World.make();
    const { server, time } = world;
    server.intercept = rationed(world, { streams: 30 });
    const tab = world.openTab(world.startHub());
    const pressesS: number[] = [];
    for (let from = 0; from < TOPICS.length; from += LINK) {
      const topics = TOPICS.slice(from, from + LINK);
      const pressedAtMs = time.now();
      await tab.send("subscribe", { address: server.address, topics, history: "all" });
      pressesS.push((time.now() - pressedAtMs) / 1_000);
    }
    // A press asks four times whether its topics may be read. A server gives back one request in 5 s, and every other
    // one of them opens a stream.
    expect(Math.max(...pressesS)).toBeLessThanOrEqual(30);
    expect(pressesS.reduce((sum, seconds) => sum + seconds)).toBeLessThanOrEqual(120);
  }, 240_000);

  test("are polled for their history once, though the server refuses one request after the other", async () => {
    const world = await World.make();
    const { server, time } = world;
    server.publish(TOPICS[0] ?? "", "teaches the cursor");
    const ration = rationed(world, { left: 12, streams: 30 });
    /** The first polls that were answered, by their topics. */
    const answered: string[] = [];
    server.intercept = (request) => {
      const answer = ration(request);
      const { pathname, searchParams } = request.url;
      if (!answer && searchParams.get("poll") === "1" && searchParams.get("since") === "all") answered.push(pathname);
      return answer;
    };
    await world.subscribed(TOPICS.slice(0, 1_500));
    await time.advance(600_000);
    const stored = await world.store.subscriptions();
    expect(stored.ok && stored.value.filter(({ joined }) => joined === undefined)).toEqual([]);
    // 1,500 names of 27 characters make eleven lists of at most 4,000.
    expect(new Set(answered).size).toBe(11);
    expect(answered).toHaveLength(11);
  }, 240_000);

  test("with short names are requested in lists that servers accept", async () => {
    const world = await World.make();
    const topics = Array.from({ length: 9_000 }, (_, at) => `0${at.toString(36)}`);
    await world.subscribed(topics);
    await world.time.advance(120_000);
    expect(carried(world).size).toBe(topics.length);
    // docs/server.md: a server refuses a longer list of topics.
    for (const stream of world.server.streams) expect(stream.topics.length).toBeLessThanOrEqual(1_400);
  }, 60_000);

  test("keep the streams that are open when topics are added, and replace one when a topic is removed", async () => {
    const world = await World.make();
    const { server, time } = world;
    const { tab, subIds } = await world.subscribed(TOPICS.slice(0, 1_500));
    await time.advance(120_000);
    const before = new Set(server.streams);
    await tab.send("subscribe", { address: server.address, topics: TOPICS.slice(1_500, 1_600), history: "all" });
    await time.advance(120_000);
    expect(carried(world).size).toBe(1_600);
    expect([...server.streams].filter((stream) => !before.has(stream)).length).toBeLessThanOrEqual(2);
    const added = new Set(server.streams);
    await tab.send("unsubscribe", { subId: subIds[600] ?? 0 });
    await time.advance(120_000);
    expect(carried(world).size).toBe(1_599);
    expect([...server.streams].filter((stream) => !added.has(stream)).length).toBeLessThanOrEqual(2);
  }, 60_000);

  test("bring what a stream missed as soon as it is open again, even if no poll is answered", async () => {
    const world = await World.make();
    const { server, time } = world;
    const { tab } = await world.subscribed(TOPICS.slice(0, 1_500));
    await time.advance(300_000);
    server.intercept = ({ url }) => (url.searchParams.has("poll") ? "hang" : undefined);
    const cut = [...server.streams].find(({ format }) => format === "ws");
    cut?.cut();
    const late = new Lateness(world, tab);
    await time.advance(0);
    expect(carried(world)).not.toContain(cut?.topics[0]);
    late.publish(cut?.topics[0] ?? "");
    expect((await late.seconds()).at(-1)).toBeLessThanOrEqual(1);
  }, 60_000);

  test("are all polled though every WebSocket is cut each 20 s", async () => {
    const world = await World.make();
    const { server, time } = world;
    await world.subscribed(TOPICS.slice(0, 2_500));
    await time.advance(120_000);
    server.requests.length = 0;
    for (let round = 0; round < 45; round++) {
      for (const stream of [...server.streams]) if (stream.format === "ws") stream.cut();
      await time.advance(20_000);
    }
    const polls = server.requests.filter(({ url }) => url.searchParams.has("poll"));
    const polled = new Set(polls.flatMap(({ url }) => url.pathname.split("/")[1]?.split(",") ?? []));
    expect(polled.size).toBe(2_500);
  }, 60_000);

  test("raise no alerts for messages from before they were added, though others in their stream missed more", async () => {
    const world = await World.make();
    const { server, time } = world;
    const [last = "", added = ""] = TOPICS.slice(499, 501);
    const isUnserved = ({ pathname }: URL): boolean => /\/ws$|,.*\/auth$/.test(pathname);
    server.intercept = ({ url }) => (isUnserved(url) ? errorAnswer(503, 50301) : undefined);
    const { tab } = await world.subscribed(TOPICS.slice(0, 500));
    await time.advance(120_000);
    expect(carried(world)).not.toContain(last);
    server.publish(added, "history");
    await time.advance(10_000);
    const isPoll = ({ searchParams }: URL): boolean => searchParams.has("poll");
    server.intercept = ({ url }) => (isUnserved(url) ? errorAnswer(503, 50301) : isPoll(url) ? "hang" : undefined);
    void tab.send("subscribe", { address: server.address, topics: [added], history: "all" });
    await time.advance(2_000);
    server.publish(last, "news");
    server.publish(added, "news of the added one");
    server.intercept = ({ url }) => (isPoll(url) ? "hang" : undefined);
    for (let seconds = 0; !carried(world).has(added) && seconds < 300; seconds++) await time.advance(1_000);
    expect(tab.added.sort()).toEqual(["news", "news of the added one"]);
    server.intercept = undefined;
    await time.advance(300_000);
    const rows = await world.rows("feed");
    expect(rows.find(({ event }) => event.message === "history")?.noAlert).toBe("history");
    expect(rows.find(({ event }) => event.message === "news of the added one")?.noAlert).toBeUndefined();
  }, 60_000);

  test("are polled in turn if no WebSocket gets through, each within three and a half minutes", async () => {
    const world = await World.make();
    const { server, time } = world;
    server.blocksUpgrades = true;
    const { tab } = await world.subscribed(TOPICS);
    await time.advance(600_000);
    server.intercept = rationed(world, { streams: 30 });
    expect(server.streams.size).toBe(3);
    expect(tab.newestStatus?.state).toMatchObject({ kind: "live", inTurn: 5_000 - carried(world).size });
    server.requests.length = 0;
    const some = Array.from({ length: 20 }, (_, at) => TOPICS[500 + ((at * 997) % 4_500)] ?? "");
    const seconds = await lateness(world, tab, some, 47_000);
    expect(seconds.at(-1)).toBeLessThanOrEqual(216);
    await time.advance(2_600_000);
    expect(server.rationed.length).toBeLessThanOrEqual(720);
  }, 240_000);

  test("replace a WebSocket that a poll shows to be dead", async () => {
    const world = await World.make();
    const { server, time } = world;
    const { tab } = await world.subscribed(TOPICS.slice(0, 1_500));
    await time.advance(120_000);
    const dead = [...server.streams].find(({ format }) => format === "ws");
    if (dead) dead.stuck = true;
    await time.advance(500_000);
    // Polls before the check find what is missing, but only the check finds out that the stream is dead.
    const topic = dead?.topics[0] ?? "";
    for (let round = 0; round < 40; round++) {
      server.publish(topic, `missed ${round}`);
      await time.advance(30_000);
    }
    const carriers = [...server.streams].filter((stream) => stream.topics.includes(topic) && !stream.stuck);
    expect(carriers).toHaveLength(1);
    expect(await lateness(world, tab, [topic], 1_000)).toEqual([0.5]);
  }, 60_000);

  test("go on at once after all streams were cut, and after the server was gone for a minute", async () => {
    const world = await World.make();
    const { server, time } = world;
    const { tab } = await world.subscribed(TOPICS.slice(0, 1_500));
    await time.advance(300_000);
    for (const awayMs of [0, 60_000]) {
      server.down = true;
      server.cut();
      await time.advance(awayMs);
      server.down = false;
      await time.advance(120_000);
      expect(carried(world).size).toBe(1_500);
      expect(tab.newestStatus?.state).not.toHaveProperty("inTurn");
    }
  }, 60_000);
});

describe("topics are divided", () => {
  const split = (most: number) => (topics: readonly string[]) => {
    const lists: string[][] = [];
    for (const topic of topics) {
      if (lists.length === 0 || (lists.at(-1)?.length ?? 0) >= most) lists.push([]);
      lists.at(-1)?.push(topic);
    }
    return lists;
  };
  const names = fc.uniqueArray(fc.integer({ min: 0, max: 60 }).map(String));

  test("so that each subscribed topic is in a list, and no other topic", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(names, names), { maxLength: 6 }), fc.integer({ min: 1, max: 9 }), (steps, most) => {
        let lists: readonly (readonly string[])[] = [];
        for (const [wanted, others] of steps) {
          const subscribed = [...new Set([...wanted, ...others])];
          lists = partition(lists, wanted, subscribed, split(most));
          const all = new Set(lists.flat());
          expect(wanted.filter((topic) => !all.has(topic))).toEqual([]);
          expect([...all].filter((topic) => !subscribed.includes(topic))).toEqual([]);
          for (const list of lists) expect(list.length).toBeLessThanOrEqual(most);
        }
      }),
    );
  });

  test("so that new topics change only the last list", () => {
    fc.assert(
      fc.property(names, names, fc.integer({ min: 1, max: 9 }), (old, added, most) => {
        const before = partition([], old, old, split(most));
        const all = [...new Set([...old, ...added])];
        expect(partition(before, all, all, split(most)).slice(0, Math.max(0, before.length - 1))).toEqual(
          before.slice(0, -1),
        );
      }),
    );
  });
});
