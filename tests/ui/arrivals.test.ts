import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { HubEvent, StoredMessage } from "../../src/contract";
import { Arrivals, GATHER_MS, REST_MS, SAID_MS } from "../../src/ui/alerts/arrivals.svelte";
import { row } from "./fake-reader";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => vi.useRealTimers());

const TOPICS: Record<number, string> = { 1: "backups", 2: "door", 3: "sensors", 4: "ci", 5: "deploys" };
const arrivals = () => new Arrivals(({ subId }) => TOPICS[subId]);

function added(rows: StoredMessage[], more = 0): HubEvent {
  return { kind: "rows", added: rows, changed: [], removed: [], more, counts: [], total: rows.length, lastArrival: 0 };
}

test("messages that come together are announced as one, once all have come", () => {
  const told = arrivals();
  for (const number of [1, 2, 3]) told.heard(added([row(number)]));
  expect(told.text, "not at once, not for each").toBe("");
  vi.advanceTimersByTime(GATHER_MS);
  expect(told.text).toBe("3 new messages in backups");
});

test("later messages wait and are announced together; silence is not announced", () => {
  const told = arrivals();
  told.heard(added([row(1)]));
  vi.advanceTimersByTime(GATHER_MS);
  expect(told.text).toBe("1 new message in backups");
  vi.advanceTimersByTime(SAID_MS);
  expect(told.text, "nobody comes upon it later").toBe("");
  for (let number = 2; number < 40; number++) told.heard(added([row(number, { subId: 2 })]));
  vi.advanceTimersByTime(REST_MS - SAID_MS - 1);
  expect(told.text).toBe("");
  vi.advanceTimersByTime(1);
  expect(told.text).toBe("38 new messages in door");
  vi.advanceTimersByTime(REST_MS * 2);
  expect(told.text).toBe("");
  told.heard(added([row(40)]));
  vi.advanceTimersByTime(GATHER_MS);
  expect(told.text, "after a rest the next comes soon").toBe("1 new message in backups");
});

test("few topics are named and many counted, urgent messages are mentioned, and none is forgotten", () => {
  const said = (rows: StoredMessage[], more = 0) => {
    const told = arrivals();
    told.heard(added(rows, more));
    vi.advanceTimersByTime(GATHER_MS);
    return told.text;
  };
  const urgent = row(2, { subId: 2 });
  urgent.event = { ...urgent.event, priority: 5 };
  expect(said([row(1), urgent])).toBe("2 new messages in backups and door, 1 urgent");
  expect(said([1, 2, 3, 4].map((subId) => row(subId, { subId })))).toBe("4 new messages in 4 topics");
  expect(said([row(1)], 500)).toBe("1 or more new messages in backups");
});

test("read, scheduled, replaced and muted messages are not announced", () => {
  const told = arrivals();
  told.heard(added([row(1, { readAtMs: 1 }), row(2, { scheduled: 1 }), row(3, { supersededBy: "m4" })]));
  told.heard(added([row(4, { subId: 99 })], 10));
  vi.advanceTimersByTime(GATHER_MS);
  expect(told.text).toBe("");
});

test("a scheduled message is announced when it falls due, and not when it changes later", () => {
  const told = arrivals();
  const fallen = row(1, { receivedAtMs: Date.now() - 60_000, alertedAtMs: Date.now() });
  told.heard({ ...(added([]) as Extract<HubEvent, { kind: "rows" }>), changed: [fallen] });
  vi.advanceTimersByTime(GATHER_MS);
  expect(told.text).toBe("1 new message in backups");
  vi.advanceTimersByTime(REST_MS);
  const starred = { ...fallen, alertedAtMs: Date.now() - 30_000, starred: 1 as const };
  told.heard({ ...(added([]) as Extract<HubEvent, { kind: "rows" }>), changed: [starred] });
  vi.advanceTimersByTime(GATHER_MS);
  expect(told.text).toBe("");
});

test("messages that a full disk keeps from being stored are announced too", () => {
  const told = arrivals();
  told.heard({ kind: "unstored", rows: [row(1)] });
  vi.advanceTimersByTime(GATHER_MS);
  expect(told.text).toBe("1 new message in backups");
});
