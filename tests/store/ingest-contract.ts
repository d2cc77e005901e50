import { beforeEach, describe, expect, test } from "vitest";
import { type AlertRules, type QuietHours, WEEKDAYS } from "../../src/contract";
import type { IngestBatch, Store } from "../../src/store";
import { checkConsistency, snapshot } from "./check-consistency";
import {
  arrivals,
  batch,
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

export function describeIngest(makeEngine: () => Engine): void {
  describe("ingest", () => {
    let engine: Engine;
    let store: Store;
    let subId: number;

    beforeEach(async () => {
      engine = makeEngine();
      const made = await storeWith(engine);
      store = made.store;
      subId = made.subIds[0] as number;
    });

    test("stores a message once, however often and in whatever way it comes", async () => {
      const first = await receive(store, subId, [message("a"), message("a")]);
      const second = await receive(store, subId, [message("a")], { via: "poll" });
      expect(first.added.map((row) => row.id)).toEqual(["a"]);
      expect([second.added, second.alerts]).toEqual([[], []]);
      const { messages } = await checkConsistency(engine);
      expect(messages).toHaveLength(1);
      expect(messages[0]).toMatchObject({ via: "stream", receivedAtMs: NOW_MS, alertedAtMs: NOW_MS });
    });

    test("keeps all received fields, even unknown ones", async () => {
      const event = { ...message("a"), future_field: { deep: [1, "two"] } };
      await receive(store, subId, [event]);
      expect((await store.reader.get([subId, NOW_S, "a"]))?.event).toEqual(event);
    });

    test("marks messages before a given time as read, set for the batch or the subscription, and alerts for the others", async () => {
      const choice = { serverId: 1, accountId: 0, topics: ["new"], readBefore: NOW_S - 5 };
      subId = must(await store.addSubscriptions(choice))[0]?.subId ?? 0;
      const events = [message("old", NOW_S - 6), message("at", NOW_S - 5), message("new")];
      const history = await receive(store, subId, events);
      expect(history.added.filter((row) => row.readAtMs === NOW_MS).map((row) => row.id)).toEqual(["old"]);
      expect(history.alerts.map((row) => row.id).sort()).toEqual(["at", "new"]);
      const own = { ...batch(arrivals(subId, [message("own")])), readBefore: Infinity };
      const stored = must(await store.ingest(own));
      expect(stored.added).toMatchObject([{ id: "own", readAtMs: NOW_MS }]);
      expect(stored.alerts).toEqual([]);
      expect(stored.counts).toMatchObject([{ subId, unread: 2, inFeed: 4 }]);
      await checkConsistency(engine);
    });

    test("finds the new messages in a large batch that mixes them with old ones", async () => {
      const all = Array.from({ length: 400 }, (_, at) => message(`id${at}`, NOW_S - 10_000 + at * 7));
      const odd = all.filter((_, at) => at % 2 === 1);
      await receive(store, subId, odd);
      const result = await receive(store, subId, all, { via: "poll" });
      expect(result.added).toHaveLength(200);
      expect((await checkConsistency(engine)).messages).toHaveLength(400);
    });

    test("finds the new messages among many when a few old ones are far from the others", async () => {
      const stored = Array.from({ length: 600 }, (_, at) => message(`s${at}`, NOW_S - 90_000 + at));
      await receive(store, subId, stored);
      const fresh = Array.from({ length: 20 }, (_, at) => message(`n${at}`, NOW_S - 50 + at));
      const mixed = [stored[3], ...fresh, message("late", NOW_S - 89_900)].filter((event) => event !== undefined);
      const result = await receive(store, subId, mixed);
      expect(result.added.map((row) => row.id).sort()).toEqual([...fresh.map(({ id }) => id), "late"].sort());
      await checkConsistency(engine);
    });

    test("counts unread, urgent ones and the newest by topic", async () => {
      const result = await receive(store, subId, [
        message("a", NOW_S - 5, { priority: 5, title: "Backup failed" }),
        message("b", NOW_S - 9, { priority: 4 }),
        message("c", NOW_S - 7, { priority: 3 }),
      ]);
      expect(result.total).toBe(3);
      expect(result.counts).toEqual([
        {
          subId,
          unread: 3,
          unreadUrgent: 1,
          unreadHigh: 1,
          starred: 0,
          scheduled: 0,
          snoozed: 0,
          inFeed: 3,
          total: 3,
          newest: { id: "a", time: NOW_S - 5, arrival: 1, text: "Backup failed", priority: 5 },
        },
      ]);
      await checkConsistency(engine);
    });

    test("the newest of a topic is said without the marks of Markdown", async () => {
      const given = message("a", NOW_S, { message: "**Washing** is *done*", content_type: "text/markdown" });
      const { counts } = await receive(store, subId, [given]);
      expect(counts[0]?.newest?.text).toBe("Washing is done");
    });

    test("drops messages of no subscription or a removed one, and those older than the subscription's beginning", async () => {
      const made = must(
        await store.addSubscriptions({ serverId: 1, accountId: 0, topics: ["new"], fromTime: NOW_S - 60 }),
      );
      const fromNow = made[0]?.subId as number;
      const result = must(
        await store.ingest(
          batch([
            ...arrivals(999, [message("x")]),
            ...arrivals(fromNow, [message("old", NOW_S - 61), message("edge", NOW_S - 60)]),
          ]),
        ),
      );
      expect(result.added.map((row) => row.id)).toEqual(["edge"]);
      must(await store.removeSubscription(fromNow, NOW_MS));
      const cursors = { timeCursors: [{ subId: fromNow, time: NOW_S }], joined: [fromNow] };
      expect((await receive(store, fromNow, [message("late")], { cursors })).added).toEqual([]);
      await checkConsistency(engine);
      const restored = must(await store.restoreSubscription(fromNow));
      expect(restored, "what was dropped was not passed either").not.toHaveProperty("timeCursor");
    });

    test("claims an alert once, for unmuted topics and at or above their minimum priority", async () => {
      const alertsOf = async (id: string, nowMs = NOW_MS) =>
        (await receive(store, subId, [message(id, NOW_S, { priority: 3 })], { nowMs })).alerts.map((row) => row.id);
      expect(await alertsOf("a")).toEqual(["a"]);
      must(await store.patchSubscription(subId, { mutedUntilMs: NOW_MS + 1_000 }));
      expect(await alertsOf("b")).toEqual([]);
      expect(await alertsOf("c", NOW_MS + 1_000)).toEqual(["c"]);
      must(await store.patchSubscription(subId, { mutedUntilMs: Infinity }));
      expect(await alertsOf("d", NOW_MS + DAY_S * 1_000)).toEqual([]);
      must(await store.patchSubscription(subId, { mutedUntilMs: null, minPriority: 4 }));
      expect(await alertsOf("e")).toEqual([]);
      // Settings of alerts change nothing but alerts.
      expect((await checkConsistency(engine)).subscriptions[0]?.unread).toBe(5);
    });

    test("raises no alerts while it stores history", async () => {
      const result = await receive(store, subId, [message("a")], { alerts: false });
      expect(result.alerts).toEqual([]);
      expect(result.added[0]?.alertedAtMs).toBeUndefined();
    });

    test("notes why a message raises no alert, and no reason if it does", async () => {
      const reasonOf = async (id: string) => (await store.reader.get([subId, NOW_S, id]))?.noAlert;
      const come = async (id: string, rest: Partial<IngestBatch> = {}) => {
        await receive(store, subId, [message(id, NOW_S, { priority: 3 })], rest);
        return reasonOf(id);
      };
      expect(await come("usual")).toBeUndefined();
      expect(Object.keys((await store.reader.get([subId, NOW_S, "usual"])) ?? {})).not.toContain("noAlert");
      expect(await come("history", { alerts: false })).toBe("history");
      must(await store.patchSubscription(subId, { mutedUntilMs: NOW_MS + 1 }));
      expect(await come("muted")).toBe("muted");
      must(await store.patchSubscription(subId, { mutedUntilMs: null, minPriority: 4 }));
      expect(await come("unimportant")).toBe("priority");
      // A stored reason stays as it was when the message came.
      must(await store.patchSubscription(subId, { minPriority: null }));
      await come("muted");
      expect([await reasonOf("muted"), await reasonOf("unimportant")]).toEqual(["muted", "priority"]);
      await checkConsistency(engine);
    });

    test("notes as the reason that a version was replaced or cleared before it came", async () => {
      const version = (id: string, time: number) => message(id, time, { sequence_id: "door" });
      await receive(store, subId, [version("newer", NOW_S)]);
      await receive(store, subId, [version("older", NOW_S - 60)]);
      await receive(store, subId, [control("clear", "c", "tap", NOW_S)]);
      await receive(store, subId, [message("dripped", NOW_S - 60, { sequence_id: "tap" })]);
      const { messages } = await checkConsistency(engine);
      const reasons = Object.fromEntries(messages.map(({ id, noAlert }) => [id, noAlert]));
      expect(reasons).toEqual({ newer: undefined, older: "superseded", dripped: "read" });
    });

    test("raises no alert in quiet hours, except for urgent messages, and notes when they end", async () => {
      const local = new Date(2026, 10, 24, 23);
      const end = new Date(2026, 10, 25, 7);
      const nights = { on: true, urgentAlerts: true, spans: [{ days: [...WEEKDAYS], from: "22:00", to: "07:00" }] };
      const come = async (id: string, at: Date, priority: 3 | 5 = 3) => {
        const { alerts } = await receive(store, subId, [message(id, NOW_S, { priority })], { nowMs: at.getTime() });
        const row = await store.reader.get([subId, NOW_S, id]);
        return { alerts: alerts.length, noAlert: row?.noAlert };
      };
      const quiet = { alerts: 0, noAlert: { kind: "quiet", untilMs: end.getTime() } };
      const loud = { alerts: 1, noAlert: undefined };
      must(await store.setSetting("alertRules", { quietHours: nights }));
      expect(await come("in the night", local)).toEqual(quiet);
      expect(await come("urgent", local, 5)).toEqual(loud);
      expect(await come("in the morning", end)).toEqual(loud);
      must(await store.patchSubscription(subId, { quietHours: { ...nights, on: false } }));
      expect(await come("a topic that is never quiet", local)).toEqual(loud);
      must(await store.patchSubscription(subId, { quietHours: { ...nights, urgentAlerts: false } }));
      must(await store.setSetting("alertRules", {}));
      expect(await come("a topic with its own", local, 5)).toEqual(quiet);
      must(await store.patchSubscription(subId, { quietHours: null }));
      expect(await come("none any more", local)).toEqual(loud);
      await checkConsistency(engine);
    });

    test("treats quiet hours for which nonsense was stored as none", async () => {
      const spans = [{ days: [1, 9], from: "25:99", to: "07:00" }];
      must(await store.setSetting("alertRules", { quietHours: { on: true, spans } as unknown as QuietHours }));
      expect((await receive(store, subId, [message("a")])).alerts).toHaveLength(1);
      must(await store.setSetting("alertRules", 7 as unknown as AlertRules));
      expect((await receive(store, subId, [message("b")])).alerts).toHaveLength(1);
    });

    test("decides about a scheduled message by the quiet hours of the moment when it is due", async () => {
      const always = { on: true, urgentAlerts: true, spans: [{ days: [...WEEKDAYS], from: "08:00", to: "08:00" }] };
      await receive(store, subId, [message("later", NOW_S + 10)], { via: "poll", alerts: false });
      must(await store.setSetting("alertRules", { quietHours: always }));
      const due = must(await store.settleDue({ serverNowS: NOW_S + 10, nowMs: NOW_MS, alerts: true }));
      expect(due.alerts).toEqual([]);
      expect((await store.reader.get([subId, NOW_S + 10, "later"]))?.noAlert).toEqual({
        kind: "quiet",
        untilMs: Infinity,
      });
      await checkConsistency(engine);
    });

    test("decides about a scheduled message's alert only when it is due", async () => {
      await receive(store, subId, [message("later", NOW_S + 10)], { via: "poll", alerts: false });
      must(await store.patchSubscription(subId, { mutedUntilMs: Infinity }));
      const later = async () => (await store.reader.get([subId, NOW_S + 10, "later"]))?.noAlert;
      expect(await later()).toBeUndefined();
      must(await store.settleDue({ serverNowS: NOW_S + 10, nowMs: NOW_MS, alerts: true }));
      expect(await later()).toBe("muted");
      await checkConsistency(engine);
    });

    test("orders by time, then first arrival, whatever order a batch has", async () => {
      await receive(store, subId, [message("z", NOW_S), message("m", NOW_S - 1), message("a", NOW_S)]);
      await receive(store, subId, [message("b", NOW_S), message("n", NOW_S - 2)]);
      expect(await feedIds(store)).toEqual(["b", "a", "z", "m", "n"]);
    });

    test("moves cursors with the messages, and only forward", async () => {
      const cursor = (id: string, time: number) => ({ serverId: 1, accountId: 0, id, time, expires: time + DAY_S });
      const move = (id: string, time: number) =>
        receive(store, subId, [message(id, time)], {
          cursors: { group: cursor(id, time), timeCursors: [{ subId, time }], joined: [subId] },
        });
      await move("b", NOW_S);
      await move("a", NOW_S - 100);
      expect(must(await store.cursor([1, 0]))).toEqual(cursor("b", NOW_S));
      expect(must(await store.subscriptions())[0]).toMatchObject({ timeCursor: NOW_S, joined: 1, unread: 2 });
      await move("c", NOW_S);
      expect(must(await store.cursor([1, 0]))?.id).toBe("c");
    });

    test("moves the time cursor back with a clock that was set back, and the subscription's beginning with it", async () => {
      must(await store.ingest(batch([], { cursors: { timeCursors: [{ subId, time: NOW_S }] } })));
      must(await store.patchSubscription(subId, { fromTime: NOW_S - 100 }));
      const earlier = NOW_S - DAY_S;
      must(
        await store.ingest(batch([], { cursors: { timeCursors: [{ subId, time: earlier }], isClockSetBack: true } })),
      );
      expect(must(await store.subscriptions())[0]).toMatchObject({ timeCursor: earlier, fromTime: earlier });
      await receive(store, subId, [message("new", earlier + 1)]);
      expect(await feedIds(store)).toEqual(["new"]);
    });

    test("moves cursors when nothing came", async () => {
      must(await store.ingest(batch([], { cursors: { timeCursors: [{ subId, time: NOW_S }] } })));
      expect(must(await store.subscriptions())[0]?.timeCursor).toBe(NOW_S);
    });

    test("lists scheduled messages apart, neither unread nor alerting", async () => {
      const due = NOW_S + HOUR_S;
      const result = await receive(store, subId, [message("later", due), message("now")], { via: "poll" });
      expect(result.added.map((row) => [row.id, row.scheduled])).toEqual([
        ["later", 1],
        ["now", undefined],
      ]);
      expect(result.alerts.map((row) => row.id)).toEqual(["now"]);
      expect(result.counts[0]).toMatchObject({ unread: 1, total: 2, newest: { id: "now" } });
      expect(await feedIds(store)).toEqual(["now"]);
      expect(await feedIds(store, { list: "scheduled", direction: "newer" })).toEqual(["later"]);
      await checkConsistency(engine);
    });

    test("treats messages of a stream as delivered, whatever their time", async () => {
      const result = await receive(store, subId, [message("ahead", NOW_S + 5)]);
      expect(result.alerts.map((row) => row.id)).toEqual(["ahead"]);
    });

    test.each([
      ["live", { via: "stream" as const }],
      ["by a poll after its time", { via: "poll" as const, serverNowS: NOW_S + HOUR_S }],
    ])("a scheduled message that comes again %s enters the feed and alerts once", async (_, rest) => {
      const due = NOW_S + HOUR_S;
      await receive(store, subId, [message("later", due)], { via: "poll" });
      const again = await receive(store, subId, [message("later", due)], rest);
      expect(again.changed.map((row) => [row.id, row.scheduled, row.arrival])).toEqual([["later", undefined, 1]]);
      expect(again.added, "known before, though not in the feed").toEqual([]);
      expect(again.alerts.map((row) => row.id)).toEqual(["later"]);
      expect(again.counts[0]).toMatchObject({ unread: 1, total: 1 });
      const third = await receive(store, subId, [message("later", due)], { serverNowS: due });
      const settled = must(await store.settleDue({ serverNowS: due + 1, nowMs: NOW_MS, alerts: true }));
      expect([third.alerts, third.added, settled.alerts]).toEqual([[], [], []]);
      await checkConsistency(engine);
    });

    test("a scheduled message that comes live within the same batch enters the feed at once", async () => {
      const event = message("later", NOW_S + HOUR_S);
      const twice = [...arrivals(subId, [event], "poll"), ...arrivals(subId, [event], "stream")];
      const result = must(await store.ingest(batch(twice)));
      expect(result.alerts.map((row) => row.id)).toEqual(["later"]);
      await checkConsistency(engine);
    });

    test("scheduled messages fall due by the server's clock, once", async () => {
      await receive(store, subId, [message("b", NOW_S + 20), message("a", NOW_S + 10)], { via: "poll" });
      const settle = async (serverNowS: number) =>
        must(await store.settleDue({ serverId: 1, serverNowS, nowMs: NOW_MS, alerts: true }));
      const before = await settle(NOW_S + 9);
      expect([before.changed, before.nextDueS]).toEqual([[], NOW_S + 10]);
      const first = await settle(NOW_S + 10);
      expect(first.changed.map((row) => [row.id, row.scheduled])).toEqual([["a", undefined]]);
      expect([first.alerts.map((row) => row.id), first.nextDueS]).toEqual([["a"], NOW_S + 20]);
      const second = await settle(NOW_S + 100);
      expect([second.alerts.map((row) => row.id), second.nextDueS]).toEqual([["b"], undefined]);
      expect((await settle(NOW_S + 100)).changed).toEqual([]);
      expect(await feedIds(store)).toEqual(["b", "a"]);
      await checkConsistency(engine);
    });

    test("a scheduled message that a complete poll no longer brings was cancelled", async () => {
      const events = ["gone", "kept", "due", "young"].map((id) => message(id, id === "due" ? NOW_S + 1 : NOW_S + 900));
      await receive(store, subId, events.slice(0, 3), { via: "poll" });
      await receive(store, subId, events.slice(3), { via: "poll", nowMs: NOW_MS + 500 });
      const changes = must(
        await store.reconcileScheduled({
          subIds: [subId],
          presentIds: new Set(["kept"]),
          serverNowS: NOW_S + 1,
          beforeMs: NOW_MS + 500,
        }),
      );
      expect(changes.removed).toEqual([[subId, NOW_S + 900, "gone"]]);
      expect(changes.total).toBe(3);
      // The message may have been scheduled again, so it doesn't count as deleted.
      expect((await receive(store, subId, [message("gone", NOW_S + 900)], { via: "poll" })).added).toHaveLength(1);
      await checkConsistency(engine);
    });

    test("writes nothing at all when a write fails half-way, and says so", async () => {
      await receive(store, subId, [message("first")]);
      const before = await snapshot(engine);
      const events = [message("a"), message("b")];
      // A value that can't be stored stands for any failure in the middle of the writes.
      const broken = { ...message("c"), broken: () => undefined };
      const failed = await store.ingest(
        batch(arrivals(subId, [...events, broken]), {
          cursors: { timeCursors: [{ subId, time: NOW_S }] },
        }),
      );
      expect(failed).toMatchObject({ ok: false, error: { kind: "failed" } });
      expect(await snapshot(engine)).toEqual(before);
      expect((await receive(store, subId, events)).added).toHaveLength(2);
      await checkConsistency(engine);
    });

    test("two connections writing at once store each message once and lose no count", async () => {
      const other = (await storeWith(engine)).store;
      const events = Array.from({ length: 60 }, (_, at) => message(`id${at}`, NOW_S - at));
      const work = Array.from({ length: 12 }, (_, at) => {
        const part = events.slice(at * 4, at * 4 + 16);
        return Promise.all([receive(store, subId, part), receive(other, subId, part.toReversed())]);
      });
      const results = (await Promise.all(work)).flat();
      const { messages } = await checkConsistency(engine);
      expect(messages).toHaveLength(60);
      expect(results.flatMap((result) => result.alerts)).toHaveLength(60);
      expect(results.flatMap((result) => result.added)).toHaveLength(60);
    });
  });
}
