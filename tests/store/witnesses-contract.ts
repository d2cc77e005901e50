import { beforeEach, describe, expect, test } from "vitest";
import type { Store } from "../../src/store";
import { control, DAY_S, HOUR_S, message, must, NOW_MS, NOW_S, receive, storeWith, type Engine } from "./samples";

/** The time of the check: an hour after the messages of most tests. */
const LATER_S = NOW_S + HOUR_S;
const LATER_MS = NOW_MS + HOUR_S * 1_000;

export function describeWitnesses(makeEngine: () => Engine): void {
  describe("messages a server must still have", () => {
    let store: Store;
    let subId: number;

    beforeEach(async () => {
      const made = await storeWith(makeEngine());
      store = made.store;
      subId = made.subIds[0] ?? 0;
    });

    /** Notes that the topic is known to be complete up to this time. */
    const complete = async (time: number) => {
      const cursors = { timeCursors: [{ subId, time }] };
      must(await store.ingest({ arrivals: [], nowMs: NOW_MS, serverNowS: time, alerts: false, cursors }));
    };
    const witnesses = async (laterS = 0, keptS = 60) =>
      must(
        await store.witnesses({
          subIds: [subId, 99],
          nowMs: LATER_MS + laterS * 1_000,
          serverNowS: LATER_S + laterS,
          keptUntilS: LATER_S + laterS + keptS,
        }),
      );
    const ids = async (laterS = 0, keptS = 60) => (await witnesses(laterS, keptS)).map(({ id }) => id);

    test("is the newest message up to where the topic is known to be complete, whatever came after that", async () => {
      const before = [message("older", NOW_S - 20), message("newest", NOW_S - 10)];
      const behind = Array.from({ length: 40 }, (_, at) => message(`behind${at}`, NOW_S + 10 + at));
      await receive(store, subId, before, { via: "poll" });
      await complete(NOW_S);
      await receive(store, subId, behind, { via: "poll", serverNowS: NOW_S + 60, nowMs: NOW_MS + 60_000 });
      const latest = { id: "behind39", time: NOW_S + 49, expires: NOW_S + 49 + 12 * HOUR_S };
      expect(await witnesses()).toEqual([
        { subId, id: "newest", time: NOW_S - 10, expires: NOW_S - 10 + 12 * HOUR_S, sinceS: NOW_S + 30, latest },
      ]);
    });

    test("is otherwise the oldest after that, or of all if nothing is known", async () => {
      await receive(store, subId, [message("one", NOW_S - 20), message("two", NOW_S - 10)], { via: "poll" });
      expect(await ids()).toEqual(["one"]);
      await complete(NOW_S - 100);
      expect(await ids()).toEqual(["one"]);
    });

    test("is the newest since then as well, if there are several", async () => {
      const since = Array.from({ length: 20 }, (_, at) => message(`since${at}`, NOW_S + at));
      await receive(store, subId, since, { via: "poll", serverNowS: NOW_S + 60, nowMs: NOW_MS + 60_000 });
      expect(await witnesses()).toMatchObject([{ id: "since0", latest: { id: "since19" } }]);
      await complete(NOW_S + 18);
      expect(await witnesses()).toMatchObject([{ id: "since18", latest: { id: "since19" } }]);
      await complete(NOW_S + 19);
      expect((await witnesses())[0]).not.toHaveProperty("latest");
    });

    test("is never uncached, expired or about to expire", async () => {
      const { expires: _, ...uncached } = message("uncached", NOW_S - 1);
      const short = message("short", NOW_S - 2, { expires: LATER_S + 90 });
      const off = message("no cache at all", NOW_S - 3, { expires: NOW_S - 3 });
      await receive(store, subId, [uncached, short, off], { via: "poll" });
      expect(await ids()).toEqual(["short"]);
      expect(await ids(0, 120)).toEqual([]);
      expect(await ids(DAY_S)).toEqual([]);
    });

    test("is looked for only now if a newer one was looked for until it expired", async () => {
      const short = message("short", NOW_S - 10, { expires: LATER_S + 90 });
      const { expires: _, ...uncached } = message("uncached", NOW_S - 5);
      await receive(store, subId, [message("long", NOW_S - 10), short, uncached], { via: "poll" });
      await complete(NOW_S);
      expect(await witnesses()).toMatchObject([{ id: "short", sinceS: NOW_S + 30 }]);
      expect(await witnesses(60)).toMatchObject([{ id: "long", sinceS: LATER_S + 60 }]);
    });

    test("is one from a stream once the server has had time to write it down", async () => {
      await receive(store, subId, [message("live", LATER_S)], { nowMs: LATER_MS, serverNowS: LATER_S });
      await complete(LATER_S + HOUR_S);
      expect(await ids(29)).toEqual([]);
      expect(await ids(30)).toEqual(["live"]);
      // The disk may have been full, so the message came long before it was stored.
      await receive(store, subId, [message("late", LATER_S + 1)], { nowMs: LATER_MS + 600_000 });
      expect((await witnesses(629))[0]).toMatchObject({ id: "live" });
      expect((await witnesses(640))[0]).toMatchObject({ id: "late", sinceS: LATER_S + 630 });
    });

    test("is never one that came early or was replaced, which may have been cancelled", async () => {
      const due = message("due", NOW_S + 600);
      await receive(store, subId, [message("plain", NOW_S - 60), due], { via: "poll" });
      await store.settleDue({ serverNowS: LATER_S, nowMs: LATER_MS, alerts: false });
      await complete(LATER_S);
      expect(await ids()).toEqual(["plain"]);
      await receive(store, subId, [message("first", NOW_S), message("second", NOW_S + 1, { sequence_id: "first" })], {
        via: "poll",
        nowMs: NOW_MS + 2_000,
        serverNowS: NOW_S + 2,
      });
      expect(await ids()).toEqual(["second"]);
      await receive(store, subId, [control("delete", "end", "first", NOW_S + 2)], { via: "poll" });
      expect(await ids()).toEqual(["plain"]);
    });

    test("is never older than a gap that says the server forgot it", async () => {
      await receive(store, subId, [message("one", NOW_S - 20), message("two", NOW_S - 10)], { via: "poll" });
      await complete(NOW_S);
      must(await store.addGap({ subId, from: NOW_S - 30, to: NOW_S - 15 }));
      must(await store.addGap({ subId, from: NOW_S - 12, to: NOW_S - 11, forgot: 1 }));
      expect(await ids()).toEqual(["two"]);
      must(await store.addGap({ subId, from: NOW_S - 12, to: NOW_S - 10, forgot: 1 }));
      expect(await ids()).toEqual([]);
      must(await store.addGap({ subId, from: NOW_S - 12, to: LATER_S + 100, forgot: 1 }));
      expect(await ids()).toEqual([]);
      expect(must(await store.gaps([subId]))).toEqual([
        { subId, from: NOW_S - 30, to: NOW_S - 15 },
        { subId, from: NOW_S - 12, to: LATER_S + 100, forgot: 1 },
      ]);
    });

    test("may be one that was deleted here, until it is purged", async () => {
      await receive(store, subId, [message("one", NOW_S - 20)], { via: "poll" });
      must(await store.mark([[subId, NOW_S - 20, "one"]], { kind: "deleted", on: true }, NOW_MS));
      expect(await ids()).toEqual(["one"]);
      must(await store.prune(NOW_MS + DAY_S * 1_000));
      expect(await ids()).toEqual([]);
    });
  });
}
