import { pushedNotification, unstoredNotification } from "../../src/hub/push/push-notifications";
import { expect, test } from "vitest";
import fc from "fast-check";
import { pushLists, type PushFault, WEEKDAYS } from "../../src/contract";
import { markPressed, receiveInBackground } from "../../src/hub";
import { LATEST_TIME_S, type ServerAddress } from "../../src/protocol";
import { errorAnswer, pollAnswer } from "./fake-server";
import { closed, DAY_MS, KEY, SCOPE, targetOf, WORDS } from "./pushed";
import { over } from "./world";

test("a message that is pushed is stored and shown once, and the pages and the icon learn of it", async () => {
  const { world, pushed, hub, tab } = await closed();
  hub.stop();
  const event = world.server.publish("alerts", "fire", { title: "Kitchen", tags: ["warning"] });
  await pushed.message(event);
  await pushed.message(event);
  expect(await world.feed()).toEqual(["fire"]);
  expect(pushed.titles).toEqual(["⚠️ Kitchen · alerts"]);
  expect(pushed.onScreen[0]?.options).toMatchObject({
    tag: `${world.server.address}/alerts/${event.id}`,
    data: { fragment: `#/topics.example/alerts?id=${event.id}&at=${event.time}` },
  });
  expect(pushed.badge).toBe(1);
  expect(tab.added).toContain("fire");
  expect(tab.events).toContainEqual({ kind: "pushed", id: event.id });
  expect(await pushed.state()).toMatchObject({ pushedAtMs: world.time.now() });
});

test("a message that a tab has shown isn't shown again, and one that no tab shows is", async () => {
  const { world, pushed, tab } = await closed();
  await tab.send("setAlerting", { able: true });
  const event = world.server.publish("alerts", "fire");
  await world.time.settle();
  const alert = tab.events.find(({ kind }) => kind === "alert");
  if (alert?.kind !== "alert") throw new Error("no tab was asked");
  await tab.send("confirmAlert", { alertId: alert.alertId });
  await pushed.message(event);
  expect(pushed.titles).toEqual([]);

  const missed = world.server.publish("alerts", "smoke");
  await world.time.settle();
  await pushed.message(missed);
  expect(pushed.titles, "a tab was handed it, and never showed it").toEqual(["topics.example/alerts"]);
  expect(await world.feed()).toEqual(["smoke", "fire"]);
});

test("a message that a tab has shown and was slow to confirm doesn't ring twice", async () => {
  const { world, pushed, tab } = await closed();
  await tab.send("setAlerting", { able: true });
  const event = world.server.publish("alerts", "fire");
  await world.time.settle();
  const alert = tab.events.find(({ kind }) => kind === "alert");
  const [row] = alert?.kind === "alert" ? alert.rows : [];
  const address = world.server.address;
  const context = { address, words: WORDS, emoji: new Map(), nowMs: world.time.now() };
  pushed.onScreen.push(pushedNotification(row!, { topic: "alerts" }, context));
  await pushed.message(event);
  expect(pushed.titles).toEqual(["topics.example/alerts"]);
});

test("a page in sight is asked first about a pushed message, and none is lost if it doesn't answer", async () => {
  const { world, pushed, tab } = await closed();
  await tab.send("setAlerting", { able: true });
  pushed.isInSight = true;
  const unheard = (text: string) => ({ ...world.server.publish("elsewhere", text), topic: "alerts" });
  const alerts = () => tab.events.flatMap((event) => (event.kind === "alert" ? [event] : []));
  const pushing = pushed.message(unheard("fire"));
  await world.time.settle();
  const [asked] = alerts();
  expect(asked?.rows.map(({ event }) => event.message)).toEqual(["fire"]);
  await tab.send("confirmAlert", { alertId: asked!.alertId });
  await pushing;
  expect(pushed.titles, "the page showed it, or its user sees it arrive").toEqual([]);

  await pushed.message(unheard("smoke"));
  expect(alerts()).toHaveLength(2);
  expect(pushed.titles, "the page never confirmed").toEqual(["topics.example/alerts"]);

  await tab.send("setAlerting", { able: false });
  await pushed.message(unheard("heat"));
  expect(alerts()).toHaveLength(2);
  expect(pushed.titles, "no page can show it").toHaveLength(2);
});

test("a clear marks as read and a delete removes, and both take the notification away", async () => {
  const { world, pushed, hub } = await closed();
  hub.stop();
  const first = world.server.publish("alerts", "fire", { sequence_id: "s1" });
  await pushed.message(first);
  await world.time.advance(60_000);
  await pushed.message(world.server.control("clear", "alerts", "s1"));
  expect((await world.rows("feed"))[0]?.readAtMs).toBeDefined();
  expect(new Set(pushed.closed)).toEqual(new Set([`${world.server.address}/alerts/s1`]));
  await world.time.advance(60_000);
  await pushed.push({ event: "message_delete", message: world.server.control("delete", "alerts", "s1") });
  expect(await world.feed()).toEqual([]);
  expect(pushed.titles).toHaveLength(1);
});

test("an old clear that a poll brings leaves the notification of a newer version alone", async () => {
  const { world, pushed, hub } = await closed();
  hub.stop();
  world.server.publish("alerts", "fire", { sequence_id: "s1" });
  await world.time.advance(2_000);
  world.server.control("clear", "alerts", "s1");
  await world.time.advance(2_000);
  await pushed.message(world.server.publish("alerts", "fire again", { sequence_id: "s1" }));
  expect(await world.feed()).toEqual(["fire again"]);
  expect(pushed.titles).toHaveLength(1);
  expect(pushed.closed).toEqual([]);
});

test("a clear whose push is overtaken by that of a newer version leaves the notification alone", async () => {
  const { world, pushed, hub } = await closed();
  hub.stop();
  await pushed.message(world.server.publish("alerts", "fire", { sequence_id: "s1" }));
  await world.time.advance(2_000);
  const clear = world.server.control("clear", "alerts", "s1");
  await world.time.advance(2_000);
  await pushed.message(world.server.publish("alerts", "fire again", { sequence_id: "s1" }));
  await pushed.message(clear);
  expect((await world.rows("feed")).map(({ event, readAtMs }) => [event.message, readAtMs])).toEqual([
    ["fire again", undefined],
  ]);
  expect(pushed.closed).toEqual([]);
});

test("a clear in a version's own second leaves it unread and its notification on the screen", async () => {
  const { world, pushed, hub } = await closed();
  hub.stop();
  await pushed.message(world.server.publish("alerts", "fire", { sequence_id: "s1" }));
  await pushed.message(world.server.control("clear", "alerts", "s1"));
  expect((await world.rows("feed"))[0]?.readAtMs).toBeUndefined();
  expect([pushed.titles.length, pushed.closed]).toEqual([1, []]);
});

test("an alert for a topic that was added while a push was dealt with is shown, not lost", async () => {
  const { world, pushed, tab, hub } = await closed();
  const { intercept } = world.server;
  let isAdded = false;
  world.server.intercept = (request) => {
    if (isAdded || !request.url.searchParams.has("poll")) return intercept?.(request);
    isAdded = true;
    const added = async (): Promise<Response> => {
      await tab.send("subscribe", { address: world.server.address, topics: ["doors"], history: "now" });
      await world.time.advance(5_000);
      world.server.publish("doors", "open", { title: "Door" });
      await world.time.settle();
      hub.stop();
      return pollAnswer("");
    };
    return added();
  };
  await pushed.message(world.server.publish("alerts", "fire", { title: "Fire" }));
  expect(isAdded).toBe(true);
  expect(pushed.titles).toEqual(["Fire · alerts", "Door · doors"]);
});

test("only the registration identifies the server: a push for a foreign topic stores nothing", async () => {
  const { world, pushed, hub } = await closed();
  hub.stop();
  const event = world.server.publish("elsewhere", "not ours");
  await pushed.message(event);
  expect(await world.feed()).toEqual([]);
  expect(pushed.titles).toEqual([]);
  expect(pushed.posts, "the server is told anew which topics are wanted").toBe(2);
  expect(pushed.held.get(targetOf("one").endpoint)).toEqual(["alerts"]);
});

test("a push of one server stores nothing for a topic that is subscribed on another", async () => {
  const { world, pushed, tab, hub } = await closed();
  const other = { address: "https://other.example" as ServerAddress, topics: ["doors"] };
  expect(await tab.send("subscribe", { ...other, history: "now" })).toMatchObject({ ok: true });
  hub.stop();
  await pushed.message({ ...world.server.publish("elsewhere", "not ours"), topic: "doors" });
  expect(await world.feed()).toEqual([]);
  expect(pushed.titles).toEqual([]);
});

test.each([DAY_MS, -DAY_MS])(
  "with the device's clock %d ms off a push is stored and shown once, and asks by what the server said",
  async (offMs) => {
    const { world, pushed, hub } = await closed();
    hub.stop();
    const now = () => world.time.now() + offMs;
    world.server.publish("alerts", "lost on the way");
    const event = world.server.publish("alerts", "came");
    for (let twice = 0; twice < 2; twice++) await pushed.message(event, { now });
    expect(await world.feed()).toEqual(expect.arrayContaining(["came", "lost on the way"]));
    expect(pushed.titles).toHaveLength(2);
    const since = world.server.requestsTo("/alerts/json").at(-1)?.url.searchParams.get("since") ?? "";
    expect(since === String(event.time - 3_600) || /^id\d{10}$/.test(since), since).toBe(true);
  },
);

test("a button on the notification of a message that was deleted meanwhile brings nothing back", async () => {
  const { world, pushed, hub, subIds } = await closed();
  hub.stop();
  const event = world.server.publish("alerts", "fire", { sequence_id: "s1" });
  await pushed.message(event);
  await world.time.advance(2_000);
  await pushed.push({ event: "message_delete", message: world.server.control("delete", "alerts", "s1") });
  for (const mark of [
    { kind: "done", on: true },
    { kind: "snooze", untilMs: world.time.now() + DAY_MS },
  ] as const)
    expect(await markPressed(pushed.worker(), [subIds[0]!, event.time, event.id], mark)).toBe(true);
  expect(await world.rows("feed", "done", "snoozed")).toEqual([]);
  expect(await markPressed(pushed.worker(), [99, 1, "never"], { kind: "done", on: true })).toBe(true);
});

test("a registration that belongs to no server any more is ended", async () => {
  const { pushed, hub, world } = await closed();
  hub.stop();
  await pushed.message(world.server.publish("alerts", "fire"), { scope: "./push/other-1/" });
  expect(pushed.isEnded).toBe(true);
  expect(await world.feed()).toEqual([]);
});

test("anything may be pushed without harm", async () => {
  const { world, pushed, hub } = await closed();
  hub.stop();
  const large = world.server.publish("alerts", "x".repeat(5_000));
  for (const payload of [
    ...["", "x", "[]", "7", "null", "\u0000", "x".repeat(5_000_000)],
    { event: "message" },
    { event: "message", message: { event: "open" } },
    { event: "message", message: { ...large, id: "too large to come by a push" } },
    { event: "another", message: large },
  ])
    await pushed.push(payload);
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), (message) => pushed.push({ event: "message", message })),
    { numRuns: 20 },
  );
  expect(await world.feed()).toEqual([]);
  expect(pushed.titles.filter((title) => !title.endsWith("quiet"))).toEqual([]);
});

test.each(["message", "message_delete"])(
  "a pushed %s of the year 9999 hides nothing that comes later",
  async (kind) => {
    const { world, pushed, hub } = await closed();
    hub.stop();
    const first = world.server.publish("alerts", "the door is closed", { sequence_id: "door" });
    await pushed.message(first);
    await pushed.push({ event: kind, message: { ...first, event: kind, id: "far", time: LATEST_TIME_S } });
    await world.time.advance(60_000);
    const shown = pushed.titles.length;
    await pushed.message(world.server.publish("alerts", "the door is open", { sequence_id: "door" }));
    expect(await world.feed()).toContain("the door is open");
    expect(pushed.titles).toHaveLength(shown + 1);
  },
);

test("a push makes one poll for messages other pushes may have dropped, at most every half minute", async () => {
  const { world, pushed, hub } = await closed();
  hub.stop();
  world.server.publish("alerts", "lost on the way");
  const polls = () => world.server.requestsTo("/alerts/json").filter(({ url }) => url.searchParams.has("poll")).length;
  const before = polls();
  await pushed.message(world.server.publish("alerts", "came"));
  expect(await world.feed()).toEqual(expect.arrayContaining(["came", "lost on the way"]));
  expect(pushed.titles).toHaveLength(2);
  expect(polls()).toBe(before + 1);
  await pushed.message(world.server.publish("alerts", "came too"));
  expect(polls()).toBe(before + 1);
  await world.time.advance(31_000);
  await pushed.message(world.server.publish("alerts", "much later"));
  expect(polls()).toBe(before + 2);
  const since = world.server.requestsTo("/alerts/json").at(-1)?.url.searchParams.get("since");
  expect(since, "it goes on from what the last poll brought").toMatch(/^id\d{10}$/);
});

test("its poll goes on from where a page has got meanwhile", async () => {
  const { world, pushed, hub } = await closed();
  hub.stop();
  await pushed.message(world.server.publish("alerts", "came"));
  const page = world.startHub();
  await world.time.advance(60_000);
  const event = world.server.publish("alerts", "seen by the page");
  await world.time.advance(400_000);
  page.stop();
  await pushed.message(world.server.publish("alerts", "much later"));
  const since = world.server.requestsTo("/alerts/json").at(-1)?.url.searchParams.get("since");
  expect(since).toBe(event.id);
});

test("a page in sight polls by itself", async () => {
  const { world, pushed, hub } = await closed();
  hub.stop();
  pushed.isInSight = true;
  const before = world.server.requestsTo("/alerts/json").length;
  await pushed.message(world.server.publish("alerts", "came"));
  expect(world.server.requestsTo("/alerts/json")).toHaveLength(before);
});

test("a muted topic is stored silently; after ten such pushes one line sums them up", async () => {
  const { world, pushed, tab, hub, subIds } = await closed();
  await tab.send("patchSubscription", { subId: subIds[0]!, patch: { mutedUntilMs: world.time.now() + DAY_MS } });
  hub.stop();
  for (let number = 1; number <= 9; number++) await pushed.message(world.server.publish("alerts", `${number}`));
  expect(pushed.titles).toEqual([]);
  await pushed.message(world.server.publish("alerts", "10"));
  expect(pushed.titles).toEqual(["10 quiet"]);
  expect(pushed.onScreen[0]?.options).toMatchObject({ silent: true, renotify: false });
  expect(await world.feed()).toHaveLength(10);
  expect(pushed.badge, "muted topics don't count").toBe(0);
});

test("pushes of a muted topic that come at once, as after the browser was offline, count each", async () => {
  const { world, pushed, tab, hub, subIds } = await closed();
  await tab.send("patchSubscription", { subId: subIds[0]!, patch: { mutedUntilMs: world.time.now() + DAY_MS } });
  hub.stop();
  await pushed.messages(Array.from({ length: 10 }, (_, at) => world.server.publish("alerts", `${at}`)));
  expect(pushed.titles).toEqual(["10 quiet"]);
});

test("pushes that show nothing and can't be counted, as on a full disk, are summed up one by one", async () => {
  const { world, pushed, tab, hub, subIds } = await closed();
  await tab.send("patchSubscription", { subId: subIds[0]!, patch: { mutedUntilMs: world.time.now() + DAY_MS } });
  hub.stop();
  const full = () => Promise.resolve({ ok: false as const, error: { kind: "quota" as const, text: "" } });
  const store = over(world.store, { ingest: full, editPush: full });
  await pushed.message(world.server.publish("alerts", "muted"), { store });
  expect(pushed.titles).toEqual(["1 quiet"]);
});

test("messages that an open page alerted aren't summed up as having come without an alert", async () => {
  const { world, pushed, tab } = await closed();
  await tab.send("setAlerting", { able: true });
  for (let number = 1; number <= 10; number++) {
    const event = world.server.publish("alerts", `${number}`);
    await world.time.settle();
    const alert = tab.events.findLast(({ kind }) => kind === "alert");
    if (alert?.kind === "alert") await tab.send("confirmAlert", { alertId: alert.alertId });
    await pushed.message(event);
  }
  expect(await world.feed()).toHaveLength(10);
  expect(pushed.titles).toEqual([]);
});

test("what Everything hides still alerts, but isn't counted on the app's icon", async () => {
  const { world, pushed, tab, hub, subIds } = await closed();
  await tab.send("patchSubscription", { subId: subIds[0]!, patch: { hides: ['message~"Probe 1 ms"'] } });
  hub.stop();
  await pushed.message(world.server.publish("alerts", "Probe 20 ms"));
  expect(pushed.titles).toHaveLength(1);
  expect(pushed.badge).toBe(0);
  await pushed.message(world.server.publish("alerts", "Fire"));
  expect(pushed.badge).toBe(1);
});

test("in quiet hours a push is stored silently, unless it is urgent, by the rule of all topics or of its own", async () => {
  const { world, pushed, tab, hub, subIds } = await closed();
  const spans = [{ days: [...WEEKDAYS], from: "12:00", to: "12:00" }];
  const always = { on: true, spans, urgentAlerts: true };
  await tab.send("setSetting", { key: "alertRules", value: { quietHours: always } });
  await pushed.message(world.server.publish("alerts", "hushed"));
  expect(pushed.titles).toEqual([]);
  await pushed.message(world.server.publish("alerts", "fire", { title: "Fire", priority: 5 }));
  expect(pushed.titles).toEqual(["Fire · alerts"]);
  await tab.send("patchSubscription", { subId: subIds[0]!, patch: { quietHours: { ...always, urgentAlerts: false } } });
  hub.stop();
  await pushed.message(world.server.publish("alerts", "more fire", { title: "More fire", priority: 5 }));
  expect(pushed.titles).toEqual(["Fire · alerts"]);
  expect(await world.feed()).toHaveLength(3);
});

test("many at once become one notification that counts them", async () => {
  const { world, pushed, hub } = await closed();
  hub.stop();
  for (let number = 1; number <= 7; number++) world.server.publish("alerts", `lost ${number}`);
  await pushed.message(world.server.publish("alerts", "came"));
  expect(pushed.titles).toEqual(["topics.example/alerts", "7 new"]);
});

test("hundreds of pushes at once are each stored once, and make one poll and one notification", async () => {
  const { world, pushed, hub } = await closed();
  hub.stop();
  const events = Array.from({ length: 300 }, (_, at) => world.server.publish("alerts", `fire ${at}`));
  const requests = world.server.requests.length;
  expect(await pushed.messages(events)).toBe(1);
  expect(await world.rows("feed")).toHaveLength(events.length);
  expect(world.server.requests.length - requests).toBe(1);
  expect(pushed.titles).toEqual([`${events.length} new`]);
});

test("a message that the browser can't show keeps none of the others from being shown", async () => {
  const { world, pushed, hub } = await closed();
  hub.stop();
  for (const title of ["Bad", "Good"]) world.server.publish("alerts", "x", { title });
  const show = pushed.worker().show;
  const worker = pushed.worker({
    show: (shown) => (shown.title.startsWith("Bad") ? Promise.reject(new TypeError("odd")) : show(shown)),
  });
  await expect(receiveInBackground(worker, WORDS)).rejects.toThrow("odd");
  expect(pushed.titles).toContain("Good · alerts");
});

test("where each push must show something, it does so before anything else, and once", async () => {
  const { world, pushed, tab, hub, serverId } = await closed();
  const parts = [{ scope: SCOPE, accountId: 0, topics: ["alerts"], target: targetOf("one") }];
  await tab.send("registerPush", { serverId, key: KEY, words: WORDS, mustShow: true, parts });
  hub.stop();
  const event = world.server.publish("alerts", "fire", { title: "Kitchen", sequence_id: "s1" });
  await pushed.message(event);
  expect(pushed.titles).toEqual(["Kitchen · alerts"]);
  await pushed.message(world.server.control("clear", "alerts", "s1"));
  await pushed.push("nonsense");
  expect(pushed.titles).toEqual(["Kitchen · alerts", "changed", "changed"]);
  expect(await world.feed()).toEqual(["fire"]);
});

test("where each push must show something, an older version that comes late doesn't take the place of a newer one", async () => {
  const { world, pushed, tab, hub, serverId } = await closed();
  const parts = [{ scope: SCOPE, accountId: 0, topics: ["alerts"], target: targetOf("one") }];
  await tab.send("registerPush", { serverId, key: KEY, words: WORDS, mustShow: true, parts });
  hub.stop();
  const older = world.server.publish("alerts", "", { title: "Door closed", sequence_id: "door" });
  await world.time.advance(2_000);
  await pushed.message(world.server.publish("alerts", "", { title: "Door open", sequence_id: "door" }));
  await pushed.message(older);
  expect(pushed.titles).toEqual(["Door open · alerts", "changed"]);
});

test("a registration is renewed after a day, and when the server warns", async () => {
  const { world, pushed, hub } = await closed();
  hub.stop();
  await pushed.message(world.server.publish("alerts", "1"));
  expect(pushed.posts).toBe(1);
  await pushed.push({ event: "subscription_expiring" });
  expect(pushed.posts).toBe(2);
  await world.time.advance(DAY_MS + 1_000);
  await pushed.message(world.server.publish("alerts", "2"));
  expect(pushed.posts).toBe(3);
  expect((await pushed.state())?.postedAtMs).toBe(world.time.now());
});

test("a full disk costs no notification", async () => {
  const { world, pushed, hub } = await closed();
  hub.stop();
  const store = over(world.store, {
    ingest: () => Promise.resolve({ ok: false as const, error: { kind: "quota" as const, text: "" } }),
  });
  await pushed.message(world.server.publish("alerts", "fire", { title: "Kitchen" }), { store });
  expect(pushed.titles).toEqual(["Kitchen"]);
});

test.each([
  ["a muted topic", { mutedUntilMs: Infinity }, {}],
  ["one below its topic's priority", { minPriority: 4 }, {}],
  ["one while everything is muted", {}, { mutedUntilMs: Infinity }],
] as const)("a message that can't be stored shows nothing if it is held back: %s", async (_, patch, rules) => {
  const { world, pushed, hub, tab, subIds } = await closed();
  await tab.send("patchSubscription", { subId: subIds[0] ?? 0, patch });
  await tab.send("setSetting", { key: "alertRules", value: rules });
  hub.stop();
  const store = over(world.store, {
    ingest: () => Promise.resolve({ ok: false as const, error: { kind: "quota" as const, text: "" } }),
  });
  await pushed.message(world.server.publish("alerts", "fire"), { store });
  expect(pushed.titles).toEqual([]);
});

test("a topic that may not be read is left out, and the rest is registered", async () => {
  const { pushed, tab, serverId } = await closed(["alerts", "secret"]);
  pushed.forbidden = ["secret"];
  const parts = [{ scope: SCOPE, accountId: 0, topics: ["alerts", "secret"], target: targetOf("one") }];
  const answer = await tab.send("registerPush", { serverId, key: KEY, words: WORDS, parts });
  expect(answer).toMatchObject({ ok: true, value: { refused: ["secret"] } });
  expect(pushed.held.get(targetOf("one").endpoint)).toEqual(["alerts"]);
});

test("topics that may no longer be read, as after signing out, aren't pushed", async () => {
  const { pushed, tab, serverId } = await closed(["alerts"]);
  pushed.forbidden = ["alerts"];
  const parts = [{ scope: SCOPE, accountId: 0, topics: ["alerts"], target: targetOf("one") }];
  const answer = await tab.send("registerPush", { serverId, key: KEY, words: WORDS, parts });
  expect(answer).toEqual({ ok: false, error: { kind: "forbidden" } });
  expect([...pushed.held.keys()]).toEqual([]);
});

test.each<[string, () => Response, PushFault]>([
  ["no keys", () => errorAnswer(404, 40401), { kind: "no-key", problem: "off" }],
  ["another push service", () => errorAnswer(400, 40039), { kind: "service-refused" }],
  ["an eleventh device", () => errorAnswer(500, 50001), { kind: "too-many-devices" }],
  ["too many requests", () => errorAnswer(429, 42901), { kind: "failed", why: { kind: "busy", code: 42901 } }],
])("a server that refuses for %s says so, and what stood before stands", async (_, refuses, fault) => {
  const { pushed, tab, serverId } = await closed();
  const before = await pushed.state();
  pushed.refuses = refuses;
  const parts = [{ scope: SCOPE, accountId: 0, topics: ["alerts"], target: targetOf("one") }];
  const answer = await tab.send("registerPush", { serverId, key: KEY, words: WORDS, parts });
  expect(answer).toEqual({ ok: false, error: fault });
  expect(await pushed.state()).toEqual({ ...before, fault });
});

test("a new endpoint replaces the old one, which the server is told to end", async () => {
  const { pushed, tab, serverId } = await closed();
  const parts = [{ scope: SCOPE, accountId: 0, topics: ["alerts"], target: targetOf("two") }];
  await tab.send("registerPush", { serverId, key: KEY, words: WORDS, parts });
  expect([...pushed.held.keys()]).toEqual([targetOf("two").endpoint]);
  expect(await tab.send("endPush", { serverId })).toEqual({ ok: true, value: null });
  expect(pushed.held.size).toBe(0);
  expect(await tab.send("pushStates", {})).toEqual({ ok: true, value: [] });
});

test("an endpoint that the browser changed is registered, and the one before ended", async () => {
  const { pushed } = await closed();
  const before = targetOf("one").endpoint;
  pushed.target = targetOf("two");
  await pushed.changed(before, () => Promise.reject(new Error("it is subscribed")));
  expect([...pushed.held]).toEqual([[targetOf("two").endpoint, ["alerts"]]]);
  expect((await pushed.state())?.parts[0]?.endpoint).toBe(targetOf("two").endpoint);
});

test("if the browser does not say which endpoint it changed, the registered one is still ended", async () => {
  const { pushed } = await closed();
  pushed.target = targetOf("two");
  await pushed.changed(undefined, () => Promise.reject(new Error("it is subscribed")));
  expect([...pushed.held.keys()]).toEqual([targetOf("two").endpoint]);
});

test("a registration that the browser ended is subscribed again with its key, else left to the next start", async () => {
  const { pushed } = await closed();
  const before = targetOf("one").endpoint;
  const keys: string[] = [];
  pushed.target = undefined;
  await pushed.changed(before, (key) => Promise.resolve(void keys.push(key)));
  expect(keys).toEqual([KEY]);
  expect(pushed.posts, "the push service can't be reached").toBe(1);
  expect(pushed.held.size).toBe(0);
  await pushed.changed(undefined, (key) => {
    keys.push(key);
    pushed.target = targetOf("three");
    return Promise.resolve();
  });
  expect(keys).toEqual([KEY, KEY]);
  expect([...pushed.held]).toEqual([[targetOf("three").endpoint, ["alerts"]]]);
});

test("a change of a registration that nobody knows any more, as after an eviction, asks for nothing", async () => {
  const { world, pushed } = await closed();
  const before = world.server.requestsTo("/v1/webpush").length;
  await world.store.editPush((await pushed.state())!.serverId, () => undefined);
  await pushed.changed(targetOf("one").endpoint, () => Promise.reject(new Error("not asked for")));
  expect(world.server.requestsTo("/v1/webpush")).toHaveLength(before);
});

test("the same message pushed twice at once, and once more later, is stored and shown once", async () => {
  const { world, pushed, hub } = await closed();
  hub.stop();
  const event = world.server.publish("alerts", "fire", { title: "Kitchen" });
  await Promise.all([pushed.message(event), pushed.message(event)]);
  await world.time.advance(20_000);
  await pushed.message(event);
  expect(pushed.titles).toEqual(["Kitchen · alerts"]);
  expect(await world.feed()).toEqual(["fire"]);
});

test("with a clock that was a day ahead when it was registered, a registration is renewed all the same", async () => {
  const { world, pushed, hub, serverId } = await closed();
  hub.stop();
  const aheadMs = world.time.now() + DAY_MS;
  await world.store.editPush(serverId, (record) => record && { ...record, postedAtMs: aheadMs, checkedAtMs: aheadMs });
  const polls = () => world.server.requestsTo("/alerts/json").length;
  const before = polls();
  await pushed.message(world.server.publish("alerts", "fire"));
  expect(pushed.posts).toBe(2);
  expect(polls(), "and asks for what else there is").toBe(before + 1);
  expect(await pushed.state()).toMatchObject({ postedAtMs: world.time.now(), pushedAtMs: world.time.now() });
});

test("a message marked by a button of its notification leaves the feed and the icon's number, and the pages are told", async () => {
  const { world, pushed, tab, hub, subIds } = await closed();
  hub.stop();
  const event = world.server.publish("alerts", "fire", { title: "Kitchen" });
  await pushed.message(event);
  expect(pushed.badge).toBe(1);
  const key = [subIds[0]!, event.time, event.id] as const;
  expect(await markPressed(pushed.worker(), [...key], { kind: "done", on: true })).toBe(true);
  expect(await world.feed()).toEqual([]);
  expect(pushed.badge).toBe(0);
  await expect.poll(() => tab.events.some((one) => one.kind === "rows" && one.changed.length > 0)).toBe(true);
});

test("the key is asked of the server", async () => {
  const { world, tab, serverId } = await closed();
  expect(await tab.send("pushKey", { serverId })).toEqual({ ok: true, value: KEY });
  world.server.intercept = ({ url }) => (url.pathname === "/v1/config" ? errorAnswer(404, 40401) : undefined);
  expect(await tab.send("pushKey", { serverId })).toEqual({ ok: false, error: { kind: "no-key", problem: "untold" } });
});

test("lists for a server have one account each, without muted topics", () => {
  const all = [
    { topic: "a", accountId: 0 },
    { topic: "b", accountId: 1, minPriority: 4 as const },
    { topic: "c", accountId: 0, mutedUntilMs: Infinity },
    { topic: "d", accountId: 0, mutedUntilMs: 2_000 },
  ];
  expect(pushLists(all, { mustShow: false, nowMs: 1_000 })).toEqual([
    { accountId: 0, topics: ["a", "d"] },
    { accountId: 1, topics: ["b"] },
  ]);
  expect(pushLists(all, { mustShow: true, nowMs: 1_000 })[0]?.topics).toEqual(["a"]);
  expect(pushLists(all, { mustShow: true, nowMs: 3_000 })[0]?.topics).toEqual(["a", "d"]);
  const forGood = { allMutedUntilMs: Infinity, nowMs: 1_000 };
  expect(pushLists(all, { mustShow: false, ...forGood }), "everything is muted for good").toEqual([]);
  const forNow = { allMutedUntilMs: 2_000, nowMs: 1_000 };
  expect(pushLists(all, { mustShow: true, ...forNow }), "everything is muted, and pushes can't be silent").toEqual([]);
  expect(pushLists(all, { mustShow: false, ...forNow })[0]?.topics).toEqual(["a", "d"]);
  const off = { alerts: false, nowMs: 3_000 };
  expect(pushLists(all, { mustShow: true, ...off }), "notifications are off, and pushes can't be silent").toEqual([]);
  expect(pushLists(all, { mustShow: false, ...off })[0]?.topics).toEqual(["a", "d"]);
});

test("background sync fetches what came with the app closed, shows it once, and needs no pushes", async () => {
  const { world, pushed, hub, serverId } = await closed();
  await world.store.editPush(serverId, () => undefined);
  world.server.publish("alerts", "known");
  await world.time.advance(60_000);
  hub.stop();
  const shown = pushed.titles.length;
  world.server.publish("alerts", "came", { title: "Kitchen" });
  world.server.publish("elsewhere", "not ours");
  const cursor = await world.store.cursor([serverId, 0]);
  await pushed.sync();
  await pushed.sync();
  expect(await world.feed()).toEqual(["came", "known"]);
  expect(pushed.titles.slice(shown)).toEqual(expect.arrayContaining(["Kitchen · alerts"]));
  expect(pushed.titles.filter((title) => title === "Kitchen · alerts")).toHaveLength(1);
  expect(pushed.badge).toBe(2);
  expect(await world.store.cursor([serverId, 0]), "it proves nothing").toEqual(cursor);
});

test("background sync with a page in sight asks for nothing, and with a server out of reach ends quietly", async () => {
  const { world, pushed, hub } = await closed();
  hub.stop();
  const polls = () => world.server.requestsTo("/alerts/json").length;
  const before = polls();
  pushed.isInSight = true;
  await pushed.sync();
  expect(polls()).toBe(before);
  pushed.isInSight = false;
  world.server.intercept = () => errorAnswer(500, 50001);
  world.server.publish("alerts", "later");
  await pushed.sync();
  expect(polls()).toBe(before + 1);
  expect(await world.feed()).toEqual([]);
});

test("after a long time background sync takes whatever the server still has", async () => {
  const { world, pushed, hub } = await closed();
  world.server.publish("alerts", "known");
  await world.time.advance(60_000);
  hub.stop();
  await world.time.advance(3 * DAY_MS);
  world.server.publish("alerts", "news");
  await pushed.sync();
  expect(await world.feed()).toEqual(["news", "known"]);
  expect(world.server.requestsTo("/alerts/json").at(-1)?.url.searchParams.get("since")).toBe("all");
});

test("a push that can't be stored is shown as text, whatever its encoding", () => {
  const event = {
    id: "a",
    time: 1,
    event: "message",
    topic: "t",
    message: "aGVsbG8bWzFt",
    encoding: "base64",
  } as const;
  expect(unstoredNotification(event, 0).options.body).toBe("hello\u241b[1m");
  expect(unstoredNotification({ ...event, title: "\u200b" }, 0).title).toBe("t");
});
