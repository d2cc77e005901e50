import { describe, expect, test } from "vitest";
import { markOf } from "../../src/contract";
import { sleep } from "../../src/hub/environment";
import type { ServerAddress } from "../../src/protocol";
import { groupOf, must } from "../store/samples";
import { NEVER_GRANTED } from "./fake-locks";
import { type Tab, World } from "./world";

/** Publishes a message through the hub. */
async function send(world: World, tab: Tab, message: string, more: { delay?: string } = {}) {
  const sent = await tab.send("publish", { address: world.server.address, topic: "a", message, ...more });
  if (!sent.ok || !sent.value.message) throw new Error("not sent");
  return sent.value.message;
}

/** The text and the read state of each stored row, and the unread counter. */
async function state(world: World) {
  const { subscriptions } = await world.store.reader.catalogue();
  const rows = await world.rows("feed");
  return {
    rows: rows.map((row) => `${row.event.message}: ${row.readAtMs === undefined ? "unread" : "read"}`),
    unread: subscriptions[0]?.unread,
  };
}

const alerts = (tab: Tab) => tab.events.filter(({ kind }) => kind === "alert");
const announcedUnread = (tab: Tab) =>
  tab.events.some((event) => event.kind === "rows" && event.counts.some(({ unread }) => unread > 0));

describe("a message that the user sent", () => {
  test("is read if the stream brings it before the answer comes, and nothing announces it", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    await tab.send("setAlerting", { able: true });
    world.server.intercept = ({ method, url }) => {
      if (method !== "POST" || url.pathname !== "/") return undefined;
      const event = world.server.publish("a", "mine");
      return new Promise((resolve) => void world.time.setTimer(() => resolve(Response.json(event)), 1_000));
    };
    await send(world, tab, "mine");
    await world.time.settle();
    expect(await state(world)).toEqual({ rows: ["mine: read"], unread: 0 });
    expect(announcedUnread(tab)).toBe(false);
    expect(alerts(tab)).toEqual([]);
    expect(tab.added).toEqual(["mine"]);
  });

  test("is read if the answer comes before the stream brings it", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    await tab.send("setAlerting", { able: true });
    const event = { id: "answeredfrst", time: world.server.nowS, expires: world.server.nowS + 999, topic: "a" };
    const mine = { ...event, event: "message" as const, message: "mine" };
    world.server.intercept = ({ method }) => (method === "POST" ? Response.json(mine) : undefined);
    await send(world, tab, "mine");
    world.server.broadcast(mine);
    await world.time.settle();
    expect(await state(world)).toEqual({ rows: ["mine: read"], unread: 0 });
    expect(announcedUnread(tab)).toBe(false);
    expect(alerts(tab)).toEqual([]);
    expect(tab.added).toEqual(["mine"]);
  });

  test("becomes read when the answer comes too late to wait for, or another hub has the streams", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    world.server.intercept = ({ method, url }) => {
      if (method !== "POST" || url.pathname !== "/") return undefined;
      const event = world.server.publish("a", "mine");
      return new Promise((resolve) => void world.time.setTimer(() => resolve(Response.json(event)), 10_000));
    };
    const sending = send(world, tab, "mine");
    await world.time.advance(5_000);
    expect(await state(world), "messages of others do not wait for long").toEqual({
      rows: ["mine: unread"],
      unread: 1,
    });
    await sending;
    await world.time.settle();
    expect(await state(world)).toEqual({ rows: ["mine: read"], unread: 0 });

    world.server.intercept = undefined;
    const follower = world.openTab(world.startHub({ locks: NEVER_GRANTED }));
    await send(world, follower, "from another tab");
    await world.time.settle();
    expect(await state(world)).toEqual({ rows: ["from another tab: read", "mine: read"], unread: 0 });
  });

  test("rings in no tab if another hub has the streams and the answer comes after them", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    await tab.send("setAlerting", { able: true });
    const follower = world.openTab(world.startHub());
    await world.time.settle();
    world.server.intercept = ({ method, url }) => {
      if (method !== "POST" || url.pathname !== "/") return undefined;
      const event = world.server.publish("a", "mine");
      return new Promise((resolve) => void world.time.setTimer(() => resolve(Response.json(event)), 1_000));
    };
    await send(world, follower, "mine");
    await world.time.settle();
    expect(await state(world)).toEqual({ rows: ["mine: read"], unread: 0 });
    expect(announcedUnread(tab)).toBe(false);
    expect(alerts(tab)).toEqual([]);
    world.server.publish("a", "of others");
    await world.time.settle();
    expect(alerts(tab), "the next one rings at once").toHaveLength(1);
  });

  test("rings nowhere, however long the upload of its file takes and though the answer comes after it", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    await tab.send("setAlerting", { able: true });
    const sequence = "mine00000001";
    const upload = async () => {
      await sleep(world.time, 5_000);
      const event = world.server.publish("a", "A file", { sequence_id: sequence });
      await sleep(world.time, 50);
      return Response.json(event);
    };
    world.server.intercept = ({ method, url }) => (method === "POST" && url.pathname === "/a" ? upload() : undefined);
    const file = { name: "log.txt", content: new Blob(["lines"]) };
    await tab.send("publish", { address: world.server.address, topic: "a", message: "", sequence, file });
    await world.time.settle();
    expect(await state(world)).toEqual({ rows: ["A file: read"], unread: 0 });
    expect(announcedUnread(tab)).toBe(false);
    expect(alerts(tab)).toEqual([]);
  });

  test("is told to no other device or app as read, whether the stream or the answer comes first", async () => {
    const world = await World.make();
    const { tab, subIds } = await world.subscribed(["a"]);
    await tab.send("patchSubscription", { subId: subIds[0] ?? 0, patch: { tellsRead: "on" } });
    must(await world.store.setGroup(groupOf("phone", { shares: ["marks"] })));
    await world.time.advance(60_000);
    for (const afterMs of [100, 10_000]) {
      world.server.intercept = ({ method, url }) => {
        if (method !== "POST" || url.pathname !== "/") return undefined;
        const event = world.server.publish("a", "mine");
        return new Promise((resolve) => void world.time.setTimer(() => resolve(Response.json(event)), afterMs));
      };
      const sending = send(world, tab, "mine");
      await world.time.advance(20_000);
      await sending;
      expect(await state(world)).toMatchObject({ unread: 0 });
      const told = must(await world.store.unsentRegisters(100, world.time.now() + 60_000)).registers.filter(({ key }) =>
        markOf(key),
      );
      expect([must(await world.store.clears()), told]).toEqual([[], []]);
    }
  });

  test("does not hide messages of others that come meanwhile", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    await tab.send("setAlerting", { able: true });
    world.server.intercept = ({ method, url }) => {
      if (method !== "POST" || url.pathname !== "/") return undefined;
      const event = world.server.publish("a", "hello");
      world.server.publish("a", "hello");
      return new Promise((resolve) => void world.time.setTimer(() => resolve(Response.json(event)), 500));
    };
    await send(world, tab, "hello");
    await world.time.settle();
    expect(await state(world)).toEqual({ rows: ["hello: unread", "hello: read"], unread: 1 });
    expect(alerts(tab)).toHaveLength(1);
  });

  test("counts as unread when it was scheduled for later, as a reminder does", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    world.server.intercept = ({ method, url }) =>
      method === "POST" && url.pathname === "/"
        ? Response.json(world.server.publish("a", "water the plants", { delayS: 60 }))
        : undefined;
    const mine = await send(world, tab, "water the plants", { delay: "1 min" });
    await world.time.advance(61_000);
    world.server.broadcast(mine);
    await world.time.settle();
    expect(await state(world)).toEqual({ rows: ["water the plants: unread"], unread: 1 });
  });

  test("is not mistaken for one of a topic of the same name on another server", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    const address = "https://elsewhere.example" as ServerAddress;
    world.server.intercept = ({ method }) =>
      method === "POST"
        ? Response.json({ id: "sentelsewhre", time: world.server.nowS, event: "message", topic: "a", message: "mine" })
        : undefined;
    await tab.send("publish", { address, topic: "a", message: "mine" });
    await world.time.settle();
    expect(await world.feed()).toEqual([]);
  });

  test("is not kept if its topic is not subscribed", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["b"]);
    await send(world, tab, "elsewhere");
    await world.time.settle();
    expect(await world.feed()).toEqual([]);
  });
});
