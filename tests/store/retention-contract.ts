import { beforeEach, describe, expect, test } from "vitest";
import type { MessageKey } from "../../src/contract";
import { DELETE_UNDO_MS, type Store } from "../../src/store";
import { checkConsistency, snapshot } from "./check-consistency";
import {
  ADDRESS,
  control,
  DAY_S,
  feedIds,
  message,
  must,
  NOW_MS,
  NOW_S,
  receive,
  storeWith,
  type Engine,
} from "./samples";

export function describeRetention(makeEngine: () => Engine): void {
  describe("retention", () => {
    let engine: Engine;
    let store: Store;
    let subId: number;
    let other: number;

    beforeEach(async () => {
      engine = makeEngine();
      const made = await storeWith(engine, ["backups", "doors"]);
      store = made.store;
      [subId, other] = made.subIds as [number, number];
    });

    const pruneAll = async (nowMs = NOW_MS): Promise<string[]> => {
      const removed: string[] = [];
      for (let more = true; more;) {
        const result = must(await store.prune(nowMs));
        expect(result.removed.length).toBeLessThanOrEqual(500);
        removed.push(...result.removed.map(([, , id]) => id));
        more = result.more;
      }
      return removed;
    };

    test("keeps thirty days by default", async () => {
      const limit = NOW_S - 30 * DAY_S;
      await receive(store, subId, [message("old", limit - 1), message("edge", limit), message("new")]);
      expect(await pruneAll()).toEqual(["old"]);
      expect(await feedIds(store)).toEqual(["new", "edge"]);
      await checkConsistency(engine);
    });

    test("a deleted message stays deleted on a device whose clock is days ahead of the server's", async () => {
      const nowMs = NOW_MS + 3 * DAY_S * 1_000;
      const update = message("first", NOW_S, { sequence_id: "job" });
      await receive(store, subId, [message("a"), update], { nowMs });
      await receive(store, subId, [control("delete", "end", "job", NOW_S + 1)], { nowMs });
      await store.mark([[subId, NOW_S, "a"]], { kind: "deleted", on: true }, nowMs);
      await pruneAll(nowMs + DELETE_UNDO_MS);
      await receive(store, subId, [message("a"), update], { nowMs: nowMs + DELETE_UNDO_MS });
      expect(await feedIds(store)).toEqual([]);
      await checkConsistency(engine);
    });

    test.each([5, -5])("a device's clock that jumps by %i years deletes nothing", async (years) => {
      const [server] = must(await store.servers());
      must(await store.patchServer(server?.serverId ?? 0, { heardS: NOW_S }));
      const limit = NOW_S - 30 * DAY_S;
      await receive(store, subId, [message("edge", limit), message("new")]);
      const jumpedMs = NOW_MS + years * 365 * DAY_S * 1_000;
      expect(await pruneAll(jumpedMs)).toEqual([]);
      must(await store.patchServer(server?.serverId ?? 0, { heardS: NOW_S + 1 }));
      expect(await pruneAll(jumpedMs), "ages count by the server's clock").toEqual(years > 0 ? ["edge"] : []);
      await checkConsistency(engine);
    });

    test("a topic may keep messages longer, shorter or for ever", async () => {
      must(await store.patchSubscription(subId, { keepDays: 1 }));
      must(await store.patchSubscription(other, { keepDays: 0 }));
      const old = NOW_S - 2 * DAY_S;
      await receive(store, subId, [message("a", old)]);
      await receive(store, other, [message("b", NOW_S - 400 * DAY_S)]);
      expect(await pruneAll()).toEqual(["a"]);
      must(await store.patchSubscription(other, { keepDays: null }));
      expect(await pruneAll()).toEqual(["b"]);
    });

    test("starred messages stay, but no others because of them", async () => {
      const old = Array.from({ length: 700 }, (_, at) => message(`m${at}`, NOW_S - 40 * DAY_S + at));
      await receive(store, subId, old);
      const keys = old.slice(0, 600).map(({ time, id }): [number, number, string] => [subId, time, id]);
      must(await store.mark(keys, { kind: "starred", on: true }, NOW_MS));
      expect(await pruneAll()).toHaveLength(100);
      expect((await checkConsistency(engine)).messages).toHaveLength(600);
    });

    test("keeps the newest messages up to a limit, and removes the rest in small rounds", async () => {
      must(await store.setSetting("keepMessages", 50));
      const events = Array.from({ length: 1_200 }, (_, at) => message(`m${at}`, NOW_S - 2_000 + at));
      await receive(store, subId, events.slice(0, 600));
      await receive(store, other, events.slice(600));
      const removed = await pruneAll();
      expect(removed).toEqual(events.slice(0, 1_150).map(({ id }) => id));
      expect((await checkConsistency(engine)).total).toBe(50);
    });

    test("topics that are kept for ever don't count towards the limit and lose no messages", async () => {
      must(await store.setSetting("keepMessages", 2));
      must(await store.patchSubscription(other, { keepDays: 0 }));
      const events = (name: string, from: number) =>
        Array.from({ length: 4 }, (_, at) => message(`${name}${at}`, from + at));
      await receive(store, other, events("kept", NOW_S - 100));
      await receive(store, subId, events("m", NOW_S - 50));
      expect(await pruneAll()).toEqual(["m0", "m1"]);
      await checkConsistency(engine);
    });

    test.each(["keepDays", "keepMessages"])("a negative %s of a topic or of all removes nothing", async (name) => {
      must(await store.patchSubscription(subId, { [name]: -5 }));
      must(await store.setSetting(name as "keepDays", -5));
      await receive(store, subId, [message("a", NOW_S - 60), message("b", NOW_S - 50)]);
      expect(await pruneAll()).toEqual([]);
      expect(await feedIds(store)).toEqual(["b", "a"]);
    });

    test("a topic may have a limit of its own, apart from the overall one", async () => {
      must(await store.setSetting("keepMessages", 3));
      must(await store.patchSubscription(other, { keepMessages: 5, keepDays: 0 }));
      const events = (name: string, from: number) =>
        Array.from({ length: 8 }, (_, at) => message(`${name}${at}`, from + at));
      await receive(store, other, events("o", NOW_S - 400 * DAY_S));
      await receive(store, subId, events("m", NOW_S - 50));
      expect(await pruneAll()).toEqual(["o0", "o1", "o2", "m0", "m1", "m2", "m3", "m4"]);
      await checkConsistency(engine);
      must(await store.patchSubscription(other, { keepMessages: null }));
      expect(await pruneAll()).toEqual([]);
    });

    test.each(["the topic", "all topics"])("a limit of %s neither removes nor counts what stays anyway", async (of) => {
      if (of === "the topic") must(await store.patchSubscription(subId, { keepMessages: 2 }));
      else must(await store.setSetting("keepMessages", 2));
      const events = Array.from({ length: 8 }, (_, at) => message(`m${at}`, NOW_S - 50 + at));
      await receive(store, subId, [...events, message("due", NOW_S + 3_600)], { via: "poll" });
      const keyOf = (at: number): [number, number, string] => [subId, NOW_S - 50 + at, `m${String(at)}`];
      must(await store.mark([keyOf(0), keyOf(2), keyOf(3)], { kind: "starred", on: true }, NOW_MS));
      const untilMs = NOW_MS + 86_400_000;
      must(await store.mark([keyOf(1), keyOf(4)], { kind: "snooze", untilMs }, NOW_MS));
      expect(await pruneAll()).toEqual(["m5"]);
      expect(await pruneAll()).toEqual([]);
      await checkConsistency(engine);
    });

    test("a snoozed message is not too old before it returns", async () => {
      const old = NOW_S - 40 * DAY_S;
      await receive(store, subId, [message("snoozed", old), message("done", old + 1), message("old", old + 2)]);
      const keys: MessageKey[] = [
        [subId, old, "snoozed"],
        [subId, old + 1, "done"],
      ];
      must(await store.mark(keys, { kind: "snooze", untilMs: NOW_MS + 1_000 }, NOW_MS));
      must(await store.mark([[subId, old + 1, "done"]], { kind: "done", on: true }, NOW_MS));
      expect(await pruneAll()).toEqual(["done", "old"]);
      must(await store.wakeSnoozed(NOW_MS + 1_000));
      expect(await pruneAll(NOW_MS + 1_000)).toEqual(["snoozed"]);
      await checkConsistency(engine);
    });

    test("gaps go with the messages around them, but for a topic's newest one and its newest loss", async () => {
      must(await store.patchSubscription(other, { keepDays: 0 }));
      const old = NOW_S - 60 * DAY_S;
      for (const of of [subId, other]) {
        must(await store.addGap({ subId: of, from: old, to: old + 1, forgot: 1 }));
        for (const at of [10, 20, 30]) must(await store.addGap({ subId: of, from: old + at, to: old + at + 1 }));
      }
      const left = async (of: number): Promise<number[]> =>
        (await store.reader.gaps()).flatMap(({ subId: its, from }) => (its === of ? [from - old] : []));
      await pruneAll();
      expect(await left(subId)).toEqual([0, 30]);
      expect(await left(other)).toEqual([0, 10, 20, 30]);
      must(await store.addGap({ subId, from: NOW_S - DAY_S, to: NOW_S, forgot: 1 }));
      must(await store.addGap({ subId, from: NOW_S - 5 * DAY_S, to: NOW_S - 4 * DAY_S }));
      await pruneAll();
      expect(await left(subId)).toEqual([55 * DAY_S, 59 * DAY_S]);
    });

    test("no limit means no limit", async () => {
      must(await store.setSetting("keepDays", 0));
      must(await store.setSetting("keepMessages", 0));
      await receive(store, subId, [message("old", 1)]);
      expect(await pruneAll()).toEqual([]);
    });

    test("a pruned message does not come back while the server could still hand it out", async () => {
      must(await store.setSetting("keepMessages", 1));
      await receive(store, subId, [message("a", NOW_S - 60), message("b")]);
      expect(await pruneAll()).toEqual(["a"]);
      expect(await receive(store, subId, [message("a", NOW_S - 60)], { via: "poll" })).toMatchObject({ added: [] });
      expect((await snapshot(engine)).tombstones).toHaveLength(1);
      // A day after its `expires` nothing needs to be remembered.
      await pruneAll(NOW_MS + 2 * DAY_S * 1_000);
      expect((await snapshot(engine)).tombstones).toEqual([]);
    });

    test("leaves no tombstone for messages that the server has forgotten", async () => {
      await receive(store, subId, [message("old", NOW_S - 40 * DAY_S)], { nowMs: NOW_MS - 40 * DAY_S * 1_000 });
      await pruneAll();
      expect((await snapshot(engine)).tombstones).toEqual([]);
    });

    test("a removed topic can be restored within the undo time, and is caught up again", async () => {
      await receive(store, subId, [message("a")], { cursors: { joined: [subId] } });
      must(await store.removeSubscription(subId, NOW_MS));
      expect(await feedIds(store)).toEqual([]);
      expect((await store.reader.catalogue()).subscriptions.map((record) => record.subId)).toEqual([other]);
      expect(must(await store.purgeRemoved(NOW_MS + DELETE_UNDO_MS - 1))).toEqual({
        ...{ removed: 0, more: false },
        nextAtMs: NOW_MS + DELETE_UNDO_MS,
      });
      // A clock that is put right by a second doesn't end the time to undo it.
      expect(must(await store.purgeRemoved(NOW_MS - 1_000))).toMatchObject({ removed: 0, more: false });
      const restored = must(await store.restoreSubscription(subId));
      expect(restored).toMatchObject({ subId, unread: 1, total: 1, joined: 0 });
      expect(await feedIds(store)).toEqual(["a"]);
      await checkConsistency(engine);
    });

    test("after the undo time a removed topic is deleted with everything in it, in small rounds", async () => {
      const events = Array.from({ length: 1_100 }, (_, at) => message(`m${at}`, NOW_S - 2_000 + at));
      await receive(store, subId, [...events, message("v2", NOW_S, { sequence_id: "job" })]);
      await receive(store, other, [message("stays")]);
      must(await store.addGap({ subId, from: 1, to: 2 }));
      must(await store.removeSubscription(subId, NOW_MS));
      const rounds = [];
      for (let more = true; more;) {
        const result = must(await store.purgeRemoved(NOW_MS + DELETE_UNDO_MS));
        rounds.push(result.removed);
        more = result.more;
      }
      expect(rounds).toEqual([500, 500, 102]);
      const all = await checkConsistency(engine);
      expect([all.messages.map((row) => row.id), all.sequences]).toEqual([["stays"], []]);
      expect(await store.reader.gaps()).toEqual([]);
      expect(must(await store.restoreSubscription(subId))).toBeUndefined();
    });

    test("a server and its credentials are deleted with its last topic", async () => {
      const credentials = { kind: "token", token: "tk_secret" } as const;
      must(await store.setAccount({ serverId: 1, subIds: [other], signIn: { credentials } }));
      must(await store.removeSubscription(other, NOW_MS));
      must(await store.purgeRemoved(NOW_MS + DELETE_UNDO_MS));
      expect(must(await store.accounts())).toEqual([]);
      expect(must(await store.servers())).toHaveLength(1);
      must(await store.removeSubscription(subId, NOW_MS));
      must(await store.purgeRemoved(NOW_MS + DELETE_UNDO_MS));
      expect(must(await store.servers())).toEqual([]);
      // Numbers are never used again.
      expect(must(await store.addServer(ADDRESS)).serverId).toBeGreaterThan(other);
    });

    test("a removed topic is not restored if it was added again meanwhile", async () => {
      must(await store.removeSubscription(subId, NOW_MS));
      const [anew] = must(await store.addSubscriptions({ serverId: 1, accountId: 0, topics: ["backups"] }));
      expect(anew?.subId).not.toBe(subId);
      expect(must(await store.restoreSubscription(subId))).toBeUndefined();
    });
  });
}
