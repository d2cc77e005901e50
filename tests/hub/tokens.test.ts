import { beforeEach, describe, expect, test } from "vitest";
import { fail, type Credentials } from "../../src/protocol";
import type { AccountRecord, Store } from "../../src/store";
import { World } from "./world";

const ADA: Credentials = { kind: "basic", user: "ada", password: "s3cret" };
const DAY_S = 86_400;

let world: World;

beforeEach(async () => {
  world = await World.make();
  world.server.users.push(ADA);
  world.server.readers.set("a", [ADA]);
  world.server.readers.set("b", [ADA]);
  world.server.issuesTokens = true;
});

async function accounts(): Promise<AccountRecord[]> {
  const read = await world.store.accounts();
  if (!read.ok) throw new Error(read.error.text);
  return read.value;
}

/** Everything that the database and the announcements hold. */
async function everything(told: unknown): Promise<string> {
  return JSON.stringify([await world.store.reader.catalogue(), told, world.problems]);
}

describe("a password", () => {
  test("is exchanged for a token, and stored nowhere", async () => {
    const { tab } = await world.subscribed(["a"], { credentials: ADA });
    const [account] = await accounts();
    const expires = world.server.nowS + 90 * DAY_S;
    expect(account).toMatchObject({ credentials: { kind: "token" }, user: "ada", issued: 1 });
    expect(Math.abs((account?.expires ?? 0) - expires)).toBeLessThan(10);
    expect(await everything(tab.events)).not.toContain("s3cret");
    await world.time.advance(10_000);
    world.server.publish("a", "by token");
    await world.time.advance(1_000);
    expect(await world.feed()).toEqual(["by token"]);
  });

  test("that is entered for another topic uses the existing token, and the same stream", async () => {
    const { tab } = await world.subscribed(["a"], { credentials: ADA });
    await tab.send("subscribe", { address: world.server.address, topics: ["b"], history: "all", credentials: ADA });
    await world.time.advance(20_000);
    expect(await accounts()).toHaveLength(1);
    expect(world.server.expiries.size).toBe(1);
    expect(world.server.streams.size).toBe(1);
  });

  test.each(["addSubscriptions", "addAccount"])("leaves neither an account nor a token if %s fails", async (step) => {
    const wrapStore = (store: Store): Store => ({
      ...store,
      [step]: () => Promise.resolve(fail({ kind: "quota", text: "" })),
    });
    const tab = world.openTab(world.startHub({ wrapStore }));
    const input = { address: world.server.address, topics: ["a"], history: "all", credentials: ADA } as const;
    const subscribed = await tab.send("subscribe", { ...input, topics: ["a"] });
    expect(subscribed).toMatchObject({ ok: false, error: { kind: "quota" } });
    expect(await accounts()).toEqual([]);
    expect(world.server.users).toEqual([ADA]);
  });

  test("leaves no token if a changed sign-in can't be stored", async () => {
    await world.subscribed(["c"]);
    const wrapStore = (store: Store): Store => ({
      ...store,
      setAccount: () => Promise.resolve(fail({ kind: "quota", text: "" })),
    });
    const tab = world.openTab(world.startHub({ wrapStore }));
    const set = await tab.send("setCredentials", { serverId: 1, credentials: ADA });
    expect(set).toMatchObject({ ok: false, error: { kind: "quota" } });
    expect(world.server.requestsTo("/v1/account/token").map(({ method }) => method)).toEqual(["POST", "DELETE"]);
    expect(world.server.users).toEqual([ADA]);
  });

  test("is stored where the server gives no tokens, or is too busy to", async () => {
    world.server.issuesTokens = false;
    await world.subscribed(["a"], { credentials: ADA });
    expect(await accounts()).toMatchObject([{ credentials: ADA }]);
  });

  test("is stored if the token has ended already, as one of the clocks is wrong", async () => {
    world.server.intercept = ({ url, method }) =>
      url.pathname === "/v1/account/token" && method === "POST"
        ? Response.json({ token: "tk_of_the_past", expires: 1 })
        : undefined;
    await world.subscribed(["a"], { credentials: ADA });
    expect(await accounts()).toMatchObject([{ credentials: ADA }]);
  });
});

describe("a token that the server issued", () => {
  test("is extended once a third of its time is over", async () => {
    await world.subscribed(["a"], { credentials: ADA });
    const [{ accountId = 0 } = {}] = await accounts();
    const extended = async (leftS: number): Promise<boolean> => {
      const expires = world.server.nowS + leftS;
      await world.store.patchAccount(accountId, { expires });
      await world.time.advance(6 * 3_600_000 + 61_000);
      return ((await accounts())[0]?.expires ?? 0) > expires;
    };
    expect(await extended(61 * DAY_S)).toBe(false);
    expect(await extended(59 * DAY_S)).toBe(true);
    expect(await accounts()).toMatchObject([{ accountId }]);
  });

  test("is extended by one of two tabs, and stays valid in both", async () => {
    const { tab } = await world.subscribed(["a"], { credentials: ADA });
    world.openTab(world.startHub());
    const [before] = await accounts();
    await world.store.patchAccount(before?.accountId ?? 0, { expires: world.server.nowS + 59 * DAY_S });
    await world.time.advance(70_000);
    const asked = world.server.requestsTo("/v1/account/token").map(({ method }) => method);
    expect(asked).toEqual(["POST", "PATCH"]);
    expect((await accounts()).map(({ credentials }) => credentials)).toEqual([before?.credentials]);
    world.server.publish("a", "by the same token");
    await world.time.advance(1_000);
    expect(tab.added).toContain("by the same token");
  });

  test("is not left at the server when two tabs sign in at once", async () => {
    const { tab } = await world.subscribed(["c"]);
    const other = world.startHub();
    const tabs = [tab, world.openTab(other)];
    await Promise.all(tabs.map((one) => one.send("setCredentials", { serverId: 1, credentials: ADA })));
    expect(await accounts()).toHaveLength(1);
    expect(world.server.users, "the user and one token").toHaveLength(2);
    expect(world.server.users).toContainEqual((await accounts())[0]?.credentials);
  });

  test("is removed at the server when signing out, and here", async () => {
    const { tab } = await world.subscribed(["a"], { credentials: ADA });
    const out = await tab.send("setCredentials", { serverId: 1, credentials: null });
    expect(out).toEqual({ ok: true, value: {} });
    expect(await accounts()).toEqual([]);
    expect(world.server.users).toEqual([ADA]);
  });

  test("is wiped here even if the server can't be told, and the page says so", async () => {
    const { tab } = await world.subscribed(["a"], { credentials: ADA });
    world.server.down = true;
    const out = await tab.send("setCredentials", { serverId: 1, credentials: null });
    expect(out).toEqual({ ok: true, value: { leftToken: true } });
    expect(await accounts()).toEqual([]);
  });

  test("stays valid at the server when its last topic is removed, as it may have been shared", async () => {
    const { tab, subIds } = await world.subscribed(["a"], { credentials: ADA });
    await tab.send("unsubscribe", { subId: subIds[0] ?? 0 });
    await world.time.advance(50_000);
    tab.events.length = 0;
    await world.time.advance(70_000);
    expect(await accounts()).toEqual([]);
    expect(tab.events, "pages read again which accounts there are").toContainEqual({ kind: "catalogue" });
    expect(world.server.users.filter(({ kind }) => kind === "token")).toHaveLength(1);
  });

  test("that ends in the middle of a stream leaves its topics out, says so, and leaves other sign-ins alone", async () => {
    const { tab } = await world.subscribed(["a"], { credentials: ADA });
    await world.time.advance(10_000);
    world.server.users.splice(1);
    world.server.close();
    await world.time.advance(10_000);
    expect(tab.newestStatus?.state).toMatchObject({ kind: "refused", why: { kind: "unauthorized" } });
    const before = world.server.requests.length;
    await world.time.advance(600_000);
    const tried = world.server.requests.slice(before).filter(({ authorization }) => authorization !== undefined);
    expect(tried).toEqual([]);
    world.server.publish("a", "meanwhile");
    expect(await tab.send("setCredentials", { serverId: 1, credentials: ADA })).toMatchObject({ ok: true });
    await world.time.advance(20_000);
    expect(await world.feed()).toEqual(["meanwhile"]);
    expect(await accounts()).toMatchObject([{ user: "ada", issued: 1 }]);
  });
});

describe("a token that the user made", () => {
  test("shows whose it is and when it ends, and is neither extended nor removed", async () => {
    const token: Credentials = { kind: "token", token: "tk_of_ada" };
    world.server.users.push(token);
    world.server.readers.get("a")?.push(token);
    const expires = world.server.nowS + 5 * DAY_S;
    world.server.expiries.set("tk_of_ada", expires);
    const { tab, subIds } = await world.subscribed(["a"], { credentials: token });
    expect(await accounts()).toMatchObject([{ credentials: token, user: "ada", expires }]);
    await world.time.advance(90_000);
    expect((await accounts())[0]?.expires).toBe(expires);
    await tab.send("setCredentials", { serverId: 1, credentials: null });
    await tab.send("unsubscribe", { subId: subIds[0] ?? 0 });
    await world.time.advance(120_000);
    expect(world.server.users).toContainEqual(token);
    expect(world.server.requests.filter(({ method }) => method === "PATCH" || method === "DELETE")).toEqual([]);
  });
});
