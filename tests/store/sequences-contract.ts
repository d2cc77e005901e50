import { beforeEach, describe, expect, test } from "vitest";
import type { Store } from "../../src/store";
import { checkConsistency } from "./check-consistency";
import { control, DAY_S, feedIds, HOUR_S, message, must, NOW_MS, NOW_S, receive, storeWith } from "./samples";
import type { Engine } from "./samples";

export function describeSequences(makeEngine: () => Engine): void {
  describe("updates, deletes and clears", () => {
    let engine: Engine;
    let store: Store;
    let subId: number;

    beforeEach(async () => {
      engine = makeEngine();
      const made = await storeWith(engine);
      store = made.store;
      subId = made.subIds[0] as number;
    });

    const version = (id: string, time: number, sequence = "job") => message(id, time, { sequence_id: sequence });
    const versions = async (sequence = "job") => (await store.reader.versions(subId, sequence)).map((row) => row.id);

    test("an update takes the place of the older version, which stays readable", async () => {
      await receive(store, subId, [version("v1", NOW_S - 20)]);
      await receive(store, subId, [message("other", NOW_S - 10)]);
      const result = await receive(store, subId, [version("v2", NOW_S)]);
      expect(result.added.map((row) => [row.id, row.updated])).toEqual([["v2", 1]]);
      expect(result.changed.map((row) => [row.id, row.supersededBy])).toEqual([["v1", "v2"]]);
      expect(result.alerts.map((row) => row.id)).toEqual(["v2"]);
      expect(await feedIds(store)).toEqual(["v2", "other"]);
      expect(await versions()).toEqual(["v1"]);
      expect(result.counts[0]).toMatchObject({ unread: 2, total: 3, newest: { id: "v2" } });
      await checkConsistency(engine);
    });

    test("an update may name an older message's id", async () => {
      await receive(store, subId, [message("root", NOW_S - 20)]);
      await receive(store, subId, [version("v2", NOW_S, "root")]);
      expect(await feedIds(store)).toEqual(["v2"]);
      expect(await versions("root")).toEqual(["root"]);
      await checkConsistency(engine);
    });

    test("an update that names a version of another sequence starts one of its own", async () => {
      const [root, second, third] = [
        message("root", NOW_S - 20),
        version("v2", NOW_S - 10, "root"),
        version("v3", NOW_S, "v2"),
      ];
      for (const event of [root, second, third]) await receive(store, subId, [event]);
      expect(await feedIds(store)).toEqual(["v3", "v2"]);
      await receive(store, subId, [control("delete", "end", "v2")]);
      expect(await feedIds(store)).toEqual(["v2"]);
      await checkConsistency(engine);
    });

    test("an update finds the message that it names among many", { timeout: 60_000 }, async () => {
      const many = Array.from({ length: 2_500 }, (_, at) => message(`m${at + 1_000}`, NOW_S - 10_000 + at));
      await receive(store, subId, [message("root0", NOW_S - 11_000), ...many]);
      await receive(store, subId, [version("v0002", NOW_S, "root0")]);
      expect((await store.reader.find(subId, "root0"))?.supersededBy).toBe("v0002");
      await checkConsistency(engine);
    });

    test("a message that comes after the update which names it is an older version", async () => {
      await receive(store, subId, [version("v2", NOW_S, "root")]);
      const late = await receive(store, subId, [message("root", NOW_S - 20)], { via: "poll" });
      expect([late.added, late.alerts]).toEqual([[], []]);
      expect(await feedIds(store)).toEqual(["v2"]);
      expect(await versions("root")).toEqual(["root"]);
      expect(late.changed.map((row) => [row.id, row.updated])).toEqual([["v2", 1]]);
      await checkConsistency(engine);
    });

    test("a version that stands alone is no update, nor one whose earlier ones a delete took away, in any order", async () => {
      const [v1, v2, v3] = [version("v1", NOW_S - 30), version("v2", NOW_S - 20), version("v3", NOW_S - 10)];
      const newest = async () => (await store.reader.find(subId, "v3"))?.updated;
      await receive(store, subId, [v3]);
      expect(await newest()).toBeUndefined();
      await receive(store, subId, [v1, v2], { via: "poll" });
      expect(await newest()).toBe(1);
      await receive(store, subId, [control("delete", "d1", "job", NOW_S - 25)]);
      expect(await newest(), "one is left").toBe(1);
      await receive(store, subId, [control("delete", "d2", "job", NOW_S - 15)]);
      expect(await newest()).toBeUndefined();
      expect(await feedIds(store)).toEqual(["v3"]);
      await checkConsistency(engine);
    });

    test("all versions in one batch leave the newest, and alert once", async () => {
      const events = [message("root", NOW_S - 3), version("v2", NOW_S - 2, "root"), version("v3", NOW_S - 1, "root")];
      const result = await receive(store, subId, events);
      expect(result.added.map((row) => row.id)).toEqual(["v3"]);
      expect(result.alerts.map((row) => row.id)).toEqual(["v3"]);
      expect(await versions("root")).toEqual(["v2", "root"]);
      await checkConsistency(engine);
    });

    test("of two versions of one second the later arrival is the newer", async () => {
      await receive(store, subId, [version("b", NOW_S), version("a", NOW_S)]);
      expect(await feedIds(store)).toEqual(["a"]);
    });

    test("an update brings a done item back, unread, and takes its star along", async () => {
      await receive(store, subId, [version("v1", NOW_S - 20)]);
      const key: [number, number, string] = [subId, NOW_S - 20, "v1"];
      must(await store.mark([key], { kind: "done", on: true }, NOW_MS));
      must(await store.mark([key], { kind: "starred", on: true }, NOW_MS));
      expect(await feedIds(store)).toEqual([]);
      const result = await receive(store, subId, [version("v2", NOW_S)]);
      expect(result.counts[0]).toMatchObject({ unread: 1 });
      expect(await feedIds(store)).toEqual(["v2"]);
      expect(await feedIds(store, { list: "starred" })).toEqual(["v2"]);
      await checkConsistency(engine);
    });

    test("a delete takes all versions away, and none comes back by a replay", async () => {
      const all = [message("root", NOW_S - 30), version("v2", NOW_S - 20, "root")];
      await receive(store, subId, all);
      const gone = await receive(store, subId, [control("delete", "d", "root", NOW_S - 10)]);
      expect(gone.removed.map(([, , id]) => id).sort()).toEqual(["root", "v2"]);
      expect(gone).toMatchObject({ total: 0, counts: [{ unread: 0, total: 0 }] });
      const replay = await receive(store, subId, [...all, control("delete", "d", "root", NOW_S - 10)], { via: "poll" });
      expect(replay).toMatchObject({ added: [], dropped: 2, duplicates: 1, total: 0 });
      const { messages } = await checkConsistency(engine);
      expect(messages).toEqual([]);
    });

    test("a delete that comes before its message is remembered", async () => {
      await receive(store, subId, [control("delete", "d", "root", NOW_S)]);
      const result = await receive(store, subId, [message("root", NOW_S - 5), version("v2", NOW_S - 3, "root")]);
      expect(result).toMatchObject({ added: [], alerts: [], dropped: 2, total: 0 });
      await checkConsistency(engine);
    });

    test("a version after a delete starts anew", async () => {
      await receive(store, subId, [version("v1", NOW_S - 30), control("delete", "d", "job", NOW_S - 20)]);
      const result = await receive(store, subId, [version("v3", NOW_S - 10)]);
      expect(result.added.map((row) => row.id)).toEqual(["v3"]);
      const late = await receive(store, subId, [version("v2", NOW_S - 25)]);
      expect(late.dropped).toBe(1);
      expect(await versions()).toEqual([]);
      await checkConsistency(engine);
    });

    test("a delete of the same second follows its message", async () => {
      await receive(store, subId, [control("delete", "d", "job"), version("v1", NOW_S)]);
      expect(await feedIds(store)).toEqual([]);
      await checkConsistency(engine);
    });

    test("a clear marks read and keeps the message, in either order", async () => {
      await receive(store, subId, [message("root", NOW_S - 5)]);
      const cleared = await receive(store, subId, [control("clear", "c", "root")]);
      expect(cleared.changed.map((row) => [row.id, row.readAtMs])).toEqual([["root", NOW_MS]]);
      expect(cleared.counts[0]?.unread).toBe(0);
      await receive(store, subId, [control("clear", "c2", "late")]);
      const late = await receive(store, subId, [message("late", NOW_S - 5)]);
      expect(late.added.map((row) => row.readAtMs)).toEqual([NOW_MS]);
      expect(late.alerts).toEqual([]);
      expect(await feedIds(store)).toEqual(["late", "root"]);
      await checkConsistency(engine);
    });

    test("a clear leaves a newer version unread", async () => {
      await receive(store, subId, [version("v1", NOW_S - 9), control("clear", "c", "job", NOW_S - 5)]);
      const result = await receive(store, subId, [version("v2", NOW_S)]);
      expect(result.counts[0]?.unread).toBe(1);
      await receive(store, subId, [control("clear", "c", "job", NOW_S - 5)]);
      expect((await checkConsistency(engine)).subscriptions[0]?.unread).toBe(1);
    });

    test("a new delete cancels a scheduled version, a repeated one does not", async () => {
      const later = version("later", NOW_S + HOUR_S);
      await receive(store, subId, [later], { via: "poll" });
      const deletion = control("delete", "d", "job", NOW_S);
      const gone = await receive(store, subId, [deletion]);
      expect(gone.removed).toEqual([[subId, NOW_S + HOUR_S, "later"]]);
      const anew = version("anew", NOW_S + HOUR_S);
      await receive(store, subId, [deletion, anew], { via: "poll" });
      const repeated = await receive(store, subId, [deletion]);
      expect(repeated.removed).toEqual([]);
      expect(await feedIds(store, { list: "scheduled" })).toEqual(["anew"]);
      await checkConsistency(engine);
    });

    test("a version that is scheduled supersedes nothing until it is due", async () => {
      await receive(store, subId, [version("v1", NOW_S)]);
      await receive(store, subId, [version("later", NOW_S + 10)], { via: "poll" });
      expect(await feedIds(store)).toEqual(["v1"]);
      const settled = must(await store.settleDue({ serverNowS: NOW_S + 10, nowMs: NOW_MS, alerts: true }));
      expect(settled.changed.map((row) => [row.id, row.supersededBy])).toEqual([
        ["v1", "later"],
        ["later", undefined],
      ]);
      expect(await feedIds(store)).toEqual(["later"]);
      await checkConsistency(engine);
    });

    test("a version finds the older ones after its sequence's record has gone", async () => {
      await receive(store, subId, [version("v1", NOW_S - 5), version("v2", NOW_S)]);
      const farMs = (NOW_S + 3 * DAY_S) * 1_000;
      must(await store.prune(farMs));
      expect((await checkConsistency(engine)).sequences).toEqual([]);
      await receive(store, subId, [version("v3", NOW_S + 3 * DAY_S)]);
      expect(await feedIds(store)).toEqual(["v3"]);
      expect(await versions()).toEqual(["v2", "v1"]);
      await checkConsistency(engine);
    });

    test("the same name in another topic is another sequence", async () => {
      const { serverId } = must(await store.subscriptions())[0] ?? { serverId: 0 };
      const [other] = must(await store.addSubscriptions({ serverId, accountId: 0, topics: ["doors"] }));
      await receive(store, subId, [version("a1", NOW_S - 2)]);
      await receive(store, other?.subId ?? 0, [version("b1", NOW_S - 1), control("delete", "d", "job")]);
      expect(await feedIds(store)).toEqual(["a1"]);
      await checkConsistency(engine);
    });
  });
}
