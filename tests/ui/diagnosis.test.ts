import fc from "fast-check";
import { expect, test } from "vitest";
import type { ServerStatus } from "../../src/contract";
import type { Failure, ServerAddress } from "../../src/protocol";
import { completeness } from "../../src/ui/state/topics/completeness";
import { diagnosis } from "../../src/ui/topics/server/diagnosis";
import { catalogue, server, subscription } from "./fake-client";

/** Texts that the diagnosis must not contain, in every place where a user or a server can put them. */
interface Secrets {
  host: string;
  topic: string;
  name: string;
  user: string;
  password: string;
}

function told({ host, topic, name, user, password }: Secrets): string {
  const said = `${host} ${topic} ${user} ${password}`;
  const failures: Failure[] = [
    { kind: "http", status: 502, code: 1, text: said },
    { kind: "malformed", text: said },
    { kind: "forbidden", code: 40301, topics: [topic] },
  ];
  const statuses = failures.map((why, at): ServerStatus => ({
    serverId: at + 1,
    state: at === 0 ? { kind: "waiting", attempt: 2, nextTryAtMs: 5, why } : { kind: "refused", why },
    checking: false,
    malformed: 3,
    recentRequests: 7,
    cacheless: false,
    refusedTopics: [topic],
    waitingTopics: [],
  }));
  return diagnosis({
    catalogue: catalogue({
      servers: [1, 2, 3].map((serverId) => server({ serverId, address: `https://${host}` as ServerAddress, name })),
      gaps: [{ subId: 1, from: 10, to: 20 }],
      accounts: [{ accountId: 1, serverId: 1, credentials: { kind: "basic", user, password }, refusedAtMs: 1 }],
      subscriptions: [1, 2, 3].map((subId) =>
        subscription({
          subId,
          serverId: subId,
          topic,
          displayName: name,
          group: name,
          newest: { id: topic, time: 1, arrival: 1, text: said },
        }),
      ),
    }),
    damage: { messages: 2, views: 1 },
    group: {
      kind: "member",
      address: `https://${host}` as ServerAddress,
      devices: [{ deviceId: user, name, isThis: true, isInStep: true, shares: [] }],
      waiting: 2,
      trouble: { why: { kind: "http", status: 507, text: said }, nextTryAtMs: 0 },
    },
    statuses: new Map(statuses.map((status) => [status.serverId, status])),
    environment: { secure: true, storage: "database", worker: "shared" },
    build: "2026-11-21",
    browser: "Browser/1",
    online: true,
    nowMs: 1_000_000,
  });
}

const PLAIN: Secrets = { host: "host.example", topic: "topic", name: "Name", user: "user", password: "password" };

test("a diagnosis does not depend on hosts, topics, names and credentials", () => {
  const text = fc.string({ minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(fc.record({ host: text, topic: text, name: text, user: text, password: text }), (secrets) => {
      expect(told(secrets)).toBe(told(PLAIN));
    }),
  );
});

test("a diagnosis contains states, codes and figures, and calls topics by constant numbers", () => {
  const text = told(PLAIN);
  expect(text).toContain(
    '"state":{"kind":"waiting","attempt":2,"nextTryAtMs":5,"why":{"kind":"http","status":502,"code":1}}',
  );
  expect(text).toContain('"state":{"kind":"refused","why":{"kind":"forbidden","code":40301}}');
  expect(text).toContain('"malformed":3,"recentRequests":7');
  expect(text).toContain('account {"serverId":1,"accountId":1,"refusedAtMs":1}');
  expect(text).toContain('"damaged":"2 messages, 1 views"');
  expect(text).toContain(
    'devices {"kind":"member","devices":1,"inStep":1,"waiting":2,"trouble":{"nextTryAtMs":0,"why":{"kind":"http"',
  );
  for (const number of [1, 2, 3]) {
    expect(text).toMatch(new RegExp(`^server {"serverId":${number}\\b`, "m"));
    expect(text).toMatch(new RegExp(`^topic {.*"serverId":${number},.*"subId":${number}\\b`, "m"));
  }
});

test("a topic is complete since its newest gap, or since it was wanted, or as far back as the server kept", () => {
  const gaps = [
    { subId: 1, from: 10, to: 20 },
    { subId: 1, from: 40, to: 50 },
    { subId: 2, from: 90, to: 99 },
  ];
  expect(completeness(subscription({ joined: 1 }), gaps)).toEqual({ kind: "since", time: 50 });
  expect(completeness(subscription({ joined: 1, fromTime: 70 }), gaps)).toEqual({ kind: "since", time: 70 });
  expect(completeness(subscription({ subId: 3, joined: 1 }), gaps)).toEqual({ kind: "all" });
  expect(completeness(subscription(), gaps)).toEqual({ kind: "unchecked" });
  expect(completeness(subscription({ joined: 1, refusedCode: 40301 }), gaps)).toEqual({ kind: "refused" });
});
