import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { learnKeptFor } from "../../src/hub/server/server-facts";
import type { KeptFor } from "../../src/store";
import { World, type Tab } from "./world";

const HOUR_S = 3_600;
const HOUR_MS = 3_600_000;
const DAY_S = 86_400;
const DAY_MS = 86_400_000;

const serverIdOf = (tab: Tab): number => tab.newestStatus?.serverId ?? 0;

describe("how long messages say that they are kept", () => {
  const learn = (seen: { keptS: number; timeS: number }[]): KeptFor | undefined =>
    seen.reduce<KeptFor | undefined>((known, { keptS, timeS }) => learnKeptFor(known, keptS, timeS), undefined);

  const message = fc.record({
    keptS: fc.constantFrom(HOUR_S, 12 * HOUR_S, 24 * HOUR_S, 72 * HOUR_S),
    timeS: fc.integer({ min: 0, max: 200 * DAY_S }),
  });
  const inOrder = fc.array(message, { minLength: 1 }).map((all) => all.sort((a, b) => a.timeS - b.timeS));

  test("is always a time that a message has shown, and no longer than one of the last month showed", () => {
    fc.assert(
      fc.property(inOrder, (seen) => {
        const leastS = learn(seen)?.leastS ?? 0;
        const newestS = seen.at(-1)?.timeS ?? 0;
        const ofLately = seen.filter(({ timeS }) => timeS >= newestS - 30 * DAY_S).map(({ keptS }) => keptS);
        expect(leastS).toBeLessThanOrEqual(Math.min(...ofLately));
        expect(seen.map(({ keptS }) => keptS)).toContain(leastS);
      }),
    );
  });

  test("grows again once other messages of two months have shown more", () => {
    fc.assert(
      fc.property(inOrder, (seen) => {
        const startS = (seen.at(-1)?.timeS ?? 0) + DAY_S;
        const later = Array.from({ length: 63 }, (_, day) => ({ keptS: 100 * HOUR_S, timeS: startS + day * DAY_S }));
        expect(learn([...seen, ...later])?.leastS).toBe(100 * HOUR_S);
      }),
    );
  });

  test("does not change when the same messages come again, as with every poll", () => {
    fc.assert(
      fc.property(inOrder, (seen) => {
        const once = learn(seen);
        const newestS = seen.at(-1)?.timeS ?? 0;
        const again = seen.filter(({ timeS }) => timeS > newestS - 3 * DAY_S);
        const twice = again.reduce((known, { keptS, timeS }) => learnKeptFor(known, keptS, timeS), once as KeptFor);
        expect(twice.leastS).toBe(once?.leastS);
      }),
    );
  });

  test("is the same object within a day, and while messages show nothing new", () => {
    const known = learnKeptFor(undefined, 12 * HOUR_S, 5 * DAY_S);
    expect(learnKeptFor(known, 12 * HOUR_S, 5 * DAY_S + 7)).toBe(known);
    expect(learnKeptFor(known, 72 * HOUR_S, 5 * DAY_S + 7)).toBe(known);
    const later = learnKeptFor(known, 72 * HOUR_S, 6 * DAY_S);
    expect(learnKeptFor(later, 72 * HOUR_S, 9 * DAY_S)).toBe(later);
  });
});

describe("a server that keeps some messages for longer than others", () => {
  /** Stops the hub for so long. Returns the gaps: of which subscription, from when, to when. */
  async function gapsAfter(world: World, hub: { stop(): void }, awayMs: number) {
    await world.time.advance(60_000);
    hub.stop();
    await world.time.advance(awayMs);
    world.startHub();
    await world.time.advance(20_000);
    return world.store.reader.gaps();
  }
  const longer = (world: World) => ({ expires: world.server.nowS + 72 * HOUR_S });

  test("one message kept for three days among others of half a day hides no gap of a topic", async () => {
    const world = await World.make();
    const { hub, subIds } = await world.subscribed(["a", "b"]);
    const [a, b] = subIds;
    world.server.publish("a", "kept for twelve hours");
    await world.time.settle();
    world.server.publish("a", "of a higher tier", longer(world));
    world.server.publish("b", "the same here", longer(world));
    const gaps = await gapsAfter(world, hub, DAY_MS);
    expect(gaps.map(({ subId }) => subId)).toEqual([a]);
    expect(gaps[0]?.to).toBe(world.server.nowS - 20 - 12 * HOUR_S);
    expect(gaps.map(({ subId }) => subId)).not.toContain(b);
  });

  test("expects of a topic without messages the shortest time of the other topics", async () => {
    const world = await World.make();
    const { hub, tab, subIds } = await world.subscribed(["a", "b", "quiet"]);
    world.server.publish("b", "of a higher tier", longer(world));
    world.server.publish("a", "kept for twelve hours");
    world.server.publish("b", "of a higher tier", longer(world));
    await world.time.settle();
    const { servers } = await world.store.reader.catalogue();
    expect(servers.find(({ serverId }) => serverId === serverIdOf(tab))?.retentionS).toBe(12 * HOUR_S);
    const gaps = await gapsAfter(world, hub, DAY_MS);
    expect(gaps.map(({ subId }) => subId).sort()).toEqual([subIds[0], subIds[2]]);
  });

  test("counts a shorter time at once, until none has come for a month", async () => {
    const world = await World.make();
    const { hub } = await world.subscribed(["a"]);
    const leastS = async () => (await world.store.reader.catalogue()).subscriptions[0]?.keptFor?.leastS;
    world.server.publish("a", "one", longer(world));
    await world.time.settle();
    expect(await leastS()).toBe(72 * HOUR_S);
    world.server.publish("a", "two");
    await world.time.settle();
    expect(await leastS()).toBe(12 * HOUR_S);
    let running: { stop(): void } = hub;
    const after = async (days: number) => {
      running.stop();
      await world.time.settle();
      world.time.set(days * DAY_MS);
      running = world.startHub();
      await world.time.advance(20_000);
      world.server.publish("a", "and another", longer(world));
      await world.time.settle();
      return leastS();
    };
    expect(await after(20)).toBe(12 * HOUR_S);
    expect(await after(10)).toBe(12 * HOUR_S);
    expect(await after(1)).toBe(72 * HOUR_S);
  });

  test("is known to the next hub, which uses the server's earlier time until topics have their own", async () => {
    const world = await World.make();
    const { hub, tab } = await world.subscribed(["a"]);
    hub.stop();
    // Stores the retention as an earlier version did.
    await world.store.patchServer(serverIdOf(tab), { retentionS: HOUR_S });
    expect(await gapsAfter(world, world.startHub(), 2 * HOUR_MS)).toHaveLength(1);
  });

  test("may keep none at all, which holds for the whole server and may change", async () => {
    const world = await World.make();
    world.server.retentionS = 0;
    const { tab } = await world.subscribed(["a", "b"]);
    world.server.publish("a", "live only");
    await world.time.settle();
    expect(tab.newestStatus?.cacheless).toBe(true);
    world.server.retentionS = HOUR_S;
    world.server.publish("b", "kept");
    await world.time.settle();
    expect(tab.newestStatus?.cacheless).toBe(false);
    world.server.retentionS = 0;
    world.server.publish("b", "live only again");
    await world.time.settle();
    expect(tab.newestStatus?.cacheless).toBe(true);
  });
});
