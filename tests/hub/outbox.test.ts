import { describe, expect, test } from "vitest";
import type { MessageKey } from "../../src/contract";
import type { PublishInput, ServerAddress } from "../../src/protocol";
import { errorAnswer, FakeServer } from "./fake-server";
import { type Tab, World } from "./world";

const SEQUENCE = "mine00000001";

/** A world with a topic, and what the outbox holds of it. */
async function start() {
  const world = await World.make();
  const { tab, subIds } = await world.subscribed(["a"]);
  const outbox = async () => (await world.store.reader.catalogue()).outbox;
  return { world, tab, subId: subIds[0] ?? 0, outbox };
}

const send = (world: World, tab: Tab, message: string, more: Partial<PublishInput> = {}) =>
  tab.send("publish", { address: world.server.address, topic: "a", message, sequence: SEQUENCE, ...more });

async function goOffline(world: World, tab: Tab): Promise<void> {
  world.server.down = true;
  world.server.cut();
  await tab.send("setOnline", { online: false });
  await world.time.settle();
}

async function goOnline(world: World, tab: Tab): Promise<void> {
  world.server.down = false;
  await tab.send("setOnline", { online: true });
}

const posts = (world: World) => world.server.requests.filter(({ method }) => method === "POST").length;

test("what a server still accepts isn't asked with a sign-in that it refused", async () => {
  const world = await World.make();
  const ada = { kind: "basic", user: "ada", password: "s3cret" } as const;
  world.server.users.push(ada);
  const { tab } = await world.subscribed(["a"], { credentials: ada });
  const [{ accountId = 0 } = {}] = (await world.store.reader.catalogue()).accounts;
  const asked = () => world.server.requests.filter(({ url }) => url.pathname === "/v1/account").length;
  const ask = () => tab.send("allowance", { address: world.server.address, accountId });
  const before = asked();
  await ask();
  expect(asked()).toBe(before + 1);
  await world.store.patchAccount(accountId, { refusedAtMs: world.time.now() });
  expect(await ask()).toMatchObject({ ok: false });
  expect(asked()).toBe(before + 1);
});

describe("a message that can't be sent", () => {
  test("without a network is kept, and sent once when the network is back", async () => {
    const { world, tab, outbox } = await start();
    await goOffline(world, tab);
    expect(await send(world, tab, "later", { title: "T" })).toEqual({ ok: true, value: {} });
    expect(posts(world), "nothing is tried").toBe(0);
    expect(await outbox()).toMatchObject([{ message: "later", title: "T", sequence: SEQUENCE }]);
    await goOnline(world, tab);
    await world.time.advance(5_000);
    expect(await outbox()).toEqual([]);
    expect(posts(world)).toBe(1);
    expect(await world.rows("feed")).toMatchObject([{ event: { message: "later" }, readAtMs: expect.any(Number) }]);
    await world.time.advance(600_000);
    expect(posts(world)).toBe(1);
    expect(world.problems).toEqual([]);
  });

  test("is sent after the hub ended in between", async () => {
    const { world, tab, outbox } = await start();
    await goOffline(world, tab);
    await send(world, tab, "later");
    world.server.down = false;
    world.openTab(world.startHub());
    await world.time.advance(30_000);
    expect(await outbox()).toEqual([]);
    expect(await world.feed()).toEqual(["later"]);
  });

  test("is sent though the worker that stored it died before it said so, once a page comes back", async () => {
    const { world, tab, subId, outbox } = await start();
    const key: [number, string] = [subId, SEQUENCE];
    await goOffline(world, tab);
    await send(world, tab, "later");
    const [stored] = await outbox();
    await world.store.editOutgoing(key, () => undefined);
    await goOnline(world, tab);
    await world.time.advance(60_000);
    await world.store.editOutgoing(key, () => stored);
    await world.time.advance(120_000);
    expect(posts(world)).toBe(0);
    await tab.send("resume", {} as never);
    await world.time.advance(5_000);
    expect(await outbox()).toEqual([]);
    expect(await world.feed()).toEqual(["later"]);
  });

  test("can be taken out before", async () => {
    const { world, tab, subId, outbox } = await start();
    await goOffline(world, tab);
    await send(world, tab, "never");
    await tab.send("dropOutgoing", { subId, sequence: SEQUENCE });
    expect(await outbox()).toEqual([]);
    await goOnline(world, tab);
    await world.time.advance(120_000);
    expect(posts(world)).toBe(0);
  });

  test("can be cancelled while it is sent", async () => {
    const { world, tab, subId, outbox } = await start();
    world.server.intercept = ({ method }) => (method === "POST" ? "hang" : undefined);
    const sent = send(world, tab, "never", { file: { name: "log.txt", content: new Blob(["lines"]) } });
    await world.time.advance(5_000);
    await tab.send("dropOutgoing", { subId, sequence: SEQUENCE });
    expect(await sent).toEqual({ ok: true, value: {} });
    world.server.intercept = undefined;
    await world.time.advance(1_000_000);
    expect(await outbox()).toEqual([]);
    expect(posts(world)).toBe(1);
  });

  test("holds up no other when it is cancelled while it is sent", async () => {
    const { world, tab, subId, outbox } = await start();
    await goOffline(world, tab);
    await send(world, tab, "never");
    await world.time.advance(10);
    await send(world, tab, "next", { sequence: "mine00000002" });
    world.server.intercept = ({ method }) => (method === "POST" ? "hang" : undefined);
    await goOnline(world, tab);
    await world.time.advance(10_000);
    world.server.intercept = undefined;
    await tab.send("dropOutgoing", { subId, sequence: SEQUENCE });
    await world.time.advance(1_000);
    expect(await outbox()).toEqual([]);
    expect(await world.feed()).toEqual(["next"]);
  });

  test("is removed with its topic", async () => {
    const { world, tab, subId, outbox } = await start();
    await goOffline(world, tab);
    await send(world, tab, "never");
    await tab.send("unsubscribe", { subId });
    await world.time.advance(120_000);
    expect(await outbox()).toEqual([]);
  });

  test("keeps its file", async () => {
    const { world, tab, outbox } = await start();
    await goOffline(world, tab);
    await send(world, tab, "", { file: { name: "log.txt", content: new Blob(["lines"]) } });
    const [kept] = await outbox();
    const { name, content } = kept?.file ?? {};
    expect([name, content && (await (content as globalThis.Blob).text())]).toEqual(["log.txt", "lines"]);
    let got: string | null | undefined;
    world.server.intercept = ({ method, url, headers }) => {
      if (method !== "POST") return undefined;
      got = `${url.pathname} ${String(headers?.get("X-Filename"))}`;
      return Response.json(world.server.publish("a", "You received a file: log.txt"));
    };
    await goOnline(world, tab);
    await world.time.advance(5_000);
    expect(got).toBe("/a log.txt");
    expect(await outbox()).toEqual([]);
  });
});

test("a server that is live takes messages, whatever the browser says of the network", async () => {
  const { world, tab } = await start();
  await tab.send("setOnline", { online: false });
  expect(await send(world, tab, "at home")).toMatchObject({ ok: true, value: { message: {} } });
});

describe("a try whose outcome nobody knows", () => {
  test("is looked for before it is repeated: what arrived isn't sent again", async () => {
    const { world, tab, outbox } = await start();
    world.server.losesAnswer = ({ method }) => method === "POST";
    expect(await send(world, tab, "arrived")).toEqual({ ok: true, value: {} });
    world.server.losesAnswer = undefined;
    await world.time.advance(120_000);
    expect(await outbox()).toEqual([]);
    expect(posts(world)).toBe(1);
    expect(await world.feed()).toEqual(["arrived"]);
  });

  test("is found by its words at a server that knows no sequences", async () => {
    const { world, tab, outbox } = await start();
    world.server.intercept = ({ method }) => {
      if (method !== "POST") return undefined;
      world.server.publish("a", "arrived");
      return "network-error";
    };
    // Servers drop the blanks around a text.
    await send(world, tab, "arrived\n");
    world.server.intercept = undefined;
    await world.time.advance(120_000);
    expect(await outbox()).toEqual([]);
    expect(posts(world)).toBe(1);
    expect(await world.feed()).toEqual(["arrived"]);
  });

  test("is repeated if it didn't arrive, with the same sequence", async () => {
    const { world, tab, outbox } = await start();
    world.server.intercept = ({ method }) => (method === "POST" ? "network-error" : undefined);
    await send(world, tab, "lost");
    world.server.intercept = undefined;
    await world.time.advance(50_000);
    expect(posts(world), "it may still arrive").toBe(1);
    await world.time.advance(70_000);
    expect(posts(world)).toBe(2);
    expect(await outbox()).toEqual([]);
    expect(await world.rows("feed")).toMatchObject([{ event: { message: "lost", sequence_id: SEQUENCE } }]);
  });

  test("is found although the device's clock was ahead at the try and was set right", async () => {
    const { world, tab, outbox } = await start();
    world.time.set(3_600_000);
    world.server.skewS = -3_600;
    await world.time.advance(60_000);
    world.server.losesAnswer = ({ method }) => method === "POST";
    await send(world, tab, "arrived");
    world.server.losesAnswer = undefined;
    await tab.send("ping", { inSight: true });
    await world.time.advance(2_000);
    world.time.set(-3_600_000);
    world.server.skewS = 0;
    await world.time.advance(300_000);
    expect(posts(world)).toBe(1);
    expect(await outbox()).toEqual([]);
  });

  test("isn't repeated after its delivery was cancelled", async () => {
    const { world, tab, outbox } = await start();
    world.server.losesAnswer = ({ method }) => method === "POST";
    await send(world, tab, "tomorrow", { delay: String(world.server.nowS + 3_600) });
    world.server.losesAnswer = undefined;
    await tab.send("refresh", { serverId: 1 });
    const [row] = await world.rows("scheduled");
    world.server.intercept = ({ method }) => {
      if (method !== "DELETE") return undefined;
      world.server.cancel(row?.id ?? "");
      return Response.json(world.server.control("delete", "a", SEQUENCE));
    };
    const key: MessageKey = [row?.subId ?? 0, row?.time ?? 0, row?.id ?? ""];
    expect(await tab.send("cancelScheduled", { keys: [key] })).toMatchObject({ ok: true, value: { cancelled: 1 } });
    await world.time.advance(300_000);
    expect(posts(world)).toBe(1);
    expect(await outbox()).toEqual([]);
    expect(await world.rows("scheduled")).toEqual([]);
  });

  const file = { name: "log.txt", content: new Blob(["lines"]) };

  test("isn't repeated while an upload is under way", async () => {
    const { world, tab, subId, outbox } = await start();
    const upload = (): Response => Response.json(world.server.publish("a", "A file", { sequence_id: SEQUENCE }));
    world.server.intercept = ({ method }) =>
      method === "POST" ? new Promise((resolve) => world.time.setTimer(() => resolve(upload()), 200_000)) : undefined;
    const sent = send(world, tab, "", { file });
    await world.time.advance(1_000);
    await tab.send("patchSubscription", { subId, patch: { displayName: "A" } });
    await world.time.advance(300_000);
    expect(await sent).toMatchObject({ ok: true, value: { message: {} } });
    expect(posts(world)).toBe(1);
    expect(await outbox()).toEqual([]);
  });

  test("is repeated two minutes after an upload broke", async () => {
    const { world, tab, outbox } = await start();
    world.server.intercept = ({ method }) => (method === "POST" ? "network-error" : undefined);
    await send(world, tab, "", { file });
    world.server.intercept = ({ method }) =>
      method === "POST" ? Response.json(world.server.publish("a", "A file")) : undefined;
    await world.time.advance(50_000);
    expect(posts(world), "it may still arrive").toBe(1);
    await world.time.advance(70_000);
    expect(posts(world)).toBe(2);
    expect(await outbox()).toEqual([]);
  });
});

describe("what a server refuses", () => {
  const refusal = (status: number, code: number) =>
    Response.json({ code, http: status, error: "no" }, { status, headers: { "Access-Control-Allow-Origin": "*" } });

  test("is said at once and not kept", async () => {
    const { world, tab, outbox } = await start();
    world.server.intercept = ({ method }) => (method === "POST" ? refusal(413, 41301) : undefined);
    expect(await send(world, tab, "too much")).toMatchObject({ ok: false, error: { why: { code: 41301 } } });
    expect(await outbox()).toEqual([]);
  });

  test("is said where it waits, and isn't tried again unasked", async () => {
    const { world, tab, outbox } = await start();
    await goOffline(world, tab);
    await send(world, tab, "not allowed");
    world.server.intercept = ({ method }) => (method === "POST" ? refusal(403, 40301) : undefined);
    await goOnline(world, tab);
    await world.time.advance(300_000);
    expect(posts(world)).toBe(1);
    expect(await outbox()).toMatchObject([{ why: { kind: "forbidden" } }]);
    world.server.intercept = undefined;
    expect(await send(world, tab, "not allowed")).toMatchObject({ ok: true, value: { message: {} } });
    expect(await outbox()).toEqual([]);
  });

  test("a proxy for which it is too large gets it once", async () => {
    const { world, tab, outbox } = await start();
    await goOffline(world, tab);
    await send(world, tab, "large");
    world.server.intercept = ({ method }) => (method === "POST" ? new Response("<h1>", { status: 413 }) : undefined);
    await goOnline(world, tab);
    await world.time.advance(300_000);
    expect(posts(world)).toBe(1);
    expect(await outbox()).toMatchObject([{ why: { kind: "http", status: 413 } }]);
  });

  test("a message that may have arrived isn't sent again while the server is too busy to be asked", async () => {
    const { world, tab, outbox } = await start();
    world.server.losesAnswer = ({ method }) => method === "POST";
    await send(world, tab, "arrived");
    world.server.losesAnswer = undefined;
    world.server.intercept = ({ url }) => (url.searchParams.get("poll") === "1" ? refusal(429, 42901) : undefined);
    await world.time.advance(300_000);
    expect(posts(world)).toBe(1);
    expect(await outbox()).toMatchObject([{ message: "arrived" }]);
    world.server.intercept = undefined;
    await world.time.advance(300_000);
    expect(posts(world)).toBe(1);
    expect(await outbox()).toEqual([]);
  });

  test("a busy server gets longer and longer pauses", async () => {
    const { world, tab, outbox } = await start();
    await goOffline(world, tab);
    await send(world, tab, "patience");
    world.server.intercept = ({ method }) => (method === "POST" ? refusal(429, 42908) : undefined);
    await goOnline(world, tab);
    await world.time.advance(300_000);
    expect(posts(world)).toBeLessThan(14);
    const before = posts(world);
    await world.time.advance(6 * 3_600_000);
    expect(posts(world) - before, "the day's messages are used up").toBeLessThan(80);
    expect(await outbox()).toMatchObject([{ message: "patience" }]);
    world.server.intercept = undefined;
    // A pause doesn't last until a clock that was set back shows the former time again.
    world.time.set(-3 * 3_600_000);
    world.server.skewS += 3 * 3_600;
    await world.time.advance(300_000);
    expect(await outbox()).toEqual([]);
  });
});

test("messages to other servers don't wait for a long upload", async () => {
  const world = await World.make();
  const elsewhere = "https://elsewhere.example.com" as ServerAddress;
  const other = new FakeServer(world.time);
  const made = world.environment.bind(world);
  world.environment = (options) => ({
    ...made(options),
    fetch: (url, init) =>
      url.startsWith(elsewhere)
        ? other.fetch(url.replace(elsewhere, other.address), init)
        : world.server.fetch(url, init),
  });
  const { tab } = await world.subscribed(["a"]);
  await tab.send("subscribe", { address: elsewhere, topics: ["b"], history: "all" });
  other.down = true;
  other.cut();
  await goOffline(world, tab);
  await send(world, tab, "", { file: { name: "film.mp4", content: new Blob(["long"]) } });
  await send(world, tab, "short", { address: elsewhere, topic: "b", sequence: "mine00000002" });
  world.server.intercept = ({ method }) => (method === "POST" ? "hang" : undefined);
  other.down = false;
  await goOnline(world, tab);
  await world.time.advance(20_000);
  expect(posts(world), "the upload is under way").toBe(1);
  expect(await world.feed()).toEqual(["short"]);
});

test("a scheduled message is in its list at once, unread when it comes", async () => {
  const { world, tab } = await start();
  const due = world.server.nowS + 3_600;
  expect(await send(world, tab, "tomorrow", { delay: String(due) })).toMatchObject({ ok: true });
  expect(await world.rows("scheduled")).toMatchObject([{ event: { message: "tomorrow" }, scheduled: 1 }]);
  await world.time.advance(3_700_000);
  expect(await world.rows("scheduled")).toEqual([]);
  const [row] = await world.rows("feed");
  expect([row?.event.message, row?.readAtMs]).toEqual(["tomorrow", undefined]);
});

test("a scheduled message whose time passed while it waited is sent at once", async () => {
  const { world, tab } = await start();
  await goOffline(world, tab);
  await send(world, tab, "over", { delay: String(world.server.nowS + 60) });
  await world.time.advance(120_000);
  await goOnline(world, tab);
  await world.time.advance(10_000);
  expect(await world.feed()).toEqual(["over"]);
});

test("a message that can't be looked for, as the server refuses markers, is the user's, and holds up no other", async () => {
  const { world, tab, outbox } = await start();
  let isFirst = true;
  world.server.intercept = ({ method, url }) => {
    if (/^\d+$/.test(url.searchParams.get("since") ?? "")) return errorAnswer(400, 40008);
    if (method !== "POST" || !isFirst) return undefined;
    isFirst = false;
    return "network-error";
  };
  await send(world, tab, "unsure");
  for (const [message, sequence] of [
    ["next", "mine00000002"],
    ["third", "mine00000003"],
  ] as const) {
    await goOffline(world, tab);
    await send(world, tab, message, { sequence });
    await goOnline(world, tab);
    await world.time.advance(600_000);
  }
  expect(await world.feed()).toContain("third");
  expect(await outbox()).toMatchObject([{ message: "unsure", why: { code: 40008 } }]);
});
