import { describe, expect, test } from "vitest";
import { Traffic } from "../newer-server";
import { World } from "./world";

/** The start times of those recent polls that asked for one topic alone by time. */
function questions(world: World, topic: string): number[] {
  return world.server.requests.flatMap(({ url }) => {
    const since = url.searchParams.get("since") ?? "";
    const isQuestion = url.pathname === `/${topic}/json` && !url.searchParams.has("scheduled") && /^\d+$/.test(since);
    return isQuestion ? [Number(since)] : [];
  });
}

const unsettled = async (world: World): Promise<number> => {
  const read = await world.store.unsettled();
  return read.ok ? read.value.length : NaN;
};

/** Opens a tab that is live, and forgets the requests of its start. */
async function live(topics: string[]): Promise<World> {
  const world = await World.make();
  world.server.scramblesSeconds = true;
  await world.subscribed(topics);
  await world.time.advance(15_000);
  world.server.requests.length = 0;
  return world;
}

const job = { sequence_id: "job" };

describe("the order of events within a second", () => {
  test("is requested if it makes a difference, for the topic alone", async () => {
    const world = await live(["a", "b"]);
    const { time } = world.server.publish("a", "gone", job);
    world.server.control("delete", "a", "job");
    world.server.publish("a", "alone");
    world.server.publish("b", "of another topic", job);
    await world.time.settle();
    expect((await world.feed()).sort()).toEqual(["alone", "gone", "of another topic"]);
    await world.time.advance(1_500);
    expect((await world.feed()).sort()).toEqual(["alone", "of another topic"]);
    expect([questions(world, "a"), questions(world, "b")]).toEqual([[time], []]);
    await world.time.advance(60_000);
    expect(world.server.requests).toHaveLength(1);
  });

  test("is not asked for by polls while the day's traffic is used up", async () => {
    const world = await live(["a", "b"]);
    world.server.traffic = new Traffic(0, 1, world.time.now());
    for (const sequence_id of ["one", "two", "three"]) {
      world.server.publish("a", "gone", { sequence_id });
      world.server.control("delete", "a", sequence_id);
      await world.time.advance(30_000);
    }
    expect(questions(world, "a").length).toBe(1);
    world.server.traffic = undefined;
    await world.time.advance(660_000);
    expect(await unsettled(world)).toBe(0);
  });

  test("keeps a message that was published again after its delete, however the two come", async () => {
    const world = await live(["a", "b"]);
    world.server.publish("a", "first", job);
    await world.time.advance(2_000);
    const deletion = world.server.control("delete", "a", "job", false);
    world.server.publish("a", "second", { ...job, priority: 5 });
    world.server.broadcast(deletion);
    await world.time.advance(2_000);
    expect(await world.feed()).toEqual(["second"]);
    expect(await unsettled(world)).toBe(0);
  });

  test("is not known from an answer for several topics", async () => {
    const world = await live(["a", "b"]);
    world.server.down = true;
    world.server.cut();
    world.server.publish("a", "cleared", job);
    world.server.control("clear", "a", "job");
    world.server.publish("a", "unread", { ...job, priority: 5 });
    world.server.publish("b", "other");
    await world.time.advance(1_000);
    world.server.down = false;
    await world.time.advance(10_000);
    const rows = await world.rows("feed");
    expect(rows.map((row) => [row.event.message, row.readAtMs === undefined]).sort()).toEqual([
      ["other", true],
      ["unread", true],
    ]);
    expect(questions(world, "a")).toHaveLength(1);
  });

  test("is known from an answer for the only topic", async () => {
    const world = await live(["a"]);
    world.server.down = true;
    world.server.cut();
    world.server.publish("a", "cleared", job);
    world.server.control("clear", "a", "job");
    await world.time.advance(1_000);
    world.server.down = false;
    await world.time.advance(10_000);
    expect((await world.rows("feed")).map((row) => row.readAtMs !== undefined)).toEqual([true]);
    expect(questions(world, "a")).toEqual([]);
  });

  test("is requested a few times, then no more, as the server may no longer have the events", async () => {
    const world = await live(["a", "b"]);
    world.server.publish("a", "stays", job);
    const lost = world.server.control("delete", "a", "job");
    world.server.cancel(lost.id);
    await world.time.advance(3_600_000);
    expect(await world.feed()).toEqual(["stays"]);
    expect(questions(world, "a")).toHaveLength(3);
  });

  test("is requested again once the server can be reached", async () => {
    const world = await live(["a", "b"]);
    world.server.publish("a", "gone", job);
    world.server.control("delete", "a", "job");
    await world.time.settle();
    world.server.down = true;
    world.server.cut();
    await world.time.advance(30_000);
    expect(await world.feed()).toEqual(["gone"]);
    world.server.down = false;
    await world.time.advance(90_000);
    expect(await world.feed()).toEqual([]);
  });

  test("is requested by a new worker if the last one ended before it could", async () => {
    const world = await World.make();
    const { hub } = await world.subscribed(["a", "b"]);
    await world.time.advance(15_000);
    world.server.publish("a", "gone", job);
    world.server.control("delete", "a", "job");
    await world.time.settle();
    hub.stop();
    await world.time.advance(60_000);
    expect(await unsettled(world)).toBe(1);
    world.startHub();
    await world.time.advance(15_000);
    expect(await world.feed()).toEqual([]);
    expect(await unsettled(world)).toBe(0);
  });

  test("costs a bounded number of requests even if every second has a tie", async () => {
    const world = await live(["a", "b"]);
    for (let second = 0; second < 150; second++) {
      for (const text of ["1", "2", "3"]) world.server.publish("a", `${second}.${text}`, job);
      await world.time.advance(1_000);
    }
    await world.time.advance(30_000);
    expect(await world.feed()).toEqual(["149.3"]);
    expect(questions(world, "a").length).toBeLessThanOrEqual(5 + 180 / 30);
  });
});
