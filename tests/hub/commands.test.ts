import { describe, expect, test } from "vitest";
import type { CommandError, MessageKey, ListQuery, SubscribeInput } from "../../src/contract";
import { fail, type Credentials, type Result, type ServerAddress } from "../../src/protocol";
import type { Store } from "../../src/store";
import { rowFilter } from "../contract/filter/row-filter";
import { htmlAnswer, pollAnswer } from "./fake-server";
import { markingAll } from "./marking-all";
import { World, type Tab } from "./world";

const ADA: Credentials = { kind: "basic", user: "ada", password: "s3cret" };
const WRONG: Credentials = { kind: "basic", user: "ada", password: "wrong" };

/** The value of a result that must not be an error. */
function must<Value>(result: Result<Value, unknown>): Value {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

async function bare(): Promise<{ world: World; tab: Tab }> {
  const world = await World.make();
  return { world, tab: world.openTab(world.startHub()) };
}

describe("subscribing", () => {
  test("stores nothing if the server, the topic or the credentials are wrong", async () => {
    const { world, tab } = await bare();
    const { address } = world.server;
    world.server.users.push(ADA);
    world.server.readers.set("secret", [ADA]);
    const refusals: [Partial<SubscribeInput>, CommandError][] = [
      [{ topics: ["bad topic"] }, { kind: "invalid", field: "topic", reason: "bad-character" }],
      [{ topics: [] }, { kind: "invalid", field: "topic", reason: "empty" }],
      [{ topics: ["docs"] }, { kind: "invalid", field: "topic", reason: "reserved" }],
      [{ address: "ftp://x" as ServerAddress }, { kind: "invalid", field: "server", reason: "scheme" }],
      [{ credentials: { ...ADA, user: "" } }, { kind: "invalid", field: "credentials", reason: "empty" }],
      [{ topics: ["a", "secret"] }, { kind: "failed", why: { kind: "forbidden", code: 40301, topics: ["secret"] } }],
      [{ topics: ["secret"] }, { kind: "failed", why: { kind: "forbidden", code: 40301, topics: ["secret"] } }],
      [{ credentials: WRONG }, { kind: "failed", why: { kind: "unauthorized", code: 40101 } }],
    ];
    for (const [input, error] of refusals) {
      const answer = await tab.send("subscribe", { address, topics: ["a"], history: "all", ...input });
      expect(answer).toEqual({ ok: false, error });
    }
    world.server.intercept = () => htmlAnswer(200);
    expect(await tab.send("subscribe", { address, topics: ["a"], history: "all" })).toEqual({
      ok: false,
      error: { kind: "failed", why: { kind: "no-topic-server" } },
    });
    world.server.intercept = () => "network-error";
    expect(await tab.send("subscribe", { address, topics: ["a"], history: "all" })).toEqual({
      ok: false,
      error: { kind: "failed", why: { kind: "network" } },
    });
    const catalogue = await world.store.reader.catalogue();
    expect(catalogue).toMatchObject({ servers: [], accounts: [], subscriptions: [] });
  });

  test("works if only streams get through", async () => {
    const { world, tab } = await bare();
    world.server.intercept = ({ url }) => (url.pathname.endsWith("/json") ? undefined : htmlAnswer(404));
    const answer = await tab.send("subscribe", { address: world.server.address, topics: ["a"], history: "all" });
    expect(answer).toMatchObject({ ok: true });
  });

  test("counts its requests with all others", async () => {
    const { world, tab } = await bare();
    const { address } = world.server;
    must(await tab.send("subscribe", { address, topics: ["a"], history: "all" }));
    await world.time.settle();
    const count = async (): Promise<number | undefined> => (await tab.send("status", {}))[0]?.recentRequests;
    expect(await count()).toBe(world.server.requests.length);
    must(await tab.send("preview", { address, topics: ["b"] }));
    must(await tab.send("publish", { address, topic: "a", message: "hi" }));
    expect(await count()).toBe(world.server.requests.length);
  });

  test("says which subscriptions exist already, and adds only new ones", async () => {
    const { world, tab } = await bare();
    const { address } = world.server;
    const first = await tab.send("subscribe", { address, topics: ["a"], history: "all" });
    if (!first.ok) throw new Error(first.error.kind);
    const [subId] = first.value.subIds;
    expect(await tab.send("subscribe", { address, topics: ["a", "a"], history: "all" })).toEqual({
      ok: false,
      error: { kind: "duplicate", subId },
    });
    const both = await tab.send("subscribe", { address, topics: ["a", "b"], history: "all" });
    expect(both).toMatchObject({ ok: true, value: { subIds: [subId, expect.any(Number)] } });
  });

  test("ends when the topic is removed, brings its messages back when restored, and is forgotten in the end", async () => {
    const world = await World.make();
    const { tab, subIds } = await world.subscribed(["a", "b"]);
    const [subId = 0] = subIds;
    world.server.publish("a", "one");
    await world.time.settle();
    await tab.send("unsubscribe", { subId });
    await world.time.settle();
    expect([...world.server.streams].map((stream) => stream.topics)).toEqual([["b"]]);
    world.server.publish("a", "while removed");
    await tab.send("restoreSubscription", { subId });
    await world.time.settle();
    expect(await world.feed()).toEqual(expect.arrayContaining(["one", "while removed"]));
    await tab.send("unsubscribe", { subId });
    await world.time.advance(120_000);
    expect((await world.store.reader.catalogue()).total).toBe(0);
    expect(await tab.send("restoreSubscription", { subId })).toEqual({ ok: false, error: { kind: "not-found" } });
  });
});

describe("looking, publishing, acting", () => {
  test("a preview polls once and stores nothing", async () => {
    const { world, tab } = await bare();
    world.server.publish("a", "one");
    world.server.publish("b", "two");
    const preview = await tab.send("preview", { address: world.server.address, topics: ["a", "b"] });
    expect(preview.ok && preview.value.messages.map((message) => message.message)).toEqual(["one", "two"]);
    expect(world.server.requests).toHaveLength(1);
    expect(await world.store.reader.catalogue()).toMatchObject({ servers: [], subscriptions: [], total: 0 });
  });

  test("a preview of an answer without an end is given up", async () => {
    const { world, tab } = await bare();
    let cut = false;
    const part = new Uint8Array(4_000_000).fill(32);
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(part),
      cancel: () => void (cut = true),
    });
    world.server.intercept = () => pollAnswer(endless);
    const preview = await tab.send("preview", { address: world.server.address, topics: ["a"] });
    expect(preview).toMatchObject({ ok: false, error: { kind: "failed", why: { kind: "malformed" } } });
    expect(cut).toBe(true);
  });

  test("publishing sends the message as JSON with the account's credentials, and returns the message as the server stored it", async () => {
    const world = await World.make();
    world.server.users.push(ADA);
    const { tab } = await world.subscribed(["a"], { credentials: ADA });
    const { accounts } = await world.store.reader.catalogue();
    const answer = await tab.send("publish", {
      address: world.server.address,
      topic: "a",
      accountId: accounts[0]?.accountId ?? 0,
      message: "hello",
      title: "Zwölf",
      tags: ["warning"],
      priority: 4,
    });
    expect(answer).toMatchObject({ ok: true, value: { message: { message: "hello", title: "Zwölf", priority: 4 } } });
    expect(world.server.requests.findLast((request) => request.method === "POST")?.authorization).toMatch(/^Basic /);
    await world.time.settle();
    expect(await world.feed()).toEqual(["hello"]);
  });

  test("an account's credentials go to no other server", async () => {
    const world = await World.make();
    world.server.users.push(ADA);
    const { tab } = await world.subscribed(["a"], { credentials: ADA });
    const { accounts } = await world.store.reader.catalogue();
    const before = world.server.requests.length;
    const answer = await tab.send("publish", {
      address: "https://elsewhere.example" as ServerAddress,
      topic: "a",
      accountId: accounts[0]?.accountId ?? 0,
      message: "hello",
    });
    expect(answer).toEqual({ ok: false, error: { kind: "not-found" } });
    expect(world.server.requests).toHaveLength(before);
  });

  test("an action is carried out as the message says, POST by default, and only 2xx is success", async () => {
    const world = await World.make();
    const { tab, subIds } = await world.subscribed(["a"]);
    const [subId = 0] = subIds;
    const actions = [
      { id: "on", action: "http", label: "On", url: "https://lamp.example/on", body: "1", headers: { "X-A": "b" } },
      { id: "off", action: "http", label: "Off", url: "https://lamp.example/off", method: "GET" },
      { id: "bad", action: "http", label: "Bad", url: "javascript:alert(1)" },
      { id: "see", action: "view", label: "See", url: "https://lamp.example" },
    ];
    const { id, time } = world.server.publish("a", "lamp", { actions });
    await world.time.settle();
    const key: [number, number, string] = [subId, time, id];
    world.server.intercept = ({ url }) =>
      url.hostname === "lamp.example" ? new Response(null, { status: url.pathname === "/on" ? 204 : 500 }) : undefined;
    expect(await tab.send("runAction", { key, actionId: "on" })).toEqual({ ok: true, value: { status: 204 } });
    expect(world.server.requests.at(-1)).toMatchObject({ method: "POST", body: "1" });
    expect(await tab.send("runAction", { key, actionId: "off" })).toEqual({
      ok: false,
      error: { kind: "failed", why: { kind: "http", status: 500 } },
    });
    // A kept answer would pass for the lamp's.
    expect(world.server.requests.at(-1)).toMatchObject({ method: "GET", body: undefined, cache: "no-store" });
    expect(await tab.send("runAction", { key, actionId: "see" })).toEqual({ ok: false, error: { kind: "not-found" } });
    const before = world.server.requests.length;
    expect(await tab.send("runAction", { key, actionId: "bad" })).toMatchObject({ ok: false });
    expect(world.server.requests).toHaveLength(before);

    // What was requested stays with the message, on every tab, and goes with it.
    const off = { id: "off", ok: false, status: 500 };
    const rows = tab.events.findLast((event) => event.kind === "rows");
    expect(rows?.changed[0]?.pressed).toMatchObject([{ id: "on", ok: true, status: 204 }, off]);
    await tab.send("runAction", { key, actionId: "on" });
    expect((await world.store.reader.get(key))?.pressed).toMatchObject([off, { id: "on", ok: true, status: 204 }]);
    await tab.send("mark", { mark: { kind: "deleted", on: true }, keys: [key] });
    await world.time.advance(120_000);
    expect(must(await world.store.message(key))).toBeUndefined();
  });
});

test("a redirected action is not followed, as consent is for one address", async () => {
  const world = await World.make();
  const { tab, subIds } = await world.subscribed(["a"]);
  const actions = [{ id: "on", action: "http", label: "On", url: "https://lamp.example/on", method: "GET" }];
  const { id, time } = world.server.publish("a", "lamp", { actions });
  await world.time.settle();
  const redirects: unknown[] = [];
  world.server.intercept = ({ url, redirect }) => {
    if (url.hostname !== "lamp.example") return undefined;
    redirects.push(redirect);
    // A browser reveals neither the status nor the address of a redirect.
    return Object.defineProperty(Response.error(), "type", { value: "opaqueredirect" });
  };
  const key: MessageKey = [subIds[0] ?? 0, time, id];
  const error = { kind: "failed", why: { kind: "http", status: 0 } };
  expect(await tab.send("runAction", { key, actionId: "on" })).toEqual({ ok: false, error });
  expect(redirects).toEqual(["manual"]);
});

test("an action that the browser blocks, as http from https, is not blamed on its target", async () => {
  const world = await World.make();
  const { tab, subIds } = await world.subscribed(["a"]);
  const actions = [{ id: "on", action: "http", label: "On", url: "http://lamp.example/on" }];
  const { id, time } = world.server.publish("a", "lamp", { actions });
  await world.time.settle();
  world.server.intercept = ({ url }) => {
    if (url.hostname === "lamp.example") throw new TypeError("Failed to fetch");
    return undefined;
  };
  const key: MessageKey = [subIds[0] ?? 0, time, id];
  const failed = (kind: string) => ({ ok: false, error: { kind: "failed", why: { kind } } });
  expect(await tab.send("runAction", { key, actionId: "on" })).toEqual(failed("network"));
  world.blocked.add("http://lamp.example");
  expect(await tab.send("runAction", { key, actionId: "on" })).toEqual(failed("not-allowed-by-browser"));
});

test("addresses in a message are requested as the page shows them, not relative to the app's own", async () => {
  const world = await World.make();
  const { tab, subIds } = await world.subscribed(["a"]);
  const url = "https:/lamp.example/on";
  const actions = [{ id: "on", action: "http", label: "On", url }];
  const { id, time } = world.server.publish("a", "lamp", { actions, attachment: { name: "a.log", url } });
  await world.time.settle();
  world.server.intercept = ({ url }) => (/lamp/.test(url.href) ? new Response("1") : undefined);
  const key: MessageKey = [subIds[0] ?? 0, time, id];
  expect(await tab.send("runAction", { key, actionId: "on" })).toMatchObject({ ok: true });
  expect(world.server.requests.at(-1)?.url.href).toBe("https://lamp.example/on");
  expect(await tab.send("readAttachment", { key })).toMatchObject({ ok: true });
  expect(world.server.requests.at(-1)?.url.href).toBe("https://lamp.example/on");
});

describe("the text of an attachment", () => {
  /** Receives a message whose attachment is on another host, which gives this answer. */
  async function attached(answer: () => Response | "network-error", url = "https://files.example/a.log") {
    const world = await World.make();
    const { tab, subIds } = await world.subscribed(["a"]);
    const { id, time } = world.server.publish("a", "log", { attachment: { name: "a.log", url } });
    await world.time.settle();
    world.server.intercept = (request) => (request.url.hostname === "files.example" ? answer() : undefined);
    const key: [number, number, string] = [subIds[0] ?? 0, time, id];
    return { world, read: () => tab.send("readAttachment", { key }), tab, key };
  }

  test("is read by its character set, and only its beginning", async () => {
    const latin = new Uint8Array([0x47, 0x72, 0xfc, 0xdf, 0x65]);
    const type = { headers: { "Content-Type": 'text/plain; charset="ISO-8859-1"' } };
    const { read, world } = await attached(() => new Response(latin, type));
    expect(await read()).toEqual({ ok: true, value: { kind: "text", text: "Grüße", bytes: 5, isCut: false } });
    expect(world.server.requests.at(-1)).toMatchObject({ method: "GET", authorization: undefined });

    const long = await attached(() => new Response("ä".repeat(100_000)));
    expect(await long.read()).toEqual({
      ok: true,
      value: { kind: "text", text: "ä".repeat(32_768), bytes: 65_536, isCut: true },
    });
  });

  test("is read whole over a slow line, and cut where that falls silent", async () => {
    const parts = ["a", "slow", "line", "says", "more", "than", "nothing"];
    const drip = (world: World) => {
      let at = 0;
      const pull = async (body: ReadableStreamDefaultController): Promise<void> => {
        await new Promise(
          (resolve) => void world.time.setTimer(() => resolve(undefined), parts[at] === "silence" ? 60_000 : 10_000),
        );
        if (at < parts.length) body.enqueue(new TextEncoder().encode(`${parts[at++]} `));
        else body.close();
      };
      return new Response(new ReadableStream({ pull }));
    };
    const { read, world } = await attached((): Response => drip(world));
    const slow = read();
    await world.time.advance(100_000);
    expect(await slow).toMatchObject({ value: { text: "a slow line says more than nothing ", isCut: false } });
    parts[3] = "silence";
    const cut = read();
    await world.time.advance(100_000);
    expect(await cut).toMatchObject({ value: { text: "a slow line ", isCut: true } });
  });

  test("is reported as no text, as gone or as unreachable", async () => {
    const binary = await attached(() => new Response(new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 1])));
    expect(await binary.read()).toEqual({ ok: true, value: { kind: "bytes" } });
    const gone = await attached(() => new Response("no", { status: 404 }));
    expect(await gone.read()).toEqual({
      ok: false,
      error: { kind: "failed", why: { kind: "http", status: 404 } },
    });
    const lost = await attached(() => "network-error");
    expect(await lost.read()).toMatchObject({ ok: false, error: { kind: "failed", why: { kind: "network" } } });
    const wrong = await attached(() => new Response("x"), "file:///etc/passwd");
    const before = wrong.world.server.requests.length;
    expect(await wrong.read()).toMatchObject({ ok: false });
    expect(wrong.world.server.requests).toHaveLength(before);
    expect(await wrong.tab.send("readAttachment", { key: [1, 1, "none"] })).toEqual({
      ok: false,
      error: { kind: "not-found" },
    });
  });
});

describe("triage", () => {
  test("is announced to every tab, with counters", async () => {
    const world = await World.make();
    const { hub, tab, subIds } = await world.subscribed(["a"]);
    const other = world.openTab(hub);
    const [subId = 0] = subIds;
    const { id, time } = world.server.publish("a", "one");
    await world.time.settle();
    const key: [number, number, string] = [subId, time, id];
    expect(await tab.send("mark", { keys: [key], mark: { kind: "read", on: true } })).toMatchObject({
      ok: true,
      value: { count: 1 },
    });
    const told = other.events.findLast((event) => event.kind === "rows");
    expect(told).toMatchObject({ changed: [{ id, readAtMs: world.time.now() }], counts: [{ subId, unread: 0 }] });
    expect(await tab.send("mark", { keys: [key], mark: { kind: "read", on: false } })).toMatchObject({ ok: true });
    expect(await tab.send("mark", markingAll(subIds))).toMatchObject({ ok: true, value: { count: 1 } });
    const deleted = must(await tab.send("mark", { mark: { kind: "deleted", on: true }, keys: [key] }));
    expect(await world.feed()).toEqual([]);
    await tab.send("undo", { undo: deleted.undo });
    expect(await world.feed()).toEqual(["one"]);
  });

  test("everything stored of a topic is deleted, hidden messages too, and returns by undo", async () => {
    const world = await World.make();
    const { tab, subIds } = await world.subscribed(["a", "b"]);
    const [subId = 0] = subIds;
    for (const text of ["first", "second", "third"]) {
      world.server.publish("a", text, { sequence_id: "job" });
      await world.time.advance(1_000);
    }
    const done = world.server.publish("a", "done");
    world.server.publish("a", "later", { delayS: 600 });
    world.server.publish("b", "other");
    await world.time.advance(60_000);
    await tab.send("mark", { keys: [[subId, done.time, done.id]], mark: { kind: "done", on: true } });
    const total = async () => (await world.store.reader.catalogue()).subscriptions.map((one) => one.total);
    const before = await total();
    const deleted = must(await tab.send("mark", { mark: { kind: "deleted", on: true }, stored: { subIds: [subId] } }));
    expect(deleted.count).toBe(before[0]);
    expect(await total()).toEqual([0, 1]);
    await tab.send("undo", { undo: deleted.undo });
    expect(await total()).toEqual(before);
    must(await tab.send("mark", { mark: { kind: "deleted", on: true }, stored: { subIds: [subId] } }));
    await world.time.advance(120_000);
    expect(must(await world.store.storedKeys([subId]))).toEqual([]);
    expect((await world.store.reader.catalogue()).total).toBe(1);
    expect(await world.feed()).toEqual(["other"]);
  });

  test("undo reverts what a change did, and nothing that was already so", async () => {
    const world = await World.make();
    const { tab, subIds } = await world.subscribed(["a"]);
    const [subId = 0] = subIds;
    const keys = ["one", "two", "three"].map((text): MessageKey => {
      const { id, time } = world.server.publish("a", text);
      return [subId, time, id];
    });
    await world.time.settle();
    const [one, two, three] = keys as [MessageKey, MessageKey, MessageKey];
    const later = world.time.now() + 1_000_000;
    await tab.send("mark", { keys: [one], mark: { kind: "read", on: true } });
    await tab.send("mark", { keys: [two], mark: { kind: "snooze", untilMs: later } });
    const before = await world.rows("feed", "snoozed", "done");

    const changes = [
      must(await tab.send("mark", { keys, mark: { kind: "read", on: true } })),
      must(await tab.send("mark", { keys, mark: { kind: "snooze", untilMs: later + 5 } })),
      must(await tab.send("mark", { mark: { kind: "deleted", on: true }, keys: [one, three] })),
    ];
    expect(changes.map(({ count }) => count)).toEqual([2, 3, 2]);
    for (const { undo } of changes.toReversed()) must(await tab.send("undo", { undo }));
    expect(await world.rows("feed", "snoozed", "done")).toEqual(before);
  });

  test("undo of marking all read restores just those that were unread", async () => {
    const world = await World.make();
    const { tab, subIds } = await world.subscribed(["a"]);
    const [subId = 0] = subIds;
    const { id, time } = world.server.publish("a", "read before");
    for (let at = 0; at < 1_100; at++) world.server.publish("a", `text ${at}`);
    await world.time.settle();
    await tab.send("mark", { keys: [[subId, time, id]], mark: { kind: "read", on: true } });
    const all = must(await tab.send("mark", markingAll(subIds)));
    expect(all.count).toBe(1_100);
    must(await tab.send("undo", { undo: all.undo }));
    const read = (await world.rows("feed", "snoozed", "done")).filter(({ readAtMs }) => readAtMs !== undefined);
    expect(read.map((row) => row.id)).toEqual([id]);
  });

  test("views are set and announced to every tab, and an invalid list is refused and changes nothing", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    const views = [
      { name: "One", link: "#/a?tags=x" },
      { name: "Two", link: "#/~urgent" },
    ];
    expect(await tab.send("setViews", { views })).toEqual({ ok: true, value: null });
    expect(await tab.send("setViews", { views: [...views, { name: "One", link: "#/" }] })).toEqual({
      ok: false,
      error: { kind: "invalid", field: "view", reason: "same-name" },
    });
    const kept = (await world.store.reader.catalogue()).views;
    expect(kept.map(({ name, link }) => ({ name, link }))).toEqual(views);
  });

  test("a change of a whole list spares messages that came since it was counted, and those that are left out", async () => {
    const world = await World.make();
    const { tab, subIds } = await world.subscribed(["a", "b"]);
    const [subId = 0] = subIds;
    for (let at = 0; at < 1_200; at++) world.server.publish("a", `text ${at}`, { priority: at % 2 === 0 ? 5 : 1 });
    world.server.publish("b", "elsewhere", { priority: 5 });
    const left = world.server.publish("a", "left out", { priority: 5 });
    await world.time.settle();
    const query: ListQuery = { list: "feed", subIds: [subId], filter: rowFilter("priority:5") };
    const { count, upTo } = must(await tab.send("count", query));
    expect(count).toBe(601);
    world.server.publish("a", "came later", { priority: 5 });
    await world.time.settle();

    const except: MessageKey[] = [[subId, left.time, left.id]];
    const done = must(await tab.send("mark", { every: { ...query, upTo }, except, mark: { kind: "done", on: true } }));
    expect(done.count).toBe(600);
    expect(must(await tab.send("count", query)).count).toBe(2);
    must(await tab.send("undo", { undo: done.undo }));
    expect(must(await tab.send("count", query)).count).toBe(602);
  });

  test("a change of a whole list means what its filter found when it was counted", async () => {
    const world = await World.make();
    const { tab, subIds } = await world.subscribed(["a"]);
    world.server.publish("a", "old");
    await world.time.advance(2 * 3_600_000);
    world.server.publish("a", "newer");
    await world.time.settle();
    const query: ListQuery = { list: "feed", subIds, filter: rowFilter("before:1h") };
    const { count, ...then } = must(await tab.send("count", query));
    expect(count).toBe(1);
    await world.time.advance(2 * 3_600_000);
    must(await tab.send("mark", { mark: { kind: "deleted", on: true }, every: { ...query, ...then }, except: [] }));
    expect(await world.feed()).toEqual(["newer"]);
  });

  test("a change of many messages that the storage refuses half-way changes nothing", async () => {
    const world = await World.make();
    let writes = 0;
    const wrapStore = (store: Store): Store => ({
      ...store,
      mark: (keys, mark, nowMs) =>
        ++writes === 2
          ? Promise.resolve({ ok: false, error: { kind: "quota", text: "full" } })
          : store.mark(keys, mark, nowMs),
    });
    const { tab, subIds } = await world.subscribed(["a"], {}, { wrapStore });
    const [subId = 0] = subIds;
    const keys = Array.from({ length: 700 }, (_, at): MessageKey => {
      const { id, time } = world.server.publish("a", `text ${at}`);
      return [subId, time, id];
    });
    await world.time.settle();
    expect(await tab.send("mark", { keys, mark: { kind: "done", on: true } })).toEqual({
      ok: false,
      error: { kind: "quota", text: "full" },
    });
    expect((await world.rows("feed", "snoozed", "done")).filter((row) => row.doneAtMs !== undefined)).toEqual([]);
    const told = tab.events.findLast((event) => event.kind === "rows");
    expect(told?.counts).toMatchObject([{ subId, unread: 700 }]);
  });

  test("a change that fails half-way and can't be undone at once says so, and can be undone later", async () => {
    const world = await World.make();
    let writes = 0;
    const wrapStore = (store: Store): Store => ({
      ...store,
      mark: (keys, mark, nowMs) =>
        ++writes === 2 || writes === 3
          ? Promise.resolve({ ok: false, error: { kind: "quota", text: "full" } })
          : store.mark(keys, mark, nowMs),
    });
    const { tab, subIds } = await world.subscribed(["a"], {}, { wrapStore });
    const [subId = 0] = subIds;
    const keys = Array.from({ length: 700 }, (_, at): MessageKey => {
      const { id, time } = world.server.publish("a", `text ${at}`);
      return [subId, time, id];
    });
    await world.time.settle();
    const marked = must(await tab.send("mark", { keys, mark: { kind: "done", on: true } }));
    expect(marked).toMatchObject({ count: 500, fault: { kind: "quota" } });
    expect(await world.rows("done")).toHaveLength(500);
    must(await tab.send("undo", { undo: marked.undo }));
    expect(await world.rows("done")).toEqual([]);
  });

  test("a deleted message stays deleted, whatever a refresh brings", async () => {
    const world = await World.make();
    const { tab, subIds } = await world.subscribed(["a"]);
    const { id, time } = world.server.publish("a", "gone");
    await world.time.settle();
    await tab.send("mark", { mark: { kind: "deleted", on: true }, keys: [[subIds[0] ?? 0, time, id]] });
    await world.time.advance(120_000);
    const refreshed = await tab.send("refresh", { serverId: tab.newestStatus?.serverId ?? 0 });
    expect(refreshed).toEqual({ ok: true, value: { missing: 0, found: [] } });
    expect(await world.feed()).toEqual([]);
  });

  test("a snoozed message comes back by itself", async () => {
    const world = await World.make();
    const { tab, subIds } = await world.subscribed(["a"]);
    const { id, time } = world.server.publish("a", "later");
    await world.time.settle();
    const untilMs = world.time.now() + 3_600_000;
    await tab.send("mark", { keys: [[subIds[0] ?? 0, time, id]], mark: { kind: "snooze", untilMs } });
    await world.time.advance(3_500_000);
    expect(await world.feed()).toEqual([]);
    await world.time.advance(200_000);
    expect(await world.feed()).toEqual(["later"]);
  });

  test("settings are checked by name and kind", async () => {
    const { world, tab } = await bare();
    expect(await tab.send("setSetting", { key: "keepDays", value: 7 })).toEqual({ ok: true, value: null });
    expect(await tab.send("setSetting", { key: "keepDays", value: "7" })).toMatchObject({ ok: false });
    expect(await tab.send("setSetting", { key: "nextArrival", value: 0 })).toMatchObject({ ok: false });
    expect((await world.store.reader.catalogue()).settings.keepDays).toBe(7);
  });

  test.each([-1, 1.5, NaN, Infinity, 2 ** 60, "7"])("no limit of what is kept can be %s", async (limit) => {
    const world = await World.make();
    const { tab, subIds } = await world.subscribed(["a"]);
    const [subId = 0] = subIds;
    const before = await world.store.reader.catalogue();
    for (const key of ["keepDays", "keepMessages"] as const) {
      const refused = { ok: false, error: { kind: "invalid", field: "setting", reason: `not a value of ${key}` } };
      expect(await tab.send("setSetting", { key, value: limit })).toEqual(refused);
      expect(await tab.send("patchSubscription", { subId, patch: { [key]: limit } })).toEqual(refused);
    }
    expect(await world.store.reader.catalogue()).toEqual(before);
  });
});

describe("a full disk", () => {
  test("shows live messages all the same, says so, and stores them when there is room again", async () => {
    const world = await World.make();
    let isFull = false;
    const wrapStore = (store: Store): Store => ({
      ...store,
      ingest: (batch) =>
        isFull ? Promise.resolve({ ok: false, error: { kind: "quota", text: "full" } }) : store.ingest(batch),
    });
    const { tab } = await world.subscribed(["a"], {}, { wrapStore });
    isFull = true;
    world.server.publish("a", "on screen");
    await world.time.settle();
    expect(tab.events.findLast((event) => event.kind === "unstored")).toMatchObject({
      rows: [{ event: { message: "on screen" }, via: "stream" }],
    });
    expect(tab.events.findLast((event) => event.kind === "storage")).toMatchObject({ problem: "full" });
    expect(await world.feed()).toEqual([]);
    expect(await tab.send("refresh", { serverId: tab.newestStatus?.serverId ?? 0 })).toMatchObject({ ok: false });
    isFull = false;
    world.server.publish("a", "stored");
    await world.time.settle();
    expect(tab.events.findLast((event) => event.kind === "storage")).toMatchObject({ problem: "none" });
    await world.time.advance(11_000);
    expect((await world.feed()).sort()).toEqual(["on screen", "stored"]);
  });

  test("does not move the cursors, so that the next poll brings the messages that found no room", async () => {
    const world = await World.make();
    let isFull = false;
    const wrapStore = (store: Store): Store => ({
      ...store,
      ingest: (batch) =>
        isFull ? Promise.resolve({ ok: false, error: { kind: "quota", text: "full" } }) : store.ingest(batch),
    });
    await world.subscribed(["a"], {}, { wrapStore });
    isFull = true;
    world.server.cut();
    world.server.publish("a", "missed");
    await world.time.advance(60_000);
    expect(await world.feed()).toEqual([]);
    isFull = false;
    await world.time.advance(310_000);
    expect(await world.feed()).toEqual(["missed"]);
  });
});

test("what came after a long absence is shown if the disk is full, and the gap is stored once there is room", async () => {
  const world = await World.make();
  world.server.retentionS = 3_600;
  world.server.publish("a", "teaches the retention");
  const { state, wrapStore } = disk();
  const { tab, subIds } = await world.subscribed(["a"], {}, { wrapStore });
  await world.time.advance(60_000);
  world.server.down = true;
  world.server.cut();
  await world.time.advance(5 * 3_600_000);
  world.server.publish("a", "in the end");
  state.isFull = true;
  world.server.down = false;
  await world.time.advance(120_000);
  expect(tab.events.findLast((event) => event.kind === "unstored")).toMatchObject({
    rows: [{ event: { message: "in the end" } }],
  });
  expect(tab.events.findLast((event) => event.kind === "storage")).toMatchObject({ problem: "full" });
  state.isFull = false;
  world.server.publish("a", "live");
  await world.time.advance(15_000);
  expect((await world.feed()).slice(0, 2).sort()).toEqual(["in the end", "live"]);
  expect(await world.store.reader.gaps(subIds)).toHaveLength(1);
});

/** A disk that a test can fill. */
function disk() {
  const state = { isFull: false };
  const full = { ok: false, error: { kind: "quota", text: "full" } } as const;
  const wrapStore = (store: Store): Store => ({
    ...store,
    ingest: (batch) => (state.isFull ? Promise.resolve(full) : store.ingest(batch)),
    addGap: (gap) => (state.isFull ? Promise.resolve(full) : store.addGap(gap)),
  });
  return { state, wrapStore };
}

describe("a disk that has room again", () => {
  test("stores the messages from a poll that had found no room, soon after the next message", async () => {
    const world = await World.make();
    const { state, wrapStore } = disk();
    await world.subscribed(["a"], {}, { wrapStore });
    state.isFull = true;
    world.server.cut();
    world.server.publish("a", "missed");
    await world.time.advance(60_000);
    state.isFull = false;
    world.server.publish("a", "live");
    await world.time.advance(12_000);
    expect((await world.feed()).sort()).toEqual(["live", "missed"]);
  });

  test("asks again as soon even if the disk is full again and again meanwhile", async () => {
    const world = await World.make();
    const { state, wrapStore } = disk();
    await world.subscribed(["a"], {}, { wrapStore });
    await world.time.advance(11_000);
    state.isFull = true;
    world.server.publish("a", "missed");
    for (const text of ["first", "second"]) {
      await world.time.advance(8_000);
      state.isFull = false;
      world.server.publish("a", text);
      await world.time.settle();
      state.isFull = true;
      world.server.publish("a", `after the ${text}`);
      await world.time.settle();
    }
    state.isFull = false;
    await world.time.advance(3_000);
    expect(await world.feed()).toContain("missed");
  });

  test("asks again for messages that had found no room once something is removed, and tells the tabs", async () => {
    const world = await World.make();
    const { state, wrapStore } = disk();
    const { tab, subIds } = await world.subscribed(["a"], {}, { wrapStore });
    const old = world.server.publish("a", "old");
    await world.time.settle();
    state.isFull = true;
    world.server.publish("a", "on screen");
    await world.time.settle();
    expect(tab.events.findLast((event) => event.kind === "storage")).toMatchObject({ problem: "full" });
    state.isFull = false;
    await tab.send("mark", { mark: { kind: "deleted", on: true }, keys: [[subIds[0] ?? 0, old.time, old.id]] });
    await world.time.advance(11_000);
    expect(await world.feed()).toEqual(["on screen"]);
    expect(tab.events.findLast((event) => event.kind === "storage")).toMatchObject({ problem: "none" });
  });

  test("is announced by the next leader if the one that announced the full disk has ended", async () => {
    const world = await World.make();
    const { state, wrapStore } = disk();
    const { hub, tab } = await world.subscribed(["a"], {}, { wrapStore });
    state.isFull = true;
    world.server.publish("a", "on screen");
    await world.time.settle();
    hub.stop();
    state.isFull = false;
    world.startHub({ wrapStore });
    await world.time.advance(1_000);
    expect(tab.events.findLast((event) => event.kind === "storage")).toMatchObject({ problem: "none" });
    expect(await world.feed()).toEqual(["on screen"]);
  });

  test("causes no poll for each message while some writes succeed and others fail", async () => {
    const world = await World.make();
    const wrapStore = (store: Store): Store => ({
      ...store,
      ingest: (batch) =>
        batch.arrivals.some(({ via }) => via === "poll")
          ? Promise.resolve({ ok: false, error: { kind: "quota", text: "full" } })
          : store.ingest(batch),
    });
    const { tab } = await world.subscribed(["a"], {}, { wrapStore });
    world.server.cut();
    world.server.publish("a", "missed");
    await world.time.advance(30_000);
    const before = world.server.requests.length;
    for (let at = 0; at < 60; at++) {
      world.server.publish("a", `message ${at}`);
      await world.time.advance(1_000);
    }
    // The app makes up for missed polls once in ten seconds, not once for each message.
    expect(world.server.requests.length - before).toBeLessThanOrEqual(2 * 7);
    expect(tab.events.findLast((event) => event.kind === "storage")).toBeDefined();
  });
});

test("a tab that opens while the disk is full is told so", async () => {
  const world = await World.make();
  const { state, wrapStore } = disk();
  const { hub } = await world.subscribed(["a"], {}, { wrapStore });
  state.isFull = true;
  world.server.publish("a", "on screen");
  await world.time.settle();
  expect(world.openTab(hub).events).toMatchObject([{ kind: "storage", problem: "full" }]);
});

test("a snapshot without room is refused and told nobody", async () => {
  const world = await World.make();
  const wrapStore = (store: Store): Store => ({
    ...store,
    keepSnapshot: () => Promise.resolve(fail({ kind: "quota", text: "" })),
  });
  const tab = world.openTab(world.startHub({ wrapStore }));
  await tab.send("status", {});
  const told = tab.events.length;
  const snapshot = { view: "#/", conditions: "", height: 800, root: {}, tree: "[]" };
  const kept = await tab.send("keepSnapshot", { snapshot, shown: [] });
  expect(kept).toMatchObject({ ok: false, error: { kind: "quota" } });
  expect(tab.events).toHaveLength(told);
});
