import { beforeEach, expect, test } from "vitest";
import type { SeenRequest } from "./fake-server";
import { World } from "./world";

const MINUTE_MS = 60_000;

let world: World;

beforeEach(async () => {
  world = await World.make();
});

/** A proxy that lets nobody pass without its header. */
function guard(): void {
  world.server.intercept = ({ url, headers }: SeenRequest) =>
    url.origin === world.server.address && headers?.get("X-Key") !== "abc"
      ? new Response("<html>", { status: 403, headers: { "Content-Type": "text/html" } })
      : undefined;
}

test("extra headers go with every request to their server, to nobody else, and no redirect is followed", async () => {
  guard();
  const { tab, subIds } = await world.subscribed(["a"], { headers: { "X-Key": "abc" } });
  world.server.publish("a", "one");
  await tab.send("preview", { address: world.server.address, topics: ["b"] });
  const [subId = 0] = subIds;
  const actions = [{ id: "1", action: "http", label: "Do", url: "https://other.example/do" }] as never;
  const event = world.server.publish("a", "two", {
    actions,
    attachment: { name: "x", url: "https://other.example/x.txt" },
  });
  await world.time.advance(MINUTE_MS);
  const key = [subId, event.time, event.id] as [number, number, string];
  await tab.send("runAction", { key, actionId: "1" });
  await tab.send("readAttachment", { key });
  await tab.send("refresh", { serverId: 1 });
  await tab.send("testServer", { serverId: 1 });
  // In sight, the connection is checked every 20 s.
  await tab.send("ping", { inSight: true });
  await world.time.advance(21_000);
  expect(world.server.requests.some(({ url }) => url.pathname === "/v1/stats")).toBe(true);
  await world.time.advance(10 * MINUTE_MS);
  expect(await world.feed()).toEqual(["two", "one"]);
  const own = world.server.requests.filter(({ url }) => url.origin === world.server.address);
  const others = world.server.requests.filter(({ url }) => url.origin !== world.server.address);
  expect(own.filter(({ headers }) => headers?.get("X-Key") !== "abc")).toEqual([]);
  expect(own.filter(({ redirect }) => redirect !== "error")).toEqual([]);
  expect(others).toHaveLength(2);
  expect(others.filter(({ headers }) => headers?.has("X-Key"))).toEqual([]);
  expect(tab.newestStatus?.state).toMatchObject({ kind: "live", transport: "json" });
  expect(JSON.stringify(tab.events)).not.toContain("abc");
});

test("they can be set and removed later, with immediate effect", async () => {
  const { tab } = await world.subscribed(["a"]);
  expect(await tab.send("patchServer", { serverId: 1, headers: { "X-Key": "abc" } })).toEqual({
    ok: true,
    value: null,
  });
  guard();
  world.server.cut();
  await world.time.advance(MINUTE_MS);
  world.server.publish("a", "through the proxy");
  await world.time.advance(MINUTE_MS);
  expect(await world.feed()).toEqual(["through the proxy"]);
  await tab.send("patchServer", { serverId: 1, headers: {} });
  const [server] = (await world.store.reader.catalogue()).servers;
  expect(server?.headers).toBeUndefined();
});

test("without them the transport is again what was chosen, or what the app finds best", async () => {
  const { tab } = await world.subscribed(["a"]);
  const transport = async (): Promise<unknown> => {
    await world.time.advance(MINUTE_MS);
    const state = tab.newestStatus?.state;
    return state?.kind === "live" ? state.transport : state;
  };
  const patch = (input: object) => tab.send("patchServer", { serverId: 1, ...input });
  const itself = await transport();
  for (const chosen of ["ws", null] as const) {
    await patch({ transport: chosen });
    await patch({ headers: { "X-Key": "abc" } });
    expect(await transport()).toBe("json");
    await patch({ headers: {} });
    expect(await transport()).toBe(chosen ?? itself);
    expect((await world.store.reader.catalogue()).servers[0]?.chosenTransport).toBe(chosen ?? undefined);
  }
});

test("those that a page can't send, or that the protocol reads, are refused", async () => {
  const { tab } = await world.subscribed(["a"]);
  for (const name of ["Cookie", "X-Since", "Authorization", "a b"]) {
    expect(await tab.send("patchServer", { serverId: 1, headers: { [name]: "x" } })).toMatchObject({ ok: false });
  }
  const { address } = world.server;
  const subscribed = tab.send("subscribe", { address, topics: ["b"], history: "all", headers: { "X-Key": "a\nb: c" } });
  expect(await subscribed).toMatchObject({ ok: false, error: { reason: "headers" } });
});

test("a server that moves takes them along only along with its sign-in", async () => {
  const { tab } = await world.subscribed(["a"], { headers: { "X-Key": "abc" } });
  const move = (address: string, keepsSignIn: boolean) =>
    tab.send("patchServer", { serverId: 1, move: { address: address as never, keepsSignIn } });
  const headers = async () => (await world.store.reader.catalogue()).servers[0]?.headers;
  await move("https://second.example", true);
  expect(await headers()).toEqual({ "X-Key": "abc" });
  await move("https://third.example", false);
  expect(await headers()).toBeUndefined();
});
