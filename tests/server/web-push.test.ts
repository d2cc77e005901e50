import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import vapid from "web-push";
import { decodePush } from "../../src/protocol";
import type { ServerOptions } from "../../src/server";
import { isAtPushService } from "../../src/server/web-push";
import { ManualClock } from "./manual-clock";
import { Browser } from "./push-browser";
import { PushEndpoint, readIdentity } from "./push-endpoint";
import { newFolder, start, type Answer, type TestServer } from "./test-server";

const DAY_S = 86_400;
const MOZILLA = "https://updates.push.services.mozilla.com/wpush/v2";

let service: PushEndpoint;
let browser: Browser;
beforeEach(async () => {
  service = await PushEndpoint.start();
  browser = new Browser();
});

const onLoopback: ServerOptions = { webPush: { allowLoopback: true } };

function send(server: TestServer, method: "POST" | "DELETE", body: unknown, headers = {}): Promise<Answer> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  // Node names no length by itself for methods that seldom have a body.
  const length = { "Content-Length": Buffer.byteLength(text) };
  return server.ask("/v1/webpush", { method, headers: { ...length, ...headers }, body: text });
}

/** A registration that is right as it is. */
const registration = (fields: object = {}) => ({
  ...{ endpoint: `${service.origin}/push/1`, ...browser.keys, topics: ["a"] },
  ...fields,
});

async function register(server: TestServer, fields: object = {}, headers = {}): Promise<void> {
  const answer = await send(server, "POST", registration(fields), headers);
  expect(answer.text).toBe('{"success":true}\n');
}

/** Everything that was pushed, decrypted. */
async function pushed(server: TestServer): Promise<unknown[]> {
  await server.server.pushed();
  return service.received.map((push) => browser.read(push));
}

async function publicKey(server: TestServer): Promise<string> {
  const config = await server.ask("/v1/config");
  return (JSON.parse(config.text) as { web_push_public_key: string }).web_push_public_key;
}

describe("a server without Web Push", () => {
  it("says so, and knows no registrations", async () => {
    const server = await start();
    const config = JSON.parse((await server.ask("/v1/config")).text) as object;
    expect(config).toMatchObject({ enable_web_push: false, web_push_public_key: "" });
    for (const method of ["POST", "DELETE"] as const) {
      const answer = await send(server, method, registration());
      expect(JSON.parse(answer.text)).toMatchObject({ code: 40401, http: 404 });
    }
  });
});

describe("registering", () => {
  it("needs the server's key, which it tells its app and any other", async () => {
    const server = await start(onLoopback);
    const config = await server.ask("/v1/config");
    const told = JSON.parse(config.text) as object;
    expect(told).toMatchObject({ enable_web_push: true, web_push_public_key: expect.any(String) as string });
    expect(Buffer.from(await publicKey(server), "base64url")).toHaveLength(65);
    expect(config.headers["access-control-allow-origin"]).toBe("*");
    const [, script = ""] = /^var config = (.*);\n$/s.exec((await server.ask("/config.js")).text) ?? [];
    expect(JSON.parse(script)).toEqual(told);
  });

  it("can be done from any origin", async () => {
    const server = await start(onLoopback);
    const origin = { Origin: "https://app.example" };
    for (const [method, body] of [
      ["POST", registration()],
      ["DELETE", registration()],
      ["POST", "not json"],
    ] as const) {
      const answer = await send(server, method, body, origin);
      expect(answer.headers).toMatchObject({
        "access-control-allow-origin": "*",
        "content-type": "application/json",
      });
    }
  });

  it("replaces all topics of the endpoint", async () => {
    const server = await start(onLoopback);
    await register(server, { topics: ["a", "b"] });
    await register(server, { topics: ["b", "c"] });
    for (const topic of ["a", "b", "c"]) await server.publish(topic, topic);
    expect(await pushed(server)).toMatchObject([{ message: { topic: "b" } }, { message: { topic: "c" } }]);
  });

  it("replaces the keys of the endpoint", async () => {
    const server = await start(onLoopback);
    await register(server, new Browser().keys);
    await register(server);
    await server.publish("a", "for the new keys");
    expect(await pushed(server)).toHaveLength(1);
  });

  it("may name no topics", async () => {
    const server = await start(onLoopback);
    await register(server, { topics: [] });
    await register(server, { topics: null });
    await server.publish("a");
    expect(await pushed(server)).toEqual([]);
  });

  it("ends with DELETE, known or not", async () => {
    const server = await start(onLoopback);
    await register(server);
    for (let time = 0; time < 2; time++) {
      const answer = await send(server, "DELETE", { endpoint: registration().endpoint });
      expect(answer.text).toBe('{"success":true}\n');
    }
    await server.publish("a");
    expect(await pushed(server)).toEqual([]);
  });

  const topics = (count: number) => Array.from({ length: count }, (_, at) => `t${at}`);

  it.each<[what: string, body: string | object, code: number, says: RegExp]>([
    ["no JSON", "not json", 40038, /it is no JSON object/],
    ["nothing", "", 40038, /it is no JSON object/],
    ["a list", "[]", 40038, /it is no JSON object/],
    ["null", "null", 40038, /"endpoint" is missing/],
    ["a body that is too large", `{"x":"${"x".repeat(32 * 1024)}"}`, 40038, /it is too large/],
    ["no endpoint", { endpoint: undefined }, 40038, /"endpoint" is missing, or no text of at most/],
    ["an empty endpoint", { endpoint: "" }, 40038, /"endpoint" is missing, or no text of at most/],
    ["an endpoint that is no text", { endpoint: 1 }, 40038, /"endpoint" is missing, or no text of at most/],
    [
      "an endless endpoint",
      { endpoint: `${MOZILLA}/${"A".repeat(2_048)}` },
      40038,
      /"endpoint" is missing, or no text of at most 2048/,
    ],
    ["no secret", { auth: undefined }, 40038, /"auth" is missing/],
    ["an endless secret", { auth: "A".repeat(257) }, 40038, /"auth" is missing, or no text of at most 256 characters/],
    ["no key", { p256dh: "" }, 40038, /"p256dh" is missing/],
    ["a host that is no push service", { endpoint: "https://example.com/push" }, 40039, /not at a push service/],
    ["topics that are no list", { topics: "a" }, 40038, /"topics" is no list of names of topics/],
    ["a name that is none", { topics: ["a b"] }, 40038, /"topics" is no list of names of topics/],
    ["a topic that is no text", { topics: [1] }, 40038, /"topics" is no list of names of topics/],
    ["51 topics", { topics: topics(51) }, 40040, /too many topics: 50 at most/],
    ["a reserved topic", { topics: ["a", "docs"] }, 40010, /reserved/],
    ["a topic twice", { topics: ["a", "b", "a"] }, 50001, /"a" stands in the list twice/],
  ])("is refused for %s", async (_what, body, code, says) => {
    const server = await start(onLoopback);
    const answer = await send(server, "POST", typeof body === "string" ? body : registration(body));
    const error = JSON.parse(answer.text) as { code: number; http: number; error: string };
    expect(error).toMatchObject({ code, http: code === 50001 ? 500 : 400 });
    expect(error.error).toMatch(says);
    await server.publish("a");
    expect(await pushed(server)).toEqual([]);
  });

  it("takes 50 topics", async () => {
    const server = await start(onLoopback);
    await register(server, { topics: topics(50) });
    await server.publish("t49", "the last one");
    expect(await pushed(server)).toHaveLength(1);
  });

  it("accepts ten endpoints from a visitor, and goes on renewing them", async () => {
    const server = await start({ ...onLoopback, behindProxy: true });
    const from = (address: string) => ({ "X-Forwarded-For": address });
    const at = (number: number) => ({ endpoint: `${service.origin}/push/${number}` });
    for (let number = 0; number < 10; number++) await register(server, at(number), from("192.0.2.1"));
    const answer = await send(server, "POST", registration(at(10)), from("192.0.2.1"));
    expect(answer.status).toBe(500);
    expect(answer.text).toMatch(/10 push registrations came from this address already/);
    await register(server, at(9), from("192.0.2.1"));
    await register(server, at(10), from("192.0.2.2"));
    // One that was registered elsewhere moves along with its device.
    await register(server, at(10), from("192.0.2.1"));
    await send(server, "DELETE", at(0));
    await send(server, "DELETE", at(1));
    await register(server, at(11), from("192.0.2.1"));
  });

  it("takes a request from the visitor's bucket", async () => {
    const server = await start({ ...onLoopback, limits: { requests: 2, requestRefill: "1h" } });
    await register(server);
    await send(server, "DELETE", registration());
    expect((await send(server, "POST", registration())).status).toBe(429);
  });

  it("needs permission to read all of the topics", async () => {
    const server = await start({
      ...onLoopback,
      access: {
        users: [{ name: "ada", password: "s3cret" }],
        rules: [
          { user: "*", topic: "secret", allow: "deny-all" },
          { user: "ada", topic: "secret", allow: "read-only" },
          { user: "*", topic: "box", allow: "write-only" },
        ],
      },
    });
    const ada = { Authorization: `Basic ${Buffer.from("ada:s3cret").toString("base64")}` };
    const refused = async (topics: string[], headers = {}) => {
      const answer = await send(server, "POST", registration({ topics }), headers);
      return (JSON.parse(answer.text) as { code?: number }).code;
    };
    expect(await refused(["a", "secret"])).toBe(40301);
    expect(await refused(["box"])).toBe(40301);
    expect(await refused(["secret", "box"], ada)).toBe(40301);
    expect(await refused(["secret"], { Authorization: "Basic YWRhOndyb25n" })).toBe(40101);
    await register(server, { topics: ["a", "secret"] }, ada);
    await server.server.publish({ topic: "secret", message: "for ada" });
    expect(await pushed(server)).toMatchObject([{ message: { message: "for ada" } }]);
  });
});

it.each([
  [`${MOZILLA}/AAA`, true],
  ["https://fcm.googleapis.com/fcm/send/AAA", true],
  ["https://web.push.apple.com/AAA", true],
  ["https://wns2-par02p.notify.windows.com/w/?token=AAA", true],
  ["http://updates.push.services.mozilla.com/AAA", false],
  ["https://updates.push.services.mozilla.com:8443/AAA", false],
  ["https://user:password@updates.push.services.mozilla.com/AAA", false],
  ["https://abc.mozaws.net/AAA", true],
  ["https://a.b.notify.windows.com/w/", false],
  ["https://sites.google.com/AAA", false],
  ["https://storage.googleapis.com/AAA", false],
  ["https://mozilla.com/AAA", false],
  ["https://notmozilla.com/AAA", false],
  ["https://example.com/x.mozilla.com/", false],
  ["https://example.com#.mozilla.com/", false],
  ["https://example.com?.mozilla.com/", false],
  ["https://mozilla.com.example.com/AAA", false],
  ["http://127.0.0.1:8080/AAA", false],
  ["https://127.0.0.1/AAA", false],
  ["no address", false],
])("%s is at a push service: %s", (endpoint, isThere) => {
  expect(isAtPushService(endpoint, false)).toBe(isThere);
});

it("endpoints on this machine are taken only where the operator allows it", async () => {
  expect(isAtPushService("http://[::1]:8080/AAA", true)).toBe(true);
  expect(isAtPushService("http://localhost:8080/AAA", true)).toBe(true);
  expect(isAtPushService("http://192.168.0.1:8080/AAA", true)).toBe(false);
  expect(isAtPushService("file://localhost/AAA", true)).toBe(false);
  const server = await start({ webPush: {} });
  const answer = await send(server, "POST", registration());
  expect(JSON.parse(answer.text)).toMatchObject({ code: 40039 });
});

describe("a push", () => {
  it("holds the message as streams have it, readable by that browser alone", async () => {
    const server = await start(onLoopback);
    await register(server);
    const message = await server.publish("a", "Grüße", {
      Title: "t",
      Priority: "5",
      Tags: "x,y",
      "X-Sequence-Id": "s",
    });
    const expected = { event: "message", subscription_id: `http://127.0.0.1:${server.server.port}/a`, message };
    expect(await pushed(server)).toEqual([expected]);
    const [push] = service.received;
    if (!push) throw new Error("no push came");
    expect(() => new Browser().read(push)).toThrow();
    expect(push.headers).toMatchObject({ "content-encoding": "aes128gcm", ttl: "43200", urgency: "high" });
    const [polled] = await server.poll("a");
    expect(polled).toEqual(message);
  });

  it("proves which server it comes from", async () => {
    const server = await start({ webPush: { allowLoopback: true, contact: "ops@example.org" } });
    await register(server);
    await server.publish("a");
    await server.server.pushed();
    const [push] = service.received;
    if (!push) throw new Error("no push came");
    const identity = readIdentity(push, await publicKey(server));
    expect(identity).toMatchObject({ aud: service.origin, sub: "mailto:ops@example.org" });
    expect(() => readIdentity(push, browser.keys.p256dh)).toThrow();
  });

  it.each([
    ["https://push.example/base/", "https://push.example/base", "https://push.example/base"],
    ["http://push.example", "http://push.example", "mailto:nobody@example.com"],
  ])("names the operator's address %s, and in links", async (baseUrl, base, contact) => {
    const server = await start({ ...onLoopback, baseUrl });
    await register(server);
    const file = await server.publish("a", "content", { Filename: "f.txt" });
    const subscription_id = `${base}/a`;
    expect(await pushed(server)).toMatchObject([
      { subscription_id, message: { attachment: { url: `${base}/file/${file.id}.txt` } } },
    ]);
    const [push] = service.received;
    if (!push) throw new Error("no push came");
    expect(readIdentity(push, await publicKey(server)).sub).toBe(contact);
  });

  it("otherwise names the address under which the browser registered", async () => {
    const server = await start(onLoopback);
    await register(server, {}, { Host: "phone.example:8080" });
    const file = await server.publish("a", "content", { Filename: "f.txt", Host: "localhost" });
    const base = "http://phone.example:8080";
    expect(await pushed(server)).toMatchObject([
      { subscription_id: `${base}/a`, message: { attachment: { url: `${base}/file/${file.id}.txt` } } },
    ]);
  });

  it("is sent for updates, clears, deletes, poll requests and uncached messages, in order", async () => {
    const server = await start(onLoopback);
    await register(server);
    await server.publish("a", "1", { "X-Sequence-Id": "s" });
    await server.publish("a", "2", { "X-Sequence-Id": "s" });
    await server.ask("/a/s/clear", { method: "PUT" });
    await server.ask("/a/s", { method: "DELETE" });
    await server.publish("a", "", { "X-Poll-Id": "p" });
    await server.publish("a", "3", { Cache: "no" });
    const told = (await pushed(server)) as { event: string; message: { event: string } }[];
    expect(told.map(({ event }) => event)).toEqual(Array<string>(6).fill("message"));
    expect(told.map(({ message }) => message)).toMatchObject([
      { event: "message", message: "1", sequence_id: "s" },
      { event: "message", message: "2", sequence_id: "s" },
      { event: "message_clear", sequence_id: "s" },
      { event: "message_delete", sequence_id: "s" },
      { event: "poll_request", poll_id: "p" },
      { event: "message", message: "3" },
    ]);
  });

  it("is sent for a scheduled message when it is due", async () => {
    const server = await start(onLoopback);
    await register(server);
    await server.publish("a", "later", { Delay: "1h" });
    expect(await pushed(server)).toEqual([]);
    server.clock.advance(3_600);
    expect(await pushed(server)).toMatchObject([{ message: { message: "later" } }]);
  });

  it("goes to every browser that is registered, and not for other topics", async () => {
    const server = await start(onLoopback);
    const endpoints = Array.from({ length: 10 }, (_, at) => `${service.origin}/push/${at}`);
    for (const endpoint of endpoints) await register(server, { endpoint });
    await server.publish("a", "x");
    await server.publish("b", "x");
    expect(await pushed(server)).toHaveLength(10);
    expect(new Set(service.received.map(({ path }) => service.origin + path))).toEqual(new Set(endpoints));
  });

  it("may have 3,993 bytes; a larger one is a hint to poll", async () => {
    const server = await start({ ...onLoopback, limits: { messageBytes: 8_192 } });
    await register(server);
    await server.publish("a", "x");
    const [small] = await pushed(server);
    const room = 3_993 - Buffer.byteLength(JSON.stringify(small));
    await server.publish("a", "x".repeat(1 + room));
    expect(await pushed(server)).toHaveLength(2);
    expect(service.received[1]?.body).toHaveLength(4_096);
    const { id, time } = await server.publish("a", "x".repeat(2 + room));
    await server.publish("a", "after");
    const [, , hint, after] = await pushed(server);
    expect(hint).toMatchObject({ event: "message", subscription_id: `${server.url}/a` });
    const { message } = hint as { message: { id: string } };
    expect(message).toMatchObject({ event: "poll_request", time, topic: "a", poll_id: id });
    expect(message.id).not.toBe(id);
    expect(decodePush(JSON.stringify(hint))).toEqual({ kind: "poll" });
    expect(after).toMatchObject({ message: { message: "after" } });
  });

  it.each([404, 410])("that is answered with %s ends the registration", async (answer) => {
    const server = await start(onLoopback);
    await register(server);
    service.answer = answer;
    await server.publish("a", "refused");
    await server.server.pushed();
    service.answer = 201;
    await server.publish("a", "after");
    await server.server.pushed();
    expect(service.received).toHaveLength(1);
    expect(server.reported).toEqual([]);
  });

  it.each([200, 201, 202, 204, 302, 400, 403, 413])("that is answered with %s ends nothing", async (answer) => {
    const server = await start(onLoopback);
    await register(server);
    service.answer = answer;
    await server.publish("a", "one");
    await server.publish("a", "two");
    expect(await pushed(server)).toHaveLength(2);
  });

  it.each([429, 500, 503, "none"] as const)(
    "that is answered with %s is tried again three times, and then given up, before the next one",
    async (answer) => {
      const server = await start(onLoopback);
      await register(server);
      service.answer = answer;
      await server.publish("a", "one");
      await server.publish("a", "two");
      expect(await pushed(server)).toHaveLength(1);
      for (const [at, waitS] of [5, 30, 120].entries()) {
        server.clock.advance(waitS - 1);
        expect(await pushed(server)).toHaveLength(at + 1);
        server.clock.advance(1);
        // After the last one follows the first of the next message.
        expect(await pushed(server)).toHaveLength(waitS === 120 ? 5 : at + 2);
      }
      service.answer = 201;
      server.clock.advance(5);
      const texts = ((await pushed(server)) as { message: { message: string } }[]).map((push) => push.message.message);
      expect(texts).toEqual(["one", "one", "one", "one", "two", "two"]);
      expect(server.reported).toEqual([]);
    },
  );

  it("to an unreachable service holds up no other browser", async () => {
    const server = await start(onLoopback, {
      fetch: (input, init) => (String(input).includes("/far/") ? Promise.reject(new Error("far")) : fetch(input, init)),
    });
    for (let at = 0; at < 9; at++) await register(server, { endpoint: `${service.origin}/far/${at}` });
    await register(server);
    for (const text of ["1", "2", "3"]) await server.publish("a", text);
    expect(await pushed(server)).toHaveLength(3);
  });

  it("to invalid keys ends the registration", async () => {
    const server = await start(onLoopback);
    await register(server, { auth: "A", p256dh: "BBBB" });
    await register(server, { endpoint: `${service.origin}/push/2` });
    await server.publish("a", "x");
    expect(await pushed(server)).toHaveLength(1);
    // The bad one no longer counts.
    await register(server, { endpoint: `${service.origin}/push/3` });
    await server.publish("a", "y");
    expect(await pushed(server)).toHaveLength(3);
    expect(server.reported).toEqual([]);
  });

  it("that fails does not end a registration that was renewed meanwhile", async () => {
    let fail: () => void = () => undefined;
    let isAsked: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    let isFirst = true;
    const server = await start(onLoopback, {
      fetch: (...request) => {
        if (!isFirst) return fetch(...request);
        isFirst = false;
        isAsked();
        return new Promise((answer) => (fail = () => answer(new Response(null, { status: 410 }))));
      },
    });
    await register(server);
    await server.publish("a", "fails");
    await asked;
    await register(server);
    fail();
    await server.publish("a", "arrives");
    expect(await pushed(server)).toMatchObject([{ message: { message: "arrives" } }]);
  });

  it("waits for the one before it to the same browser, up to a limit", async () => {
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    let isAsked: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    let underWay = 0;
    let mostAtOnce = 0;
    const server = await start(onLoopback, {
      fetch: async (...request) => {
        mostAtOnce = Math.max(mostAtOnce, ++underWay);
        isAsked();
        await held;
        const answer = await fetch(...request);
        underWay--;
        return answer;
      },
    });
    await register(server);
    await server.publish("a", "0");
    await asked;
    for (let at = 1; at <= 60; at++) await server.publish("a", String(at));
    letGo();
    const told = (await pushed(server)) as { message: { message: string } }[];
    expect(told.map(({ message }) => message.message)).toEqual(Array.from({ length: 51 }, (_, at) => String(at)));
    expect(mostAtOnce).toBe(1);
  });
});

describe("a registration that is not renewed", () => {
  const expiring = { event: "subscription_expiring" };

  it("is warned of once after 55 days and removed after 60", async () => {
    const server = await start({ ...onLoopback, cleanupInterval: DAY_S });
    await register(server);
    server.clock.advance(54 * DAY_S);
    expect(await pushed(server)).toEqual([]);
    server.clock.advance(DAY_S);
    expect(await pushed(server)).toEqual([expiring]);
    server.clock.advance(4 * DAY_S);
    expect(await pushed(server)).toEqual([expiring]);
    await server.publish("a", "still there");
    expect(await pushed(server)).toHaveLength(2);
    server.clock.advance(DAY_S);
    await server.publish("a", "gone");
    expect(await pushed(server)).toHaveLength(2);
  });

  it("begins anew when it is renewed", async () => {
    const server = await start({ ...onLoopback, cleanupInterval: DAY_S });
    await register(server);
    server.clock.advance(56 * DAY_S);
    await server.server.pushed();
    await register(server);
    server.clock.advance(54 * DAY_S);
    expect(await pushed(server)).toEqual([expiring]);
    server.clock.advance(DAY_S);
    expect(await pushed(server)).toEqual([expiring, expiring]);
  });

  it("is removed when the warning is refused", async () => {
    const server = await start({ ...onLoopback, cleanupInterval: DAY_S });
    await register(server);
    service.answer = 410;
    server.clock.advance(55 * DAY_S);
    await server.server.pushed();
    service.answer = 201;
    await server.publish("a");
    await server.server.pushed();
    expect(service.received).toHaveLength(1);
  });

  it("can be given other times", async () => {
    const webPush = { allowLoopback: true, warnAfter: "1h", expireAfter: "2h" };
    const server = await start({ webPush });
    await register(server);
    server.clock.advance(3_600);
    expect(await pushed(server)).toEqual([expiring]);
    server.clock.advance(3_600);
    await server.publish("a");
    expect(await pushed(server)).toEqual([expiring]);
  });
});

describe("after a restart", () => {
  let stateFile: string;
  beforeEach(async () => {
    stateFile = join(await newFolder(), "state.ndjson");
  });

  it("the keys, the registrations and the warnings are the same", async () => {
    const clock = new ManualClock();
    const first = await start({ ...onLoopback, stateFile }, { clock });
    const key = await publicKey(first);
    await register(first);
    await register(first, { endpoint: `${service.origin}/push/2` });
    await register(first, { endpoint: `${service.origin}/push/3`, topics: ["b"] });
    await send(first, "DELETE", { endpoint: `${service.origin}/push/2` });
    clock.advance(55 * DAY_S);
    expect(await pushed(first)).toHaveLength(2);
    await first.server.close();

    const second = await start({ ...onLoopback, stateFile }, { clock });
    expect(await publicKey(second)).toBe(key);
    clock.advance(60);
    await second.publish("a", "after the restart");
    expect((await pushed(second)).slice(2)).toMatchObject([{ message: { message: "after the restart" } }]);
    expect(service.received.at(-1)?.path).toBe("/push/1");
    clock.advance(5 * DAY_S);
    await second.publish("a", "expired");
    expect(await pushed(second)).toHaveLength(3);
  });

  it("they are still there when Web Push was off in between", async () => {
    const first = await start({ ...onLoopback, stateFile });
    const key = await publicKey(first);
    await register(first);
    await first.server.close();
    const between = await start({ stateFile });
    expect(await publicKey(between)).toBe("");
    await between.publish("a", "not pushed");
    await between.server.close();
    const last = await start({ ...onLoopback, stateFile });
    expect(await publicKey(last)).toBe(key);
    await last.publish("a", "pushed");
    expect(await pushed(last)).toMatchObject([{ message: { message: "pushed" } }]);
  });

  it("a registration that the push service ended stays ended", async () => {
    const first = await start({ ...onLoopback, stateFile });
    await register(first);
    service.answer = 410;
    await first.publish("a");
    await first.server.pushed();
    await first.server.close();
    service.answer = 201;
    const second = await start({ ...onLoopback, stateFile });
    await second.publish("a");
    await second.server.pushed();
    expect(service.received).toHaveLength(1);
  });

  it("no registration is lost to a push that was under way when the server stopped", async () => {
    const first = await start({ ...onLoopback, stateFile });
    await register(first);
    service.answer = "hang";
    await first.publish("a", "hangs");
    await first.publish("a", "waits");
    await service.until(1);
    await first.server.close();
    service.answer = 201;
    const second = await start({ ...onLoopback, stateFile });
    await second.publish("a", "arrives");
    await second.server.pushed();
    expect(service.received).toHaveLength(2);
  });

  it("nothing is pushed from a topic that the user may no longer read", async () => {
    const rules = [{ user: "*", topic: "secret", allow: "deny-all" as const }];
    const ada = { name: "ada", password: "s3cret" };
    const own = { user: "ada", topic: "secret", allow: "read-only" as const };
    const options = { ...onLoopback, stateFile };
    const first = await start({ ...options, access: { users: [ada], rules: [...rules, own] } });
    const headers = { Authorization: `Basic ${Buffer.from("ada:s3cret").toString("base64")}` };
    await register(first, { topics: ["secret", "a"] }, headers);
    await first.server.close();
    for (const access of [{ users: [ada], rules }, { rules }]) {
      const next = await start({ ...options, access });
      await next.server.publish({ topic: "secret", message: "not theirs" });
      await next.server.publish({ topic: "a", message: "everybody's" });
      await next.server.pushed();
      await next.server.close();
    }
    const told = service.received.map((push) => browser.read(push));
    expect(told).toMatchObject([{ message: { topic: "a" } }, { message: { topic: "a" } }]);
  });

  it("keys of the options come before those of the file", async () => {
    const first = await start({ ...onLoopback, stateFile });
    const made = await publicKey(first);
    await first.server.close();
    const keys = vapid.generateVAPIDKeys();
    const second = await start({ webPush: { allowLoopback: true, ...keys }, stateFile });
    expect(await publicKey(second)).toBe(keys.publicKey);
    await register(second);
    await second.publish("a", "x");
    await second.server.pushed();
    const [push] = service.received;
    if (!push) throw new Error("no push came");
    expect(readIdentity(push, keys.publicKey).aud).toBe(service.origin);
    await second.server.close();
    expect(await publicKey(await start({ ...onLoopback, stateFile }))).toBe(made);
  });
});
