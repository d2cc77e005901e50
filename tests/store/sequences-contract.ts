import { beforeEach, describe, expect, test } from "vitest";
import type { StorableEvent } from "../../src/protocol";
import { DELETE_UNDO_MS, type Store } from "../../src/store";
import { checkConsistency } from "./check-consistency";
import {
  control,
  DAY_S,
  feedIds,
  HOUR_S,
  message,
  must,
  NOW_MS,
  NOW_S,
  receive,
  storeWith,
  type Engine,
} from "./samples";

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
        version("v3", NOW_S - 5, "v2"),
      ];
      for (const event of [root, second, third]) await receive(store, subId, [event]);
      expect(await feedIds(store)).toEqual(["v3", "v2"]);
      await receive(store, subId, [control("delete", "end", "v2")]);
      expect(await feedIds(store)).toEqual(["v2"]);
      await checkConsistency(engine);
    });

    test("an update finds the message that it names among many", async () => {
      const many = Array.from({ length: 1_200 }, (_, at) => message(`m${at + 1_000}`, NOW_S - 10_000 + at));
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

    test("a single version is no update, nor is one whose earlier versions were deleted, in any order", async () => {
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

    test("an update brings a done item back, unread, with its star", async () => {
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

    test("a delete removes all versions, and no replay brings one back", async () => {
      const all = [message("root", NOW_S - 30), version("v2", NOW_S - 20, "root")];
      await receive(store, subId, all);
      const gone = await receive(store, subId, [control("delete", "d", "root", NOW_S - 10)]);
      expect(gone.removed.map(([, , id]) => id).sort()).toEqual(["root", "v2"]);
      expect(gone).toMatchObject({ total: 0, counts: [{ unread: 0, total: 0 }] });
      const replay = await receive(store, subId, [...all, control("delete", "d", "root", NOW_S - 10)], { via: "poll" });
      expect(replay).toMatchObject({ added: [], total: 0 });
      const { messages } = await checkConsistency(engine);
      expect(messages).toEqual([]);
    });

    test("a delete that comes before its message is remembered", async () => {
      await receive(store, subId, [control("delete", "d", "root", NOW_S)]);
      const result = await receive(store, subId, [message("root", NOW_S - 5), version("v2", NOW_S - 3, "root")]);
      expect(result).toMatchObject({ added: [], alerts: [], total: 0 });
      await checkConsistency(engine);
    });

    test("a version after a delete starts anew", async () => {
      await receive(store, subId, [version("v1", NOW_S - 30), control("delete", "d", "job", NOW_S - 20)]);
      const result = await receive(store, subId, [version("v3", NOW_S - 10)]);
      expect(result.added.map((row) => row.id)).toEqual(["v3"]);
      const late = await receive(store, subId, [version("v2", NOW_S - 25)]);
      expect(late.added).toEqual([]);
      expect(await versions()).toEqual([]);
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

    test("a deleted version that looks scheduled since a clock was set back goes once, when it is delivered again", async () => {
      const [again, after] = [message("again", NOW_S), control("delete", "d", "again", NOW_S + 1)];
      await receive(store, subId, [again, after], { serverNowS: NOW_S + 1 });
      await receive(store, subId, [message("other", NOW_S - 50), again], { via: "poll", serverNowS: NOW_S - 10 });
      expect(await feedIds(store, { list: "scheduled" })).toEqual(["again"]);
      await receive(store, subId, [again], { via: "poll", serverNowS: NOW_S + 10 });
      expect(await feedIds(store, { list: "scheduled" })).toEqual([]);
      expect(await feedIds(store)).toEqual(["other"]);
      await checkConsistency(engine);
    });

    test("messages dated far ahead by a wrong server clock hide nothing later", async () => {
      const year = 365 * DAY_S;
      const wrong = { serverNowS: NOW_S + year };
      await receive(store, subId, [version("all is well", NOW_S + year)], wrong);
      await receive(store, subId, [control("delete", "end", "gone", NOW_S + year)], wrong);
      const result = await receive(store, subId, [version("door is open", NOW_S), version("back", NOW_S, "gone")]);
      expect(result.alerts.map((row) => row.id)).toEqual(["door is open", "back"]);
      expect(await feedIds(store)).toEqual(["back", "door is open"]);
      expect(await versions()).toEqual(["all is well"]);
      await receive(store, subId, [version("all is well", NOW_S + year), version("door is shut", NOW_S + 1)]);
      expect(await feedIds(store)).toEqual(["door is shut", "back"]);
      await checkConsistency(engine);
    });

    test("a clear dated far ahead that comes again hides no new version", async () => {
      const wrong = [version("all is well", NOW_S + 9 * DAY_S), control("clear", "k", "job", NOW_S + 9 * DAY_S)];
      await receive(store, subId, wrong, { serverNowS: NOW_S + 9 * DAY_S });
      await receive(store, subId, [version("door is open", NOW_S), ...wrong]);
      expect(await feedIds(store)).toEqual(["door is open"]);
    });

    test("a version finds the older ones after its sequence's record is gone", async () => {
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

    describe("within one second", () => {
      const urgent = (id: string) => message(id, NOW_S, { sequence_id: "job", priority: 5 });
      const deletion = control("delete", "d", "job");
      const clear = control("clear", "c", "job");
      /** Receives events by a stream, or by a poll of several topics, which leaves their order unknown. */
      const hear = (...events: StorableEvent[]) => receive(store, subId, events);
      /** Receives events by a poll of the topic alone, which tells their order. */
      const told = (...events: StorableEvent[]) => receive(store, subId, events, { via: "poll", isOrdered: true });
      const unsettled = async () => must(await store.unsettled()).map(({ sequence, time }) => [sequence, time]);
      const unread = async () => (await checkConsistency(engine)).subscriptions[0]?.unread;

      test("a message that is published again after its delete is shown, in whatever order the two come", async () => {
        await hear(version("v1", NOW_S - 60));
        for (const event of [urgent("v2"), deletion]) await hear(event);
        expect(await feedIds(store)).toEqual(["v2"]);
        expect(await unsettled()).toEqual([["job", NOW_S]]);
        const settled = await told(deletion, urgent("v2"));
        expect(settled).toMatchObject({ removed: [], alerts: [], isUnsettled: false });
        expect(await feedIds(store)).toEqual(["v2"]);
        expect(await unsettled()).toEqual([]);
      });

      test("a message that was deleted stays until the order is known, then it goes and does not come back", async () => {
        expect(await hear(deletion, urgent("v1"))).toMatchObject({ isUnsettled: true });
        expect(await feedIds(store)).toEqual(["v1"]);
        const settled = await told(urgent("v1"), deletion);
        expect(settled.removed).toEqual([[subId, NOW_S, "v1"]]);
        for (const again of [() => hear(urgent("v1")), () => hear(deletion), () => told(urgent("v1"), deletion)]) {
          expect(await again()).toMatchObject({ added: [], alerts: [], isUnsettled: false, total: 0 });
        }
        await checkConsistency(engine);
      });

      test("a message reported deleted before it arrived never appears", async () => {
        expect(await told(urgent("v1"), deletion)).toMatchObject({ added: [], alerts: [] });
        expect(await hear(urgent("v1"))).toMatchObject({ added: [], alerts: [] });
        expect(await feedIds(store)).toEqual([]);
        await checkConsistency(engine);
      });

      test("an update after a clear is unread and alerts, in whatever order the two come", async () => {
        await hear(version("v1", NOW_S - 60));
        await hear(clear);
        expect(await unread()).toBe(0);
        const result = await hear(urgent("v2"));
        expect(result.alerts.map(({ id }) => id)).toEqual(["v2"]);
        await hear(clear);
        expect(await unread()).toBe(1);
        expect(await told(clear, urgent("v2"))).toMatchObject({ alerts: [], isUnsettled: false });
        expect(await unread()).toBe(1);
        expect(await unsettled()).toEqual([]);
      });

      test("a message that was cleared is read once the order is known, and only once", async () => {
        await hear(urgent("v1"), clear);
        expect(await unread()).toBe(1);
        await told(urgent("v1"), clear);
        expect(await unread()).toBe(0);
        must(await store.mark([[subId, NOW_S, "v1"]], { kind: "read", on: false }, NOW_MS));
        for (const again of [() => told(urgent("v1"), clear), () => hear(clear), () => hear(urgent("v1"))]) {
          expect(await again()).toMatchObject({ changed: [], isUnsettled: false });
        }
        expect(await unread()).toBe(1);
        await hear(control("clear", "c2", "job", NOW_S + 1));
        expect(await unread()).toBe(0);
      });

      test("a clear that is known marks nothing read again when something else comes", async () => {
        await hear(version("v1", NOW_S - 10), control("clear", "c", "job", NOW_S - 5));
        must(await store.mark([[subId, NOW_S - 10, "v1"]], { kind: "read", on: false }, NOW_MS));
        await hear(version("v0", NOW_S - 20));
        expect(await unread()).toBe(1);
      });

      test("of two updates the last to come is shown, both alert, and the server's order holds", async () => {
        const together = await hear(urgent("b"), urgent("a"));
        expect(together.added.map(({ id }) => id)).toEqual(["a"]);
        expect(together.alerts.map(({ id }) => id)).toEqual(["b", "a"]);
        const settled = await told(urgent("a"), urgent("b"));
        expect(settled.alerts).toEqual([]);
        expect(await feedIds(store)).toEqual(["b"]);
        expect(await versions()).toEqual(["a"]);
        // By now it makes no difference which came last.
        expect(await told(urgent("a"), urgent("b"))).toMatchObject({ changed: [], isUnsettled: false });
        expect(await hear(urgent("a"))).toMatchObject({ changed: [], isUnsettled: false });
        expect(await feedIds(store)).toEqual(["b"]);
        await checkConsistency(engine);
      });

      test("an update that was missed takes the place of a later one until the order is known", async () => {
        const third = urgent("v3");
        await hear(urgent("v1"), third);
        await hear(urgent("v2"));
        expect(await feedIds(store)).toEqual(["v2"]);
        await told(urgent("v1"), urgent("v2"), third);
        expect(await feedIds(store)).toEqual(["v3"]);
        expect(await versions()).toEqual(["v2", "v1"]);
        await checkConsistency(engine);
      });

      test("an answer that lacks some of what is known settles only the rest", async () => {
        await hear(urgent("v2"), urgent("v1"), urgent("v3"));
        await told(urgent("v1"), urgent("v2"));
        expect(await feedIds(store), "of the third nobody has told").toEqual(["v3"]);
        expect(await unsettled()).toEqual([["job", NOW_S]]);
        await told(urgent("v1"), urgent("v3"), urgent("v2"));
        expect(await feedIds(store)).toEqual(["v2"]);
        expect(await unsettled()).toEqual([]);
      });

      test("the star goes with the newest, and what is read stays read", async () => {
        await hear(urgent("a"));
        must(await store.mark([[subId, NOW_S, "a"]], { kind: "starred", on: true }, NOW_MS));
        must(await store.mark([[subId, NOW_S, "a"]], { kind: "read", on: true }, NOW_MS));
        await hear(urgent("b"));
        expect(await feedIds(store, { list: "starred" })).toEqual(["b"]);
        expect(await unread()).toBe(1);
        await told(urgent("b"), urgent("a"));
        expect(await feedIds(store, { list: "starred" })).toEqual(["a"]);
        expect(await unread()).toBe(0);
      });

      test("what the user deleted stays deleted, whatever its order turns out to be", async () => {
        await hear(urgent("a"), urgent("b"));
        must(await store.mark([[subId, NOW_S, "b"]], { kind: "deleted", on: true }, NOW_MS));
        must(await store.prune(NOW_MS + DELETE_UNDO_MS + 1_000));
        await told(urgent("a"), urgent("b"));
        expect(await feedIds(store), "the item was deleted by its newest version").toEqual([]);
        const more = await told(urgent("a"), urgent("b"), urgent("c"));
        expect(more.alerts.map(({ id }) => id)).toEqual(["c"]);
        expect(await feedIds(store)).toEqual(["c"]);
        await checkConsistency(engine);
      });

      test("an update from the same second as one that the user deleted is shown, however late it is stored", async () => {
        const first = await receive(store, subId, [urgent("b")], { setAside: 5 });
        must(await store.mark([[subId, NOW_S, "b"]], { kind: "deleted", on: true }, NOW_MS));
        const late = await receive(store, subId, [urgent("a")], { arrivalsFrom: first.setAsideFrom ?? 0 });
        expect(late.alerts.map(({ id }) => id)).toEqual(["a"]);
        expect(await feedIds(store)).toEqual(["a"]);
        await checkConsistency(engine);
      });

      test("the order of uncached messages is never asked for", async () => {
        const { expires: _, ...live } = urgent("v1");
        expect(await hear(live, deletion)).toMatchObject({ isUnsettled: false });
        expect(await feedIds(store)).toEqual(["v1"]);
        expect(await unsettled()).toEqual([]);
        await hear(urgent("v2"));
        expect(await unsettled()).toEqual([["job", NOW_S]]);
        await told(deletion, urgent("v2"));
        expect(await unsettled()).toEqual([]);
      });

      test("the order isn't asked for once a later version has come", async () => {
        await hear(urgent("v1"), urgent("v2"));
        expect(await unsettled()).toEqual([["job", NOW_S]]);
        await hear(version("v3", NOW_S + 1));
        expect(await unsettled()).toEqual([]);
      });

      test("several deletes and messages end up as their order says", async () => {
        const [d1, d2] = [control("delete", "d1", "job"), control("delete", "d2", "job")];
        await hear(d2, urgent("v3"), urgent("v1"), d1, urgent("v2"));
        expect(await feedIds(store)).toEqual(["v2"]);
        expect((await versions()).sort()).toEqual(["v1", "v3"]);
        const settled = await told(urgent("v1"), d1, urgent("v2"), d2, urgent("v3"));
        expect(settled.removed.map(([, , id]) => id).sort()).toEqual(["v1", "v2"]);
        expect(await feedIds(store)).toEqual(["v3"]);
        expect((await store.reader.find(subId, "v3"))?.updated).toBeUndefined();
        expect(await hear(d1)).toMatchObject({ isUnsettled: false, removed: [] });
        await checkConsistency(engine);
      });

      test("a scheduled version that falls due in the same second as a delete is shown", async () => {
        await hear(control("delete", "d0", "job", NOW_S + 10));
        await receive(store, subId, [version("later", NOW_S + 10)], { via: "poll" });
        const due = must(await store.settleDue({ serverNowS: NOW_S + 10, nowMs: NOW_MS, alerts: true }));
        expect(due.alerts.map(({ id }) => id)).toEqual(["later"]);
        expect(await feedIds(store)).toEqual(["later"]);
        await checkConsistency(engine);
      });

      test("an update finds the newest of a second after its sequence's record is gone", async () => {
        await told(urgent("b"), urgent("a"));
        must(await store.prune((NOW_S + 3 * DAY_S) * 1_000));
        await hear(version("v3", NOW_S + 3 * DAY_S));
        expect(await feedIds(store)).toEqual(["v3"]);
        expect((await store.reader.find(subId, "a"))?.supersededBy).toBe("v3");
        await checkConsistency(engine);
      });
    });
  });
}
