import { beforeEach, describe, expect, test } from "vitest";
import type { SubscribeInput } from "../../src/contract";
import type { Credentials, ServerAddress } from "../../src/protocol";
import { FakeServer } from "./fake-server";
import { KEY, SCOPE, WORDS } from "./pushed";
import { World } from "./world";

const ADA: Credentials = { kind: "basic", user: "ada", password: "s3cret" };
const ELSEWHERE = "https://elsewhere.example.com" as ServerAddress;

let world: World;
/** The machine that the server moves to. */
let other: FakeServer;

beforeEach(async () => {
  world = await World.make();
  other = new FakeServer(world.time);
  other.idPrefix = "ot";
});

/** A device that reaches both machines, and is subscribed on the first. */
async function subscribed(topics: string[], input: Partial<SubscribeInput> = {}) {
  const made = world.environment.bind(world);
  world.environment = (options) => ({
    ...made(options),
    fetch: (url, init) =>
      url.startsWith(ELSEWHERE)
        ? other.fetch(url.replace(ELSEWHERE, other.address), init)
        : world.server.fetch(url, init),
  });
  return world.subscribed(topics, input);
}

describe("a server that moves", () => {
  test("keeps its messages, and none comes twice from the copy of its cache", async () => {
    const first = world.server.publish("a", "one");
    const { tab, subIds } = await subscribed(["a"]);
    await world.time.advance(20_000);
    other.adopt(first);
    other.publish("a", "two, only there");
    const moved = await tab.send("patchServer", { serverId: 1, move: { address: ELSEWHERE, keepsSignIn: false } });
    expect(moved).toEqual({ ok: true, value: null });
    await world.time.advance(20_000);
    expect(await world.feed()).toEqual(["two, only there", "one"]);
    expect(tab.newestStatus?.state.kind).toBe("live");
    other.publish("a", "three, live");
    await world.time.advance(1_000);
    expect(await world.feed()).toEqual(["three, live", "two, only there", "one"]);
    const { servers, subscriptions } = await world.store.reader.catalogue();
    expect(servers).toMatchObject([{ serverId: 1, address: ELSEWHERE, formerAddresses: [world.server.address] }]);
    expect(subscriptions).toMatchObject([{ subId: subIds[0], serverId: 1, joined: 1 }]);
  });

  test("is asked for its account's topics at the new address, and they may have the old one", async () => {
    const token: Credentials = { kind: "token", token: "tk_mine" };
    for (const server of [world.server, other]) server.users.push(token);
    const { tab } = await subscribed(["a"], { credentials: token });
    await tab.send("patchServer", { serverId: 1, move: { address: ELSEWHERE, keepsSignIn: true } });
    const before = world.server.requests.length;
    world.server.cut();
    await world.time.advance(1_800_000);
    other.listed.push({ base_url: ELSEWHERE, topic: "b" }, { base_url: world.server.address, topic: "c" });
    expect(await tab.send("accountTopics", { serverId: 1 })).toMatchObject({
      value: { topics: [{ topic: "b" }, { topic: "c" }] },
    });
    expect(world.server.requests.slice(before).map(({ url }) => url.href)).toEqual([]);
  });

  test("is asked for everything once, whatever ids the old machine gave", async () => {
    world.server.publish("a", "one");
    const { tab } = await subscribed(["a"]);
    await world.time.advance(20_000);
    await tab.send("patchServer", { serverId: 1, move: { address: ELSEWHERE, keepsSignIn: false } });
    await world.time.advance(5_000);
    const [poll] = other.requests.filter(({ url }) => url.searchParams.has("poll"));
    expect(poll?.url.searchParams.get("since")).toBe("all");
    const before = world.server.requests.length;
    await world.time.advance(600_000);
    expect(world.server.requests).toHaveLength(before);
  });

  test("gets the credentials only if that was asked for", async () => {
    for (const server of [world.server, other]) {
      server.users.push(ADA);
      server.readers.set("a", [ADA]);
    }
    const { tab } = await subscribed(["a"], { credentials: ADA });
    await world.time.advance(10_000);
    await tab.send("patchServer", { serverId: 1, move: { address: ELSEWHERE, keepsSignIn: false } });
    await world.time.advance(60_000);
    expect(other.requests.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
    expect(tab.newestStatus?.refusedTopics).toEqual(["a"]);
    expect(await world.store.accounts()).toEqual({ ok: true, value: [] });
  });

  test("is signed in at its new address with the same credentials if they are to be kept", async () => {
    for (const server of [world.server, other]) {
      server.users.push(ADA);
      server.readers.set("a", [ADA]);
    }
    const { tab } = await subscribed(["a"], { credentials: ADA });
    await world.time.advance(10_000);
    await tab.send("patchServer", { serverId: 1, move: { address: ELSEWHERE, keepsSignIn: true } });
    await world.time.advance(20_000);
    other.publish("a", "there");
    await world.time.advance(1_000);
    expect(await world.feed()).toEqual(["there"]);
  });

  test("is received from its new address before the old one, silent by now, is told of it", async () => {
    for (const server of [world.server, other]) server.users.push(ADA);
    world.server.issuesTokens = true;
    const { tab } = await subscribed(["a"], { credentials: ADA });
    await world.time.advance(10_000);
    const part = { scope: SCOPE, accountId: 0, topics: ["a"], endpoint: "https://push.example/one" };
    const record = { serverId: 1, key: KEY, words: WORDS, parts: [part], refused: [], sinceMs: 0, postedAtMs: 0 };
    await world.store.editPush(1, () => record);
    world.server.intercept = ({ method }) => (method === "DELETE" ? "hang" : undefined);
    const movedAtMs = world.time.now();
    let askedAtMs = Infinity;
    other.intercept = () => void (askedAtMs = Math.min(askedAtMs, world.time.now()));
    await tab.send("patchServer", { serverId: 1, move: { address: ELSEWHERE, keepsSignIn: false } });
    expect(askedAtMs - movedAtMs).toBeLessThan(1_000);
    const told = world.server.requests.filter(({ method }) => method === "DELETE").map(({ url }) => url.pathname);
    expect(told.sort()).toEqual(["/v1/account/token", "/v1/webpush"]);
    expect(await world.store.pushes()).toEqual({ ok: true, value: [] });
  });

  test("shows what may be missing if the new machine has no copy of the cache", async () => {
    world.server.publish("a", "one");
    const { tab } = await subscribed(["a"]);
    await world.time.advance(400_000);
    await tab.send("patchServer", { serverId: 1, move: { address: ELSEWHERE, keepsSignIn: false } });
    await world.time.advance(30_000);
    await tab.send("refresh", { serverId: 1 });
    await world.time.advance(30_000);
    const { gaps } = await world.store.reader.catalogue();
    expect(gaps).toMatchObject([{ forgot: 1 }]);
    expect(await world.feed()).toEqual(["one"]);
  });

  test("can't take the address of another one, and loses nothing then", async () => {
    const { tab } = await subscribed(["a"]);
    await tab.send("subscribe", { address: ELSEWHERE, topics: ["a"], history: "all" });
    const taken = await tab.send("patchServer", { serverId: 1, move: { address: ELSEWHERE, keepsSignIn: true } });
    expect(taken).toMatchObject({ ok: false, error: { kind: "invalid", field: "server", reason: "taken" } });
    const { servers } = await world.store.reader.catalogue();
    expect(servers).toHaveLength(2);
  });

  test("can move back, and then has one former address", async () => {
    const { tab } = await subscribed(["a"]);
    await tab.send("patchServer", { serverId: 1, move: { address: ELSEWHERE, keepsSignIn: false } });
    await tab.send("patchServer", { serverId: 1, move: { address: world.server.address, keepsSignIn: false } });
    const { servers } = await world.store.reader.catalogue();
    expect(servers).toMatchObject([{ address: world.server.address, formerAddresses: [ELSEWHERE] }]);
  });

  test("is refused an invalid address", async () => {
    const { tab } = await subscribed(["a"]);
    const address = "https://ada:pw@elsewhere.example.com" as ServerAddress;
    const refused = await tab.send("patchServer", { serverId: 1, move: { address, keepsSignIn: true } });
    expect(refused).toMatchObject({ ok: false, error: { kind: "invalid", field: "server" } });
  });
});
