import { describe, expect, test } from "vitest";
import { pollAnswer, type SeenRequest } from "./fake-server";
import { World } from "./world";

const isPoll = ({ url }: SeenRequest): boolean => url.searchParams.has("poll");

const CLOCKS: [string, number][] = [
  ["a day behind", -86_400],
  ["in 1970", -1_795_000_000],
  ["ten years ahead", 315_360_000],
  ["in the year 9990", 251_000_000_000],
];

describe("a server", () => {
  test("whose polls are answered by a stream, as by a proxy that drops the query, is received from, and caught up with later", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    await world.time.advance(20_000);
    world.server.intercept = (request) =>
      isPoll(request) ? world.server.fetch(`${request.url.origin}${request.url.pathname}`) : undefined;
    world.server.cut();
    await world.time.advance(60_000);
    world.server.publish("a", "live");
    await world.time.advance(400_000);
    expect(await world.feed()).toEqual(["live"]);
    expect(tab.newestStatus?.checking).toBe(false);
    expect(world.server.streams.size).toBeLessThan(5);
    world.server.intercept = undefined;
    world.server.down = true;
    world.server.cut();
    world.server.publish("a", "missed");
    world.server.down = false;
    await world.time.advance(120_000);
    expect((await world.feed()).sort()).toEqual(["live", "missed"]);
  });

  test("whose polls never get headers is polled again, without loss", async () => {
    const world = await World.make();
    await world.subscribed(["a"]);
    await world.time.advance(20_000);
    world.server.intercept = (request) => (isPoll(request) ? "hang" : undefined);
    world.server.cut();
    world.server.publish("a", "missed");
    await world.time.advance(300_000);
    world.server.intercept = undefined;
    await world.time.advance(120_000);
    expect(await world.feed()).toEqual(["missed"]);
  });

  test("whose answers are cut in the middle of a character, at any byte, loses nothing", async () => {
    const world = await World.make();
    await world.subscribed(["a"]);
    await world.time.advance(20_000);
    world.server.cut();
    const missed = world.server.publish("a", "zwölf 🎉 日本");
    const bytes = new TextEncoder().encode(`${JSON.stringify(missed)}\n`);
    let at = 0;
    world.server.intercept = (request) => {
      if (!isPoll(request) || at >= bytes.length) return undefined;
      at += 7;
      return pollAnswer(bytes.slice(0, at));
    };
    await world.time.advance(3_000_000);
    expect(await world.feed()).toEqual(["zwölf 🎉 日本"]);
  });

  test.each(CLOCKS)("whose clock is %s and then set right loses nothing", async (_, skewS) => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    world.server.publish("a", "before");
    await world.time.advance(20_000);
    world.server.skewS = skewS;
    world.server.cut();
    await world.time.advance(20_000);
    world.server.publish("a", "meanwhile");
    await world.time.advance(600_000);
    expect(await world.feed()).toContain("meanwhile");
    world.server.skewS = 0;
    world.server.cut();
    await world.time.advance(20_000);
    world.server.publish("a", "after");
    world.server.cut();
    world.server.publish("a", "after it too");
    await world.time.advance(1_200_000);
    const texts = (await world.rows("feed", "scheduled")).map(({ event }) => event.message);
    expect(texts.sort()).toEqual(["after", "after it too", "before", "meanwhile"]);
    expect(tab.newestStatus?.state.kind).toBe("live");
    expect(world.problems).toEqual([]);
  });
});
