import { describe, expect, test } from "vitest";
import type { Credentials } from "../../src/protocol";
import { errorAnswer, htmlAnswer } from "./fake-server";
import { World, type Tab } from "./world";

const ADA: Credentials = { kind: "basic", user: "ada", password: "s3cret" };

const serverIdOf = (tab: Tab): number => tab.newestStatus?.serverId ?? 0;
const streamRequests = (world: World): number[] =>
  world.server.requests.flatMap((request, index) =>
    /\/(json|sse)$/.test(request.url.pathname) && !request.url.searchParams.has("poll") ? [index] : [],
  );

describe("an outage", () => {
  test("of any kind is retried, with waits that stay between a second and a minute", async () => {
    for (const outage of [
      () => "network-error" as const,
      () => htmlAnswer(403),
      () => htmlAnswer(404),
      () => htmlAnswer(200),
      () => new Response("", { status: 502 }),
    ]) {
      const world = await World.make();
      let draw = 0;
      const { tab } = await world.subscribed(["a"], {}, { random: () => [0, 0.999, 0.5, 0.25][draw++ % 4] ?? 0 });
      const times: number[] = [];
      world.server.intercept = (request) => {
        if (/\/json$/.test(request.url.pathname) && !request.url.searchParams.has("poll")) times.push(world.time.now());
        return outage();
      };
      world.server.cut();
      await world.time.advance(1_800_000);
      const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0));
      expect(waits.length).toBeGreaterThan(20);
      for (const wait of waits) {
        expect(wait).toBeGreaterThanOrEqual(1_000);
        expect(wait).toBeLessThanOrEqual(60_000);
      }
      expect(Math.max(...waits)).toBeGreaterThan(50_000);
      expect(tab.newestStatus?.state).toMatchObject({ kind: "waiting" });
      world.server.intercept = undefined;
      await world.time.advance(61_000);
      expect(tab.newestStatus?.state.kind).toBe("live");
    }
  });

  test("has the next try in its state, and pressing ends the wait", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"], {}, { random: () => 0.999 });
    world.server.down = true;
    world.server.cut();
    await world.time.advance(40_000);
    const state = tab.newestStatus?.state;
    if (state?.kind !== "waiting") throw new Error(state?.kind);
    expect(state.why).toEqual({ kind: "network" });
    expect(state.nextTryAtMs).toBeGreaterThan(world.time.now());
    world.server.down = false;
    await tab.send("tryNow", { serverId: serverIdOf(tab) });
    expect(tab.newestStatus?.state.kind).toBe("live");
  });

  test("starts with short waits again only after a stable minute", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"], {}, { random: () => 0.999 });
    const fail = async (seconds: number): Promise<void> => {
      world.server.intercept = () => "network-error";
      world.server.cut();
      await world.time.advance(seconds * 1_000);
      world.server.intercept = undefined;
    };
    await fail(40);
    expect(tab.newestStatus?.state).toMatchObject({ kind: "waiting", attempt: 5 });
    await world.time.advance(40_000);
    expect(tab.newestStatus?.state.kind).toBe("live");
    await fail(1);
    expect(tab.newestStatus?.state).toMatchObject({ kind: "waiting", attempt: 6 });
    await world.time.advance(61_000);
    await world.time.advance(61_000);
    await fail(1);
    expect(tab.newestStatus?.state).toMatchObject({ kind: "waiting", attempt: 1 });
  });

  test("shows as offline while the device has no network, and ends at once when it is back", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    await tab.send("setOnline", { online: false });
    expect(tab.newestStatus?.state.kind).toBe("live");
    world.server.down = true;
    world.server.cut();
    await world.time.advance(120_000);
    expect(tab.newestStatus?.state.kind).toBe("offline");
    world.server.down = false;
    await tab.send("setOnline", { online: true });
    expect(tab.newestStatus?.state.kind).toBe("live");
  });

  test("without any error is noticed by the silence, after two known keepalive intervals and a margin", async () => {
    const world = await World.make();
    world.server.keepaliveMs = 20_000;
    const { tab } = await world.subscribed(["a"]);
    await world.time.advance(90_000);
    const before = streamRequests(world).length;
    world.server.freeze();
    world.server.publish("a", "unheard");
    await world.time.advance(30_000);
    expect(streamRequests(world)).toHaveLength(before);
    await world.time.advance(25_000);
    expect(streamRequests(world)).toHaveLength(before + 1);
    expect(tab.newestStatus?.state.kind).toBe("live");
    expect(await world.feed()).toEqual(["unheard"]);
    // The app doubted the interval when the stream fell silent, and now learns it anew.
    await world.time.advance(90_000);
    const { servers } = await world.store.reader.catalogue();
    expect(servers[0]?.keepaliveMs).toBe(20_000);
  });
});

describe("reactions to answers", () => {
  test("busy: waits, says so, and goes on", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    world.server.intercept = () => errorAnswer(429, 42901);
    world.server.cut();
    await world.time.advance(3_000);
    const state = tab.newestStatus?.state;
    expect(state).toMatchObject({ kind: "waiting", why: { kind: "busy", code: 42901 } });
    const before = world.server.requests.length;
    await world.time.advance(2_000);
    expect(world.server.requests).toHaveLength(before);
    world.server.intercept = undefined;
    await world.time.advance(60_000);
    expect(tab.newestStatus?.state.kind).toBe("live");
  });

  test("no topic server: stops, until asked", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    world.server.intercept = () => errorAnswer(404, 40401);
    world.server.cut();
    await world.time.advance(60_000);
    expect(tab.newestStatus?.state).toEqual({ kind: "stopped", why: { kind: "no-topic-server" } });
    const before = world.server.requests.length;
    await world.time.advance(3_600_000);
    expect(world.server.requests).toHaveLength(before);
    world.server.intercept = undefined;
    await tab.send("tryNow", { serverId: serverIdOf(tab) });
    expect(tab.newestStatus?.state.kind).toBe("live");
  });

  test("forbidden: leaves the one topic out, keeps the rest live, takes it back with credentials", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a", "b", "c", "d"]);
    world.server.users.push(ADA);
    world.server.readers.set("c", [ADA]);
    world.server.cut();
    await world.time.advance(5_000);
    expect(tab.newestStatus).toMatchObject({ state: { kind: "live" }, refusedTopics: ["c"] });
    expect([...world.server.streams].map((stream) => stream.topics)).toEqual([["a", "b", "d"]]);
    world.server.publish("c", "unseen");
    world.server.publish("d", "seen");
    await world.time.advance(3_600_000);
    expect(await world.feed()).toEqual(["seen"]);
    const tries = world.server.requests.filter(
      (request) => request.url.pathname === "/c/json" && request.url.searchParams.get("since") === "none",
    );
    expect(tries).toHaveLength(1);

    const { subscriptions } = await world.store.reader.catalogue();
    const subIds = subscriptions.filter(({ topic }) => topic === "c").map(({ subId }) => subId);
    await tab.send("setCredentials", { serverId: serverIdOf(tab), subIds, credentials: ADA });
    await world.time.settle();
    expect(tab.newestStatus).toMatchObject({ state: { kind: "live" }, refusedTopics: [] });
    expect((await world.feed()).sort()).toEqual(["seen", "unseen"]);
    expect(world.server.streams.size).toBe(2);
  });

  test("forbidden: a topic that is signed in while its refusal is on the way is not left out", async () => {
    const world = await World.make();
    const { tab, subIds } = await world.subscribed(["a", "b"]);
    world.server.users.push(ADA);
    world.server.readers.set("b", [ADA]);
    let refuse = (): void => undefined;
    const late = new Promise<Response>((resolve) => (refuse = () => resolve(errorAnswer(403, 40301))));
    world.server.intercept = ({ url, authorization }) =>
      url.pathname === "/b/json" && url.searchParams.get("since") === "none" && !authorization ? late : undefined;
    world.server.cut();
    await world.time.advance(5_000);
    await tab.send("setCredentials", { serverId: serverIdOf(tab), subIds: subIds.slice(1), credentials: ADA });
    refuse();
    await world.time.advance(5_000);
    expect(tab.newestStatus).toMatchObject({ state: { kind: "live" }, refusedTopics: [] });
  });

  test("mistyped credentials are refused at once, and those that work stay", async () => {
    const world = await World.make();
    world.server.users.push(ADA);
    const { tab } = await world.subscribed(["a", "b"], { credentials: ADA });
    const answer = await tab.send("setCredentials", {
      serverId: serverIdOf(tab),
      credentials: { ...ADA, password: "mistyped" },
    });
    expect(answer).toMatchObject({ ok: false, error: { kind: "failed", why: { kind: "unauthorized" } } });
    world.server.cut();
    await world.time.advance(5_000);
    expect(tab.newestStatus).toMatchObject({ state: { kind: "live" }, refusedTopics: [] });
  });

  test("wrong credentials: never tries them again unasked, and asks for others", async () => {
    const world = await World.make();
    world.server.users.push(ADA);
    const { tab } = await world.subscribed(["a", "b"], { credentials: ADA });
    world.server.users.length = 0;
    world.server.cut();
    await world.time.advance(5_000);
    expect(tab.newestStatus).toMatchObject({
      state: { kind: "refused", why: { kind: "unauthorized", code: 40101 } },
      refusedTopics: ["a", "b"],
    });
    const withCredentials = () => world.server.requests.filter(({ authorization }) => authorization !== undefined);
    const failedLogins = withCredentials().length;
    await tab.send("resume", {});
    await world.time.advance(3_600_000);
    expect(withCredentials()).toHaveLength(failedLogins);
    world.server.users.push({ kind: "token", token: "tk_new" });
    await tab.send("setCredentials", {
      serverId: serverIdOf(tab),
      credentials: { kind: "token", token: "tk_new" },
    });
    await world.time.settle();
    expect(tab.newestStatus?.state.kind).toBe("live");
  });

  test("credentials never show in what is announced, answered or reported", async () => {
    const world = await World.make();
    world.server.users.push(ADA);
    world.server.intercept = (request) => (request.authorization ? "network-error" : undefined);
    const { tab } = await world.subscribed(["a"], { credentials: ADA });
    world.server.intercept = () => "network-error";
    world.server.cut();
    await world.time.advance(120_000);
    const answer = await tab.send("publish", {
      address: world.server.address,
      topic: "a",
      message: "x",
      credentials: ADA,
    });
    const seen = JSON.stringify([tab.events, answer, world.problems]);
    for (const secret of ["s3cret", "YWRhOnMzY3JldA", "QmFzaWMgWVdSaE9uTXpZM0psZEE5PQ"]) {
      expect(seen).not.toContain(secret);
    }
  });
});

describe("a proxy that holds streams back", () => {
  test("leads to server-sent events, which is remembered", async () => {
    const world = await World.make();
    world.server.buffers.add("json");
    const { hub, tab } = await world.subscribed(["a"]);
    await world.time.advance(6_000);
    expect(tab.newestStatus?.state).toMatchObject({ kind: "live", transport: "sse" });
    world.server.publish("a", "hello");
    await world.time.settle();
    expect(tab.added).toEqual(["hello"]);
    hub.stop();
    await world.time.settle();
    const before = world.server.requests.length;
    world.startHub();
    await world.time.settle();
    const after = world.server.requests.slice(before).map((request) => request.url);
    expect(after.filter((url) => !url.searchParams.has("poll")).map((url) => url.pathname)).toEqual(["/a/sse"]);
  });

  test("leads to polls when nothing streams, and streams are tried again later", async () => {
    const world = await World.make();
    world.server.buffers.add("json").add("sse");
    world.server.blocksUpgrades = true;
    const { tab } = await world.subscribed(["a"]);
    await world.time.advance(11_000);
    expect(tab.newestStatus?.state).toMatchObject({ kind: "live", transport: "poll" });
    world.server.publish("a", "polled");
    await world.time.advance(30_000);
    expect(tab.added).toEqual(["polled"]);
    world.server.buffers.clear();
    await world.time.advance(900_000);
    expect(tab.newestStatus?.state).toMatchObject({ kind: "live", transport: "json" });
  });

  test("is not suspected when the transport was chosen by hand", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    await tab.send("patchServer", { serverId: serverIdOf(tab), transport: "sse" });
    await world.time.settle();
    expect(tab.newestStatus?.state).toMatchObject({ kind: "live", transport: "sse" });
    world.server.buffers.add("sse");
    world.server.cut();
    await world.time.advance(60_000);
    const formats = world.server.requests.slice(-3).map((request) => request.url.pathname);
    expect(formats).toContain("/a/sse");
    expect(tab.newestStatus?.state.kind).not.toBe("live");
    expect(await tab.send("patchServer", { serverId: serverIdOf(tab), transport: null })).toMatchObject({ ok: true });
    await world.time.advance(60_000);
    expect(tab.newestStatus?.state).toMatchObject({ kind: "live", transport: "json" });
  });
});

describe("a keepalive interval that was learnt wrong", () => {
  test("while the server's clock was being set ends one stream, but not every later one", async () => {
    const world = await World.make();
    await world.subscribed(["a"]);
    await world.time.advance(50_000);
    world.server.skewS -= 40;
    await world.time.advance(300_000);
    const before = streamRequests(world).length;
    await world.time.advance(1_200_000);
    expect(streamRequests(world).length).toBe(before);
  });
});
