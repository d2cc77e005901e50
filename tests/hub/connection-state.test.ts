import { describe, expect, test } from "vitest";
import type { Failure } from "../../src/protocol";
import { connectionState, type StateFacts } from "../../src/hub/connection-state";
import { ServerPlan } from "../../src/hub/server-plan";

const GONE: Failure = { kind: "network" };
const server = { serverId: 1, address: "https://topics.example" as never, createdAtMs: 0 };
const plan = new ServerPlan({ server, accounts: [], subscriptions: [] } as never);
const trying: StateFacts = {
  phase: { kind: "trying" },
  isIdle: false,
  plan,
  askAtMs: undefined,
  live: undefined,
  offlineSinceMs: undefined,
  failures: 2,
  sinceMs: 100,
};
const waiting = { kind: "waiting", timer: undefined, nextTryAtMs: 500, isAtOnce: false, why: GONE } as const;
const live = { transport: "json" } as const;

describe("the state that users see", () => {
  test("says that it is connecting until something gets through, and why the last try ended", () => {
    expect(connectionState(trying)).toEqual({ kind: "connecting", attempt: 2, sinceMs: 100 });
    const again = { ...trying, phase: { kind: "trying", why: GONE } as const };
    expect(connectionState(again)).toEqual({ kind: "connecting", attempt: 2, sinceMs: 100, why: GONE });
  });

  test("says that it is waiting, unless the wait is too short to be shown", () => {
    expect(connectionState({ ...trying, phase: waiting })).toEqual({
      kind: "waiting",
      attempt: 2,
      nextTryAtMs: 500,
      why: GONE,
    });
    expect(connectionState({ ...trying, phase: { ...waiting, isAtOnce: true } })).toMatchObject({
      kind: "connecting",
      why: GONE,
    });
  });

  test("is live while everything is received, even while a poll that failed is waited for", () => {
    expect(connectionState({ ...trying, phase: waiting, live })).toEqual({ kind: "live", sinceMs: 100, ...live });
  });

  test("says that the device is offline rather than that the server is gone, but not while messages come", () => {
    const offline = { ...trying, phase: waiting, offlineSinceMs: 50 };
    expect(connectionState(offline)).toEqual({ kind: "offline", sinceMs: 50 });
    expect(connectionState({ ...offline, live }).kind).toBe("live");
  });

  test("says before anything else that it has stopped, as only the user can end that", () => {
    const stopped = {
      ...trying,
      phase: { kind: "stopped", why: GONE } as const,
      isIdle: true,
      live,
      offlineSinceMs: 1,
    };
    expect(connectionState(stopped)).toEqual({ kind: "stopped", why: GONE });
  });

  test("is idle if there is nothing to receive, and refused if nothing may be received", () => {
    expect(connectionState({ ...trying, isIdle: true })).toEqual({ kind: "idle" });
    const refused = { subId: 1, accountId: 0, topic: "a", refusedCode: 40301 };
    const none = new ServerPlan({ server, accounts: [], subscriptions: [refused] } as never);
    expect(connectionState({ ...trying, isIdle: true, plan: none })).toMatchObject({
      kind: "refused",
      why: { kind: "forbidden", code: 40301, topics: ["a"] },
    });
  });
});
