import { describe, expect, test } from "vitest";
import type { MessageKey } from "../../src/contract";
import type { SeenRequest } from "./fake-server";
import { RequestCount } from "../../src/hub/requests/request-count";
import { Requests } from "../../src/hub/requests/requests";
import { Watchdog } from "../../src/hub/requests/receive-frames";
import { VirtualTime } from "./virtual-time";
import { World } from "./world";

const texts = async (world: World, list: "feed" | "scheduled"): Promise<string[]> =>
  (await world.rows(list)).map((row) => row.event.message);

/** Sets the device's clock forward by an hour, and leaves the server's as it is. */
function setDeviceOn(world: World): void {
  world.server.skewS -= 3_600;
  world.time.set(3_600_000);
}

/** Holds up streams but lets polls through. */
const holdsStreams = ({ url }: SeenRequest) => (url.pathname.endsWith("/json") && !url.search ? "hang" : undefined);

describe("a device whose clock is an hour ahead", () => {
  test("shows no scheduled message early, neither before the first stream nor after it", async () => {
    const world = await World.make();
    world.server.skewS = -3_600;
    world.server.publish("a", "due in half an hour", { delayS: 1_800 });
    world.server.publish("a", "delivered");
    world.server.intercept = holdsStreams;
    const { tab } = await world.subscribed(["a"]);
    expect(await texts(world, "feed")).toEqual(["delivered"]);
    expect(await texts(world, "scheduled")).toEqual([]);
    world.server.intercept = undefined;
    await tab.send("tryNow", { serverId: tab.newestStatus?.serverId ?? 0 });
    await world.time.advance(20_000);
    expect(await texts(world, "scheduled")).toEqual(["due in half an hour"]);
    expect(await texts(world, "feed")).toEqual(["delivered"]);
    await world.time.advance(1_800_000);
    expect(await texts(world, "feed")).toEqual(["due in half an hour", "delivered"]);
  });

  test("shows nothing early while the server's clock is unknown, and remembers that clock over a restart", async () => {
    const world = await World.make();
    const { hub } = await world.subscribed(["a"]);
    world.server.publish("a", "due in half an hour", { delayS: 1_800 });
    await world.time.advance(301_000);
    expect(await texts(world, "scheduled")).toEqual(["due in half an hour"]);
    hub.stop();
    setDeviceOn(world);
    world.server.intercept = holdsStreams;
    world.startHub();
    await world.time.advance(4_000);
    expect(await texts(world, "feed")).toEqual([]);
    world.server.intercept = undefined;
    await world.time.advance(60_000);
    expect(await texts(world, "feed")).toEqual([]);
    const { servers } = await world.store.reader.catalogue();
    expect(servers[0]?.clockAheadS).toBe(-3_600);
  });

  test("that was set while a stream was open shows nothing early", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    world.server.publish("a", "due in half an hour", { delayS: 1_800 });
    await world.time.advance(301_000);
    setDeviceOn(world);
    await tab.send("resume", {});
    await world.time.advance(60_000);
    expect(await texts(world, "feed")).toEqual([]);
    expect(await texts(world, "scheduled")).toEqual(["due in half an hour"]);
  });
});

describe("a device whose clock is an hour behind", () => {
  test("shows delivered messages at once, before the server's clock is known", async () => {
    const world = await World.make();
    world.server.skewS = 3_600;
    world.server.publish("a", "delivered");
    world.server.intercept = holdsStreams;
    await world.subscribed(["a"]);
    expect(await texts(world, "feed")).toEqual(["delivered"]);
  });
});

describe("where only polls get through", () => {
  test("scheduled messages are listed, shown when they are due, and removed when they were cancelled", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    const serverId = tab.newestStatus?.serverId ?? 0;
    await tab.send("patchServer", { serverId, transport: "poll" });
    world.server.publish("a", "due", { delayS: 600 });
    const cancelled = world.server.publish("a", "cancelled", { delayS: 7_200 });
    await world.time.advance(61_000);
    expect(await texts(world, "scheduled")).toEqual(["cancelled", "due"]);
    world.server.cancel(cancelled.id);
    await world.time.advance(660_000);
    expect(await texts(world, "scheduled")).toEqual([]);
    expect(await texts(world, "feed")).toEqual(["due"]);
  });
});

describe("a device whose clock is set back by a day", () => {
  test("measures a stream's silence from the moment when the clock was set back", async () => {
    const time = new VirtualTime();
    let hasBarked = false;
    new Watchdog(
      time,
      () => 60_000,
      () => void (hasBarked = true),
    );
    await time.advance(30_000);
    time.set(-86_400_000);
    await time.advance(30_000);
    expect(hasBarked).toBe(false);
    await time.advance(60_000);
    expect(hasBarked).toBe(true);
  });

  test("doesn't count the requests made before for ever", () => {
    const time = new VirtualTime();
    const count = new RequestCount(time);
    count.add();
    expect(count.recent).toHaveLength(1);
    time.set(-86_400_000);
    count.add();
    expect(count.recent).toHaveLength(1);
  });

  test("isn't slowed down any more once a server that took no requests takes one", () => {
    const time = new VirtualTime();
    const count = new RequestCount(time);
    for (let refusals = 0; refusals < 5; refusals++) {
      count.refused(time.now());
      time.set(60_000);
    }
    time.set(-86_400_000);
    count.served(time.now());
    count.refused(time.now());
    expect(count.nextTurnAtMs - time.now()).toBe(6_000);
  });

  test("sends the requests for a long list of topics without delay", async () => {
    const world = await World.make();
    const requests = new Requests(world.environment(), world.server.address);
    for (let request = 0; request < 20; request++) await requests.pace(30);
    world.time.set(-86_400_000);
    let isOn = false;
    void requests.pace(30).then(() => (isOn = true));
    await world.time.advance(0);
    expect(isOn).toBe(true);
  });
});

test("a stream that was open while the device slept is not trusted", async () => {
  const world = await World.make();
  await world.subscribed(["a"]);
  await world.time.advance(20_000);
  const [before] = world.server.streams;
  await world.time.sleep(600_000);
  await world.time.advance(1_000);
  expect(world.server.streams.size).toBe(1);
  expect([...world.server.streams][0]).not.toBe(before);
});

test("what was removed before the clock was set back goes, with its server", async () => {
  const world = await World.make();
  const { tab, subIds } = await world.subscribed(["a"]);
  await tab.send("unsubscribe", { subId: subIds[0] ?? 0 });
  world.time.set(-86_400_000);
  await world.time.advance(7_200_000);
  expect(await world.store.reader.catalogue()).toMatchObject({ subscriptions: [], servers: [] });
});

test("a message that was deleted before the clock was set back goes for good", async () => {
  const world = await World.make();
  const { tab, subIds } = await world.subscribed(["a"]);
  const { id, time } = world.server.publish("a", "gone");
  await world.time.settle();
  const keys: MessageKey[] = [[subIds[0] ?? 0, time, id]];
  const deleted = await tab.send("mark", { mark: { kind: "deleted", on: true }, keys });
  if (!deleted.ok) throw new Error(JSON.stringify(deleted.error));
  world.time.set(-86_400_000);
  await world.time.advance(7_200_000);
  expect(await tab.send("undo", { undo: deleted.value.undo })).toMatchObject({ ok: true });
  expect(await world.feed()).toEqual([]);
});

const YEAR_MS = 365 * 86_400_000;

describe.each([3, -3])("a device whose clock jumps by %i years", (years) => {
  /** Moves the device's clock, and leaves the server's as it is. */
  const jump = (world: World, by: number): void => {
    world.server.skewS -= (by * YEAR_MS) / 1_000;
    world.time.set(by * YEAR_MS);
  };

  test.each(["while the hub runs", "while it does not, and no server is in reach"])(
    "loses no message %s, nor once its clock is right again",
    async (when) => {
      const world = await World.make();
      const { hub, tab } = await world.subscribed(["a"]);
      world.server.publish("a", "before");
      await world.time.advance(60_000);
      const [row] = await world.rows("feed");
      if (!row) throw new Error("nothing came");
      const untilMs = world.time.now() + 7_200_000;
      await tab.send("mark", { keys: [[row.subId, row.time, row.id]], mark: { kind: "snooze", untilMs } });
      world.server.publish("a", "stays");
      await world.time.advance(1_000);
      if (when.startsWith("while the hub")) {
        jump(world, years);
        await tab.send("resume", {});
      } else {
        hub.stop();
        jump(world, years);
        world.server.intercept = () => "hang";
        world.startHub();
      }
      await world.time.advance(4_000_000);
      world.server.intercept = undefined;
      await world.time.advance(4_000_000);
      world.server.publish("a", "after");
      await world.time.advance(400_000);
      expect(await texts(world, "feed")).toEqual(expect.arrayContaining(["after", "stays"]));
      jump(world, -years);
      await world.time.advance(8_000_000);
      expect((await texts(world, "feed")).sort()).toEqual(["after", "before", "stays"]);
    },
  );

  test.each(["before", "after"])("keeps deleted what was deleted %s it", async (when) => {
    const world = await World.make();
    const { tab, subIds } = await world.subscribed(["a"]);
    const [subId = 0] = subIds;
    const serverId = tab.newestStatus?.serverId ?? 0;
    const { id, time } = world.server.publish("a", "gone");
    await world.time.advance(1_000);
    const remove = () => tab.send("mark", { mark: { kind: "deleted", on: true }, keys: [[subId, time, id]] });
    if (when === "before") await remove();
    for (const by of [years, -years]) {
      jump(world, by);
      await tab.send("resume", {});
      await world.time.advance(60_000);
      if (when === "after" && by === years) await remove();
      await world.time.advance(4_000_000);
      await tab.send("refresh", { serverId, subId });
      expect(await texts(world, "feed"), `after a jump by ${by} years`).toEqual([]);
    }
  });
});
