import { expect, test } from "vitest";
import { newestFirst, rowKey, type StoredMessage } from "../../src/contract";
import { ChangesMeanwhile, HeldRows } from "../../src/ui/feed/feed-window.svelte";

const row = (id: number): StoredMessage => ({
  ...{ subId: 1, time: id, id: `m${id}`, arrival: id, via: "stream", receivedAtMs: 0 },
  event: { event: "message", id: `m${id}`, time: id, topic: "a", message: "" },
});
const rows = (count: number): StoredMessage[] => Array.from({ length: count }, (_, at) => row(at));
const byKey = (changed: StoredMessage[]) => new Map(changed.map((one) => [rowKey(one), one]));

test("held-back rows are counted, but only the newest stay in memory", () => {
  const held = new HeldRows(newestFirst);
  held.hold(rows(150));
  expect([held.count, held.isComplete]).toEqual([150, true]);
  held.hold(rows(250).slice(150));
  expect([held.count, held.isComplete]).toEqual([250, false]);
  const mayHold = () => [0, 249, 250].map((id) => held.mayHold(row(id)));
  expect(mayHold(), "the first may be among those only counted").toEqual([true, true, false]);
  expect(held.release()).toHaveLength(200);
  expect([held.count, held.isComplete]).toEqual([0, true]);
  expect(mayHold()).toEqual([false, false, false]);
});

test("rows that were left out of an announcement are counted, or make the number a part", () => {
  const held = new HeldRows(newestFirst);
  held.hold(rows(2));
  held.countUnread(5);
  expect([held.count, held.isPart, held.isComplete]).toEqual([7, false, false]);
  held.countUnread(undefined);
  expect([held.count, held.isPart]).toEqual([7, true]);
  expect(held.release()).toHaveLength(2);
  expect([held.count, held.isPart, held.isComplete]).toEqual([0, false, true]);
});

test("held-back rows that change, no longer belong or are removed follow", () => {
  const held = new HeldRows(newestFirst);
  held.hold(rows(4));
  const changed = { ...row(1), readAtMs: 5 };
  held.change(byKey([changed, row(2), row(9)]), new Set([rowKey(row(3))]), ({ id }) => id !== "m2");
  expect(held.count).toBe(2);
  expect(held.release()).toEqual([row(0), changed]);
});

test("changes are collected only while a page is being read, until the last read has ended", () => {
  const changes = new ChangesMeanwhile();
  changes.change(byKey([row(1)]), new Set());
  expect(changes.changed.size).toBe(0);
  changes.begin();
  changes.begin();
  changes.change(byKey([row(1), row(2)]), new Set());
  changes.change(byKey([row(3)]), new Set([rowKey(row(2))]));
  changes.end();
  expect([...changes.changed.keys(), ...changes.removed]).toEqual([row(1), row(3), row(2)].map(rowKey));
  changes.change(byKey([row(2)]), new Set());
  expect(changes.removed.size, "it is there again").toBe(0);
  changes.end();
  expect([changes.isReading, changes.changed.size]).toEqual([false, 0]);
});
