import { describe, expect, test } from "vitest";
import { type Credentials, fail } from "../../src/protocol";
import { errorAnswer, pollAnswer } from "./fake-server";
import { World, type Tab } from "./world";

const ADA: Credentials = { kind: "basic", user: "ada", password: "s3cret" };

const serverIdOf = (tab: Tab): number => tab.newestStatus?.serverId ?? 0;
const HOUR_MS = 3_600_000;

describe("a topic that comes back", () => {
  test("has a gap after a refusal that outlasted the server's retention, unlike topics that were never away", async () => {
    const world = await World.make();
    world.server.retentionS = 3_600;
    world.server.publish("a", "teaches the retention");
    const { tab, subIds } = await world.subscribed(["a", "b"]);
    const [open = 0, guarded = 0] = subIds;
    // The first poll that knows the server's time notes until when nothing of a topic is missing.
    await world.time.advance(15_000);
    world.server.users.push(ADA);
    world.server.readers.set("b", [ADA]);
    await world.time.advance(60_000);
    const lastContactS = world.server.nowS;
    world.server.cut();
    await world.time.advance(60_000);
    world.server.publish("b", "lost for good");
    await world.time.advance(5 * HOUR_MS);
    await tab.send("setCredentials", { serverId: serverIdOf(tab), subIds: [guarded], credentials: ADA });
    await world.time.settle();
    const gaps = await world.store.reader.gaps();
    expect(gaps.map(({ subId }) => subId)).toEqual([guarded]);
    expect(gaps[0]?.from).toBeGreaterThanOrEqual(lastContactS - 330);
    expect(gaps[0]?.from).toBeLessThanOrEqual(lastContactS);
    expect(gaps[0]?.to).toBe(world.server.nowS - 3_600);
    expect(open).not.toBe(guarded);
  });

  test("has that gap even if the worker ends as it stores it", async () => {
    const world = await World.make();
    world.server.retentionS = 3_600;
    world.server.publish("a", "teaches the retention");
    const { hub, tab, subIds } = await world.subscribed(["a", "b"]);
    const [, guarded = 0] = subIds;
    await world.time.advance(15_000);
    world.server.users.push(ADA);
    world.server.readers.set("b", [ADA]);
    await world.time.advance(60_000);
    world.server.cut();
    await world.time.advance(60_000);
    world.server.publish("b", "lost for good");
    await world.time.advance(5 * HOUR_MS);
    const { addGap } = world.store;
    Object.assign(world.store, {
      addGap: () => {
        hub.stop();
        return fail({ kind: "failed", text: "" });
      },
    });
    await tab.send("setCredentials", { serverId: serverIdOf(tab), subIds: [guarded], credentials: ADA });
    await world.time.settle();
    Object.assign(world.store, { addGap });
    world.openTab(world.startHub());
    await world.time.advance(60_000);
    expect((await world.store.reader.gaps()).map(({ subId }) => subId)).toEqual([guarded]);
  });

  test("has a gap if its account was refused while another one went on", async () => {
    const world = await World.make();
    world.server.retentionS = 3_600;
    world.server.users.push(ADA);
    world.server.readers.set("b", [ADA]);
    world.server.publish("a", "teaches the retention");
    const { tab } = await world.subscribed(["a"]);
    const answer = await tab.send("subscribe", {
      address: world.server.address,
      topics: ["b"],
      history: "all",
      credentials: ADA,
    });
    if (!answer.ok) throw new Error(JSON.stringify(answer.error));
    await world.time.advance(60_000);
    world.server.users.length = 0;
    world.server.cut();
    await world.time.advance(5 * HOUR_MS);
    world.server.users.push(ADA);
    await tab.send("setCredentials", {
      serverId: serverIdOf(tab),
      subIds: answer.value.subIds,
      credentials: ADA,
    });
    await world.time.settle();
    expect((await world.store.reader.gaps()).map(({ subId }) => subId)).toEqual(answer.value.subIds);
  });

  test("alerts for missed messages, even if no stream has ever told the server's time", async () => {
    const world = await World.make();
    world.server.users.push(ADA);
    world.server.readers.set("b", [ADA]);
    world.server.buffers.add("json").add("sse");
    world.server.blocksUpgrades = true;
    const { tab, subIds } = await world.subscribed(["b"], { credentials: ADA });
    await tab.send("setAlerting", { able: true });
    await world.time.advance(60_000);
    world.server.users.length = 0;
    await world.time.advance(60_000);
    world.server.users.push(ADA);
    world.server.publish("b", "missed");
    await tab.send("setCredentials", { serverId: serverIdOf(tab), subIds, credentials: ADA });
    await world.time.settle();
    const told = tab.events.flatMap((event) => (event.kind === "alert" ? event.rows : []));
    expect(told.map(({ event }) => event.message)).toEqual(["missed"]);
  });

  test("has no gap if it was restored by undo within seconds", async () => {
    const world = await World.make();
    world.server.publish("a", "teaches the retention");
    const { tab, subIds } = await world.subscribed(["a"]);
    const [subId = 0] = subIds;
    await world.time.advance(60_000);
    await tab.send("unsubscribe", { subId });
    world.server.publish("a", "meanwhile");
    await world.time.advance(5_000);
    await tab.send("restoreSubscription", { subId });
    await world.time.advance(20_000);
    expect((await world.feed()).sort()).toEqual(["meanwhile", "teaches the retention"]);
    expect(await world.store.reader.gaps()).toEqual([]);
  });
});

describe("a poll of some topics of a group", () => {
  test("does not hide the absence of the other topics", async () => {
    const world = await World.make();
    world.server.retentionS = 3_600;
    world.server.publish("a", "teaches the retention");
    const { hub, tab, subIds } = await world.subscribed(["a", "b"]);
    const [first = 0] = subIds;
    const serverId = serverIdOf(tab);
    await world.time.advance(60_000);
    hub.stop();
    await world.time.advance(5 * HOUR_MS);
    // Requests for both topics together fail; those for one topic get through.
    world.server.intercept = ({ url }) =>
      decodeURIComponent(url.pathname).includes("a,b") ? "network-error" : undefined;
    const later = world.openTab(world.startHub());
    await world.time.settle();
    expect(await later.send("refresh", { serverId, subId: first })).toMatchObject({ ok: true });
    world.server.intercept = undefined;
    await world.time.advance(90_000);
    expect(new Set((await world.store.reader.gaps()).map(({ subId }) => subId))).toEqual(new Set(subIds));
  });
});

describe("the pending poll after failures", () => {
  test("is the widest one that failed, whatever failed after it", async () => {
    const world = await World.make();
    const { hub } = await world.subscribed(["a"]);
    await world.time.advance(60_000);
    hub.stop();
    world.server.publish("a", "marker");
    await world.time.advance(24 * HOUR_MS);
    const sinces: (string | null)[] = [];
    world.server.intercept = ({ url }) => {
      if (url.searchParams.get("poll") !== "1") return undefined;
      sinces.push(url.searchParams.get("since"));
      return "network-error";
    };
    // The first start of a day asks for everything; when the stream opens meanwhile, a poll asks only from the newest
    // id on.
    world.startHub();
    await world.time.advance(15_000);
    world.server.intercept = ({ url }) => {
      if (url.searchParams.get("poll") === "1") sinces.push(url.searchParams.get("since"));
      return undefined;
    };
    sinces.length = 0;
    await world.time.advance(61_000);
    expect(sinces).toContain("all");
  });
});

test("if a server keeps hardly anything, messages from a buffer after a sleep do not hide that more were missed", async () => {
  const world = await World.make();
  world.server.retentionS = 140;
  world.server.publish("a", "teaches the retention");
  const { subIds } = await world.subscribed(["a"]);
  await world.time.advance(60_000);
  expect(await world.store.reader.gaps(subIds)).toEqual([]);
  // The device sleeps. When it wakes, the data that was in the stream's buffer comes first.
  world.time.set(300_000);
  const time = world.server.nowS - 299;
  world.server.publish("a", "from the buffer", { time, expires: time + 140 });
  await world.time.advance(60_000);
  expect(await world.feed()).toContain("from the buffer");
  expect(await world.store.reader.gaps(subIds)).toHaveLength(1);
});

test("a topic that joined while a poll of the others was under way has a gap if the device slept before that ended", async () => {
  const world = await World.make();
  world.server.retentionS = 3_600;
  world.server.publish("a", "teaches the retention");
  const { tab, subIds } = await world.subscribed(["a", "b"]);
  const [, subId = 0] = subIds;
  await world.time.advance(60_000);
  await tab.send("unsubscribe", { subId });
  await world.time.advance(20_000);
  let answer: ReadableStreamDefaultController | undefined;
  let refusals = 0;
  world.server.intercept = ({ url }) => {
    if (url.searchParams.get("poll") !== "1") return undefined;
    // The topic's own first poll fails, so that it joins with the next poll of all.
    if (url.pathname === "/b/json" && refusals++ === 0) return errorAnswer(503, 50301);
    if (url.pathname !== "/a/json") return undefined;
    return pollAnswer(new ReadableStream({ start: (controller) => void (answer = controller) }));
  };
  await tab.send("restoreSubscription", { subId });
  await world.time.settle();
  expect((await world.store.reader.catalogue()).subscriptions.find((one) => one.subId === subId)?.joined).toBe(1);
  world.time.set(5 * HOUR_MS);
  answer?.close();
  await world.time.settle();
  expect((await world.store.reader.gaps()).map((gap) => gap.subId)).toContain(subId);
});

test("a gap begins at the last contact by the server's clock as it was then, if it was set forward since", async () => {
  const world = await World.make();
  world.server.retentionS = 3_600;
  world.server.publish("a", "teaches the retention");
  const { hub } = await world.subscribed(["a"]);
  await world.time.advance(60_000);
  const lastContactS = world.server.nowS;
  hub.stop();
  world.server.skewS = 7_200;
  await world.time.advance(3 * HOUR_MS);
  world.server.intercept = ({ url }) => (url.searchParams.get("poll") === "1" ? "network-error" : undefined);
  world.startHub();
  await world.time.advance(10_000);
  world.server.intercept = undefined;
  await world.time.advance(60_000);
  const [gap] = await world.store.reader.gaps();
  expect(gap?.from).toBeLessThanOrEqual(lastContactS);
});
