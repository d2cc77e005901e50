import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  serverUrl,
  decodePush,
  isPushScope,
  MAX_PUSH_TOPICS,
  pushKeyBytes,
  pushScope,
  readPushKey,
  readPushTarget,
  registerPushBody,
  splitPushTopics,
  unregisterPushBody,
  type PushPayload,
  type ServerAddress,
} from "../../src/protocol";

const ADDRESS = "https://push.example.com" as ServerAddress;
const MESSAGE = { id: "aBcDeFgHiJkL", time: 1_700_000_000, expires: 1_700_043_200, topic: "doors", message: "open" };
const TARGET = { endpoint: "https://updates.push.services.mozilla.com/wpush/v2/AAA", auth: "A", p256dh: "B" };
/** It has the form of a point on the curve, and only the form is checked. */
const KEY = Buffer.from([4, ...new Uint8Array(64).fill(7)]).toString("base64url");

const push = (value: unknown): PushPayload => decodePush(JSON.stringify(value));

describe("a push", () => {
  it("holds a message, in the server's words or in those of newer servers", () => {
    const event = { ...MESSAGE, event: "message" };
    expect(push({ event: "message", subscription_id: `${ADDRESS}/doors`, message: event })).toEqual({
      kind: "event",
      event,
    });
  });

  it.each(["message_clear", "message_delete"])("holds a %s, whichever way it is named", (name) => {
    const event = { id: "x", time: 1, topic: "doors", event: name, sequence_id: "s" };
    expect(push({ event: "message", message: event })).toEqual({ kind: "event", event });
    expect(push({ event: name, message: event })).toEqual({ kind: "event", event });
  });

  it("asks for a poll", () => {
    const event = { id: "x", time: 1, topic: "doors", event: "poll_request" };
    expect(push({ event: "message", message: event })).toEqual({ kind: "poll" });
  });

  it("warns that the registration ends, or only keeps alive", () => {
    expect(push({ event: "subscription_expiring" })).toEqual({ kind: "expiring" });
    expect(push({ event: "keepalive" })).toEqual({ kind: "unknown" });
  });

  it.each([
    "",
    "hello",
    "[]",
    "null",
    "{}",
    '{"event":7}',
    '{"event":"__proto__"}',
    '{"event":"later"}',
    '{"event":"message"}',
    '{"event":"message","message":"text"}',
    '{"event":"message","message":{"event":"message","id":"x"}}',
    '{"event":"message","message":{"event":"open","id":"x","time":1,"topic":"t"}}',
  ])("that is %s is unknown", (text) => {
    expect(decodePush(text)).toEqual({ kind: "unknown" });
  });

  it("that is longer than any service takes is unknown", () => {
    const event = { ...MESSAGE, event: "message", message: "x".repeat(4_096) };
    expect(push({ event: "message", message: event })).toEqual({ kind: "unknown" });
  });

  it("may hold anything without harm, and a message only if it is one", () => {
    const field = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.constant("message"), fc.jsonValue());
    const anything = fc.record(
      {
        event: field,
        subscription_id: field,
        message: fc.oneof(field, fc.record({ event: field, id: field, time: field })),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          anything.map((value) => JSON.stringify(value)),
        ),
        (text) => {
          const held = decodePush(text);
          if (held.kind !== "event") return;
          expect(typeof held.event.id).toBe("string");
          expect(Number.isSafeInteger(held.event.time)).toBe(true);
        },
      ),
    );
  });
});

describe("a registration", () => {
  it("is requested in the form that the reference server accepted", () => {
    const file = join(import.meta.dirname, "../vectors/web-push.json");
    const { vectors } = JSON.parse(readFileSync(file, "utf8")) as {
      vectors: { name: string; steps: { request: { method: string; path: string; body: string } }[] }[];
    };
    const steps = vectors.find(({ name }) => name === "registering, replacing, removing")?.steps ?? [];
    const [first, , removed] = steps.map(({ request }) => request);
    const target = { ...TARGET, auth: "AAAAAAAAAAAAAAAAAAAAAA", p256dh: "BBBB" };
    expect(`${ADDRESS}${first?.path}`).toBe(serverUrl(ADDRESS, "webPush"));
    expect(registerPushBody(target, ["{{a}}"])).toBe(first?.body);
    expect(unregisterPushBody(TARGET.endpoint)).toBe(removed?.body);
  });

  it("names no topic twice", () => {
    expect(JSON.parse(registerPushBody(TARGET, ["a", "b", "a"]))).toMatchObject({ topics: ["a", "b"] });
  });

  it("is read from what the browser says", () => {
    const { endpoint, auth, p256dh } = TARGET;
    expect(readPushTarget({ endpoint, expirationTime: null, keys: { auth, p256dh } })).toEqual(TARGET);
    expect(readPushTarget({ endpoint, keys: { auth } })).toBeUndefined();
    expect(readPushTarget({ endpoint: "", keys: { auth, p256dh } })).toBeUndefined();
    expect(readPushTarget({ endpoint })).toBeUndefined();
    expect(readPushTarget(null)).toBeUndefined();
  });

  it("has as few parts as its topics fit into, with each topic in one", () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{1,3}$/), { maxLength: 200 }), (topics) => {
        const lists = splitPushTopics(topics);
        const all = lists.flat();
        expect(new Set(all)).toEqual(new Set(topics));
        expect(all).toHaveLength(new Set(topics).size);
        expect(lists).toHaveLength(Math.ceil(all.length / MAX_PUSH_TOPICS));
        for (const list of lists) expect(list.length).toBeLessThanOrEqual(MAX_PUSH_TOPICS);
      }),
    );
  });
});

describe("the scope of a registration", () => {
  it("is the same each time, and different for each server and part", () => {
    const address = fc.domain().map((host) => `https://${host}` as ServerAddress);
    const part = fc.integer({ min: 1, max: 9 });
    fc.assert(
      fc.property(address, part, address, part, (one, first, other, second) => {
        expect(isPushScope(pushScope(one, first))).toBe(true);
        expect(pushScope(one, first) === pushScope(other, second)).toBe(one === other && first === second);
      }),
    );
  });

  it("is not that of the app, nor anything else", () => {
    for (const scope of ["./", "./push/", "./push/abc/", "./push/../-1/", "/push/abc-1/"]) {
      expect(isPushScope(scope)).toBe(false);
    }
  });
});

describe("the key of a server", () => {
  it("is in its configuration", () => {
    expect(serverUrl(ADDRESS, "clientConfig")).toBe("https://push.example.com/v1/config");
    expect(serverUrl(ADDRESS, "clientScript")).toBe("https://push.example.com/config.js");
    expect(readPushKey({ enable_web_push: true, web_push_public_key: KEY })).toEqual({ ok: true, value: KEY });
    expect(pushKeyBytes(KEY)).toHaveLength(65);
  });

  it("may have padding, which browsers don't take", () => {
    expect(readPushKey({ web_push_public_key: `${KEY}=` })).toEqual({ ok: true, value: KEY });
  });

  it.each([
    [{ enable_web_push: false, web_push_public_key: "" }, "off"],
    [{ enable_web_push: false, web_push_public_key: KEY }, "off"],
    [{ enable_web_push: true, web_push_public_key: "" }, "off"],
    [{ web_push_public_key: 7 }, "no-key"],
    [{ web_push_public_key: "AAAA" }, "no-key"],
    [{ web_push_public_key: KEY.replace("B", "*") }, "no-key"],
    [{ web_push_public_key: `BC${KEY}` }, "no-key"],
    [{ base_url: "" }, "strange"],
    [[], "strange"],
    ["text", "strange"],
    [undefined, "strange"],
  ])("is missing in %j", (config, problem) => {
    expect(readPushKey(config)).toEqual({ ok: false, error: problem });
  });

  it("is taken from a configuration only if browsers accept it", () => {
    const bytes = fc.uint8Array({ minLength: 64, maxLength: 66 });
    fc.assert(
      fc.property(bytes, fc.boolean(), (key, isPoint) => {
        const text = Buffer.from(isPoint ? [4, ...key] : key).toString("base64url");
        const decoded = Buffer.from(text, "base64url");
        const isKey = decoded.length === 65 && decoded[0] === 4;
        expect(readPushKey({ web_push_public_key: text }).ok).toBe(isKey);
        expect(pushKeyBytes(text)).toEqual(isKey ? Uint8Array.from(decoded) : undefined);
      }),
    );
  });

  it("is never anything but a key, whatever the configuration says", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (isOn, key) => {
        const read = readPushKey({ enable_web_push: isOn, web_push_public_key: key });
        if (read.ok) expect(pushKeyBytes(read.value)).toBeDefined();
      }),
    );
  });
});
