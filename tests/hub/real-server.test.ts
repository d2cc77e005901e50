import { IDBFactory } from "fake-indexeddb";
import "fake-indexeddb/auto";
import { WebSocket } from "ws";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Hub, type Environment } from "../../src/hub";
import type { Transport } from "../../src/contract";
import type { Credentials, ServerAddress } from "../../src/protocol";
import { startServer, type ServerEnvironment, type ServerOptions, type TopicServer } from "../../src/server";
import { openStore, type Store } from "../../src/store";
import { ManualClock } from "../server/manual-clock";
import { VirtualTime } from "./virtual-time";
import { Air, Tab } from "./world";

const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A device whose database outlives its workers, as in a browser. */
class Device {
  readonly indexedDB = new IDBFactory();
  readonly air = new Air();

  /** @param given replaces parts of what the hub is given */
  async start(
    given: Partial<Environment> = {},
  ): Promise<{ hub: Hub; tab: Tab; store: Store; feed: () => Promise<string[]> }> {
    const opened = await openStore({
      indexedDB: this.indexedDB,
    });
    if (!opened.ok) throw new Error(opened.error.text);
    const store = opened.value;
    const environment: Environment = {
      fetch: (url, init) => fetch(url, init),
      connectWebSocket(url, events) {
        const socket = new WebSocket(url);
        socket.on("message", (data, isBinary) => events.data(isBinary ? data : (data as Buffer).toString()));
        // The socket's close event follows.
        socket.on("error", () => undefined);
        socket.on("close", () => events.closed());
        return { close: () => socket.terminate() };
      },
      now: () => Date.now(),
      setTimer: (run, delayMs) => setTimeout(run, delayMs),
      clearTimer: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined),
      random: () => 0,
      randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
      channel: this.air.open(),
      store,
      isBlocked: () => Promise.resolve(false),
      mode: "database",
      build: "1",
      report: (problem) => {
        throw problem;
      },
      ...given,
    };
    const hub = new Hub(environment, "hub");
    hub.start();
    ends.push(() => hub.stop());
    const tab = new Tab(hub, this.air, async (isDone) => {
      await vi.waitUntil(isDone, { timeout: 60_000, interval: 5 });
    });
    const feed = async (): Promise<string[]> => {
      const page = await store.reader.page({ list: "feed", direction: "older", count: 1_000, nowMs: Date.now() });
      return page.rows.map((row) => row.event.message).reverse();
    };
    return { hub, tab, store, feed };
  }
}

async function serve(options: ServerOptions = {}, environment: ServerEnvironment = {}): Promise<TopicServer> {
  const limits = { requests: 100_000, streams: 1_000, newTopics: 100_000 };
  const server = await startServer({ port: 0, limits, ...options }, environment);
  ends.push(() => server.close());
  return server;
}

const addressOf = (server: TopicServer): ServerAddress => server.url as ServerAddress;
const soon = { timeout: 60_000, interval: 20 };

/**
 * Makes these requests in turn within one second of the server's clock. It starts at the beginning of a second, and
 * tries again with another topic if the server was too slow.
 */
async function withinASecond(server: TopicServer, topics: string[], ...asked: [method: string, path: string][]) {
  for (const topic of topics) {
    await vi.waitUntil(() => Date.now() % 1_000 < 100, { timeout: 60_000, interval: 5 });
    const times = new Set<number>();
    for (const [method, path] of asked) {
      const answer = await fetch(`${server.url}/${topic}/${path}`, { method });
      times.add(((await answer.json()) as { time: number }).time);
    }
    if (times.size === 1) return topic;
  }
  throw new Error("the machine is too slow");
}

describe("against the embedded server", () => {
  test.each<Transport>(["json", "sse", "ws", "poll"])(
    "receives by %s, once in five tabs, over one stream",
    async (transport) => {
      const server = await serve();
      const device = new Device();
      const { hub, tab, feed } = await device.start();
      const others = [1, 2, 3, 4].map(() => new Tab(hub, device.air, () => Promise.resolve()));
      const topics = Array.from({ length: 20 }, (_, index) => `topic${index}`);
      await server.publish({ topic: "topic3", message: "history" });
      await tab.send("subscribe", { address: addressOf(server), topics, history: "all" });
      await vi.waitFor(() => expect(tab.newestStatus?.state.kind).toBe("live"), soon);
      const serverId = tab.newestStatus?.serverId ?? 0;
      await tab.send("patchServer", { serverId, transport });
      await vi.waitFor(() => expect(tab.newestStatus?.state).toMatchObject({ kind: "live", transport }), soon);
      await server.publish({ topic: "topic7", message: "zwölf 🎉" });
      if (transport === "poll") await tab.send("refresh", { serverId });
      await vi.waitFor(async () => expect(await feed()).toEqual(["history", "zwölf 🎉"]), soon);
      for (const each of [tab, ...others]) expect(each.added.sort()).toEqual(["history", "zwölf 🎉"]);
      await vi.waitFor(() => expect(server.streams()).toHaveLength(transport === "poll" ? 0 : 1), soon);
    },
  );

  test("catches up after a cut, after a restart of the worker and after a topic was removed", async () => {
    const server = await serve();
    const device = new Device();
    const first = await device.start();
    await first.tab.send("subscribe", { address: addressOf(server), topics: ["a", "b"], history: "all" });
    await vi.waitFor(() => expect(server.streams()).toHaveLength(1), soon);
    server.cutStreams();
    await server.publish({ topic: "a", message: "1" });
    await vi.waitFor(async () => expect(await first.feed()).toEqual(["1"]), soon);
    await vi.waitFor(() => expect(first.tab.newestStatus?.state.kind).toBe("live"), soon);
    first.hub.stop();
    await server.publish({ topic: "b", message: "2" });
    await server.publish({ topic: "a", message: "3" });
    const second = await device.start();
    await vi.waitFor(async () => expect((await second.feed()).sort()).toEqual(["1", "2", "3"]), soon);
    const [status] = await second.tab.send("status", {});
    expect(await second.tab.send("refresh", { serverId: status?.serverId ?? 0 })).toEqual({
      ok: true,
      value: { missing: 0, found: [] },
    });
  });

  test("shows messages that are published again after a delete, and hides deleted ones, within one second", async () => {
    const server = await serve();
    const topics = Array.from({ length: 5 }, (_, at) => `topic${at}`);
    for (const topic of topics) await server.publish({ topic, message: "before", sequenceId: "job" });
    const { tab, feed } = await new Device().start();
    await tab.send("subscribe", { address: addressOf(server), topics, history: "all" });
    await vi.waitFor(() => expect(tab.newestStatus?.state.kind).toBe("live"), soon);
    const kept = await withinASecond(server, topics, ["DELETE", "job"], ["PUT", "job?message=after"]);
    const others = topics.filter((topic) => topic !== kept);
    await withinASecond(server, others, ["PUT", "other?message=gone"], ["DELETE", "other"]);
    await vi.waitFor(() => expect(tab.added).toContain("gone"), soon);
    await vi.waitFor(async () => expect(await feed()).not.toContain("gone"), soon);
    expect(await feed()).toContain("after");
    const [status] = await tab.send("status", {});
    expect(await tab.send("refresh", { serverId: status?.serverId ?? 0 })).toMatchObject({ value: { missing: 0 } });
    expect(await feed()).toContain("after");
    expect(await feed()).not.toContain("gone");
  });

  test("alerts for an update in the same second as a clear, and leaves it unread", async () => {
    const server = await serve();
    const topics = Array.from({ length: 5 }, (_, at) => `topic${at}`);
    for (const topic of topics) await server.publish({ topic, message: "before", sequenceId: "job" });
    const { tab, store } = await new Device().start();
    await tab.send("setAlerting", { able: true });
    const answer = await tab.send("subscribe", { address: addressOf(server), topics, history: "all" });
    await vi.waitFor(() => expect(tab.newestStatus?.state.kind).toBe("live"), soon);
    const topic = await withinASecond(server, topics, ["PUT", "job/clear"], ["PUT", "job?message=urgent&priority=5"]);
    const alerted = () =>
      tab.events.flatMap((event) => (event.kind === "alert" ? event.rows.map((row) => row.event.topic) : []));
    await vi.waitFor(() => expect(alerted()).toContain(topic), soon);
    const subId = answer.ok ? answer.value.subIds[topics.indexOf(topic)] : undefined;
    const counts = () =>
      tab.events.flatMap((event) => (event.kind === "rows" ? event.counts : [])).findLast((one) => one.subId === subId);
    expect(counts()).toMatchObject({ unread: 1, unreadUrgent: 1 });
    // Once the order is settled, the counters are still the same.
    await vi.waitFor(async () => expect(await store.unsettled()).toEqual({ ok: true, value: [] }), soon);
    expect(counts()).toMatchObject({ unread: 1, unreadUrgent: 1 });
  });

  test("reads the history of a first subscription once, and what it left out with the polls after it", async () => {
    const clock = new ManualClock();
    const server = await serve({}, { clock });
    const topics = ["a", "b"];
    const body = "x".repeat(1_000);
    const time = new VirtualTime(clock.nowMs());
    const pass = async (seconds: number): Promise<void> => {
      clock.advance(seconds);
      await time.advance(1_000 * seconds);
    };
    const later = (message: string, Delay: string) =>
      fetch(`${server.url}/b`, { method: "PUT", body: message, headers: { Delay } });
    await later("soon", "5605s");
    for (let at = 0; at < 200; at++) {
      await server.publish({ topic: topics[at % 2] ?? "", message: `${at} ${body}` });
      await pass(10);
    }
    await later("tomorrow", "20h");
    await pass(3_600);
    const polls: { since: string; bytes: number }[] = [];
    const { tab, store, feed } = await new Device().start({
      now: time.now,
      setTimer: time.setTimer,
      clearTimer: time.clearTimer,
      fetch: async (url, init) => {
        const answer = await fetch(url, init);
        const since = new URL(url).searchParams.get("since");
        if (since === null) return answer;
        const bytes = Buffer.from(await answer.arrayBuffer());
        polls.push({ since, bytes: bytes.length });
        return new Response(bytes, answer);
      },
    });
    await tab.send("subscribe", { address: addressOf(server), topics, history: "all" });
    await vi.waitFor(() => expect(tab.newestStatus?.state.kind).toBe("live"), soon);
    await vi.waitFor(() => expect(polls).toHaveLength(2), soon);
    await pass(20);
    await vi.waitFor(() => expect(polls).toHaveLength(3), soon);
    expect(polls).toMatchObject([
      { since: "all" },
      { since: expect.stringMatching(/^\w{12}$/) },
      { since: expect.stringMatching(/^\d{10}$/) },
    ]);
    expect(polls[0]?.bytes).toBeGreaterThan(200_000);
    expect((polls[1]?.bytes ?? 0) + (polls[2]?.bytes ?? 0)).toBeLessThan(3_000);
    await vi.waitFor(async () => expect(await feed()).toHaveLength(201), soon);
    const scheduled = await store.reader.page({ list: "scheduled", direction: "older", count: 10, nowMs: time.now() });
    expect(scheduled.rows.map(({ event }) => event.message)).toEqual(["tomorrow"]);
  });

  test("tells how many messages may still be published today", async () => {
    const server = await serve({
      limits: { requests: 100_000, streams: 1_000, newTopics: 100_000, messagesPerDay: 2 },
    });
    const { tab } = await new Device().start();
    const address = addressOf(server);
    await tab.send("subscribe", { address, topics: ["a"], history: "all" });
    const left = () => tab.send("allowance", { address });
    expect(await left()).toEqual({ ok: true, value: { messagesLeft: 2, fileBytes: 0 } });
    for (const message of ["one", "two"]) await tab.send("publish", { address, topic: "a", message });
    expect(await left()).toEqual({ ok: true, value: { messagesLeft: 0, fileBytes: 0 } });
    expect(await tab.send("publish", { address, topic: "a", message: "three" })).toMatchObject({
      error: { why: { kind: "busy", code: 42908 } },
    });
    expect(await tab.send("allowance", { address, accountId: 7 })).toMatchObject({ error: { kind: "not-found" } });
  });

  test("asks for credentials if a topic is protected, and uses them", async () => {
    const server = await serve({
      access: {
        default: "read-write",
        users: [{ name: "ada", password: "pässwort", role: "user", tokens: [] }],
        rules: [
          { user: "*", topic: "secret", allow: "deny-all" },
          { user: "ada", topic: "secret", allow: "read-write" },
        ],
      },
    });
    const { tab, feed } = await new Device().start();
    const input = { address: addressOf(server), topics: ["secret"], history: "all" } as const;
    expect(await tab.send("subscribe", { ...input, topics: ["secret"] })).toEqual({
      ok: false,
      error: { kind: "failed", why: { kind: "forbidden", code: 40301, topics: ["secret"] } },
    });
    const wrong: Credentials = { kind: "basic", user: "ada", password: "nope" };
    expect(await tab.send("subscribe", { ...input, topics: ["secret"], credentials: wrong })).toEqual({
      ok: false,
      error: { kind: "failed", why: { kind: "unauthorized", code: 40101 } },
    });
    const right: Credentials = { kind: "basic", user: "ada", password: "pässwort" };
    const answer = await tab.send("subscribe", { ...input, topics: ["secret"], credentials: right });
    expect(answer.ok).toBe(true);
    const published = await tab.send("publish", {
      address: input.address,
      topic: "secret",
      message: "hush",
      credentials: right,
    });
    expect(published).toMatchObject({ ok: true, value: { message: { message: "hush" } } });
    await vi.waitFor(async () => expect(await feed()).toEqual(["hush"]), soon);
  });

  test("takes only messages from now on, by the time that a stream tells", async () => {
    const server = await serve();
    await server.publish({ topic: "a", message: "before" });
    const { tab, feed } = await new Device().start();
    const heldS = server.nowS();
    await vi.waitUntil(() => server.nowS() > heldS, { timeout: 60_000, interval: 20 });
    await tab.send("subscribe", { address: addressOf(server), topics: ["a"], history: "now" });
    await server.publish({ topic: "a", message: "after" });
    await vi.waitFor(async () => expect(await feed()).toEqual(["after"]), soon);
    const [status] = await tab.send("status", {});
    await tab.send("refresh", { serverId: status?.serverId ?? 0 });
    expect(await feed()).toEqual(["after"]);
  });

  test("is told apart from other servers", async () => {
    const server = await serve();
    const { tab } = await new Device().start();
    const address = `${server.url}/not/here` as ServerAddress;
    expect(await tab.send("subscribe", { address, topics: ["a"], history: "all" })).toEqual({
      ok: false,
      error: { kind: "failed", why: { kind: "no-topic-server" } },
    });
  });

  test("a device joins another one, and has its topics and what was read there", async () => {
    const server = await serve();
    const [desktop, phone] = [await new Device().start(), await new Device().start()];
    const message = await server.publish({ topic: "a", message: "one" });
    await desktop.tab.send("subscribe", { address: addressOf(server), topics: ["a"], history: "all" });
    await vi.waitFor(async () => expect(await desktop.feed()).toEqual(["one"]), soon);
    const [topic] = (await desktop.store.reader.catalogue()).subscriptions;
    const keys: [number, number, string][] = [[topic?.subId ?? 0, message.time, message.id]];
    await desktop.tab.send("mark", { keys, mark: { kind: "read", on: true } });
    const started = await desktop.tab.send("startGroup", { serverId: 1, deviceName: "desktop" });
    expect(started).toEqual({ ok: true, value: null });
    const invited = await desktop.tab.send("inviteDevice", {});
    const invitation = invited.ok ? invited.value.invitation : "";
    await phone.tab.send("joinGroup", { invitation, deviceName: "phone" });
    const joining = await vi.waitFor(async () => {
      const state = await desktop.tab.send("deviceGroup", {});
      if (!state.ok || state.value.kind !== "member" || !state.value.joining) throw new Error("nobody asks");
      return state.value.joining;
    }, soon);
    expect(await phone.tab.send("deviceGroup", {})).toMatchObject({
      value: { kind: "joining", digits: joining.digits },
    });
    await desktop.tab.send("letIn", { deviceId: joining.deviceId, withSignIns: false });
    await vi.waitFor(async () => expect(await phone.feed()).toEqual(["one"]), soon);
    await vi.waitFor(async () => {
      const page = await phone.store.reader.page({ list: "feed", direction: "older", count: 1, nowMs: 0 });
      expect(page.rows[0]?.readAtMs).toBeDefined();
    }, soon);
    // Each has one for its topics and one for the group.
    await vi.waitFor(() => expect(server.streams()).toHaveLength(4), soon);
  });
});
