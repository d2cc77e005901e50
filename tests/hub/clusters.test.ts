import { describe, expect, test } from "vitest";
import { Bans } from "../newer-server";
import { htmlAnswer, pollAnswer } from "./fake-server";
import { World } from "./world";

/** A tab at a cluster, which confirms all alerts. */
async function clustered() {
  const world = await World.make();
  Object.assign(world.server, { lagS: 8, replaysByTime: true });
  const { tab } = await world.subscribed(["a", "b"]);
  await tab.send("setAlerting", { able: true });
  const alerted: string[] = [];
  let heard = 0;
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 1_000) {
      await world.time.advance(1_000);
      for (const event of tab.events.slice(heard)) {
        if (event.kind !== "alert") continue;
        alerted.push(...event.rows.map((row) => row.event.message));
        await tab.send("confirmAlert", { alertId: event.alertId });
      }
      heard = tab.events.length;
    }
  };
  await pass(60_000);
  return { world, tab, alerted, pass };
}

describe("a cluster whose polls read a replica that lags", () => {
  test("loses nothing, alerts once, and isn't taken for a server that forgot", async () => {
    const { world, tab, alerted, pass } = await clustered();
    const sent: string[] = [];
    for (let round = 0; round < 60; round++) {
      const message = `${round}`;
      sent.push(message);
      if (round % 3 === 0) world.server.cut();
      world.server.publish(round % 2 === 0 ? "a" : "b", message);
      await pass(7_000);
      if (round % 10 === 0) await tab.send("refresh", { serverId: tab.newestStatus?.serverId ?? 0 });
    }
    await pass(700_000);
    expect((await world.feed()).sort()).toEqual(sent.sort());
    expect(alerted.sort()).toEqual(sent);
    expect(await world.store.reader.gaps()).toEqual([]);
  });

  test("resends old messages, none of which appears twice, alerts twice, or returns after deletion", async () => {
    const { world, tab, alerted, pass } = await clustered();
    const sinceS = world.server.nowS;
    world.server.publish("a", "first", { sequence_id: "job" });
    await pass(2_000);
    world.server.publish("a", "second", { sequence_id: "job" });
    world.server.publish("b", "gone");
    await pass(20_000);
    const [row] = (await world.rows("feed")).filter(({ event }) => event.message === "gone");
    if (row) await tab.send("mark", { mark: { kind: "deleted", on: true }, keys: [[row.subId, row.time, row.id]] });
    for (let round = 0; round < 3; round++) {
      world.server.sendAgain(sinceS);
      await pass(400_000);
    }
    expect(await world.feed()).toEqual(["second"]);
    expect(alerted.sort()).toEqual(["first", "gone", "second"]);
  });

  test("sends a topic's history over the stream before a poll has brought it, without an alert", async () => {
    const { world, tab, alerted, pass } = await clustered();
    world.server.publish("c", "history");
    await pass(600_000);
    world.server.intercept = ({ url }) => (url.pathname === "/c/json" ? "hang" : undefined);
    await tab.send("subscribe", { address: world.server.address, topics: ["c"], history: "all" });
    await pass(2_000);
    world.server.sendAgain(0);
    await pass(2_000);
    world.server.intercept = undefined;
    await pass(700_000);
    expect(await world.feed()).toEqual(["history"]);
    expect(alerted).toEqual([]);
  });
});

test("a live message that comes before the stream says the time is kept, though the device's clock is ahead", async () => {
  const world = await World.make();
  world.server.skewS = -3_600;
  const tab = world.openTab(world.startHub());
  const event = world.server.publish("a", "early", { uncached: true });
  let isSent = false;
  world.server.intercept = ({ url }) => {
    if (url.searchParams.has("poll")) return htmlAnswer(502);
    if (url.pathname !== "/a/json" || isSent) return undefined;
    isSent = true;
    const open = { id: world.server.nextId(), time: world.server.nowS, event: "open", topic: "a" };
    const lines = `${JSON.stringify(event)}\n${JSON.stringify(open)}\n`;
    return pollAnswer(lines);
  };
  await tab.send("subscribe", { address: world.server.address, topics: ["a"], history: "all" });
  await world.time.advance(5_000);
  expect(await world.feed()).toEqual(["early"]);
});

test("an address is banned after more than 100 errors in ten minutes, a lockout counting ten", () => {
  const bans = new Bans();
  for (let at = 0; at < 90; at++) bans.note(at * 1_000, 40301);
  bans.note(100_000, 42909);
  expect([bans.isBanned(100_000), bans.worst, bans.all]).toEqual([false, 100, 91]);
  bans.note(101_000);
  expect([bans.isBanned(101_000), bans.isBanned(900_000)]).toEqual([true, false]);
});
