import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { fail } from "../../src/protocol";
import type { Store } from "../../src/store";
import { stepsBetween } from "../../src/hub/commands/account-sync";
import { errorAnswer } from "./fake-server";
import { World, type Tab } from "./world";

const MINUTE_MS = 60_000;
const credentials = { kind: "token", token: "tk_mine" } as const;

let world: World;

beforeEach(async () => {
  world = await World.make();
  world.server.users.push(credentials);
});

const list = (...topics: string[]) => topics.map((topic) => ({ base_url: world.server.address as string, topic }));

const here = async () => (await world.store.reader.catalogue()).subscriptions.map(({ topic }) => topic).sort();
const there = () => world.server.listed.map(({ topic }) => topic).sort();

/** A tab that is signed in, and whose topics are kept in step with the account. */
async function inStep(...topics: string[]): Promise<Tab> {
  const { tab } = await world.subscribed(topics, { credentials });
  const told = await tab.send("accountTopics", { serverId: 1 });
  if (!told.ok) throw new Error(JSON.stringify(told.error));
  await tab.send("keepInStep", { accountId: told.value.accountId, on: true });
  return tab;
}

describe("topics of an account", () => {
  test("are offered if they aren't here, are of this server, and can be topics", async () => {
    const { tab } = await world.subscribed(["a"], { credentials });
    world.server.listed = [
      ...list("a", "b", "no topic", "b"),
      { base_url: "https://elsewhere.example", topic: "c" },
      { base_url: "", topic: "d", display_name: "Doors" },
    ];
    expect(await tab.send("accountTopics", { serverId: 1 })).toMatchObject({
      ok: true,
      value: { user: "ada", topics: [{ topic: "b" }, { topic: "d", displayName: "Doors" }] },
    });
  });

  test("are offered from an account that lists thousands", async () => {
    const { tab } = await world.subscribed(["a"], { credentials });
    world.server.listed = list(...Array.from({ length: 3_000 }, (_, at) => `topic-${String(at)}`));
    const told = await tab.send("accountTopics", { serverId: 1 });
    // So many are shown at most.
    expect(told.ok && told.value.topics).toHaveLength(500);
  });

  test("reserved ones are offered too, but not kept in step unless subscribed", async () => {
    world.server.listed = list("b");
    world.server.reserved = ["b", "mine", "no topic", "a"];
    const { tab } = await world.subscribed(["a"], { credentials });
    const told = await tab.send("accountTopics", { serverId: 1 });
    expect(told).toMatchObject({ ok: true, value: { topics: [{ topic: "b" }, { topic: "mine", isReserved: true }] } });
    if (told.ok) await tab.send("keepInStep", { accountId: told.value.accountId, on: true });
    expect([await here(), there()]).toEqual([
      ["a", "b"],
      ["a", "b"],
    ]);
  });

  test("nothing is offered if nobody is signed in, and nothing changes without consent", async () => {
    const { tab } = await world.subscribed(["a"]);
    expect(await tab.send("accountTopics", { serverId: 1 })).toMatchObject({ ok: false });
    world.server.listed = list("b");
    await world.time.advance(60 * MINUTE_MS);
    expect([await here(), there()]).toEqual([["a"], ["b"]]);
  });

  test("with consent both sides get what the other has, and nothing is removed at first", async () => {
    world.server.listed = list("b");
    await inStep("a");
    expect([await here(), there()]).toEqual([
      ["a", "b"],
      ["a", "b"],
    ]);
    const asked = world.server.requestsTo("/v1/account").length;
    await world.time.advance(9 * MINUTE_MS);
    expect(world.server.requestsTo("/v1/account").length - asked).toBeLessThanOrEqual(2);
  });

  test("additions and removals here are sent to the account", async () => {
    const tab = await inStep("a", "b");
    await tab.send("subscribe", { address: world.server.address, topics: ["c"], history: "all", credentials });
    await world.time.settle();
    expect(there()).toEqual(["a", "b", "c"]);
    const gone = (await world.store.reader.catalogue()).subscriptions.find(({ topic }) => topic === "b");
    await tab.send("unsubscribe", { subId: gone?.subId ?? 0 });
    await world.time.advance(2 * MINUTE_MS);
    expect([await here(), there()]).toEqual([
      ["a", "c"],
      ["a", "c"],
    ]);
  });

  test("what is added there comes within some minutes", async () => {
    await inStep("a");
    await world.time.advance(MINUTE_MS);
    world.server.listed.push(...list("b"));
    await world.time.advance(6 * MINUTE_MS);
    expect(await here()).toEqual(["a", "b"]);
  });

  test("what is removed there stays here with its messages, and isn't added again", async () => {
    await inStep("a", "b");
    world.server.publish("b", "kept");
    world.server.listed = list("a");
    await world.time.advance(40 * MINUTE_MS);
    expect([await here(), there()]).toEqual([["a", "b"], ["a"]]);
    expect(await world.feed()).toEqual(["kept"]);
  });

  test("a server that suddenly lists nothing, or nonsense, takes nothing away", async () => {
    await inStep("a", "b");
    world.server.listed = "nonsense" as never;
    await world.time.advance(40 * MINUTE_MS);
    expect(await here()).toEqual(["a", "b"]);
  });

  test("what could not be stored here is not removed there, and comes later", async () => {
    world.server.listed = list("b");
    let isFull = false;
    const wrapStore = (store: Store): Store => ({
      ...store,
      addSubscriptions: (added) =>
        isFull ? Promise.resolve(fail({ kind: "quota", text: "" })) : store.addSubscriptions(added),
    });
    const { tab } = await world.subscribed(["a"], { credentials }, { wrapStore });
    const accountId = (await world.store.reader.catalogue()).accounts[0]?.accountId ?? 0;
    isFull = true;
    await tab.send("keepInStep", { accountId, on: true });
    await world.time.advance(5 * MINUTE_MS);
    expect([await here(), there()]).toEqual([["a"], ["a", "b"]]);
    isFull = false;
    await world.time.advance(40 * MINUTE_MS);
    expect([await here(), there()]).toEqual([
      ["a", "b"],
      ["a", "b"],
    ]);
  });

  test("consent can end while the account is being read", async () => {
    const { tab } = await world.subscribed(["a"], { credentials });
    const accountId = (await world.store.reader.catalogue()).accounts[0]?.accountId ?? 0;
    world.server.listed = list("b");
    const account = { username: "ada", subscriptions: world.server.listed };
    const answer = async (): Promise<Response> => {
      await world.store.patchAccount(accountId, { inStep: null });
      return Response.json(account);
    };
    world.server.intercept = ({ url }) => (url.pathname.endsWith("/account") ? answer() : undefined);
    await tab.send("keepInStep", { accountId, on: true });
    expect([await here(), there()]).toEqual([["a"], ["b"]]);
    expect((await world.store.reader.catalogue()).accounts[0]?.inStep).toBeUndefined();
  });

  test("a server that keeps listing different topics does not fill the device", async () => {
    await inStep("a");
    for (const round of [1, 2]) {
      world.server.listed = list(...Array.from({ length: 300 }, (_, at) => `r${String(round)}_${String(at)}`));
      await world.time.advance(6 * MINUTE_MS);
    }
    expect((await here()).length).toBeLessThanOrEqual(500);
  });

  test("a long list is sent at the pace at which the server grants requests", async () => {
    const names = Array.from({ length: 60 }, (_, at) => `t${String(at).padStart(2, "0")}`);
    await inStep(...names);
    const told = () => world.server.requestsTo("/subscription").length;
    expect(told()).toBeLessThan(25);
    await world.time.advance(MINUTE_MS);
    expect(told()).toBeLessThan(40);
    await world.time.advance(10 * MINUTE_MS);
    expect([there(), told()]).toEqual([names, 60]);
  });

  test("a server that takes no more requests is left alone for a while, and gets the rest then", async () => {
    let isBusy = true;
    world.server.intercept = ({ url }) =>
      isBusy && url.pathname.endsWith("/subscription") ? errorAnswer(429, 42901) : undefined;
    await inStep("a", "b", "c");
    expect(world.server.requestsTo("/subscription")).toHaveLength(1);
    // The start reads it once more.
    await world.time.advance(5_000);
    await world.time.advance(3 * MINUTE_MS);
    expect(world.server.requestsTo("/subscription")).toHaveLength(2);
    isBusy = false;
    await world.time.advance(5 * MINUTE_MS);
    expect(there()).toEqual(["a", "b", "c"]);
  });

  test("the account is read once, however many topics are removed from it", async () => {
    const tab = await inStep("a", "b", "c");
    await world.time.advance(MINUTE_MS);
    const asked = world.server.requestsTo("/v1/account").length;
    const { subscriptions } = await world.store.reader.catalogue();
    for (const { subId, topic } of subscriptions) if (topic !== "a") await tab.send("unsubscribe", { subId });
    await world.time.advance(2 * MINUTE_MS);
    expect(there()).toEqual(["a"]);
    expect(world.server.requestsTo("/v1/account").length - asked).toBeLessThanOrEqual(2);
  });

  test("what the server doesn't accept is retried until consent ends", async () => {
    world.server.intercept = ({ url, method }) =>
      url.pathname.endsWith("/subscription") && method === "POST" ? new Response("", { status: 500 }) : undefined;
    const tab = await inStep("a");
    expect(there()).toEqual([]);
    world.server.intercept = undefined;
    await world.time.advance(5 * MINUTE_MS);
    expect(there()).toEqual(["a"]);
    const accountId = (await world.store.reader.catalogue()).accounts[0]?.accountId ?? 0;
    await tab.send("keepInStep", { accountId, on: false });
    world.server.listed = list("a", "z");
    await world.time.advance(60 * MINUTE_MS);
    expect(await here()).toEqual(["a"]);
  });

  test("are not read with a refused sign-in until someone signs in again", async () => {
    const tab = await inStep("a");
    await world.time.advance(MINUTE_MS);
    // The stream goes on: servers look at credentials as it opens.
    world.server.intercept = ({ url }) => (url.pathname.endsWith("/v1/account") ? errorAnswer(401, 40101) : undefined);
    const before = world.server.requestsTo("/v1/account").length;
    await world.time.advance(120 * MINUTE_MS);
    expect(world.server.requestsTo("/v1/account").length - before).toBe(1);
    world.server.intercept = undefined;
    world.server.listed.push(...list("b"));
    await tab.send("setCredentials", { serverId: 1, credentials });
    await world.time.advance(1_000);
    expect(await here()).toEqual(["a", "b"]);
  });
});

const topics = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e"));

test("after its steps nothing is left to do, and nothing that one side has just added was removed", () => {
  fc.assert(
    fc.property(topics, topics, topics, (agreed, mine, theirs) => {
      const steps = stepsBetween(agreed, mine, theirs);
      const after = {
        here: [...mine, ...steps.addHere],
        there: [...theirs, ...steps.addThere].filter((topic) => !steps.removeThere.includes(topic)),
      };
      const again = stepsBetween(after.here, after.here, after.there);
      expect([again.addHere, again.addThere, again.removeThere]).toEqual([[], [], []]);
      for (const topic of mine) expect(after.here).toContain(topic);
      for (const topic of steps.removeThere) expect(agreed).toContain(topic);
      expect(again.leftThere.sort()).toEqual(steps.leftThere.sort());
    }),
  );
});
