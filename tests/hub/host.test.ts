import { describe, expect, test } from "vitest";
import type { Commands } from "../../src/contract";
import type { ServerAddress } from "../../src/protocol";
import { htmlAnswer, type Intercept } from "./fake-server";
import { World, type Tab } from "./world";

const BASE = "https://app.example/tools/earshot/";
const ORIGIN = "https://app.example" as ServerAddress;
const OTHER = "https://topics.example" as ServerAddress;

/** The host of the app: files and health checks by path. */
class Host {
  readonly files = new Map<string, () => ReturnType<Intercept>>();

  readonly intercept: Intercept = ({ url }) => {
    if (url.host !== "app.example") return undefined;
    return this.files.get(url.pathname)?.() ?? new Response("", { status: 404 });
  };

  config(answer: () => ReturnType<Intercept>): void {
    this.files.set("/tools/earshot/config.json", answer);
  }

  says(value: unknown): void {
    this.config(() => Response.json(value));
  }
}

async function start(): Promise<{ world: World; tab: Tab; host: Host }> {
  const world = await World.make();
  const host = new Host();
  world.server.intercept = host.intercept;
  return { world, tab: world.openTab(world.startHub()), host };
}

type Asked = Partial<Commands["readHost"]["input"]>;

async function read(tab: Tab, asked: Asked = {}) {
  const answer = await tab.send("readHost", { base: BASE, page: ORIGIN, ...asked });
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return answer.value;
}

const settingsOf = async (world: World) => {
  const settings = await world.store.settings();
  if (!settings.ok) throw new Error(settings.error.text);
  return settings.value;
};

describe("the server of links that name none", () => {
  test("is the one of the file, else the one of the page, and nobody looks for another", async () => {
    const { tab, host, world } = await start();
    const page = "https://page.example" as ServerAddress;
    host.says({ server: "https://topics.example" });
    expect(await read(tab, { page })).toMatchObject({ host: { home: OTHER } });
    host.says({});
    expect(await read(tab, { page })).toMatchObject({ host: { home: page } });
    expect(world.server.requests.map(({ url }) => url.pathname)).toEqual(Array(2).fill("/tools/earshot/config.json"));
  });

  test("has moved for one tab alone to write stored links anew", async () => {
    const { tab, host, world } = await start();
    const other = world.openTab(world.startHub());
    expect(await read(tab)).not.toHaveProperty("movedFrom");
    host.says({ server: "https://topics.example" });
    expect(await read(tab)).toMatchObject({ movedFrom: ORIGIN, host: { home: OTHER } });
    for (const later of [tab, other]) expect(await read(later)).not.toHaveProperty("movedFrom");
  });
});

describe("a file that can't be used", () => {
  const good = { name: "Acme", allowedServers: ["https://topics.example"] };

  test.each<[string, () => ReturnType<Intercept>]>([
    ["no answer", () => "network-error"],
    ["an answer that never comes", () => "hang"],
    ["an error of the host", () => new Response("", { status: 503 })],
    ["a sign-in page", () => new Response("", { status: 302, headers: { Location: "/login" } })],
    ["nothing", () => new Response("")],
  ])("%s: what was read before counts, and nothing is said", async (_what, answer) => {
    const { tab, host } = await start();
    host.says(good);
    await read(tab);
    host.config(answer);
    expect((await read(tab)).host).toMatchObject({ config: { name: "Acme" }, problems: [] });
  });

  test.each<[string, () => ReturnType<Intercept>, string]>([
    ["10 MB", () => new Response(`{"name":"${"x".repeat(10_000_000)}"}`), "too-long"],
    ["half a file", () => new Response('{"name":"Ac'), "not-json"],
    ["a list", () => Response.json([good]), "wrong"],
  ])("%s: what was read before counts, and the file is named as wrong", async (_what, answer, kind) => {
    const { tab, host } = await start();
    host.says(good);
    await read(tab);
    host.config(answer);
    const { config, problems } = (await read(tab)).host;
    expect(config.name).toBe("Acme");
    expect(problems).toEqual([expect.objectContaining({ kind })]);
    host.says(good);
    expect((await read(tab)).host.problems).toEqual([]);
  });

  test.each<[string, () => ReturnType<Intercept>]>([
    ["the app's page in its place", () => htmlAnswer(200)],
    ["the same as JSON", () => new Response("  <!doctype html>", { headers: { "Content-Type": "application/json" } })],
    ["no such file", () => new Response("", { status: 404 })],
    ["nothing to send", () => new Response(null, { status: 204 })],
  ])("%s: there is no file any more", async (_what, answer) => {
    const { tab, host } = await start();
    host.says(good);
    await read(tab);
    host.config(answer);
    expect((await read(tab)).host).toMatchObject({ config: { topics: [], settings: {}, locked: [] }, problems: [] });
  });
});

describe("servers that the host does not allow", () => {
  test("get no request, neither to subscribe nor to look; existing ones stay", async () => {
    const { tab, host, world } = await start();
    const there = await tab.send("subscribe", { address: OTHER, topics: ["a"], history: "all" });
    expect(there.ok).toBe(true);
    host.says({ server: "https://home.example", allowedServers: [] });
    await read(tab);
    const before = world.server.requests.length;
    const error = { kind: "invalid", field: "server", reason: "not-allowed" };
    expect(await tab.send("subscribe", { address: OTHER, topics: ["b"], history: "all" })).toEqual({
      ok: false,
      error,
    });
    expect(await tab.send("preview", { address: OTHER, topics: ["b"] })).toEqual({ ok: false, error });
    expect(world.server.requests.length).toBe(before);
    world.server.publish("a", "still received");
    await world.time.settle();
    expect(await world.feed()).toEqual(["still received"]);
  });

  test("are found out even if reading the file failed", async () => {
    const { tab, host } = await start();
    // JSON of this depth can be read, but not written.
    host.config(() => new Response(`{"name":${"[".repeat(30_000)}${"]".repeat(30_000)}}`));
    await expect(read(tab)).rejects.toThrow("storage");
    expect(await tab.send("subscribe", { address: OTHER, topics: ["a"], history: "all" })).toMatchObject({ ok: true });
    host.says({ name: "Acme" });
    expect((await read(tab)).host.config.name).toBe("Acme");
  });

  test.each<[unknown, boolean]>([
    [undefined, true],
    [["topics.example"], true],
    [["topics.example/path", "http://topics.example", "topics.example:444"], false],
    ["topics.example", false],
  ])("a file with %j allows the server: %j", async (allowedServers, isAllowed) => {
    const { tab, host } = await start();
    host.says({ server: "https://home.example", allowedServers });
    await read(tab);
    expect((await tab.send("subscribe", { address: OTHER, topics: ["a"], history: "all" })).ok).toBe(isAllowed);
  });

  test("the default server is allowed", async () => {
    const { tab, host, world } = await start();
    host.says({ allowedServers: [] });
    expect((await read(tab)).host).toMatchObject({ home: ORIGIN, allowed: [ORIGIN] });
    expect((await tab.send("preview", { address: OTHER, topics: ["a"] })).ok).toBe(false);
    const before = world.server.requests.length;
    await tab.send("preview", { address: ORIGIN, topics: ["a"] });
    expect(world.server.requests.length, "it was asked").toBeGreaterThan(before);
  });

  test("are not slipped in while the file is still being read", async () => {
    const { tab, host, world } = await start();
    const file = { server: "https://home.example", allowedServers: [] };
    host.config(() => new Promise((resolve) => world.time.setTimer(() => resolve(Response.json(file)), 3_000)));
    const reading = read(tab);
    const subscribing = tab.send("subscribe", { address: OTHER, topics: ["a"], history: "all" });
    const [, subscribed] = await Promise.all([reading, subscribing]);
    expect(subscribed).toMatchObject({ ok: false, error: { reason: "not-allowed" } });
  });
});

describe("settings of the host", () => {
  test("are defaults that the user can change for good", async () => {
    const { tab, host, world } = await start();
    host.says({ settings: { theme: "dark", keepDays: 7 } });
    await read(tab);
    expect(await settingsOf(world)).toMatchObject({ theme: "dark", keepDays: 7 });
    await tab.send("setSetting", { key: "theme", value: "system" });
    await read(tab);
    expect(await settingsOf(world)).toMatchObject({ theme: "system", keepDays: 7 });
    host.says({ settings: { theme: "light", keepDays: 9 } });
    await read(tab);
    expect(await settingsOf(world), "only what was not changed follows").toMatchObject({
      theme: "system",
      keepDays: 9,
    });
    host.says({});
    await read(tab);
    expect(await settingsOf(world)).toMatchObject({ theme: "system", keepDays: 30 });
  });

  test("can't be changed by anyone while they are locked", async () => {
    const { tab, host, world } = await start();
    await tab.send("setSetting", { key: "theme", value: "light" });
    host.says({ settings: { theme: "dark" }, locked: ["theme", "density"] });
    await read(tab);
    expect(await settingsOf(world)).toMatchObject({ theme: "dark", density: "auto" });
    for (const [key, value] of [
      ["theme", "light"],
      ["density", "compact"],
    ] as const) {
      const error = { kind: "invalid", field: "setting", reason: "locked" };
      expect(await tab.send("setSetting", { key, value })).toEqual({ ok: false, error });
    }
    expect((await tab.send("setSetting", { key: "host", value: {} })).ok, "the record itself").toBe(false);
    expect((await tab.send("setSetting", { key: "markRead", value: "seen" })).ok).toBe(true);
    host.says({});
    await read(tab);
    expect((await tab.send("setSetting", { key: "theme", value: "light" })).ok).toBe(true);
  });

  test("the user's choice returns when a lock goes, however often the file is read meanwhile", async () => {
    const { tab, host, world } = await start();
    await tab.send("setSetting", { key: "theme", value: "light" });
    await tab.send("setSetting", { key: "historyRead", value: true });
    for (const theme of ["dark", "system"]) {
      host.says({ settings: { theme }, locked: ["theme", "historyRead", "density"] });
      await read(tab);
      await read(tab);
      expect(await settingsOf(world)).toMatchObject({ theme, historyRead: false });
    }
    host.says({ settings: { theme: "dark" }, locked: ["density"] });
    await read(tab);
    expect(await settingsOf(world)).toMatchObject({ theme: "light", historyRead: true, density: "auto" });
    await tab.send("setSetting", { key: "historyRead", value: false });
    host.says({});
    await read(tab);
    expect(await settingsOf(world)).toMatchObject({ theme: "light", historyRead: false });
    expect((await settingsOf(world)).host).not.toHaveProperty("own");
  });

  test("nothing is written while nothing changes", async () => {
    const { tab, host, world } = await start();
    host.says({ name: "Acme", settings: { theme: "dark" }, locked: ["keepDays"] });
    await read(tab);
    const before = world.writes;
    await read(tab);
    expect(world.writes).toBe(before);
  });
});
