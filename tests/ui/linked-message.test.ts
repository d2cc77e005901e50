import { expect, test } from "vitest";
import type { ConnectionState, ServerStatus } from "../../src/contract";
import { isSettled, type LinkedMessage } from "../../src/ui/state/navigation/linked-message";

const linked: LinkedMessage = { id: "abc", at: 1_000, sinceMs: 2_000_000, isMissed: false };
const live: ConnectionState = { kind: "live", sinceMs: 0, transport: "json" };

function status(state: ConnectionState, lastCompleteAtMs?: number): ServerStatus {
  return {
    serverId: 1,
    state,
    checking: false,
    malformed: 0,
    recentRequests: 0,
    cacheless: false,
    refusedTopics: [],
    waitingTopics: [],
    ...(lastCompleteAtMs !== undefined && { lastCompleteAtMs }),
  };
}

test("a message may still come while its server is unknown or being connected to", () => {
  expect(isSettled(linked, undefined)).toBe(false);
  expect(isSettled(linked, status({ kind: "idle" }))).toBe(false);
  expect(isSettled(linked, status({ kind: "connecting", attempt: 1, sinceMs: 0 }, 3_000_000))).toBe(false);
});

test("from a live server it may come until a complete check after its time, or after the link was followed", () => {
  expect(isSettled(linked, status(live))).toBe(false);
  expect(isSettled(linked, status(live, 1_000_999))).toBe(false);
  expect(isSettled(linked, status(live, 1_001_001))).toBe(true);
  const ahead = { ...linked, at: 9_000 };
  expect(isSettled(ahead, status(live, 1_999_000))).toBe(false);
  expect(isSettled(ahead, status(live, 2_001_000))).toBe(true);
});

test("from an unreachable server it does not come for now", () => {
  expect(isSettled(linked, status({ kind: "offline", sinceMs: 0 }))).toBe(true);
  const waiting = { kind: "waiting", attempt: 2, nextTryAtMs: 1, why: { kind: "network" } } as const;
  expect(isSettled(linked, status(waiting))).toBe(true);
  expect(isSettled(linked, status({ kind: "refused", why: { kind: "unauthorized", code: 40101 } }))).toBe(true);
});
