import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { rowFilter } from "../contract/filter/row-filter";
import type { PageQuery, Store } from "../../src/store";
import { feedIds, message, must, NOW_MS, NOW_S, receive, storeWith, type Engine } from "./samples";
import { runs } from "../long";

export function describeReading(makeEngine: () => Engine): void {
  describe("reading", () => {
    let engine: Engine;
    let store: Store;
    let subIds: number[];

    beforeEach(async () => {
      engine = makeEngine();
      const made = await storeWith(engine, ["backups", "doors", "ci"]);
      store = made.store;
      subIds = made.subIds;
    });

    const query = (rest: Partial<PageQuery> = {}): PageQuery => ({
      list: "feed",
      direction: "older",
      count: 50,
      nowMs: NOW_MS,
      ...rest,
    });
    const filter = (text: string) => ({ filter: rowFilter(text) });

    test("gives pages from the newest onwards, and back again", async () => {
      const events = Array.from({ length: 120 }, (_, at) => message(`m${at}`, NOW_S - 200 + at));
      await receive(store, subIds[0] ?? 0, events);
      const first = await store.reader.page(query());
      expect(first.rows.map((row) => row.id)).toEqual(
        events
          .slice(70)
          .map(({ id }) => id)
          .reverse(),
      );
      const second = await store.reader.page(query({ ...(first.next && { from: first.next }) }));
      expect(second.rows.map((row) => row.id)).toEqual(
        events
          .slice(20, 70)
          .map(({ id }) => id)
          .reverse(),
      );
      const back = await store.reader.page(query({ direction: "newer", ...(second.next && { from: second.next }) }));
      expect(back.rows[0]?.id).toBe("m21");
      const third = await store.reader.page(query({ ...(second.next && { from: second.next }) }));
      expect(third.rows).toHaveLength(20);
      expect(third.next).toBeUndefined();
    });

    test("an empty store has one empty page", async () => {
      expect(await store.reader.page(query())).toEqual({ rows: [] });
      expect(await store.reader.page(query({ subIds: [] }))).toEqual({ rows: [] });
      expect(await store.reader.page(query({ subIds, direction: "newer" }))).toEqual({ rows: [] });
    });

    test("gives the same list for any topics in any direction by pages of any size", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.record({ sub: fc.integer({ min: 0, max: 2 }), time: fc.integer({ min: 0, max: 6 }) }), {
            maxLength: 40,
          }),
          fc.option(fc.uniqueArray(fc.integer({ min: 0, max: 2 }), { minLength: 1 }), { nil: undefined }),
          fc.constantFrom("older", "newer"),
          fc.integer({ min: 1, max: 12 }),
          async (messages, chosen, direction, count) => {
            const made = await storeWith(makeEngine(), ["a", "b", "c"]);
            // Ids fall while arrival numbers rise, so that the order of keys is never that of arrivals.
            for (const [at, { sub, time }] of messages.entries()) {
              await receive(made.store, made.subIds[sub] ?? 0, [message(`m${99 - at}`, NOW_S + time)]);
            }
            const expected = messages
              .map(({ sub, time }, at) => ({ sub, time, at, id: `m${99 - at}` }))
              .filter(({ sub }) => chosen?.includes(sub) ?? true)
              .sort((a, b) => a.time - b.time || a.at - b.at)
              .map(({ id }) => id);
            if (direction === "older") expected.reverse();
            const some = chosen && { subIds: chosen.map((sub) => made.subIds[sub] ?? 0) };
            expect(await feedIds(made.store, { direction, count, ...some })).toEqual(expected);
            made.store.close();
          },
        ),
        { numRuns: runs(40) },
      );
    });

    test("gives the same list when seconds have hundreds of messages of several topics", async () => {
      const many = fc.oneof(fc.constant(1), fc.integer({ min: 200, max: 600 }));
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.record({ sub: fc.nat({ max: 2 }), time: fc.nat({ max: 2 }), many }), { maxLength: 5 }),
          fc.option(fc.uniqueArray(fc.nat({ max: 2 }), { minLength: 1 }), { nil: undefined }),
          fc.constantFrom("older", "newer"),
          fc.constantFrom(1, 50, 300),
          async (bursts, chosen, direction, count) => {
            const made = await storeWith(makeEngine(), ["a", "b", "c"]);
            const expected: { time: number; at: number; id: string; sub: number }[] = [];
            for (const { sub, time, many } of bursts) {
              const events = Array.from({ length: many }, () => {
                const at = expected.length;
                // Keys don't have the order of arrivals.
                const id = `m${(at * 7_919) % 10_007}`;
                expected.push({ time, at, id, sub });
                return message(id, NOW_S + time);
              });
              await receive(made.store, made.subIds[sub] ?? 0, events);
            }
            const ids = expected
              .filter(({ sub }) => chosen?.includes(sub) ?? true)
              .sort((a, b) => a.time - b.time || a.at - b.at)
              .map(({ id }) => id);
            if (direction === "older") ids.reverse();
            const some = chosen && { subIds: chosen.map((sub) => made.subIds[sub] ?? 0) };
            expect(await feedIds(made.store, { direction, count, ...some })).toEqual(ids);
            made.store.close();
          },
        ),
        { numRuns: runs(15) },
      );
    });

    test("a page ends with a whole second, or within a second that is too long for one page", async () => {
      const burst = Array.from({ length: 900 }, (_, at) => message(`b${at}`, NOW_S));
      await receive(store, subIds[0] ?? 0, [message("before", NOW_S - 1), ...burst, message("after", NOW_S + 1)]);
      const expected = ["after", ...burst.map(({ id }) => id).reverse(), "before"];
      const first = await store.reader.page(query({ count: 10 }));
      expect(first.rows).toHaveLength(257);
      expect(await feedIds(store, { count: 10 })).toEqual(expected);
      expect(await feedIds(store, { count: 10, direction: "newer" })).toEqual(expected.toReversed());
    });

    test("a page with a filter that matches nothing ends early and says where to go on", async () => {
      const events = Array.from({ length: 3_000 }, (_, at) => message(`m${at}`, NOW_S - 4_000 + at));
      await receive(store, subIds[0] ?? 0, [...events, message("needle", NOW_S - 7_000, { title: "Needle" })]);
      const first = await store.reader.page(query(filter("title:needle")));
      expect(first.rows).toEqual([]);
      expect(first.next?.time).toBeGreaterThan(NOW_S - 3_500);
      expect(await feedIds(store, filter("title:needle"))).toEqual(["needle"]);
    });

    test("a filter by date reads only those dates", async () => {
      const events = Array.from({ length: 2_600 }, (_, at) => message(`m${at}`, NOW_S - 3_600 + at));
      await receive(store, subIds[0] ?? 0, [message("old", NOW_S - 20_000), ...events]);
      const page = await store.reader.page(query(filter("before:2h")));
      expect(page.rows.map((row) => row.id)).toEqual(["old"]);
      expect(page.next).toBeUndefined();
      const from = await store.reader.page(query({ ...filter("after:20m"), direction: "newer" }));
      expect(from.rows[0]?.id).toBe("m2400");
    });

    test("filters see marks, and can select messages that the feed hides", async () => {
      await receive(store, subIds[0] ?? 0, [message("a", NOW_S - 2), message("b", NOW_S - 1), message("c")]);
      const key = [subIds[0] ?? 0, NOW_S - 1, "b"] as [number, number, string];
      must(await store.mark([key], { kind: "read", on: true }, NOW_MS));
      expect(await feedIds(store, filter("is:unread"))).toEqual(["c", "a"]);
      must(await store.mark([key], { kind: "done", on: true }, NOW_MS));
      expect(await feedIds(store, filter("is:done"))).toEqual(["b"]);
      must(await store.mark([key], { kind: "done", on: false }, NOW_MS));
      must(await store.mark([key], { kind: "snooze", untilMs: NOW_MS + 1 }, NOW_MS));
      expect(await feedIds(store, filter("is:snoozed"))).toEqual(["b"]);
      expect(await feedIds(store)).toEqual(["c", "a"]);
    });

    test("lists scheduled messages soonest first", async () => {
      const events = [30, 10, 20].map((delay) => message(`in${delay}`, NOW_S + delay));
      await receive(store, subIds[0] ?? 0, events, { via: "poll" });
      expect(await feedIds(store, { list: "scheduled", direction: "newer" })).toEqual(["in10", "in20", "in30"]);
      expect(await feedIds(store, { list: "scheduled", direction: "newer", subIds: [subIds[1] ?? 0] })).toEqual([]);
    });

    test("finds a message by its id alone, or with its time", async () => {
      const events = Array.from({ length: 1_100 }, (_, at) => message(`m${at}`, NOW_S - 2_000 + at));
      await receive(store, subIds[0] ?? 0, events);
      expect((await store.reader.find(subIds[0] ?? 0, "m3"))?.time).toBe(NOW_S - 1_997);
      expect((await store.reader.find(subIds[0] ?? 0, "m3", NOW_S - 1_997))?.id).toBe("m3");
      expect((await store.reader.find(subIds[0] ?? 0, "m3", NOW_S))?.id).toBe("m3");
      expect(await store.reader.find(subIds[1] ?? 0, "m3")).toBeUndefined();
      expect(await store.reader.find(subIds[0] ?? 0, "nowhere")).toBeUndefined();
    });

    test("reads all small tables at once, in order", async () => {
      must(await store.setViews([{ name: "Urgent", link: "#/?priority=urgent" }]));
      await receive(store, subIds[0] ?? 0, [message("a")]);
      const catalogue = await store.reader.catalogue();
      expect(catalogue.subscriptions.map(({ topic, order }) => [topic, order])).toEqual([
        ["backups", 0],
        ["doors", 1],
        ["ci", 2],
      ]);
      expect(catalogue).toMatchObject({
        servers: [{ serverId: 1 }],
        accounts: [],
        views: [{ name: "Urgent" }],
        settings: { keepDays: 30, keepMessages: 100_000 },
        total: 1,
      });
    });

    test("reports that the database was closed", async () => {
      store.close();
      await expect(store.reader.page(query())).rejects.toMatchObject({ error: { kind: "unavailable" } });
      expect(await store.mark([], { kind: "read", on: true }, NOW_MS)).toMatchObject({
        ok: false,
        error: { kind: "unavailable" },
      });
    });
  });
}
