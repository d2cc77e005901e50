import { beforeEach, expect, test, vi } from "vitest";
import { App } from "../../src/ui/state/app.svelte";
import { offerOf } from "../../src/ui/shell/offer";
import { subscribe } from "../../src/ui/topics/subscribe/subscribe";
import { ADDRESS, catalogue, FakeClient, server, subscription } from "./fake-client";
import { stubPage } from "./stub-page";

let client: FakeClient;
let app: App;
let stored: Map<string, string>;

beforeEach(() => {
  stubPage();
  stored = new Map();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
  });
  client = new FakeClient();
  client.answers.subscribe = () => {
    client.tables = catalogue({ servers: [server()], subscriptions: [subscription({ joined: 0 })] });
    return { ok: true, value: { subIds: [1] } };
  };
  client.answers.mark = () => ({ ok: true, value: { count: 383, undo: "" } });
  app = new App(client, client.tables, ADDRESS);
  return () => vi.unstubAllGlobals();
});

const add = (history: "all" | "now" = "all") => subscribe(app, { address: ADDRESS, topics: ["topic1"], history });
/** Lets the history arrive. */
async function arrive(unread: number): Promise<void> {
  client.tables = catalogue({
    lastArrival: 9,
    servers: [server()],
    subscriptions: [subscription({ joined: 1, unread })],
  });
  client.announce({ kind: "catalogue" });
  await app.catalogue.readAgain();
  await expect.poll(() => app.catalogue.subscription(1)?.unread).toBe(unread);
}

test("history that came with a topic can be marked as read by one press", async () => {
  await add();
  expect(offerOf(app)).toBeUndefined();
  await arrive(383);
  expect(offerOf(app)?.text).toBe("383 older messages");
  offerOf(app)?.run?.();
  await expect
    .poll(() => client.sent.at(-1))
    .toMatchObject({ name: "mark", input: { every: { subIds: [1], upTo: 9 } } });
  expect(offerOf(app)).toBeUndefined();
});

test("while the offer stands, new messages don't count as older ones, and read ones don't count as left", async () => {
  await add();
  await arrive(10);
  client.tables = catalogue({ lastArrival: 12, servers: [server()], subscriptions: [subscription({ unread: 12 })] });
  await app.catalogue.readAgain();
  expect(offerOf(app)?.text).toBe("10 older messages");
  offerOf(app)?.run?.();
  await expect.poll(() => client.sent.at(-1)).toMatchObject({ input: { every: { upTo: 9 } } });
  await add();
  await arrive(10);
  app.catalogue.applyOptimistically({ subscriptions: [subscription({ unread: 6 })] });
  expect(offerOf(app)?.text).toBe("6 older messages");
  app.catalogue.applyOptimistically({ subscriptions: [subscription({ unread: 0 })] });
  expect(offerOf(app)).toBeUndefined();
});

test("the offer waits for counters that come after the topic is known to be caught up", async () => {
  await add();
  await arrive(3);
  expect(offerOf(app)).toBeUndefined();
  client.tables = catalogue({ servers: [server()], subscriptions: [subscription({ joined: 1, unread: 7 })] });
  client.announce({ kind: "rows", added: [], changed: [], removed: [], more: 0, counts: [], total: 7, lastArrival: 0 });
  await expect.poll(() => offerOf(app)?.text).toBe("7 older messages");
});

test.each([
  [4, undefined],
  [5, "5 older messages"],
])("a history of %i messages gets the offer %j", async (unread, offer) => {
  await add();
  await arrive(unread);
  expect(offerOf(app)?.text).toBe(offer);
});

test("nothing is offered before the whole history is there", async () => {
  await add();
  client.tables = catalogue({ servers: [server()], subscriptions: [subscription({ joined: 0, unread: 300 })] });
  client.announce({ kind: "catalogue" });
  await app.catalogue.readAgain();
  expect(app.catalogue.subscription(1)?.unread).toBe(300);
  expect(offerOf(app)).toBeUndefined();
});

test("a subscription from now on gets no such offer", async () => {
  await add("now");
  await arrive(50);
  expect(offerOf(app)).toBeUndefined();
});

test("history comes as read if that is chosen, which does not change subscriptions from now on", async () => {
  const choose = () =>
    app.catalogue.applyOptimistically({ settings: { ...app.catalogue.settings, historyRead: true } });
  choose();
  await add();
  // The tables were read anew.
  choose();
  await add("now");
  const asked = client.sent.filter(({ name }) => name === "subscribe").map(({ input }) => input);
  expect(asked).toMatchObject([{ history: "read" }, { history: "now" }]);
  await arrive(50);
  expect(offerOf(app)).toBeUndefined();
});

test("the first steps come with the first topic, once", async () => {
  expect(app.offers.firstSteps).toBe(false);
  await add();
  expect(app.offers.firstSteps).toBe(true);
  app.offers.endFirstSteps();
  app.catalogue.applyOptimistically({ subscriptions: [] });
  await add();
  expect(app.offers.firstSteps).toBe(false);
  expect(stored.get("earshot-first-steps")).toBe("done");
});

test("users with topics already never see them", async () => {
  app.catalogue.applyOptimistically({ subscriptions: [subscription()] });
  await add();
  expect(stored.size).toBe(0);
});
