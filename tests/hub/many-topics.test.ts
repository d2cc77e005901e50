import { describe, expect, test } from "vitest";
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

/** All topics that open streams carry. */
function carried(world: World): Set<string> {
  return new Set([...world.server.streams].flatMap((stream) => stream.topics));
}

describe("topics that don't fit into three streams", () => {
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
  });

  test("are polled in turn, each within four minutes, by fewer requests than the server gives back, and the state says so", async () => {
    const world = await World.make();
    const { server, time } = world;
    const { tab } = await world.subscribed(TOPICS);
    await time.advance(600_000);
    server.intercept = rationed(world, { streams: 30 });
    expect(server.streams.size).toBe(3);
    expect(tab.newestStatus?.state).toMatchObject({ kind: "live", inTurn: { topics: 5_000 - carried(world).size } });
    server.requests.length = 0;
    const some = Array.from({ length: 20 }, (_, at) => TOPICS[500 + ((at * 997) % 4_500)] ?? "");
    const seconds = await lateness(world, tab, some, 47_000);
    expect(seconds.at(-1)).toBeLessThanOrEqual(216);
    // Half an hour in all, of which a server gives back 360 requests.
    await time.advance(860_000);
    expect(server.rationed.length).toBeLessThanOrEqual(360);
  });
});
