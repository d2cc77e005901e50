import { beforeEach, expect, test, vi } from "vitest";
import type { ServerAddress } from "../../src/protocol";
import { originOf } from "../../src/ui/message/origin";
import { App } from "../../src/ui/state/app.svelte";
import { sharedNames, topicName } from "../../src/ui/state/topics/names";
import { ADDRESS, catalogue, FakeClient, server, subscription } from "./fake-client";
import { stubPage } from "./stub-page";

const OTHER = "https://other.example" as ServerAddress;

beforeEach(() => {
  stubPage();
  return () => vi.unstubAllGlobals();
});

test("a topic name given by someone else can't change the text direction", () => {
  expect(topicName({ topic: "nas", displayName: "invoice\u202efdp.exe" })).toBe("invoicefdp.exe");
});

test("topics share a name if they go by it on several servers, while they are subscribed", () => {
  const alerts = subscription({ topic: "alerts" });
  const there = { subId: 2, serverId: 2 };
  expect(sharedNames([alerts, subscription({ ...there, topic: "alerts" })])).toEqual(new Set(["alerts"]));
  expect(sharedNames([alerts, subscription({ ...there, topic: "x", displayName: "alerts" })])).toEqual(
    new Set(["alerts"]),
  );
  expect(sharedNames([alerts, subscription({ ...there, topic: "alerts", displayName: "Office" })])).toEqual(new Set());
  expect(sharedNames([alerts, subscription({ subId: 2, topic: "x", displayName: "alerts" })])).toEqual(new Set());
});

test("a message names its server only while its topic shares its name", () => {
  const client = new FakeClient(
    catalogue({
      servers: [server({ name: "Home" }), server({ serverId: 2, address: OTHER })],
      subscriptions: [
        subscription({ topic: "alerts" }),
        subscription({ subId: 2, serverId: 2, topic: "alerts" }),
        subscription({ subId: 3, serverId: 2, topic: "cron" }),
      ],
    }),
  );
  const { catalogue: tables } = new App(client, client.tables, ADDRESS);
  const named = () => [1, 2, 3].map((subId) => originOf(tables, subId)?.serverName);
  expect(named()).toEqual(["Home", "other.example", undefined]);
  tables.applyOptimistically({
    subscriptions: client.tables.subscriptions.map((one) => (one.subId === 2 ? { ...one, removedAtMs: 1 } : one)),
  });
  expect(named()).toEqual([undefined, undefined, undefined]);
});
