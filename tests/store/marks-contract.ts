import { MAX_MUTE_MS, type Mark, type MessageKey } from "../../src/contract";
import { beforeEach, describe, expect, test } from "vitest";
import { DELETE_UNDO_MS, type Store } from "../../src/store";
import { checkConsistency } from "./check-consistency";
import { feedIds, message, must, NOW_MS, NOW_S, receive, storeWith, type Engine } from "./samples";

export function describeMarks(makeEngine: () => Engine): void {
  describe("marks, delete and undo", () => {
    let engine: Engine;
    let store: Store;
    let subId: number;
    let other: number;
    const at = (id: string, time = NOW_S): MessageKey => [subId, time, id];

    beforeEach(async () => {
      engine = makeEngine();
      const made = await storeWith(engine, ["backups", "doors"]);
      store = made.store;
      [subId, other] = made.subIds as [number, number];
      await receive(store, subId, [message("a", NOW_S - 2, { priority: 5 }), message("b", NOW_S - 1), message("c")]);
    });

    test("read and unread change the counters, and only once", async () => {
      const read = must(await store.mark([at("a", NOW_S - 2), at("c")], { kind: "read", on: true }, NOW_MS));
      expect(read.changed.map((row) => [row.id, row.readAtMs])).toEqual([
        ["a", NOW_MS],
        ["c", NOW_MS],
      ]);
      expect(read.counts).toMatchObject([{ subId, unread: 1, unreadUrgent: 0, total: 3 }]);
      const again = must(await store.mark([at("c"), at("c")], { kind: "read", on: true }, NOW_MS + 1));
      expect([again.changed, again.counts]).toEqual([[], []]);
      const unread = must(await store.mark([at("a", NOW_S - 2)], { kind: "read", on: false }, NOW_MS));
      expect(unread.counts).toMatchObject([{ unread: 2, unreadUrgent: 1 }]);
      await checkConsistency(engine);
    });

    test("skips messages that are not stored", async () => {
      const changes = must(await store.mark([at("zzz"), [999, 1, "x"]], { kind: "starred", on: true }, NOW_MS));
      expect(changes).toEqual({ changed: [], removed: [], counts: [], total: 3, lastArrival: 3, inverse: [] });
    });

    test("a done message leaves the feed and is not unread, and undo restores it as it was", async () => {
      const done = must(await store.mark([at("b", NOW_S - 1)], { kind: "done", on: true }, NOW_MS));
      expect(done.counts).toMatchObject([{ unread: 2, total: 3 }]);
      expect(await feedIds(store)).toEqual(["c", "a"]);
      expect(await feedIds(store, { list: "done" })).toEqual(["b"]);
      await checkConsistency(engine);
      must(await store.mark([at("b", NOW_S - 1)], { kind: "done", on: false }, NOW_MS));
      expect(await feedIds(store)).toEqual(["c", "b", "a"]);
      expect(await feedIds(store, { list: "done" })).toEqual([]);
      expect((await checkConsistency(engine)).subscriptions[0]?.unread).toBe(3);
    });

    test("a snoozed message comes back as unread when its time has come", async () => {
      const key = at("b", NOW_S - 1);
      must(await store.mark([key], { kind: "read", on: true }, NOW_MS));
      must(await store.mark([key], { kind: "snooze", untilMs: NOW_MS + 500 }, NOW_MS));
      expect(await feedIds(store)).toEqual(["c", "a"]);
      await checkConsistency(engine);
      const early = must(await store.wakeSnoozed(NOW_MS + 499));
      expect([early.changed, early.nextWakeMs]).toEqual([[], NOW_MS + 500]);
      const woken = must(await store.wakeSnoozed(NOW_MS + 500));
      expect(woken.changed.map((row) => [row.id, row.readAtMs, row.wokenAtMs])).toEqual([
        ["b", undefined, NOW_MS + 500],
      ]);
      expect([woken.counts[0]?.unread, woken.nextWakeMs]).toEqual([3, undefined]);
      expect(await feedIds(store)).toEqual(["c", "b", "a"]);
      await checkConsistency(engine);
    });

    test("a message snoozed while the clock was years ahead comes back, and a long snooze stays", async () => {
      must(await store.mark([at("c")], { kind: "snooze", untilMs: NOW_MS + MAX_MUTE_MS + 1 }, NOW_MS));
      must(await store.mark([at("b", NOW_S - 1)], { kind: "snooze", untilMs: NOW_MS + MAX_MUTE_MS }, NOW_MS));
      const woken = must(await store.wakeSnoozed(NOW_MS));
      expect([woken.changed.map(({ id }) => id), woken.nextWakeMs]).toEqual([["c"], NOW_MS + MAX_MUTE_MS]);
      expect(await feedIds(store)).toEqual(["c", "a"]);
      await checkConsistency(engine);
    });

    test("a snoozed message that was done meanwhile stays done and read", async () => {
      const key = at("b", NOW_S - 1);
      must(await store.mark([key], { kind: "read", on: true }, NOW_MS));
      must(await store.mark([key], { kind: "snooze", untilMs: NOW_MS + 500 }, NOW_MS));
      must(await store.mark([key], { kind: "done", on: true }, NOW_MS));
      expect(await feedIds(store, { list: "snoozed", direction: "newer" })).toEqual([]);
      const woken = must(await store.wakeSnoozed(NOW_MS + 500));
      expect(woken.changed).toMatchObject([{ id: "b", readAtMs: NOW_MS, doneAtMs: NOW_MS }]);
      await checkConsistency(engine);
    });

    test("snoozed messages are listed by the moment of their return, page by page", async () => {
      const delays: Record<string, number> = { a: 300, b: 100, c: 200 };
      for (const [key, delay] of [at("a", NOW_S - 2), at("b", NOW_S - 1), at("c")].map(
        (key) => [key, delays[key[2]] ?? 0] as const,
      )) {
        must(await store.mark([key], { kind: "snooze", untilMs: NOW_MS + delay }, NOW_MS));
      }
      expect(await feedIds(store, { list: "snoozed", direction: "newer", count: 1 })).toEqual(["b", "c", "a"]);
      expect(await feedIds(store, { list: "snoozed", count: 2 })).toEqual(["a", "c", "b"]);
      expect(await feedIds(store, { list: "snoozed", subIds: [other] })).toEqual([]);
    });

    test("a change returns what undoes it", async () => {
      const keys = [at("a", NOW_S - 2), at("b", NOW_S - 1), at("c")];
      must(await store.mark([at("b", NOW_S - 1)], { kind: "snooze", untilMs: NOW_MS + 1 }, NOW_MS));
      const { inverse } = must(await store.mark(keys, { kind: "snooze", untilMs: NOW_MS + 2 }, NOW_MS));
      expect(inverse).toEqual([
        { mark: { kind: "snooze", untilMs: null }, keys: [at("a", NOW_S - 2), at("c")] },
        { mark: { kind: "snooze", untilMs: NOW_MS + 1 }, keys: [at("b", NOW_S - 1)] },
      ]);
      must(await store.mark([at("c")], { kind: "starred", on: true }, NOW_MS));
      expect(must(await store.mark(keys, { kind: "starred", on: true }, NOW_MS)).inverse).toEqual([
        { mark: { kind: "starred", on: false }, keys: [at("a", NOW_S - 2), at("b", NOW_S - 1)] },
      ]);
    });

    test("an undo restores when a message was read, done and brought back, even once a snooze is over", async () => {
      const key = at("b", NOW_S - 1);
      const set = async (mark: Mark, nowMs: number) => must(await store.mark([key], mark, nowMs)).inverse;
      const stored = () => store.reader.get(key);
      await set({ kind: "snooze", untilMs: NOW_MS + 10 }, NOW_MS);
      must(await store.wakeSnoozed(NOW_MS + 10));
      await set({ kind: "read", on: true }, NOW_MS + 20);
      const before = await stored();
      expect(before).toMatchObject({ wokenAtMs: NOW_MS + 10, readAtMs: NOW_MS + 20 });
      for (const mark of [
        { kind: "read", on: false },
        { kind: "done", on: true },
        { kind: "snooze", untilMs: NOW_MS + 40 },
      ] as const) {
        const [back] = await set(mark, NOW_MS + 30);
        await set(back?.mark as Mark, NOW_MS + 35);
        expect(await stored()).toEqual(before);
      }
      const [back] = await set({ kind: "snooze", untilMs: NOW_MS + 40 }, NOW_MS + 36);
      must(await store.wakeSnoozed(NOW_MS + 50));
      await set(back?.mark as Mark, NOW_MS + 60);
      expect(await stored()).toEqual(before);
      await set({ kind: "done", on: true }, NOW_MS + 70);
      const done = await stored();
      const [undone] = await set({ kind: "done", on: false }, NOW_MS + 80);
      await set(undone?.mark as Mark, NOW_MS + 90);
      expect(await stored()).toEqual(done);
      await checkConsistency(engine);
    });

    test("counts the messages of a list, and names those that it had then", async () => {
      const everything = { list: "feed", filter: { terms: [] } } as const;
      const { count, upTo } = must(await store.count(everything, NOW_MS));
      expect(count).toBe(3);
      await receive(store, subId, [message("d", NOW_S - 5)]);
      expect(must(await store.chosenKeys({ ...everything, upTo }, NOW_MS))).toEqual([
        at("c"),
        at("b", NOW_S - 1),
        at("a", NOW_S - 2),
      ]);
      expect(must(await store.count({ ...everything, subIds: [other] }, NOW_MS)).count).toBe(0);
    });

    test("counts the feed's messages of each day", async () => {
      const day = Math.floor(NOW_S / 86_400);
      await receive(store, other, [message("x", NOW_S - 86_400)]);
      must(await store.mark([at("c")], { kind: "done", on: true }, NOW_MS));
      expect(await store.reader.days()).toEqual([
        { day: day - 1, count: 1 },
        { day, count: 2 },
      ]);
      expect(await store.reader.days([subId])).toEqual([{ day, count: 2 }]);
    });

    test("a snoozed message can be brought back at once", async () => {
      const key = at("b", NOW_S - 1);
      must(await store.mark([key], { kind: "snooze", untilMs: NOW_MS + 500 }, NOW_MS));
      must(await store.mark([key], { kind: "snooze", untilMs: null }, NOW_MS));
      expect(must(await store.wakeSnoozed(NOW_MS + 900)).changed).toEqual([]);
      expect(await feedIds(store)).toEqual(["c", "b", "a"]);
      await checkConsistency(engine);
    });

    test("starred messages are listed by time, whatever the order of starring", async () => {
      for (const key of [at("b", NOW_S - 1), at("a", NOW_S - 2), at("c")]) {
        must(await store.mark([key], { kind: "starred", on: true }, NOW_MS));
      }
      expect(await feedIds(store, { list: "starred" })).toEqual(["c", "b", "a"]);
      must(await store.mark([at("b", NOW_S - 1)], { kind: "starred", on: false }, NOW_MS));
      expect(await feedIds(store, { list: "starred" })).toEqual(["c", "a"]);
    });

    /** Marks read what is unread in the feed of some topics; returns the keys. */
    async function readAll(subIds: number[], upTo: number): Promise<MessageKey[]> {
      const filter = { terms: [{ kind: "is", what: "unread", not: false } as const] };
      const keys = must(await store.chosenKeys({ list: "feed", subIds, filter, upTo }, NOW_MS));
      must(await store.mark(keys, { kind: "read", on: true }, NOW_MS));
      return keys;
    }

    test("marks some topics read except what arrived later, however old, and returns the keys for undo", async () => {
      await receive(store, other, [message("x", NOW_S - 1)]);
      const { lastArrival } = await store.reader.catalogue();
      const late = await receive(store, subId, [message("late", NOW_S - 3)]);
      expect(late.lastArrival).toBe(lastArrival + 1);
      const keys = await readAll([subId, other], lastArrival);
      expect(keys).toEqual([at("c"), [other, NOW_S - 1, "x"], at("b", NOW_S - 1), at("a", NOW_S - 2)]);
      expect((await checkConsistency(engine)).subscriptions.map(({ unread }) => unread)).toEqual([1, 0]);
      must(await store.mark(keys, { kind: "read", on: false }, NOW_MS));
      expect((await checkConsistency(engine)).subscriptions.map(({ unread }) => unread)).toEqual([4, 1]);
    });

    test("marks all read across thousands, in order and completely, the few among them too", async () => {
      const many = Array.from({ length: 1_300 }, (_, n) => message(`m${n}`, NOW_S - 5_000 + Math.floor(n / 3)));
      await receive(store, subId, many);
      expect(await readAll([subId], Infinity)).toHaveLength(1_303);
      expect((await checkConsistency(engine)).subscriptions[0]).toMatchObject({ unread: 0, total: 1_303 });
      const oldest = at("m0", NOW_S - 5_000);
      must(await store.mark([at("c"), at("m1299", NOW_S - 4_567)], { kind: "read", on: false }, NOW_MS));
      expect(await readAll([subId], Infinity)).toEqual([at("c"), at("m1299", NOW_S - 4_567)]);
      must(await store.mark([oldest], { kind: "read", on: false }, NOW_MS));
      await receive(store, subId, [message("late")]);
      expect(await readAll([subId], 1_303)).toEqual([oldest]);
    });

    test("a deleted message appears nowhere, and undo restores it as it was", async () => {
      const deleted = must(await store.mark([at("c"), at("a", NOW_S - 2)], { kind: "deleted", on: true }, NOW_MS));
      expect(deleted.removed).toEqual([at("c"), at("a", NOW_S - 2)]);
      expect(deleted).toMatchObject({ total: 1, counts: [{ unread: 1, unreadUrgent: 0, newest: { id: "b" } }] });
      expect(await feedIds(store)).toEqual(["b"]);
      expect(await store.reader.get(at("c"))).toBeUndefined();
      expect(await store.reader.find(subId, "c")).toBeUndefined();
      await checkConsistency(engine);
      // A deleted message is still recognized as known.
      expect((await receive(store, subId, [message("c")])).added).toEqual([]);
      const restored = must(await store.mark([at("c"), at("a", NOW_S - 2)], { kind: "deleted", on: false }, NOW_MS));
      expect(restored.changed.map((row) => row.id)).toEqual(["c", "a"]);
      expect(restored).toMatchObject({ total: 3, counts: [{ unread: 3, unreadUrgent: 1, newest: { id: "c" } }] });
      await checkConsistency(engine);
    });

    test("deleting twice changes nothing, nor does restoring a message that is not deleted", async () => {
      must(await store.mark([at("c")], { kind: "deleted", on: true }, NOW_MS));
      expect(must(await store.mark([at("c")], { kind: "deleted", on: true }, NOW_MS + 1))).toMatchObject({
        removed: [],
        total: 2,
      });
      expect(must(await store.mark([at("b", NOW_S - 1)], { kind: "deleted", on: false }, NOW_MS))).toMatchObject({
        changed: [],
        total: 2,
      });
      await checkConsistency(engine);
    });

    test("after the undo time a deleted message is gone for good, and never comes back", async () => {
      must(await store.mark([at("c")], { kind: "deleted", on: true }, NOW_MS));
      must(await store.prune(NOW_MS + DELETE_UNDO_MS - 1));
      expect(must(await store.mark([at("c")], { kind: "deleted", on: false }, NOW_MS)).changed).toHaveLength(1);
      must(await store.mark([at("c")], { kind: "deleted", on: true }, NOW_MS));
      const pruned = must(await store.prune(NOW_MS + DELETE_UNDO_MS));
      expect(pruned).toMatchObject({ removed: [], more: false, total: 2 });
      expect(must(await store.mark([at("c")], { kind: "deleted", on: false }, NOW_MS)).changed).toEqual([]);
      const { messages, tombstones } = await checkConsistency(engine);
      expect([messages.length, tombstones.map(({ id }) => id)]).toEqual([2, ["c"]]);
      const replay = await receive(store, subId, [message("c"), message("d")], { via: "poll" });
      expect(replay.added.map((row) => row.id)).toEqual(["d"]);
      await checkConsistency(engine);
    });
  });
}
