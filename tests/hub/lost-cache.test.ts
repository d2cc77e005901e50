import { describe, expect, test } from "vitest";
import type { Hub } from "../../src/hub";
import { fail } from "../../src/protocol";
import type { GapRecord } from "../../src/store";
import { World, type Tab } from "./world";

const HOUR_S = 3_600;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const serverIdOf = (tab: Tab): number => tab.newestStatus?.serverId ?? 0;
const gapsOf = (world: World): Promise<GapRecord[]> => world.store.reader.gaps();
const refreshed = (tab: Tab, subId?: number) =>
  tab.send("refresh", { serverId: serverIdOf(tab), ...(subId !== undefined && { subId }) });
const NOTHING = { ok: true, value: { missing: 0, found: [] } };
const polls = (world: World): number =>
  world.server.requests.filter(({ url }) => url.searchParams.get("poll") === "1").length;

/** Turns the device off for so long. */
async function away(world: World, hub: Hub, ms: number, meanwhile: () => void = () => undefined): Promise<Tab> {
  hub.stop();
  await world.time.advance(ms / 2);
  meanwhile();
  await world.time.advance(ms / 2);
  const back = world.startHub();
  const tab = world.openTab(back);
  await world.time.settle();
  return tab;
}

/** Makes a device that received messages by poll and by stream for a while, and knows that it is complete. */
async function settled(topics = ["a"]) {
  const world = await World.make();
  for (const topic of topics) world.server.publish(topic, `history of ${topic}`);
  const subscribed = await world.subscribed(topics);
  await world.time.advance(30_000);
  for (const topic of topics) world.server.publish(topic, `live in ${topic}`);
  await world.time.advance(10 * MINUTE_MS);
  return { world, ...subscribed };
}

describe("a server that lost its cache", () => {
  test("while the device was away has a gap from the last complete contact to the first message since", async () => {
    const { world, hub, subIds } = await settled();
    const leftS = world.server.nowS;
    const tab = await away(world, hub, 2 * HOUR_MS, () => {
      world.server.publish("a", "lost for good");
      world.server.forget();
    });
    world.server.publish("a", "after that");
    const firstS = world.server.nowS;
    await world.time.advance(15_000);
    const gaps = await gapsOf(world);
    expect(gaps).toEqual([{ subId: subIds[0], from: expect.any(Number) as number, to: firstS - 1, forgot: 1 }]);
    expect(gaps[0]?.from).toBeLessThanOrEqual(leftS);
    // The last poll by time was some minutes before that.
    expect(gaps[0]?.from).toBeGreaterThan(leftS - 6 * 60);
    expect(await refreshed(tab)).toEqual({ ok: true, value: { missing: 0, found: [], forgot: true } });
    expect(await gapsOf(world)).toEqual(gaps);
  });

  test("has that gap even if the worker ends as it stores it", async () => {
    const { world, hub, subIds } = await settled();
    const leftS = world.server.nowS;
    world.server.down = true;
    world.server.cut();
    await world.time.advance(HOUR_MS);
    world.server.publish("a", "lost for good");
    world.server.forget();
    await world.time.advance(HOUR_MS);
    world.server.publish("a", "after that");
    const firstS = world.server.nowS;
    const { addGap } = world.store;
    Object.assign(world.store, {
      addGap: () => {
        hub.stop();
        return fail({ kind: "failed", text: "" });
      },
    });
    world.server.down = false;
    await world.time.advance(10 * MINUTE_MS);
    Object.assign(world.store, { addGap });
    world.openTab(world.startHub());
    await world.time.advance(15 * MINUTE_MS);
    const [gap] = await gapsOf(world);
    expect(gap).toMatchObject({ subId: subIds[0], to: firstS - 1, forgot: 1 });
    expect(gap?.from).toBeLessThanOrEqual(leftS);
  });

  test("and has nothing at all has a gap up to now, which grows no further", async () => {
    const { world, hub } = await settled();
    const tab = await away(world, hub, 2 * HOUR_MS, () => world.server.forget());
    await world.time.advance(15_000);
    const gaps = await gapsOf(world);
    expect(gaps).toHaveLength(1);
    expect(gaps[0]?.to).toBeGreaterThan(world.server.nowS - 16);
    for (let round = 0; round < 3; round++) {
      await world.time.advance(10 * MINUTE_MS);
      expect(await refreshed(tab)).toMatchObject({ value: { missing: 0, forgot: true } });
    }
    expect(await gapsOf(world)).toEqual(gaps);
    const asked = polls(world);
    await world.time.advance(10 * MINUTE_MS);
    expect(polls(world) - asked, "no more than the reconciling polls").toBe(2);
    // All that the server lost would have expired by now, so nothing more can be missing.
    await world.time.advance(12 * HOUR_MS);
    expect(await refreshed(tab)).toEqual(NOTHING);
  });

  test("is reported by the first refresh for all topics, whatever polls there were", async () => {
    const { world, hub, subIds } = await settled(["a", "b", "quiet"]);
    const tab = await away(world, hub, HOUR_MS, () => world.server.forget());
    await world.time.advance(1_000);
    expect(await refreshed(tab)).toMatchObject({ value: { missing: 0, forgot: true } });
    expect((await gapsOf(world)).map(({ subId }) => subId).sort()).toEqual([...subIds].sort());
  });

  test("has a gap in a topic without stored messages too", async () => {
    const world = await World.make();
    world.server.publish("a", "history");
    const { hub, subIds } = await world.subscribed(["a", "empty"]);
    await world.time.advance(20_000);
    const tab = await away(world, hub, HOUR_MS, () => {
      world.server.publish("empty", "the first, lost for good");
      world.server.forget();
    });
    await world.time.advance(15_000);
    expect((await gapsOf(world)).map(({ subId }) => subId).sort()).toEqual([...subIds].sort());
    expect(await refreshed(tab, subIds[1])).toMatchObject({ value: { forgot: true } });
  });

  test("is noticed by the one topic that shows it, even if another has something new", async () => {
    const world = await World.make();
    world.server.publish("a", "history");
    const { hub, subIds } = await world.subscribed(["a", "empty"]);
    await world.time.advance(20_000);
    await away(world, hub, HOUR_MS, () => {
      world.server.publish("empty", "the first, lost for good");
      world.server.forget();
      world.server.publish("empty", "the second");
    });
    await world.time.advance(15_000);
    expect((await gapsOf(world)).map(({ subId }) => subId).sort()).toEqual([...subIds].sort());
  });

  test("is noticed by messages since the topic was last complete, if there are no others", async () => {
    const world = await World.make();
    const { hub } = await world.subscribed(["a"]);
    await world.time.advance(20_000);
    world.server.publish("a", "by the stream alone");
    await world.time.advance(MINUTE_MS);
    const tab = await away(world, hub, HOUR_MS, () => world.server.forget());
    world.server.publish("a", "after that");
    await world.time.advance(15_000);
    expect(await gapsOf(world)).toHaveLength(1);
    expect(await refreshed(tab)).toMatchObject({ value: { forgot: true } });
  });

  test("is noticed even if many messages came since", async () => {
    const { world, hub } = await settled();
    const tab = await away(world, hub, 2 * HOUR_MS, () => {
      world.server.forget();
      for (let at = 0; at < 100; at++) world.server.publish("a", `since then ${at}`);
    });
    await world.time.advance(15_000);
    expect(await gapsOf(world)).toMatchObject([{ forgot: 1 }]);
    expect(await refreshed(tab)).toMatchObject({ value: { forgot: true } });
  });

  test("is noticed on the first start of a day, whose first poll precedes the server's clock", async () => {
    const world = await World.make();
    world.server.retentionS = 72 * HOUR_S;
    const { hub } = await world.subscribed(["a"]);
    world.server.publish("a", "kept for three days");
    await world.time.advance(10 * MINUTE_MS);
    const later = await away(world, hub, 24 * HOUR_MS, () => {
      world.server.forget();
      for (let at = 0; at < 100; at++) world.server.publish("a", `since then ${at}`);
    });
    await world.time.advance(15_000);
    expect(await gapsOf(world)).toMatchObject([{ forgot: 1 }]);
    expect(await refreshed(later)).toMatchObject({ value: { forgot: true } });
  });

  test("twice has two gaps", async () => {
    const { world, hub } = await settled();
    await away(world, hub, HOUR_MS, () => world.server.forget());
    await world.time.advance(20_000);
    world.server.publish("a", "in between");
    await world.time.advance(11 * MINUTE_MS);
    world.server.down = true;
    world.server.cut();
    await world.time.advance(MINUTE_MS);
    world.server.forget();
    world.server.down = false;
    await world.time.advance(2 * MINUTE_MS);
    expect(await gapsOf(world)).toMatchObject([{ forgot: 1 }, { forgot: 1 }]);
  });

  test("for one topic alone has a gap in that topic", async () => {
    const { world, hub, subIds } = await settled(["a", "b"]);
    const tab = await away(world, hub, HOUR_MS, () => world.server.forget(({ topic }) => topic === "a"));
    await world.time.advance(15_000);
    expect(await refreshed(tab)).toMatchObject({ value: { missing: 0, forgot: true } });
    expect((await gapsOf(world)).map(({ subId }) => subId)).toEqual([subIds[0]]);
    expect(await refreshed(tab, subIds[1])).toEqual(NOTHING);
    expect(await refreshed(tab, subIds[0])).toMatchObject({ value: { forgot: true } });
  });

  test.each([["a"], ["a", "b"]])(
    "alone of what it had not written yet has a gap there, found by the next poll (topics %s)",
    async (...topics) => {
      const { world, subIds } = await settled(topics);
      const lost = topics.map((topic) => world.server.publish(topic, `sent and not written in ${topic}`));
      await world.time.advance(1_000);
      world.server.down = true;
      world.server.cut();
      world.server.publish("a", "neither sent nor written");
      world.server.forget((event) => event.event === "message" && /written/.test(event.message ?? ""));
      await world.time.advance(60_000);
      world.server.down = false;
      await world.time.advance(20_000);
      const gaps = await gapsOf(world);
      expect(gaps.map(({ subId }) => subId)).toEqual(subIds);
      for (const { from } of gaps) expect(from).toBeLessThanOrEqual(lost[0]?.time ?? 0);
      await world.time.advance(20 * MINUTE_MS);
      expect(await gapsOf(world)).toEqual(gaps);
    },
  );

  test("is noticed if only polls get through", async () => {
    const world = await World.make();
    world.server.publish("a", "history");
    await world.time.advance(5_000);
    const { tab } = await world.subscribed(["a"]);
    await tab.send("patchServer", { serverId: serverIdOf(tab), transport: "poll" });
    await world.time.advance(10 * MINUTE_MS);
    world.server.forget();
    await world.time.advance(6 * MINUTE_MS);
    expect(await gapsOf(world)).toMatchObject([{ forgot: 1 }]);
  });
});

describe("a server that has all that it should", () => {
  const quiet = async (world: World, tab: Tab): Promise<void> => {
    await world.time.advance(11 * MINUTE_MS);
    expect(await refreshed(tab)).toEqual(NOTHING);
    expect(await gapsOf(world)).toEqual([]);
  };

  test("has no gap for what expired, was never cached, or is live only", async () => {
    const world = await World.make();
    world.server.retentionS = HOUR_S;
    const { hub } = await world.subscribed(["a"]);
    world.server.publish("a", "kept for an hour");
    world.server.publish("a", "never kept", { uncached: true });
    await world.time.advance(10 * MINUTE_MS);
    const tab = await away(world, hub, 0.8 * HOUR_MS);
    await world.time.advance(10 * MINUTE_MS);
    await quiet(world, tab);

    const cacheless = await World.make();
    cacheless.server.retentionS = 0;
    const { tab: other } = await cacheless.subscribed(["a"]);
    cacheless.server.publish("a", "live only");
    await cacheless.time.advance(10 * MINUTE_MS);
    await quiet(cacheless, other);
  });

  test("has none for messages that it stores a little later than it sends them", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    await world.time.advance(20_000);
    const late = world.server.publish("a", "in a batch");
    world.server.forget(({ id }) => id === late.id);
    await world.time.advance(5_000);
    expect(await refreshed(tab)).toEqual(NOTHING);
    expect(await gapsOf(world)).toEqual([]);
  });

  test("has none for a message that was cancelled at the moment when it was due", async () => {
    const { world, tab } = await settled();
    const due = world.server.publish("a", "cancelled as it was due", { delayS: 400 });
    await world.time.advance(395_000);
    world.server.down = true;
    world.server.cut();
    world.server.cancel(due.id);
    await world.time.advance(20_000);
    world.server.down = false;
    expect(await world.feed()).toContain("cancelled as it was due");
    await quiet(world, tab);
  });

  test("has none for messages that were deleted, dropped, or older than the subscription", async () => {
    const { world, tab, subIds } = await settled();
    const rows = await world.rows("feed");
    await tab.send("mark", {
      mark: { kind: "deleted", on: true },
      keys: rows.map(({ subId, time, id }) => [subId, time, id]),
    });
    await tab.send("prune", {});
    await tab.send("subscribe", { address: world.server.address, topics: ["b"], history: "now" });
    world.server.publish("b", "now");
    await world.time.advance(10 * MINUTE_MS);
    await quiet(world, tab);
    expect(subIds).toHaveLength(1);
  });

  test("has none while a device's clock is wrong, even by an unknown amount", async () => {
    for (const skewS of [-6 * HOUR_S, 6 * HOUR_S]) {
      const world = await World.make();
      world.server.retentionS = HOUR_S;
      world.server.skewS = skewS;
      const { hub } = await world.subscribed(["a"]);
      world.server.publish("a", "kept for an hour");
      await world.time.advance(10 * MINUTE_MS);
      hub.stop();
      world.server.skewS = 0;
      await world.time.advance(0.9 * HOUR_MS);
      const tab = world.openTab(world.startHub());
      await world.time.settle();
      await refreshed(tab);
      expect((await gapsOf(world)).filter(({ forgot }) => forgot)).toEqual([]);
    }
  });

  test("gets no more requests than before, and only for messages since the newest", async () => {
    const { world } = await settled(["a", "b"]);
    const before = polls(world);
    await world.time.advance(HOUR_MS);
    expect(polls(world) - before).toBe(12);
    const sinces = world.server.requests.slice(-10).flatMap(({ url }) => url.searchParams.get("since") ?? []);
    const newestS = Math.max(...(await world.rows("feed")).map(({ time }) => time));
    expect(new Set(sinces)).toEqual(new Set([String(newestS - 1)]));
  });
});
