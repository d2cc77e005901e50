import { expect, test } from "vitest";
import { closed, DAY_MS, KEY, Pushed, SCOPE, targetOf, WORDS } from "./pushed";
import type { PushRecord } from "../../src/store";
import { errorAnswer } from "./fake-server";
import { over, World } from "./world";

test("messages of a poll after a push that couldn't be stored are requested again", async () => {
  const { world, pushed, hub } = await closed();
  hub.stop();
  const first = world.server.publish("alerts", "pushed");
  world.server.publish("alerts", "its push was lost");
  let isFull = true;
  const full = Promise.resolve({ ok: false as const, error: { kind: "quota" as const, text: "" } });
  const store = over(world.store, { ingest: (batch) => (isFull ? full : world.store.ingest(batch)) });
  await pushed.message(first, { store });
  isFull = false;
  await world.time.advance(60_000);
  await pushed.message(world.server.publish("alerts", "next"), { store });
  expect([...(await world.feed())].sort()).toEqual(["its push was lost", "next", "pushed"]);
});

test("on a full disk a push shows its message and asks the server for nothing, as nothing of it could be stored", async () => {
  const { world, pushed, hub } = await closed();
  hub.stop();
  await world.time.advance(2 * DAY_MS);
  const full = { ok: false as const, error: { kind: "quota" as const, text: "" } };
  const store = over(world.store, {
    ingest: () => Promise.resolve(full),
    editPush: async (_, edit) => {
      edit((await pushed.state()) as PushRecord | undefined);
      return full;
    },
  });
  const before = world.server.requests.length;
  for (const title of ["1", "2", "3"]) await pushed.message(world.server.publish("alerts", "", { title }), { store });
  expect(pushed.titles).toEqual(["1", "2", "3"]);
  expect(world.server.requests.slice(before).map(({ url }) => url.pathname)).toEqual([]);
});

test("a renewal takes the topics as they are by then, though a page has changed them meanwhile", async () => {
  const { world, pushed, tab, serverId } = await closed(["alerts", "more"]);
  const register = (topics: string[]) =>
    tab.send("registerPush", {
      ...{ serverId, key: KEY, words: WORDS },
      parts: [{ scope: SCOPE, accountId: 0, topics, target: targetOf("one") }],
    });
  await register(["alerts"]);
  await world.time.advance(DAY_MS + 1_000);
  const event = world.server.publish("alerts", "1");
  let polls = 0;
  const { intercept } = world.server;
  world.server.intercept = (request) => {
    if (request.url.searchParams.get("poll") !== "1" || ++polls > 1) return intercept?.(request);
    return register(["alerts", "more"]).then(
      () => new Response("", { headers: { "Content-Type": "application/x-ndjson" } }),
    );
  };
  await pushed.message(event);
  expect(polls).toBe(1);
  expect(pushed.held.get(targetOf("one").endpoint)).toEqual(["alerts", "more"]);
  expect((await pushed.state())?.parts[0]?.topics).toEqual(["alerts", "more"]);
});

test("a renewal waits for a page that registers other topics, so the server keeps those", async () => {
  const { world, pushed, tab, serverId } = await closed(["alerts", "more"]);
  const register = (topics: string[]) =>
    tab.send("registerPush", {
      ...{ serverId, key: KEY, words: WORDS },
      parts: [{ scope: SCOPE, accountId: 0, topics, target: targetOf("one") }],
    });
  await register(["alerts"]);
  await world.time.advance(2 * DAY_MS);
  let pushing: Promise<void> | undefined;
  const { intercept } = world.server;
  world.server.intercept = (request) => {
    const answer = intercept?.(request);
    if (pushing || request.url.pathname !== "/v1/webpush") return answer;
    // The answer to the page comes late.
    pushing = pushed.message(world.server.publish("alerts", "1"));
    return new Promise((resolve) => world.time.setTimer(() => resolve(answer as Response), 5_000));
  };
  await pushed.alone(() => register(["alerts", "more"]));
  await pushing;
  expect((await pushed.state())?.parts[0]?.topics).toEqual(["alerts", "more"]);
  expect(pushed.held.get(targetOf("one").endpoint)).toEqual(["alerts", "more"]);
});

test("a push that comes before its registration is noted waits for that, and is shown, though the page is out of sight", async () => {
  const world = await World.make();
  const pushed = new Pushed(world);
  const { tab } = await world.subscribed(["alerts", "more"]);
  const { serverId } = (await world.store.reader.catalogue()).servers[0] ?? { serverId: 0 };
  const parts = ["alerts", "more"].map((topic, at) => ({
    ...{ scope: `./push/abc-${at + 1}/`, accountId: 0, topics: [topic] },
    target: targetOf(topic),
  }));
  let pushing: Promise<void> | undefined;
  const { intercept } = world.server;
  world.server.intercept = (request) => {
    const isSecond = request.url.pathname === "/v1/webpush" && request.body?.includes('"more"');
    const answer = intercept?.(request);
    if (!isSecond || !(answer instanceof Response)) return answer;
    pushing = pushed.message(world.server.publish("alerts", "early"));
    return new Promise((resolve) => world.time.setTimer(() => resolve(answer), 5_000));
  };
  const registered = await pushed.alone(() => tab.send("registerPush", { serverId, key: KEY, words: WORDS, parts }));
  expect(registered.ok).toBe(true);
  await pushing;
  expect(pushed.isEnded).toBe(false);
  expect(pushed.titles).toEqual(["topics.example/alerts"]);
});

/** A closed app whose account has registered a push. */
async function withAccount() {
  const made = await closed();
  const { world, tab, serverId } = made;
  const token = { kind: "token", token: "tk_mine" } as const;
  world.server.users.push(token);
  await tab.send("setCredentials", { serverId, credentials: token });
  const accountId = (await world.store.reader.catalogue()).accounts[0]?.accountId ?? 0;
  const parts = [{ scope: SCOPE, accountId, topics: ["alerts"], target: targetOf("one") }];
  await tab.send("registerPush", { serverId, key: KEY, words: WORDS, parts });
  return { ...made, accountId, parts };
}

test("a sign-in that was refused is not tried by pushes, which end all the same", async () => {
  const { world, pushed, tab, serverId, accountId, parts } = await withAccount();
  await world.store.patchAccount(accountId, { refusedAtMs: world.time.now() });
  const before = world.server.requests.length;
  const again = await tab.send("registerPush", { serverId, key: KEY, words: WORDS, parts });
  expect(again).toMatchObject({ ok: false, error: { kind: "failed", why: { kind: "unauthorized" } } });
  await pushed.push({ event: "subscription_expiring" });
  await world.time.advance(2 * DAY_MS);
  await pushed.message(world.server.publish("alerts", "1"));
  const signedIn = world.server.requests.slice(before).filter(({ authorization }) => authorization !== undefined);
  expect(signedIn.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual([]);
  expect([...pushed.held.keys()]).toEqual([targetOf("one").endpoint]);
  await tab.send("endPush", { serverId });
  expect([...pushed.held.keys()]).toEqual([]);
});

test("a refusal that a push meets is told by an open page, once", async () => {
  const { world, pushed, tab } = await withAccount();
  await tab.send("setAlerting", { able: true });
  await world.time.advance(60_000);
  const { intercept } = world.server;
  world.server.intercept = (request) =>
    request.authorization === undefined ? intercept?.(request) : errorAnswer(401, 40101);
  const before = world.server.requests.length;
  await pushed.message(world.server.publish("alerts", "1"));
  await world.time.advance(600_000);
  expect(tab.events.flatMap((event) => (event.kind === "notice" ? [event.why.kind, event.topics] : []))).toEqual([
    "unauthorized",
    ["alerts"],
  ]);
  const signedIn = world.server.requests.slice(before).filter(({ authorization }) => authorization !== undefined);
  expect(signedIn).toHaveLength(1);
});

test("of several pushes at once, one renews the registration", async () => {
  const { world, pushed, hub, tab, serverId } = await closed();
  const parts = [{ scope: SCOPE, accountId: 0, topics: ["alerts"], target: targetOf("one") }];
  await tab.send("registerPush", { serverId, key: KEY, words: WORDS, parts });
  hub.stop();
  await world.time.advance(2 * DAY_MS);
  const before = world.server.requests.length;
  await Promise.all(["1", "2", "3"].map((text) => pushed.message(world.server.publish("alerts", text))));
  const posts = world.server.requests.slice(before).filter(({ url }) => url.pathname === "/v1/webpush");
  expect(posts).toHaveLength(1);
});

test("credentials that are refused while the app is closed are tried once, whatever is pushed", async () => {
  const { world, pushed, hub } = await withAccount();
  await world.time.advance(60_000);
  hub.stop();
  const { intercept } = world.server;
  world.server.intercept = (request) =>
    request.authorization === undefined ? intercept?.(request) : errorAnswer(401, 40101);
  await world.time.advance(2 * DAY_MS);
  const before = world.server.requests.length;
  for (const text of ["1", "2", "3"]) {
    await pushed.message(world.server.publish("alerts", text));
    await world.time.advance(31_000);
  }
  const signedIn = world.server.requests.slice(before).filter(({ authorization }) => authorization !== undefined);
  expect(signedIn).toHaveLength(1);
  expect((await world.store.reader.catalogue()).accounts[0]?.refusedAtMs).toBeDefined();
});

test("a renewal that fails is tried again after an hour, not at every push", async () => {
  const { world, pushed, hub } = await closed();
  hub.stop();
  pushed.refuses = () => errorAnswer(500, 50001);
  await world.time.advance(2 * DAY_MS);
  const before = pushed.posts;
  for (const text of ["1", "2", "3"]) await pushed.message(world.server.publish("alerts", text));
  await pushed.push({ event: "subscription_expiring" });
  expect(pushed.posts).toBe(before + 1);
  pushed.refuses = undefined;
  await world.time.advance(3_600_000);
  for (const text of ["4", "5"]) await pushed.message(world.server.publish("alerts", text));
  await pushed.push({ event: "subscription_expiring" });
  expect(pushed.posts, "one that is renewed may be renewed again at once").toBe(before + 3);
});

test("two registrations of a server are renewed separately", async () => {
  const { world, pushed, hub, tab, serverId } = await closed(["alerts", "more", "secret"]);
  const second = targetOf("two");
  const parts = [
    { scope: SCOPE, accountId: 0, topics: ["alerts"], target: targetOf("one") },
    { scope: "./push/abc-2/", accountId: 0, topics: ["more", "secret"], target: second },
  ];
  pushed.forbidden = ["secret"];
  await tab.send("registerPush", { serverId, key: KEY, words: WORDS, parts });
  hub.stop();
  await world.time.advance(DAY_MS + 1_000);
  const before = pushed.posts;
  await pushed.message(world.server.publish("alerts", "1"));
  expect(pushed.posts).toBe(before + 1);
  expect((await pushed.state())?.refused).toEqual(["secret"]);
  pushed.held.delete(second.endpoint);
  const ofSecond = { scope: "./push/abc-2/", target: () => Promise.resolve(second) };
  await pushed.message(world.server.publish("more", "1"), ofSecond);
  expect(pushed.held.get(second.endpoint), "though the other was renewed just before").toEqual(["more"]);
  expect((await pushed.state())?.refused).toEqual(["secret"]);
  const after = pushed.posts;
  await pushed.message(world.server.publish("more", "2"), ofSecond);
  await pushed.message(world.server.publish("alerts", "2"));
  expect(pushed.posts).toBe(after);
});

test("two registrations of a server whose endpoints the browser changes at once are both known by their new ones", async () => {
  const { pushed, hub, tab, serverId } = await closed(["alerts", "more"]);
  const parts = [
    { scope: SCOPE, accountId: 0, topics: ["alerts"], target: targetOf("one") },
    { scope: "./push/abc-2/", accountId: 0, topics: ["more"], target: targetOf("two") },
  ];
  await tab.send("registerPush", { serverId, key: KEY, words: WORDS, parts });
  hub.stop();
  pushed.target = targetOf("three");
  const none = () => Promise.reject(new Error("it is subscribed"));
  await Promise.all([
    pushed.changed(targetOf("one").endpoint, none),
    pushed.changed(targetOf("two").endpoint, none, {
      scope: "./push/abc-2/",
      target: () => Promise.resolve(targetOf("four")),
    }),
  ]);
  const { endpoint: three } = targetOf("three");
  const { endpoint: four } = targetOf("four");
  expect((await pushed.state())?.parts.map(({ endpoint }) => endpoint)).toEqual([three, four]);
  expect([...pushed.held.keys()].sort()).toEqual([three, four].sort());
});

test("pushes that were ended while they were renewed stay ended", async () => {
  const { world, pushed, tab, serverId } = await closed();
  pushed.refuses = () => {
    pushed.held.set(targetOf("one").endpoint, ["alerts"]);
    void world.store.editPush(serverId, () => undefined);
    return Response.json({ success: true });
  };
  const parts = [{ scope: SCOPE, accountId: 0, topics: ["alerts"], target: targetOf("one") }];
  const answer = await tab.send("registerPush", { serverId, key: KEY, words: WORDS, parts });
  expect(answer).toEqual({ ok: false, error: { kind: "not-found" } });
  expect(await pushed.state()).toBeUndefined();
  expect([...pushed.held.keys()], "at the server").toEqual([]);
});
