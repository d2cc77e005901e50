import { describe, expect, test } from "vitest";
import { keyOf, type Mark, type MessageKey } from "../../src/contract";
import type { Priority } from "../../src/protocol";
import { errorAnswer } from "./fake-server";
import { World } from "./world";

const READ: Mark = { kind: "read", on: true };

/** After this, ms, nothing can be undone any more, and the hub has looked. */
const AFTER_UNDO_MS = 60_000;

/** A world whose user alone reads the topic "a", but not "b". */
async function start() {
  const world = await World.make();
  const { hub, tab, subIds } = await world.subscribed(["a", "b"]);
  const [subId = 0, other = 0] = subIds;
  await tab.send("patchSubscription", { subId, patch: { tellsRead: "on" } });
  const arrive = async (priority: Priority = 3, topic = "a"): Promise<MessageKey> => {
    const { time, id } = world.server.publish(topic, "m", { priority });
    await world.time.settle();
    return keyOf({ subId: topic === "a" ? subId : other, time, id });
  };
  const mark = async (keys: MessageKey[], given = READ): Promise<string> => {
    const marked = await tab.send("mark", { keys, mark: given });
    if (!marked.ok) throw new Error(marked.error.kind);
    return marked.value.undo;
  };
  return { world, hub, tab, subId, arrive, mark };
}

const ids = (keys: MessageKey[]): string[] => keys.map(([, , id]) => id);

/** The messages that the server was asked to clear, in order. */
const told = (world: World): string[] =>
  world.server.requestsTo("/clear").map(({ method, url }) => `${method} ${url.pathname.split("/")[2] ?? ""}`);

const put = (keys: MessageKey[]): string[] => ids(keys).map((id) => `PUT ${id}`);

/** The requests about clears and what is left for them. */
const asked = (world: World): number => told(world).length + world.server.requestsTo("v1/account").length;

async function left(world: World): Promise<number> {
  const clears = await world.store.clears();
  return clears.ok ? clears.value.length : -1;
}

describe("what is read of a topic that only the user reads", () => {
  test("is cleared on its server, the urgent first, one after the other, and only once", async () => {
    const { world, arrive, mark } = await start();
    const keys = [await arrive(3), await arrive(1), await arrive(5), await arrive(4)];
    const [plain, low, urgent, high] = keys;
    for (const key of keys) await mark([key]);
    expect(told(world), "it can still be undone").toEqual([]);
    await world.time.advance(AFTER_UNDO_MS);
    expect(told(world)).toEqual(put([urgent, high, plain, low].filter((key) => key !== undefined)));
    expect(await left(world)).toBe(0);
    await world.time.advance(3_600_000);
    expect(told(world)).toHaveLength(4);
    expect(world.problems).toEqual([]);
  });

  test("is cleared when it is done without having been read", async () => {
    const { world, arrive, mark } = await start();
    const key = await arrive();
    await mark([key], { kind: "done", on: true });
    await world.time.advance(AFTER_UNDO_MS);
    await mark([key]);
    await world.time.advance(AFTER_UNDO_MS);
    expect(told(world)).toEqual(put([key]));
  });

  test("is cleared by the name of its sequence, and not if a newer version has come", async () => {
    const { world, subId, mark } = await start();
    const first = world.server.publish("a", "1", { sequence_id: "job" });
    const other = world.server.publish("a", "1", { sequence_id: "other" });
    await world.time.settle();
    await mark([first, other].map(({ time, id }) => keyOf({ subId, time, id })));
    await world.time.advance(2_000);
    world.server.publish("a", "2", { sequence_id: "job" });
    await world.time.advance(AFTER_UNDO_MS);
    expect(told(world)).toEqual(["PUT other"]);
    expect(await left(world)).toBe(0);
  });

  test("is told by no request if it was undone, or cleared by another app, or its server has forgotten it", async () => {
    const { world, tab, arrive, mark } = await start();
    const [undone, cleared] = [await arrive(), await arrive()];
    const undo = await mark([undone]);
    await mark([cleared]);
    await tab.send("undo", { undo });
    world.server.control("clear", "a", cleared[2]);
    await world.time.advance(AFTER_UNDO_MS);
    world.server.retentionS = 5;
    await mark([await arrive()]);
    await world.time.advance(AFTER_UNDO_MS);
    expect(asked(world)).toBe(0);
    expect(await left(world)).toBe(0);
  });

  test("is not told again when it was cleared here before and marked unread since", async () => {
    const { world, arrive, mark } = await start();
    const key = await arrive();
    await mark([key]);
    await world.time.advance(AFTER_UNDO_MS);
    await mark([key], { kind: "read", on: false });
    await mark([key]);
    await world.time.advance(AFTER_UNDO_MS);
    expect(told(world)).toEqual(put([key]));
  });

  test("is told after the worker ended in between", async () => {
    const { world, hub, arrive, mark } = await start();
    const key = await arrive();
    await mark([key]);
    hub.stop();
    await world.time.advance(1_000);
    world.openTab(world.startHub());
    await world.time.advance(60_000);
    expect(told(world)).toEqual(put([key]));
    expect(await left(world)).toBe(0);
  });

  test("is sent by only one of two hubs that look at once", async () => {
    const { world, hub, arrive, mark } = await start();
    await mark([await arrive()]);
    hub.stop();
    const clears = await world.store.clears();
    const [clear] = clears.ok ? clears.value : [];
    if (!clear) throw new Error("nothing was noted");
    const takes = [1, 2].map(() => world.store.takeClear(clear, world.time.now(), world.server.nowS));
    expect((await Promise.all(takes)).map((taken) => taken.ok && taken.value)).toEqual([true, false]);
  });

  test("is not told if a newer version came while its server was out of reach, so that nobody misses that", async () => {
    const { world, subId, mark } = await start();
    const first = world.server.publish("a", "1", { sequence_id: "job" });
    await world.time.settle();
    world.server.down = true;
    world.server.cut();
    await mark([keyOf({ subId, time: first.time, id: first.id })]);
    await world.time.advance(44_000);
    world.server.publish("a", "2", { sequence_id: "job" });
    world.server.down = false;
    // Answers to the polls that catch up come only after the clear is due.
    world.server.intercept = ({ url }) => (url.searchParams.get("poll") === "1" ? errorAnswer(503, 50301) : undefined);
    await world.time.advance(60_000);
    expect(told(world)).toEqual([]);
    world.server.intercept = undefined;
    await world.time.advance(180_000);
    expect(told(world)).toEqual([]);
    expect((await world.rows("feed")).map((row) => [row.event.message, row.readAtMs])).toEqual([["2", undefined]]);
  });

  test("stays noted if a newer version was read while the first was being told", async () => {
    const { world, subId, mark } = await start();
    const first = world.server.publish("a", "1", { sequence_id: "job" });
    await world.time.settle();
    await mark([keyOf({ subId, time: first.time, id: first.id })]);
    const [noted] = await world.store.clears().then((clears) => (clears.ok ? clears.value : []));
    await world.time.advance(2_000);
    const second = world.server.publish("a", "2", { sequence_id: "job" });
    await world.time.settle();
    await mark([keyOf({ subId, time: second.time, id: second.id })]);
    if (noted) await world.store.forgetClear(noted);
    expect(await left(world)).toBe(1);
  });

  test("waits for a server that is out of reach", async () => {
    const { world, arrive, mark } = await start();
    const key = await arrive();
    world.server.down = true;
    world.server.cut();
    await mark([key]);
    await world.time.advance(600_000);
    expect(asked(world)).toBe(0);
    world.server.down = false;
    await world.time.advance(180_000);
    expect(told(world)).toEqual(put([key]));
  });
});

test("what is read of other topics, or after it was turned off, is told to nobody", async () => {
  const { world, tab, subId, arrive, mark } = await start();
  await mark([await arrive(3, "b"), await arrive()]);
  await tab.send("patchSubscription", { subId, patch: { tellsRead: null } });
  await mark([await arrive()]);
  await world.time.advance(3_600_000);
  expect(asked(world)).toBe(0);
  expect(await left(world)).toBe(0);
});

describe("of the messages of a day", () => {
  test("half are left to the user", async () => {
    const { world, arrive, mark } = await start();
    world.server.day = { limit: 10, left: 8 };
    const keys: MessageKey[] = [];
    for (const priority of [3, 5, 3, 3, 4, 3] as const) keys.push(await arrive(priority));
    await mark(keys);
    await world.time.advance(3_600_000);
    expect(told(world).slice(0, 2)).toEqual(put([keys[1], keys[4]].filter((key) => key !== undefined)));
    expect(world.server.day.left).toBe(5);
    world.server.day.left = 10;
    await world.time.advance(3_600_000);
    expect(told(world).slice(3).sort()).toEqual(
      put(keys)
        .filter((one) => !told(world).slice(0, 3).includes(one))
        .sort(),
    );
    expect(world.problems).toEqual([]);
  });

  test("what doesn't fit is dropped once the server has forgotten it", async () => {
    const { world, arrive, mark } = await start();
    world.server.day = { limit: 10, left: 5 };
    await mark([await arrive()]);
    await world.time.advance(43_300_000);
    expect(asked(world)).toBeLessThan(80);
    world.server.day.left = 10;
    await world.time.advance(3_600_000);
    expect(told(world)).toEqual([]);
    expect(await left(world)).toBe(0);
  });

  test("enough are told where a proxy knows topics alone", async () => {
    const { world, arrive, mark } = await start();
    world.server.intercept = ({ url }) =>
      url.pathname === "/v1/account" ? new Response("", { status: 404 }) : undefined;
    const key = await arrive();
    await mark([key]);
    await world.time.advance(AFTER_UNDO_MS);
    expect(told(world)).toEqual(put([key]));
  });

  test("50 are used where the server doesn't say how many there are, whatever becomes of the worker", async () => {
    const { world, hub, arrive, mark } = await start();
    const keys: MessageKey[] = [];
    for (let count = 0; count < 60; count++) keys.push(await arrive());
    await mark(keys);
    await world.time.advance(300_000);
    hub.stop();
    world.openTab(world.startHub());
    await world.time.advance(1_800_000);
    expect(new Set(told(world)).size).toBe(50);
    expect(told(world)).toHaveLength(50);
  });
});

describe("a server that refuses", () => {
  test("is asked once, which the topic remembers until the user turns it on again", async () => {
    const { world, tab, subId, arrive, mark } = await start();
    world.server.intercept = ({ method }) => (method === "PUT" ? errorAnswer(403, 40301) : undefined);
    const announced = tab.events.filter(({ kind }) => kind === "catalogue").length;
    await mark([await arrive(), await arrive()]);
    await world.time.advance(AFTER_UNDO_MS);
    const { subscriptions } = await world.store.reader.catalogue();
    expect(subscriptions.map(({ tellsRead }) => tellsRead)).toEqual(["refused", undefined]);
    expect(tab.events.filter(({ kind }) => kind === "catalogue").length).toBeGreaterThan(announced);
    await mark([await arrive()]);
    await world.time.advance(3_600_000);
    expect([told(world).length, await left(world)]).toEqual([1, 0]);
    world.server.intercept = undefined;
    await tab.send("patchSubscription", { subId, patch: { tellsRead: "on" } });
    const key = await arrive();
    await mark([key]);
    await world.time.advance(AFTER_UNDO_MS);
    expect(told(world).slice(1)).toEqual(put([key]));
  });

  test("is asked again once the sign-in has changed", async () => {
    const { world, tab, subId } = await start();
    await world.store.patchSubscription(subId, { tellsRead: "refused" });
    await tab.send("setCredentials", { serverId: tab.newestStatus?.serverId ?? 0, credentials: null });
    const { subscriptions } = await world.store.reader.catalogue();
    expect(subscriptions.map(({ tellsRead }) => tellsRead)).toEqual(["on", undefined]);
  });

  test("as it has no time is asked again no sooner than it says, and holds up no live message", async () => {
    const { world, arrive, mark } = await start();
    const retry = { status: 429, headers: { "Retry-After": "240", "Access-Control-Allow-Origin": "*" } };
    world.server.intercept = ({ method }) => (method === "PUT" ? new Response("", retry) : undefined);
    const keys = [await arrive(), await arrive()];
    await mark(keys);
    await world.time.advance(AFTER_UNDO_MS);
    world.server.intercept = undefined;
    await arrive();
    expect(await world.feed()).toHaveLength(3);
    await world.time.advance(190_000);
    expect(told(world)).toHaveLength(1);
    await world.time.advance(900_000);
    expect(told(world).slice(1).sort()).toEqual(put(keys).sort());
  });

  test("as the day's messages are used up is asked every ten minutes at most", async () => {
    const { world, arrive, mark } = await start();
    world.server.intercept = ({ method }) => (method === "PUT" ? errorAnswer(429, 42908) : undefined);
    await mark([await arrive(), await arrive()]);
    await world.time.advance(6 * 3_600_000);
    expect(told(world).length).toBeLessThan(40);
    expect(await left(world)).toBe(2);
    world.server.intercept = undefined;
    world.time.set(-3 * 3_600_000);
    world.server.skewS += 3 * 3_600;
    await world.time.advance(1_800_000);
    expect(await left(world), "a pause doesn't outlast a clock that was set back").toBe(0);
  });
});
