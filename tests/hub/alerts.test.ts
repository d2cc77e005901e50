import { describe, expect, test } from "vitest";
import type { Channel } from "../../src/hub";
import type { Store } from "../../src/store";
import { FakeLocks, NEVER_GRANTED } from "./fake-locks";
import { markingAll } from "./marking-all";
import { World, type Announced, type HubOptions, type Tab } from "./world";

type Told = Announced & { kind: "alert" };

const alertsOf = (tab: Tab): Told[] => tab.events.filter((event) => event.kind === "alert");

/** The messages of each alert that a tab was given. */
const toldTo = (tab: Tab): string[][] => alertsOf(tab).map(({ rows }) => rows.map((row) => row.event.message));

const confirm = (tab: Tab, at = -1) => tab.send("confirmAlert", { alertId: alertsOf(tab).at(at)?.alertId ?? 0 });

/**
 * Options of a hub whose worker ends without notice: when `end` is called, or right after a given method of the store
 * has run.
 */
function mortal(world: World, locks: LockManager, hubId: string) {
  let isDead = false;
  let endsAfter: keyof Store | undefined;
  const never = new Promise<never>(() => undefined);
  const air = world.air.open();
  const channel: Channel = { ...air, post: (message) => void (isDead || air.post(message)) };
  const wrapStore = (store: Store): Store =>
    new Proxy(store, {
      get(target, name: keyof Store) {
        const value = target[name] as unknown;
        if (typeof value !== "function") return value;
        return async (...args: unknown[]): Promise<unknown> => {
          if (isDead) return never;
          const result: unknown = await (value as (...args: unknown[]) => unknown).apply(target, args);
          isDead ||= name === endsAfter;
          return isDead ? never : result;
        };
      },
    });
  const request = (...args: Parameters<LockManager["request"]>) => (isDead ? never : locks.request(...args));
  const own = { request } as unknown as LockManager;
  const options: HubOptions = { hubId, channel, wrapStore, locks: own };
  return { options, end: () => void (isDead = true), endAfter: (name: keyof Store) => void (endsAfter = name) };
}

/**
 * Two hubs, each with one tab: a leader, and one that waits for the lead. Both workers can end, and both tabs can
 * alert.
 */
async function twoWorkers() {
  const world = await World.make();
  const locks = new FakeLocks().manager;
  const leader = mortal(world, locks, "x");
  const { tab } = await world.subscribed(["a"], {}, leader.options);
  const follower = mortal(world, locks, "y");
  const next = world.openTab(world.startHub(follower.options));
  for (const one of [tab, next]) await one.send("setAlerting", { able: true });
  await world.time.advance(5_000);
  return { world, leader, tab, next };
}

describe("alerts", () => {
  test("go to one tab, then to the next if that doesn't confirm, and to each only once", async () => {
    const world = await World.make();
    const { hub, tab } = await world.subscribed(["a"]);
    const second = world.openTab(hub);
    await tab.send("setAlerting", { able: true });
    await second.send("setAlerting", { able: true });
    world.server.publish("a", "urgent", { priority: 5 });
    await world.time.settle();
    const [first, next] = alertsOf(tab).length > 0 ? [tab, second] : [second, tab];
    expect([alertsOf(first).length, alertsOf(next).length]).toEqual([1, 0]);
    await world.time.advance(3_500);
    const [alert] = alertsOf(next);
    expect(alert?.rows.map((row) => row.event.message)).toEqual(["urgent"]);
    expect(await next.send("confirmAlert", { alertId: alert?.alertId ?? 0 })).toEqual({ ok: true, value: null });
    world.server.cut();
    await world.time.advance(30_000);
    expect(alertsOf(first).length + alertsOf(next).length).toBe(2);
  });

  test("go only to tabs that can show them, even to one that has been hidden for hours", async () => {
    const world = await World.make();
    const { hub, tab } = await world.subscribed(["a"]);
    const able = world.openTab(hub);
    await able.send("setAlerting", { able: true });
    const former = world.openTab(hub);
    await former.send("setAlerting", { able: true });
    await former.send("setAlerting", { able: false });
    await world.time.advance(10_800_000);
    world.openTab(hub);
    world.server.publish("a", "urgent");
    await world.time.advance(30_000);
    expect([tab, able, former].map((one) => alertsOf(one).length)).toEqual([0, 1, 0]);
  });

  test("skip a tab that did not confirm until it is heard from again", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    await tab.send("setAlerting", { able: true });
    world.server.publish("a", "to a frozen tab");
    await world.time.advance(5_000);
    world.server.publish("a", "not again");
    await world.time.advance(5_000);
    expect(alertsOf(tab)).toHaveLength(1);
    await tab.send("ping", { inSight: false });
    world.server.publish("a", "it is back");
    await world.time.settle();
    expect(toldTo(tab)).toEqual([["to a frozen tab"], ["to a frozen tab", "not again"], ["it is back"]]);
  });

  test("go to a tab of another hub where none here can show them", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    const other = world.openTab(world.startHub({ locks: NEVER_GRANTED }));
    await other.send("setAlerting", { able: true });
    world.server.publish("a", "urgent");
    await world.time.settle();
    expect([tab, other].map((one) => alertsOf(one).length)).toEqual([0, 1]);
    const [alert] = alertsOf(other);
    expect(await other.send("confirmAlert", { alertId: alert?.alertId ?? 0 })).toEqual({ ok: true, value: null });
  });

  test("go to the tab that has the focus, even if another was heard later", async () => {
    const world = await World.make();
    const { hub, tab } = await world.subscribed(["a"]);
    const second = world.openTab(hub);
    await tab.send("setAlerting", { able: true, hasFocus: true });
    await second.send("setAlerting", { able: true });
    await world.time.advance(1_000);
    await second.send("ping", { inSight: true });
    world.server.publish("a", "seen");
    await world.time.settle();
    expect([tab, second].map((one) => alertsOf(one).length)).toEqual([1, 0]);
  });

  test("are not raised by the history of a new topic whose first poll failed, if one looks for what is missing", async () => {
    const world = await World.make();
    world.server.publish("a", "old", { priority: 5 });
    const { tab } = await world.subscribed(["b"]);
    await tab.send("setAlerting", { able: true });
    world.server.intercept = ({ url }) =>
      url.searchParams.has("poll") ? new Response("", { status: 503 }) : undefined;
    const subscribing = await tab.send("subscribe", { address: world.server.address, topics: ["a"], history: "all" });
    await world.time.settle();
    world.server.intercept = undefined;
    const [subId = 0] = subscribing.ok ? subscribing.value.subIds : [];
    await tab.send("refresh", { serverId: tab.newestStatus?.serverId ?? 0, subId });
    expect(await world.feed()).toEqual(["old"]);
    expect(alertsOf(tab)).toEqual([]);
  });

  test("are not raised by the history of a new topic", async () => {
    const world = await World.make();
    world.server.publish("a", "old", { priority: 5 });
    const { tab } = await world.subscribed(["a"]);
    await world.time.advance(30_000);
    expect(tab.events.filter((event) => event.kind === "alert")).toEqual([]);
  });
});

describe("alerts of urgent messages", () => {
  const MINUTE_MS = 60_000;

  /** A tab that confirms all alerts at once, with the setting on. */
  async function repeating() {
    const world = await World.make();
    const { hub, tab, subIds } = await world.subscribed(["a"]);
    await tab.send("setAlerting", { able: true });
    await tab.send("setSetting", { key: "alertRules", value: { repeatUrgent: true } });
    const pass = async (minutes: number): Promise<void> => {
      for (let passed = 0; passed < minutes * 60; passed += 30) {
        await world.time.advance(30_000);
        await tab.send("ping", { inSight: false });
        const open = alertsOf(tab).slice(confirmed);
        confirmed += open.length;
        for (const { alertId } of open) await tab.send("confirmAlert", { alertId });
      }
    };
    let confirmed = 0;
    const publish = async (text: string, priority: 3 | 4 | 5): Promise<void> => {
      world.server.publish("a", text, { priority });
      await world.time.settle();
      const { alertId } = alertsOf(tab).at(-1)!;
      confirmed = alertsOf(tab).length;
      await tab.send("confirmAlert", { alertId });
    };
    const heard = (): string[] => toldTo(tab).flat();
    return { world, hub, tab, subId: subIds[0]!, pass, publish, heard };
  }

  test("are repeated every five minutes, twelve times, and those of others are not", async () => {
    const { tab, pass, publish, heard } = await repeating();
    await publish("high", 4);
    await publish("fire", 5);
    await pass(4);
    expect(heard()).toEqual(["high", "fire"]);
    await pass(2);
    expect(heard()).toEqual(["high", "fire", "fire"]);
    expect(alertsOf(tab).map(({ repeated }) => repeated)).toEqual([undefined, undefined, true]);
    await pass(120);
    expect(heard().filter((text) => text === "fire")).toHaveLength(1 + 12);
  });

  test("are repeated no more once the message is read", async () => {
    const { tab, pass, publish, heard, subId } = await repeating();
    await publish("fire", 5);
    await pass(6);
    await tab.send("mark", markingAll([subId]));
    await pass(30);
    expect(heard()).toEqual(["fire", "fire"]);
  });

  test("are not repeated unless that is set, whatever else is stored", async () => {
    const { tab, pass, publish, heard } = await repeating();
    for (const value of [{}, { repeatUrgent: "yes" }, { repeatUrgent: false }]) {
      await tab.send("setSetting", { key: "alertRules", value });
      await publish("fire", 5);
      await pass(12);
    }
    expect(heard()).toEqual(["fire", "fire", "fire"]);
  });

  test("wait while their topic is muted, and continue when that ends", async () => {
    const { world, tab, pass, publish, heard, subId } = await repeating();
    await publish("fire", 5);
    const mutedUntilMs = world.time.now() + 12 * MINUTE_MS;
    await tab.send("patchSubscription", { subId, patch: { mutedUntilMs } });
    await pass(11);
    expect(heard()).toEqual(["fire"]);
    await pass(6);
    expect(heard()).toEqual(["fire", "fire"]);
  });

  test("continue when no tab can show one of them", async () => {
    const { tab, pass, publish, heard } = await repeating();
    await publish("fire", 5);
    await tab.send("setAlerting", { able: false });
    await pass(7);
    expect(heard()).toEqual(["fire"]);
    await tab.send("setAlerting", { able: true });
    await pass(5);
    expect(heard()).toEqual(["fire", "fire"]);
  });
});

describe("a message says why it did not alert", () => {
  const reasonsOf = async (world: World) => {
    const { rows } = await world.store.reader.page({ list: "feed", direction: "older", count: 50, nowMs: 0 });
    return Object.fromEntries(rows.map(({ event, noAlert }) => [event.message, noAlert]));
  };

  test("if no tab could show it in time", async () => {
    const world = await World.make();
    await world.subscribed(["a"]);
    world.server.publish("a", "early");
    await world.time.advance(200_000);
    world.server.publish("a", "late");
    await world.time.advance(100_000);
    expect(await reasonsOf(world)).toEqual({ early: undefined, late: undefined });
    await world.time.advance(65_000);
    expect(await reasonsOf(world)).toEqual({ early: "unshown", late: undefined });
    await world.time.advance(200_000);
    expect(await reasonsOf(world)).toEqual({ early: "unshown", late: "unshown" });
  });

  test("but not if a tab showed it, however late", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    world.server.publish("a", "shown");
    await world.time.advance(299_000);
    await tab.send("setAlerting", { able: true });
    await world.time.advance(2_000);
    expect(await confirm(tab)).toEqual({ ok: true, value: null });
    await world.time.advance(4_000_000);
    expect([toldTo(tab), await reasonsOf(world)]).toEqual([[["shown"]], { shown: undefined }]);
  });

  test("if the tab that got it never confirms", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    await tab.send("setAlerting", { able: true });
    world.server.publish("a", "frozen");
    await world.time.advance(370_000);
    expect([toldTo(tab), await reasonsOf(world)]).toEqual([[["frozen"]], { frozen: "unshown" }]);
  });

  test("if its hub died, once the next hub cleans up", async () => {
    const { world, leader, tab, next } = await twoWorkers();
    for (const one of [tab, next]) await one.send("setAlerting", { able: false });
    world.server.publish("a", "urgent");
    await world.time.settle();
    leader.end();
    await world.time.advance(4_000_000);
    expect(await reasonsOf(world)).toEqual({ urgent: "unshown" });
  });

  test("if it is older than the subscription", async () => {
    const world = await World.make();
    world.server.publish("a", "old", { priority: 5 });
    await world.subscribed(["a"]);
    await world.time.advance(30_000);
    expect(await reasonsOf(world)).toEqual({ old: "history" });
  });

  test("but not if it only came late, as missed messages do alert", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    await tab.send("setAlerting", { able: true });
    world.server.cut();
    world.server.publish("a", "an hour old", { time: Math.floor(world.time.now() / 1_000) - 3_600 });
    await world.time.advance(30_000);
    expect(await reasonsOf(world)).toEqual({ "an hour old": undefined });
    expect(toldTo(tab).flat()).toEqual(["an hour old"]);
  });
});

test("a store that is closed for good is no longer asked for alerts", async () => {
  const world = await World.make();
  const closed = { ok: false, error: { kind: "unavailable", text: "closed" } } as const;
  let isClosed = false;
  let asked = 0;
  const wrapStore = (store: Store): Store => {
    const ask = <Answer>(answer: () => Promise<Answer>): Promise<Answer | typeof closed> => {
      asked += 1;
      return isClosed ? Promise.resolve(closed) : answer();
    };
    return {
      ...store,
      takeClaims: (...args) => ask(() => store.takeClaims(...args)),
      endClaims: (...args) => ask(() => store.endClaims(...args)),
    };
  };
  const { hub, tab } = await world.subscribed(["a"], {}, { wrapStore });
  await tab.send("setAlerting", { able: true });
  world.server.publish("a", "hello");
  await world.time.settle();
  isClosed = true;
  hub.stop();
  await world.time.advance(120_000);
  asked = 0;
  await world.time.advance(600_000);
  expect(asked).toBe(0);
});

describe("an alert whose hub has died", () => {
  test("before any tab got it is shown once by the next leader", async () => {
    const { world, leader, tab, next } = await twoWorkers();
    leader.endAfter("ingest");
    world.server.publish("a", "urgent", { priority: 5 });
    await world.time.advance(60_000);
    expect([toldTo(tab), toldTo(next)]).toEqual([[], [["urgent"]]]);
    expect(await confirm(next)).toEqual({ ok: true, value: null });
    await world.time.advance(60_000);
    expect(alertsOf(next)).toHaveLength(1);
  });

  test("while one of its tabs had it is shown by the next leader", async () => {
    const { world, leader, tab, next } = await twoWorkers();
    world.server.publish("a", "urgent");
    await world.time.settle();
    leader.end();
    await world.time.advance(60_000);
    expect([toldTo(tab), toldTo(next)]).toEqual([[["urgent"]], [["urgent"]]]);
  });

  test("is not shown again once a tab has confirmed it to any hub", async () => {
    const { world, leader, tab, next } = await twoWorkers();
    world.server.publish("a", "urgent");
    await world.time.settle();
    leader.end();
    const { alertId = 0 } = alertsOf(tab)[0] ?? {};
    expect(await next.send("confirmAlert", { alertId })).toEqual({ ok: true, value: null });
    expect(await next.send("confirmAlert", { alertId })).toMatchObject({ ok: false, error: { kind: "not-found" } });
    await world.time.advance(60_000);
    expect(toldTo(next)).toEqual([]);
  });

  test("is not shown if the message was read meanwhile", async () => {
    const { world, leader, tab, next } = await twoWorkers();
    leader.endAfter("ingest");
    world.server.publish("a", "read meanwhile");
    await world.time.settle();
    const { subscriptions } = await world.store.reader.catalogue();
    await next.send("mark", markingAll(subscriptions.map(({ subId }) => subId)));
    await world.time.advance(60_000);
    expect([toldTo(tab), toldTo(next)]).toEqual([[], []]);
  });

  test("is not shown if it was claimed minutes ago, but its message stays unread", async () => {
    const world = await World.make();
    const locks = new FakeLocks().manager;
    const leader = mortal(world, locks, "x");
    await world.subscribed(["a"], {}, leader.options);
    leader.endAfter("ingest");
    world.server.publish("a", "long ago");
    await world.time.advance(360_000);
    const tab = world.openTab(world.startHub(mortal(world, locks, "y").options));
    await tab.send("setAlerting", { able: true });
    await world.time.advance(60_000);
    expect([toldTo(tab), await world.feed()]).toEqual([[], ["long ago"]]);
  });
});

describe("among several hubs whose tabs can alert", () => {
  test("one gets the alert that no tab of the leader can show", async () => {
    const world = await World.make();
    await world.subscribed(["a"]);
    const others = [1, 2, 3].map(() => world.openTab(world.startHub({ locks: NEVER_GRANTED })));
    for (const other of others) await other.send("setAlerting", { able: true });
    world.server.publish("a", "urgent");
    await world.time.advance(1_000);
    const told = others.filter((other) => alertsOf(other).length > 0);
    expect(told.map(toldTo)).toEqual([[["urgent"]]]);
    // This tab doesn't answer, so the others get their turns one after the other, each when the time of the last is
    // over.
    await world.time.advance(3_000);
    expect(others.filter((other) => alertsOf(other).length > 0)).toHaveLength(2);
    for (const other of others) expect(alertsOf(other).length).toBeLessThanOrEqual(1);
  });

  test("an alert says until when it may be shown, because a frozen tab gets it late", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    await tab.send("setAlerting", { able: true });
    world.server.publish("a", "urgent");
    await world.time.settle();
    expect(alertsOf(tab)[0]?.untilMs).toBe(world.time.now() + 3_000);
  });
});
