import { expect, test } from "vitest";
import { ERROR_CODES } from "../../src/protocol";
import { errorAnswer, type Intercept } from "./fake-server";
import { World, type Tab } from "./world";

/** As a server counts by default (docs/protocol.md §11): 60 requests at once and one more in 5 s, and so many streams. */
function limited(world: World, streams: number): Intercept {
  let left = 60;
  let refilledMs = world.time.now();
  return ({ url }) => {
    if (url.pathname.endsWith("/v1/health")) return undefined;
    const refill = Math.floor((world.time.now() - refilledMs) / 5_000);
    left = Math.min(60, left + refill);
    refilledMs += refill * 5_000;
    if (left < 1) return errorAnswer(429, 42901);
    left -= 1;
    const isCounted = /\/(json|sse|ws)$/.test(url.pathname);
    return isCounted && world.server.streams.size >= streams
      ? errorAnswer(429, ERROR_CODES.tooManyStreams)
      : undefined;
  };
}

/** Publishes one message after the other, and resolves to how long each took to be stored, seconds, in order. */
async function lateness(world: World, tab: Tab, topics: readonly string[], everyMs: number): Promise<number[]> {
  const sent = new Map<string, number>();
  const late = new Map<string, number>();
  const look = (): void => {
    for (const text of tab.added) {
      const atMs = sent.get(text);
      if (atMs !== undefined && !late.has(text)) late.set(text, (world.time.now() - atMs) / 1_000);
    }
  };
  for (const topic of topics) {
    const text = `live ${sent.size}`;
    sent.set(text, world.time.now());
    world.server.publish(topic, text);
    for (let ms = 0; ms < everyMs; ms += 500) {
      await world.time.advance(500);
      look();
    }
  }
  for (let seconds = 0; late.size < sent.size && seconds < 900; seconds++) {
    await world.time.advance(1_000);
    look();
  }
  return [...sent.keys()].map((text) => late.get(text) ?? Infinity).sort((a, b) => a - b);
}

test.each([
  { streams: 30, mostS: 1, requestsAnHour: 720 },
])("5,000 topics in nine presses at a server with $streams streams: live messages within $mostS s", async ({ streams, mostS, requestsAnHour }) => {
  const world = await World.make();
  const { server, time } = world;
  server.intercept = limited(world, streams);
  const topics = Array.from({ length: 5_000 }, (_, at) => `topic-number-${String(at).padStart(6, "0")}-abcdefg`);
  const tab = world.openTab(world.startHub());
  const beganMs = time.now();
  for (let from = 0; from < topics.length; from += 556) {
    const link = topics.slice(from, from + 556);
    const subscribed = await tab.send("subscribe", { address: server.address, topics: link, history: "all" });
    expect(subscribed.ok).toBe(true);
    console.log(from, time.now() - beganMs, server.requests.length, server.streams.size, new Set([...server.streams].flatMap((s) => s.topics)).size);
  }
  for (let i = 0; i < 20; i++) {
    await time.advance(30_000);
    console.log("after", time.now() - beganMs, server.requests.length, server.streams.size, new Set([...server.streams].flatMap((s) => s.topics)).size, tab.newestStatus?.state);
  }
  const some = Array.from({ length: 45 }, (_, at) => topics[(at * 997) % topics.length] ?? "");
  server.requests.length = 0;
  const seconds = await lateness(world, tab, some, 20_000);
  const checks = server.requestsTo("/v1/health").length;
  console.log("median", seconds[22], "95th", seconds[42], "longest", seconds.at(-1), "requests", server.requests.length - checks);
  expect(seconds.at(-1)).toBeLessThanOrEqual(mostS);
  server.requests.length = 0;
  await time.advance(3_600_000);
  console.log("hour", server.requests.length);
  expect(server.requests.length).toBeLessThanOrEqual(requestsAnHour);
}, 300_000);
