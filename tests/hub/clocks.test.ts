import { describe, expect, test } from "vitest";
import { fail } from "../../src/protocol";
import type { Store } from "../../src/store";
import { World } from "./world";

const HOUR_S = 3_600;
const DAY_S = 86_400;

const sincesOf = (world: World): (string | null)[] =>
  world.server.requests
    .filter(({ url }) => url.searchParams.get("poll") === "1")
    .map(({ url }) => url.searchParams.get("since"));

describe("after the server's clock was set back", () => {
  test("scheduled messages stay listed, and one poll of everything is enough", async () => {
    const world = await World.make();
    await world.subscribed(["a"]);
    await world.time.advance(60_000);
    world.server.skewS = -DAY_S;
    world.server.cut();
    world.server.publish("a", "later", { delayS: 2 * HOUR_S });
    await world.time.advance(1_000_000);
    expect((await world.rows("scheduled")).map((row) => row.event.message)).toEqual(["later"]);
    const last = sincesOf(world).slice(-2);
    expect(last).not.toContain("all");
    for (const since of last) expect(Number(since)).toBeLessThan(world.server.nowS);
  });

  test("an older message that now looks scheduled is not taken for a cancelled one", async () => {
    const world = await World.make();
    world.server.publish("a", "marker");
    await world.subscribed(["a"]);
    await world.time.advance(20_000);
    world.server.down = true;
    world.server.cut();
    world.server.publish("a", "from before");
    world.server.skewS = -60;
    world.server.publish("a", "after");
    world.server.down = false;
    await world.time.advance(8_000);
    // The next poll starts at the newest id, so the server sends nothing.
    world.server.cut();
    await world.time.advance(4_000);
    const rows = await world.rows("feed", "scheduled");
    expect(rows.map((row) => row.event.message)).toEqual(["marker", "after", "from before"]);
  });
});

test("a cursor that another hub moved by a clock it heard a little sooner is no sign that the clock was set back", async () => {
  const world = await World.make();
  await world.subscribed(["a"]);
  await world.time.advance(60_000);
  world.server.cut();
  await world.time.advance(9_000);
  const before = sincesOf(world).length;
  const subscriptions = await world.store.subscriptions();
  const [subId = 0] = subscriptions.ok ? subscriptions.value.map((one) => one.subId) : [];
  const time = world.server.nowS + 4;
  const cursors = { timeCursors: [{ subId, time }] };
  await world.store.ingest({ arrivals: [], nowMs: world.time.now(), serverNowS: time, alerts: false, cursors });
  await world.time.advance(2_000);
  expect(sincesOf(world).slice(before)).toEqual([String(time - 900)]);
});

describe("after the server's clock was set forward", () => {
  /** Publishes a message now with an earlier time stamp, which no stream brings. */
  function publishUnseen(world: World, message: string, stampedAgoS: number): void {
    const open = [...world.server.streams];
    world.server.streams.clear();
    world.server.publish("a", message, { time: world.server.nowS - stampedAgoS });
    for (const stream of open) world.server.streams.add(stream);
  }

  test("messages stamped before it and accepted after it are found, as far back as an upload may take", async () => {
    const world = await World.make();
    world.server.publish("a", "marker");
    await world.subscribed(["a"]);
    await world.time.advance(60_000);
    world.server.skewS = 2 * HOUR_S;
    await world.time.advance(840_000);
    publishUnseen(world, "slow upload", 2 * HOUR_S + 850);
    publishUnseen(world, "newest", 0);
    await world.time.advance(301_000);
    expect(await world.feed()).toEqual(["newest", "slow upload", "marker"]);
  });

  test("a hub that takes over in the middle knows about it", async () => {
    const world = await World.make();
    world.server.publish("a", "marker");
    const { hub } = await world.subscribed(["a"]);
    await world.time.advance(60_000);
    world.server.skewS = 2 * HOUR_S;
    await world.time.advance(60_000);
    hub.stop();
    world.startHub();
    await world.time.advance(320_000);
    expect(sincesOf(world).at(-1)).toBe("all");
  });

  test("polls ask for little again once no upload can have begun before", async () => {
    const world = await World.make();
    const marker = world.server.publish("a", "marker");
    await world.subscribed(["a"]);
    await world.time.advance(60_000);
    world.server.skewS = 2 * HOUR_S;
    await world.time.advance(600_000);
    expect(sincesOf(world).at(-1)).toBe("all");
    await world.time.advance(1_200_000);
    // It asks for the newest message, which the server must still have, and for everything since.
    expect(sincesOf(world).at(-1)).toBe(String(marker.time - 1));
  });
});

test("a poll by time does not move the id past messages that a failed poll by id would have brought", async () => {
  const world = await World.make();
  world.server.publish("a", "marker");
  let isFull = false;
  const { tab } = await world.subscribed(
    ["a"],
    {},
    {
      wrapStore: (store) =>
        new Proxy(store, {
          get(target, name: keyof typeof store) {
            if (name === "ingest" && isFull) return () => Promise.resolve(fail({ kind: "quota", text: "full" }));
            return target[name];
          },
        }),
    },
  );
  await world.time.advance(60_000);
  world.server.down = true;
  world.server.cut();
  // The server's clock was set back, and the device was away for longer than that. By its time stamp the message is
  // older than what polls by time ask for.
  world.server.skewS = -2 * HOUR_S;
  world.server.publish("a", "out of sight");
  await world.time.advance(3 * HOUR_S * 1_000);
  world.server.publish("a", "newest");
  world.server.down = false;
  isFull = true;
  await tab.send("resume", {});
  await world.time.advance(5_000);
  isFull = false;
  await world.time.advance(320_000);
  expect(await world.feed()).toEqual(["newest", "marker", "out of sight"]);
});

test("a gap is noted even if only the server's clock shows how long the device was away", async () => {
  const world = await World.make();
  world.server.retentionS = HOUR_S;
  world.server.publish("a", "teaches the retention");
  const { subIds } = await world.subscribed(["a"]);
  await world.time.advance(60_000);
  world.server.cut();
  world.server.publish("a", "lost for good");
  // The device's clock was set back while it slept.
  world.server.skewS = DAY_S;
  await world.time.advance(30_000);
  expect(await world.store.reader.gaps(subIds)).toHaveLength(1);
});

test("nothing is called complete before its gap could be stored", async () => {
  const world = await World.make();
  world.server.retentionS = HOUR_S;
  world.server.publish("a", "teaches the retention");
  let isFull = false;
  const wrapStore = (store: Store): Store => ({
    ...store,
    addGap: (gap) => (isFull ? Promise.resolve(fail({ kind: "quota", text: "full" })) : store.addGap(gap)),
  });
  const { tab, subIds } = await world.subscribed(["a"], {}, { wrapStore });
  await world.time.advance(60_000);
  const before = tab.newestStatus?.lastCompleteAtMs;
  world.server.down = true;
  world.server.cut();
  await world.time.advance(2 * HOUR_S * 1_000);
  isFull = true;
  world.server.down = false;
  await world.time.advance(120_000);
  expect(tab.newestStatus).toMatchObject({ state: { kind: "live" }, lastCompleteAtMs: before });
  isFull = false;
  await world.time.advance(301_000);
  expect(await world.store.reader.gaps(subIds)).toHaveLength(1);
  expect(tab.newestStatus?.lastCompleteAtMs).toBeGreaterThan(before ?? 0);
});
