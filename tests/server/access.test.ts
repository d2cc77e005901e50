// docs/protocol.md §9 and 10, and the accounts of §2.
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { matchesPattern, mayDo } from "../../src/server/access";
import { readOptions, type ServerOptions } from "../../src/server";
import { start } from "./test-server";
import { runs } from "../long";

const TOKEN = "tk_0123456789abcdefghijklmnopqrs";
const ACCESS = {
  users: [
    { name: "ada", password: "s3cret", tokens: [TOKEN] },
    { name: "bob", password: "bobpass" },
    { name: "carl", password: "pässwort" },
    { name: "root", password: "root:pass", role: "admin" },
  ],
  rules: [
    { user: "*", topic: "secret", allow: "deny-all" },
    { user: "ada", topic: "secret", allow: "read-write" },
    { user: "carl", topic: "secret", allow: "read-only" },
    { user: "*", topic: "drop", allow: "write-only" },
    { user: "*", topic: "team-*", allow: "deny-all" },
    { user: "bob", topic: "team-*", allow: "read-only" },
    { user: "bob", topic: "team-private", allow: "deny-all" },
    { user: "ada", topic: "*", allow: "read-write" },
  ],
} satisfies NonNullable<Exclude<ServerOptions["access"], false>>;

const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
const as = (text: string) => ({ Authorization: basic(text) });
const parameter = (header: string) => Buffer.from(header).toString("base64url");

const startGuarded = (options: ServerOptions = {}) => start({ access: ACCESS, ...options });

describe("credentials", () => {
  it.each([
    ["Basic", { headers: as("ada:s3cret") }, ""],
    ["basic in any case", { headers: { Authorization: basic("ada:s3cret").replace("Basic", "bASIC") } }, ""],
    ["a token", { headers: { Authorization: `Bearer ${TOKEN}` } }, ""],
    ["a token as password", { headers: as(`:${TOKEN}`) }, ""],
    ["UTF-8", { headers: as("carl:pässwort") }, ""],
    ["a password with a colon", { headers: as("root:root:pass") }, ""],
    ["the parameter auth", {}, "&auth=QmFzaWMgWVdSaE9uTXpZM0psZEE9PQ"],
    ["its long name, in any case", {}, "&Authorization=QmFzaWMgWVdSaE9uTXpZM0psZEE9PQ"],
    ["a token in the parameter", {}, "&auth=QmVhcmVyIHRrXzAxMjM0NTY3ODlhYmNkZWZnaGlqa2xtbm9wcXJz"],
    ["the parameter before a wrong header", { headers: as("ada:wrong") }, "&auth=QmFzaWMgWVdSaE9uTXpZM0psZEE9PQ"],
  ])("let in by %s", async (_, question, query) => {
    const server = await startGuarded();
    expect((await server.ask(`/secret/json?poll=1${query}`, question)).status).toBe(200);
  });

  it.each([
    ["a wrong password", as("ada:wrong"), ""],
    ["an unknown user", as("nobody:s3cret"), ""],
    ["an unknown token", { Authorization: "Bearer tk_wrongwrongwrongwrongwrongwron" }, ""],
    ["bearer in lower case", { Authorization: `bearer ${TOKEN}` }, ""],
    ["Basic without padding", { Authorization: "Basic YWRhOnMzY3JldA" }, ""],
    ["Basic without a colon", { Authorization: basic("ada") }, ""],
    ["a wrong parameter before a right header", as("ada:s3cret"), `&auth=${parameter(basic("ada:wrong"))}`],
  ])("refuse %s with 401, even where everybody may read", async (_, headers, query) => {
    const server = await startGuarded();
    const answer = await server.ask(`/open/json?poll=1${query}`, { headers });
    expect(answer.status).toBe(401);
    expect(JSON.parse(answer.text)).toMatchObject({ code: 40101, http: 401 });
    expect(answer.headers["www-authenticate"]).toBeUndefined();
  });

  it("of other schemes, and empty parameters, count as no credentials", async () => {
    const server = await startGuarded();
    expect((await server.ask("/open/json?poll=1&auth=", { headers: { Authorization: "vapid t=x" } })).status).toBe(200);
    expect(await server.code("/secret/json?poll=1", { headers: { Authorization: "WebPush x" } })).toBe(40301);
  });

  it.each(["QmFzaWMgWVdSaE9uTXpZM0psZEE9PQ==", "***", "a"])(
    "answer 500 to the malformed parameter %s",
    async (value) => {
      const server = await startGuarded();
      expect(await server.code(`/open/json?poll=1&auth=${value}`)).toBe(50001);
      const open = await start();
      expect((await open.ask(`/open/json?poll=1&auth=${value}`)).status).toBe(200);
    },
  );

  it("are rationed when they fail, so that even right ones are refused for a while", async () => {
    const server = await startGuarded();
    for (let at = 0; at < 30; at++) expect(await server.code("/v1/health", { headers: as("ada:wrong") })).toBe(40101);
    expect(await server.code("/v1/health", { headers: as("ada:s3cret") })).toBe(42909);
    expect((await server.ask("/v1/health")).status).toBe(200);
    server.clock.advance(60);
    expect((await server.ask("/v1/health", { headers: as("ada:s3cret") })).status).toBe(200);
  });
});

describe("permissions", () => {
  const settings = readOptions({ access: ACCESS });
  const access = settings.ok ? settings.value.access : undefined;

  it.each([
    [undefined, "open", "read", true],
    [undefined, "secret", "read", false],
    ["ada", "secret", "write", true],
    ["carl", "secret", "read", true],
    ["carl", "secret", "write", false],
    [undefined, "drop", "write", true],
    [undefined, "drop", "read", false],
    ["bob", "team-a", "read", true],
    ["bob", "team-a", "write", false],
    ["bob", "team-private", "read", false],
    ["ada", "team-private", "read", true],
    ["root", "secret", "write", true],
    ["root", "team-private", "read", true],
  ] as const)("for %s on %s to %s: %s", (name, topic, deed, expected) => {
    const user =
      name === undefined ? undefined : { name, role: name === "root" ? ("admin" as const) : ("user" as const) };
    expect(access && mayDo(access, user, deed, topic)).toBe(expected);
  });

  it("match the whole name, and only * stands for anything", () => {
    expect(matchesPattern("team-*", "team-")).toBe(true);
    expect(matchesPattern("team-*", "my-team-a")).toBe(false);
    expect(matchesPattern("a_b", "axb")).toBe(false);
    expect(matchesPattern("*", "anything")).toBe(true);
    expect(matchesPattern("a*a", "a")).toBe(false);
  });

  it("stay cheap for a long list of topics: each pattern is compiled once", () => {
    const read = vi.spyOn(String.prototype, "replaceAll");
    for (let at = 0; at < 100; at++) matchesPattern("read-once-*", `topic-${at}`);
    const times = read.mock.calls.length;
    read.mockRestore();
    expect(times).toBe(1);
  });

  it("match the same names as the pattern with .* in place of *", () => {
    const few = (characters: string) => fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength: 7 });
    fc.assert(
      fc.property(few("ab**"), few("ab"), (pattern, topic) => {
        const asExpression = new RegExp(`^${pattern.replaceAll("*", ".*")}$`);
        expect(matchesPattern(pattern, topic)).toBe(asExpression.test(topic));
      }),
      { numRuns: runs(2_000) },
    );
  });

  it("refuse a list as a whole, and visitors without an account with 403", async () => {
    const server = await startGuarded();
    for (const path of [
      "/secret/json?poll=1",
      "/open,secret/sse",
      "/secret/raw",
      "/secret/auth",
      "/open,secret/auth",
    ]) {
      expect(await server.code(path), path).toBe(40301);
    }
    expect(await server.code("/secret", { method: "PUT", body: "x" })).toBe(40301);
    expect(await server.code("/secret/publish?message=x")).toBe(40301);
    expect(await server.code("/secret/sequence", { method: "DELETE" })).toBe(40301);
    expect(await server.code("/drop/auth")).toBe(40301);
    expect((await server.ask("/secret/auth", { headers: as("carl:pässwort") })).text).toBe('{"success":true}\n');
    await expect(server.openWebSocket("/secret/ws")).rejects.toThrow("403");
    const stream = await server.openWebSocket("/secret/ws?auth=QmFzaWMgWVdSaE9uTXpZM0psZEE9PQ");
    await stream.until(({ lines }) => lines.length === 1);
  });
});

describe("the order of checks", () => {
  it("is: credentials, path, requests, names, permission, upgrade, streams, parameters", async () => {
    const server = await startGuarded({ limits: { requests: 3, requestRefill: "1h", streams: 1 } });
    expect(await server.code("/bad topic/json".replace(" ", "%20"), { headers: as("ada:wrong") })).toBe(40101);
    expect(await server.code("/bad%20topic/json")).toBe(40401);
    expect(await server.code("/secret,account/json?since=bad")).toBe(40010);
    const stream = await server.open("/open/json");
    expect(await server.code("/open/json?since=bad")).toBe(42903);
    expect(await server.code("/account/json")).toBe(42901);
    expect(await server.code("/a,/json")).toBe(40401);
    stream.close();
  });

  it("checks since before priority, and the upgrade before the count", async () => {
    const server = await startGuarded({ limits: { streams: 1 } });
    expect(await server.code("/open/json?since=bad&priority=9")).toBe(40008);
    const stream = await server.open("/open/json");
    expect(await server.code("/open/ws?since=bad")).toBe(40016);
    expect(await server.code("/secret/ws")).toBe(40301);
    stream.close();
  });
});

describe("accounts", () => {
  it("tell visitors without an account what they may do", async () => {
    const server = await start({ limits: { messagesPerDay: 10 } });
    await server.publish("t", "one");
    expect(JSON.parse((await server.ask("/v1/account")).text)).toMatchObject({
      username: "*",
      role: "anonymous",
      limits: { basis: "ip", messages: 10, messages_expiry_duration: 43_200 },
      stats: { messages: 1, messages_remaining: 9 },
    });
    expect(await server.code("/v1/account/token", { method: "POST" })).toBe(40401);
  });

  it("issue, extend and remove tokens", async () => {
    const server = await startGuarded();
    const headers = as("bob:bobpass");
    expect(await server.code("/v1/account/token", { method: "POST" })).toBe(40101);
    const issued = JSON.parse((await server.ask("/v1/account/token", { method: "POST", headers })).text) as {
      token: string;
      expires: number;
    };
    expect(issued.token).toMatch(/^tk_[a-z0-9]{29}$/);
    expect(issued.expires).toBe(server.clock.nowS + 72 * 3600);
    const bearer = { Authorization: `Bearer ${issued.token}` };
    server.clock.advance(71 * 3600);
    expect((await server.ask("/team-a/auth", { headers: bearer })).status).toBe(200);
    const question = { method: "PATCH", headers, body: JSON.stringify({ token: issued.token }) };
    expect(JSON.parse((await server.ask("/v1/account/token", question)).text)).toMatchObject({
      token: issued.token,
      expires: server.clock.nowS + 72 * 3600,
    });
    server.clock.advance(71 * 3600);
    expect((await server.ask("/team-a/auth", { headers: bearer })).status).toBe(200);
    expect((await server.ask("/v1/account/token", { method: "DELETE", headers: bearer })).text).toBe(
      '{"success":true}\n',
    );
    expect(await server.code("/team-a/auth", { headers: bearer })).toBe(40101);
  });

  it("let a token expire, or never, as asked", async () => {
    const server = await startGuarded();
    const issue = async (body: object) => {
      const question = { method: "POST", headers: as("bob:bobpass"), body: JSON.stringify(body) };
      return JSON.parse((await server.ask("/v1/account/token", question)).text) as { token: string; label?: string };
    };
    const short = await issue({ label: "phone", expires: server.clock.nowS + 10 });
    const endless = await issue({ expires: 0 });
    expect(short.label).toBe("phone");
    server.clock.advance(365 * 86_400);
    const status = async ({ token }: { token: string }) =>
      (await server.ask("/team-a/auth", { headers: { Authorization: `Bearer ${token}` } })).status;
    expect([await status(short), await status(endless)]).toEqual([401, 200]);
    expect(await server.code("/v1/account/token", { method: "POST", headers: as("bob:bobpass"), body: "no" })).toBe(
      40024,
    );
    expect(await server.code("/v1/account/token", { method: "PATCH", headers: as("bob:bobpass") })).toBe(40023);
  });

  it("have sixty tokens at most, and one more replaces the oldest", async () => {
    const server = await startGuarded();
    const issue = async () => {
      const { text } = await server.ask("/v1/account/token", { method: "POST", headers: as("bob:bobpass") });
      return (JSON.parse(text) as { token: string }).token;
    };
    const [first, second] = [await issue(), await issue()];
    for (let more = 0; more < 59; more++) await issue();
    const status = async (token: string) =>
      (await server.ask("/team-a/auth", { headers: { Authorization: `Bearer ${token}` } })).status;
    expect([await status(first), await status(second)]).toEqual([401, 200]);
  });

  it("stay small: the label of a token or topic has room for a name only", async () => {
    const server = await startGuarded();
    const ask = (what: string, body: object) =>
      server.ask(`/v1/account/${what}`, { method: "POST", headers: as("ada:s3cret"), body: JSON.stringify(body) });
    const name = "x".repeat(1_024);
    expect((await ask("token", { label: name })).status).toBe(413);
    const topic = { base_url: "https://ntfy.example", topic: "t" };
    expect((await ask("subscription", { ...topic, display_name: name })).status).toBe(413);
    expect((await ask("subscription", { ...topic, display_name: name.slice(0, 900) })).status).toBe(200);
  });

  it("keep a list of topics, and notify the account's apps of each change", async () => {
    const server = await startGuarded();
    const headers = as("ada:s3cret");
    const account = async () =>
      JSON.parse((await server.ask("/v1/account", { headers })).text) as Record<string, unknown>;
    const { sync_topic } = (await account()) as { sync_topic: string };
    expect(sync_topic).toMatch(/^st_[A-Za-z0-9]{13}$/);
    const stream = await server.open(`/${sync_topic}/json`);
    const topic = { base_url: "https://ntfy.example", topic: "t" };
    const path = "/v1/account/subscription";
    const send = (method: string, body: object) => server.ask(path, { method, headers, body: JSON.stringify(body) });
    expect(JSON.parse((await send("POST", topic)).text)).toEqual({ ...topic, display_name: null });
    expect((await send("POST", topic)).status).toBe(409);
    expect((await send("PATCH", { ...topic, display_name: "Mine" })).status).toBe(200);
    expect((await send("PATCH", { ...topic, topic: "other" })).status).toBe(404);
    expect((await account())["subscriptions"]).toEqual([{ ...topic, display_name: "Mine" }]);
    const remove = { ...headers, "X-BaseURL": topic.base_url, "X-Topic": "t" };
    expect((await server.ask(path, { method: "DELETE", headers: remove })).status).toBe(200);
    expect(await account()).not.toHaveProperty("subscriptions");
    await stream.until(({ messages }) => messages.length === 3);
    expect(stream.messages).toEqual(Array<string>(3).fill('{"event":"sync"}'));
  });
});
