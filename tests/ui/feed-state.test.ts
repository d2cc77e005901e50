import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type HubEvent, rowKey, type StoredMessage } from "../../src/contract";
import { FeedState } from "../../src/ui/feed/feed-state.svelte";
import { FeedSpan } from "../../src/ui/feed/list/extent.svelte";
import type { FeedPlace } from "../../src/ui/state/navigation/scroll-anchor";
import type { FeedQuery } from "../../src/ui/state/navigation/view";
import { FakeReader, row } from "./fake-reader";

const everything: FeedQuery = { list: "feed", filter: { terms: [] } };

/** An announcement of rows, with defaults for what a test doesn't care about. */
function rows(event: Partial<Extract<HubEvent, { kind: "rows" }>>): HubEvent {
  return { kind: "rows", added: [], changed: [], removed: [], more: 0, counts: [], total: 0, lastArrival: 0, ...event };
}

const ids = (feed: FeedState) => feed.rows.map(({ id }) => id);
const numbered = (count: number) => Array.from({ length: count }, (_, index) => row(index + 1));

async function opened(stored: StoredMessage[], scope = everything, start?: FeedPlace) {
  const reader = new FakeReader(stored);
  const feed = new FeedState(reader.read, scope, start);
  await reader.idle();
  return { reader, feed };
}

/**
 * Reads on at the lower end until nothing is left, as if the user scrolled there; resolves to all ids that were shown.
 */
async function seenToTheEnd(reader: FakeReader, feed: FeedState): Promise<Set<string>> {
  const seen = new Set(ids(feed));
  while (feed.hasBelow) {
    feed.follows = false;
    feed.readBelow();
    await reader.idle();
    for (const id of ids(feed)) seen.add(id);
  }
  return seen;
}

describe("reading", () => {
  it("shows the newest first, and ties of one second by arrival, last come first", async () => {
    const { feed } = await opened([row(1), row(3, { time: 50, id: "a" }), row(2, { time: 50, id: "b" })]);
    expect(ids(feed)).toEqual(["a", "b", "m1"]);
    expect(feed.reads.phase).toBe("ready");
    expect(feed.hasBelow).toBe(false);
  });

  it("shows what is scheduled soonest first", async () => {
    const { feed } = await opened([row(5, { scheduled: 1 }), row(3, { scheduled: 1 }), row(4)], {
      list: "scheduled",
      filter: { terms: [] },
    });
    expect(ids(feed)).toEqual(["m3", "m5"]);
  });

  it("reads on by itself past pages that a filter left empty", async () => {
    const stored = numbered(500).map((one) => ({
      ...one,
      event: { ...one.event, title: one.id === "m3" ? "x" : "y" },
    }));
    const scope: FeedQuery = {
      list: "feed",
      filter: { terms: [{ not: false, kind: "contains", field: "title", text: "x" }] },
    };
    const { feed } = await opened(stored, scope);
    expect(ids(feed)).toEqual(["m3"]);
    expect(feed.hasBelow).toBe(false);
  });

  it("keeps a bounded window while the user scrolls through everything, down and up, and loses nothing", async () => {
    const { reader, feed } = await opened(numbered(3000));
    feed.follows = false;
    const seen = new Set(ids(feed));
    while (feed.hasBelow) {
      feed.readBelow();
      await reader.idle();
      for (const id of ids(feed)) seen.add(id);
      expect(feed.rows.length).toBeLessThanOrEqual(600);
    }
    expect(seen.size).toBe(3000);
    expect(feed.hasAbove).toBe(true);
    const again = new Set(ids(feed));
    while (feed.hasAbove) {
      feed.readAbove();
      await reader.idle();
      for (const id of ids(feed)) again.add(id);
      expect(feed.rows.length).toBeLessThanOrEqual(600);
    }
    expect(again.size).toBe(3000);
    expect(ids(feed)[0]).toBe("m3000");
    feed.readBelow();
    await reader.idle();
    expect(feed.rows.every((one, at) => at === 0 || one.time < (feed.rows[at - 1]?.time ?? 0))).toBe(true);
  });

  it("reports a failed read, and tries again when asked", async () => {
    const reader = new FakeReader(numbered(2));
    reader.failure = { kind: "unavailable", text: "no disk" };
    const feed = new FeedState(reader.read, everything);
    await reader.idle();
    expect(feed.reads.phase).toBe("failed");
    expect(feed.reads.failure).toContain("no disk");
    reader.failure = undefined;
    feed.retry();
    await reader.idle();
    expect(ids(feed)).toEqual(["m2", "m1"]);
  });

  it("stops reading when the user leaves, and goes on when they come back", async () => {
    const reader = new FakeReader(numbered(5));
    const feed = new FeedState(reader.read, everything);
    feed.leave();
    await reader.idle();
    expect(feed.rows).toEqual([]);
    feed.comeBack();
    await reader.idle();
    expect(feed.rows).toHaveLength(5);
  });
});

describe("beginning in the middle", () => {
  const placeOf = (number: number): FeedPlace => ({
    key: rowKey(row(number)),
    time: number,
    arrival: number,
    offset: -7,
  });

  it("reads only around a place, and goes on from there both ways", async () => {
    const { reader, feed } = await opened(numbered(3000), everything, placeOf(1500));
    expect(feed.landing).toEqual({ key: "1/1500/m1500", offset: -7 });
    expect(feed.rows.length).toBeLessThan(100);
    expect([feed.hasAbove, feed.hasBelow, feed.follows]).toEqual([true, true, false]);
    const seen = new Set(ids(feed));
    for (const way of ["below", "above"] as const) {
      while (way === "below" ? feed.hasBelow : feed.hasAbove) {
        feed[way === "below" ? "readBelow" : "readAbove"]();
        await reader.idle();
        for (const id of ids(feed)) seen.add(id);
        expect(feed.rows.every((one, at) => at === 0 || one.time === (feed.rows[at - 1]?.time ?? 0) - 1)).toBe(true);
      }
    }
    expect(seen.size).toBe(3000);
  });

  it("starts at the older neighbour if the message is gone, or at the newer one if nothing is older", async () => {
    const stored = numbered(100).filter(({ time }) => time > 20 && time !== 50);
    expect((await opened(stored, everything, placeOf(50))).feed.landing?.key).toBe("1/49/m49");
    expect((await opened(stored, everything, placeOf(5))).feed.landing?.key).toBe("1/21/m21");
  });

  it("tells messages of one second apart", async () => {
    const stored = Array.from({ length: 50 }, (_, at) => row(at, { time: 7, id: `m${String(99 - at)}` }));
    const { feed } = await opened(stored, everything, { key: "1/7/gone", time: 7, arrival: 20, offset: 0 });
    expect(feed.landing?.key).toBe("1/7/m79");
    expect(ids(feed)).toEqual(stored.map(({ id }) => id).reverse());
  });

  it("begins in the middle of a list that is sorted soonest first", async () => {
    const stored = numbered(90).map((one): StoredMessage => ({ ...one, scheduled: 1 }));
    const { feed } = await opened(stored, { list: "scheduled", filter: { terms: [] } }, placeOf(45));
    expect(feed.landing?.key).toBe("1/45/m45");
    expect(ids(feed)).toEqual(stored.slice(14, 74).map(({ id }) => id));
  });

  it("looks for rows past pages that a filter left empty", async () => {
    const stored = numbered(500).map((one) => ({ ...one, event: { ...one.event, title: one.time % 200 ? "y" : "x" } }));
    const scope: FeedQuery = {
      list: "feed",
      filter: { terms: [{ not: false, kind: "contains", field: "title", text: "x" }] },
    };
    const { reader, feed } = await opened(stored, scope, placeOf(399));
    expect(feed.landing?.key).toBe("1/200/m200");
    while (feed.hasAbove) {
      feed.readAbove();
      await reader.idle();
    }
    expect(ids(feed)).toEqual(["m400", "m200"]);
    expect(feed.hasBelow).toBe(false);
  });

  it("holds back messages that come meanwhile, and shows them when all others are gone", async () => {
    const reader = new FakeReader(numbered(90));
    const feed = new FeedState(reader.read, everything, placeOf(45));
    feed.apply(rows({ added: [row(91)] }));
    await reader.idle();
    expect(feed.held.count).toBe(1);
    const { feed: empty } = await opened([], everything, placeOf(45));
    expect(empty.reads.phase).toBe("ready");
    empty.apply(rows({ added: [row(91)] }));
    expect(ids(empty)).toEqual(["m91"]);
  });

  it("shows nothing when the user leaves during a read, and reads again when they come back", async () => {
    const reader = new FakeReader(numbered(90));
    const feed = new FeedState(reader.read, everything, placeOf(45));
    feed.leave();
    await reader.idle();
    expect(feed.rows).toEqual([]);
    feed.comeBack();
    await reader.idle();
    expect(feed.landing?.key).toBe("1/45/m45");
  });

  it("goes to another place and back to the top", async () => {
    const { reader, feed } = await opened(numbered(3000));
    await feed.goTo({ time: 40, arrival: Infinity });
    expect(feed.landing?.key).toBe("1/40/m40");
    expect(feed.follows).toBe(false);
    feed.apply(rows({ added: [row(3001)] }));
    reader.stored = [...reader.stored, row(3001)];
    expect(feed.held.count).toBe(1);
    await feed.release("leave");
    expect(ids(feed)[0]).toBe("m3001");
    expect(feed.landing, "and the list with it").toEqual({ key: "", offset: 0 });
  });
});

describe("any way through a feed", () => {
  const way = fc.oneof(
    fc.record({ kind: fc.constantFrom("down", "up", "release", "arrive", "leave"), to: fc.constant(0) }),
    fc.record({
      kind: fc.constantFrom("place", "reachAbove", "reachBelow"),
      to: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  );

  it("keeps the window ordered, without a hole and bounded, and its counts right", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(way, { maxLength: 25 }), fc.boolean(), async (ways, isMeasured) => {
        const { reader, feed } = await opened(numbered(2_000));
        feed.follows = false;
        if (isMeasured) feed.extent.measured(new FeedSpan([{ day: 0, count: 2_000 }], 2_000));
        for (const { kind, to } of ways) {
          if (kind === "down") feed.readBelow();
          if (kind === "up") feed.readAbove();
          if (kind === "release") await feed.release();
          if (kind === "place") await feed.goTo({ time: Math.round(2_000 * to), arrival: Infinity });
          if (kind === "reachAbove" && feed.extent.above > 0) feed.reach("above", to);
          if (kind === "reachBelow" && feed.extent.below > 0) feed.reach("below", to);
          if (kind === "arrive") {
            const next = row(reader.stored.length + 1);
            reader.stored = [...reader.stored, next];
            feed.apply(rows({ added: [next] }));
          }
          if (kind === "leave") {
            feed.leave();
            feed.comeBack();
          }
          await reader.idle();
          expect(feed.reads.phase).toBe("ready");
          expect(feed.reads.current).toBeUndefined();
          expect(feed.rows.length).toBeGreaterThan(0);
          expect(feed.rows.length).toBeLessThanOrEqual(600);
          expect(feed.rows.every((one, at) => at === 0 || one.time === (feed.rows[at - 1]?.time ?? 0) - 1)).toBe(true);
          expect(feed.hasBelow).toBe(feed.rows.at(-1)?.time !== 1);
          expect(feed.extent.above > 0).toBe(feed.hasAbove);
          if (!feed.hasBelow) expect(feed.extent.below).toBe(0);
          if (isMeasured) expect(feed.extent.below > 0).toBe(feed.hasBelow);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe("the number of rows above and below", () => {
  const DAY_S = 86_400;
  const MAX_ROWS = 600;
  /** Evenly spread messages, `each` on each of ten days, numbered from the oldest. */
  const tenDays = (each: number) =>
    Array.from({ length: 10 * each }, (_, at) => row(at + 1, { time: Math.floor(((at + 0.5) * DAY_S) / each) }));
  const spanOf = (each: number) =>
    new FeedSpan(
      Array.from({ length: 10 }, (_, day) => ({ day, count: each })),
      10 * DAY_S,
    );

  it("adds up to all rows, at every scroll position", async () => {
    const { reader, feed } = await opened(tenDays(100));
    expect([feed.extent.above, feed.extent.below], "before it was measured").toEqual([0, 0]);
    feed.extent.measured(spanOf(100));
    feed.follows = false;
    for (const way of ["readBelow", "readAbove", "readBelow"] as const) {
      while (way === "readBelow" ? feed.hasBelow : feed.hasAbove) {
        feed[way]();
        await reader.idle();
        expect(feed.extent.above + feed.rows.length + feed.extent.below).toBe(1000);
      }
      expect(way === "readBelow" ? feed.extent.below : feed.extent.above).toBe(0);
    }
    expect(feed.extent.above).toBe(1000 - MAX_ROWS);
  });

  it("shows the rows of the place that was scrolled to, and leaves the scroll position alone", async () => {
    const { reader, feed } = await opened(tenDays(1000));
    feed.extent.measured(spanOf(1000));
    expect(feed.extent.below).toBe(10_000 - 30);
    feed.reach("below", 0.5);
    await reader.idle();
    expect(feed.landing).toMatchObject({ stays: true, offset: 0 });
    const middle = Number(feed.landing?.key.split("/m")[1]);
    expect(Math.abs(middle - 5000)).toBeLessThan(30);
    expect(Math.abs(feed.extent.above + 60 + feed.extent.below - 10_000)).toBeLessThan(3);
    expect(Math.abs(feed.extent.above - 4985)).toBeLessThan(30);
    feed.reach("above", 0.1);
    await reader.idle();
    expect(Math.abs(Number(feed.landing?.key.split("/m")[1]) - 9500)).toBeLessThan(30);
    feed.reach("below", 1);
    await reader.idle();
    expect(ids(feed).at(-1), "the very end").toBe("m1");
    expect(feed.hasBelow).toBe(false);
    expect(feed.extent.below).toBe(0);
  });

  it("counts the rows that were let go if the total is unknown", async () => {
    const { reader, feed } = await opened(numbered(3000), { ...everything, list: "done" });
    expect(feed.extent.below).toBe(0);
    const done = numbered(3000).map((one): StoredMessage => ({ ...one, doneAtMs: 1 }));
    reader.stored = done;
    feed.retry();
    await reader.idle();
    feed.follows = false;
    while (feed.hasBelow) {
      feed.readBelow();
      await reader.idle();
    }
    expect(feed.extent.above).toBe(3000 - MAX_ROWS);
    for (let reads = 0; feed.hasAbove && reads < 50; reads++) {
      feed.reach("above", 0);
      await reader.idle();
    }
    expect(ids(feed)[0], "read page by page").toBe("m3000");
    expect(feed.extent.above).toBe(0);
  });
});

describe("following", () => {
  it("shows new rows at the top, each in its place", async () => {
    const { feed } = await opened(numbered(3));
    feed.apply(rows({ added: [row(5), row(4)] }));
    expect(ids(feed)).toEqual(["m5", "m4", "m3", "m2", "m1"]);
    expect(feed.held.count).toBe(0);
  });

  it("holds new rows back while the user reads further down, and shows them when asked", async () => {
    const { feed } = await opened(numbered(3));
    feed.follows = false;
    const before = feed.rows;
    feed.apply(rows({ added: [row(4), row(5)] }));
    expect(feed.rows).toBe(before);
    expect(feed.held.count).toBe(2);
    await feed.release();
    expect(ids(feed)).toEqual(["m5", "m4", "m3", "m2", "m1"]);
    expect(feed.held.count).toBe(0);
  });

  it("holds back what was stored unannounced while the user reads further down", async () => {
    const { reader, feed } = await opened([row(1), row(3)]);
    feed.follows = false;
    reader.stored = numbered(5);
    feed.apply({ kind: "missed" });
    await reader.idle();
    expect(ids(feed)).toEqual(["m3", "m1"]);
    expect(feed.held.count).toBe(3);
    await feed.release();
    expect(ids(feed)).toEqual(["m5", "m4", "m3", "m2", "m1"]);
  });

  it("says that something was stored unannounced above its window, if so", async () => {
    const { reader, feed } = await opened(numbered(300));
    await feed.goTo({ time: 150, arrival: 150 });
    await reader.idle();
    const told = async (stored: StoredMessage[]) => {
      reader.stored = stored;
      feed.apply({ kind: "missed" });
      await reader.idle();
      return feed.held.isPart;
    };
    expect([feed.hasAbove, await told(numbered(300))]).toEqual([true, false]);
    expect(await told(numbered(301))).toBe(true);
    await feed.release();
    expect([ids(feed)[0], feed.held.isPart]).toEqual(["m301", false]);
  });

  it("takes for new above its window only what was neither read nor announced before, wherever it began", async () => {
    const away = async (reader: FakeReader, feed: FeedState) => {
      await feed.goTo({ time: 150, arrival: 150 });
      await reader.idle();
      feed.held.release();
      reader.stored = numbered(301);
      feed.apply({ kind: "missed" });
      await reader.idle();
      return [feed.hasAbove, feed.held.isPart];
    };
    const full = await opened(numbered(300));
    full.feed.follows = false;
    full.feed.apply({ kind: "unstored", rows: [row(302, { arrival: Number.MAX_SAFE_INTEGER - 100 })] });
    expect(await away(full.reader, full.feed)).toEqual([true, true]);

    const reader = new FakeReader(numbered(300));
    const feed = new FeedState(reader.read, everything);
    feed.apply(rows({ added: [row(301)] }));
    await reader.idle();
    expect(await away(reader, feed), "it came during the first read").toEqual([true, false]);

    const restored = await opened(numbered(300), everything, { time: 290, arrival: 290, offset: 0, key: "" });
    restored.feed.readAbove();
    await restored.reader.idle();
    expect(restored.feed.hasAbove).toBe(false);
    expect(await away(restored.reader, restored.feed)).toEqual([true, true]);
  });

  it("counts exactly what is announced while a read reaches the top", async () => {
    const reader = new FakeReader(numbered(300));
    const feed = new FeedState(reader.read, everything);
    await reader.idle();
    feed.follows = false;
    const at = feed.goTo({ time: 290, arrival: 290 });
    feed.apply(rows({ added: [row(301)] }));
    await at;
    await reader.idle();
    expect([feed.hasAbove, feed.held.count, feed.held.isPart]).toEqual([false, 1, false]);
    await feed.goTo({ time: 150, arrival: 150 });
    await reader.idle();
    reader.stored = numbered(301);
    feed.apply({ kind: "missed" });
    await reader.idle();
    expect([feed.hasAbove, feed.held.count, feed.held.isPart]).toEqual([true, 1, false]);
  });

  it("counts exactly what is announced while rows above are read up to the top", async () => {
    const reader = new FakeReader(numbered(300));
    const feed = new FeedState(reader.read, everything);
    await reader.idle();
    await feed.goTo({ time: 250, arrival: 250 });
    await reader.idle();
    expect(feed.hasAbove).toBe(true);
    feed.readAbove();
    feed.apply(rows({ added: [row(301)] }));
    await reader.idle();
    expect([feed.hasAbove, feed.held.count, feed.held.isPart]).toEqual([false, 1, false]);
    await feed.goTo({ time: 150, arrival: 150 });
    await reader.idle();
    reader.stored = numbered(301);
    feed.apply({ kind: "missed" });
    await reader.idle();
    expect([feed.hasAbove, feed.held.count, feed.held.isPart]).toEqual([true, 1, false]);
  });

  it("says nothing of what is new above its window once it has gone to the top meanwhile", async () => {
    const reader = new FakeReader(numbered(600));
    let [open, gate] = [(): void => undefined, Promise.resolve()];
    const feed = new FeedState(async (query) => {
      const page = await reader.read(query);
      if (query.count === 1) await gate;
      return page;
    }, everything);
    await reader.idle();
    await feed.goTo({ time: 150, arrival: 150 });
    await reader.idle();
    gate = new Promise((resolve) => (open = resolve));
    feed.apply({ kind: "missed" });
    await reader.idle();
    await feed.release();
    open();
    await reader.idle();
    expect([ids(feed)[0], feed.hasAbove, feed.held.isPart]).toEqual(["m600", false, false]);
  });

  it("drops what left its list unannounced while the user reads further down, but not what a filter would leave out", async () => {
    const stored = numbered(9);
    const scopes: FeedQuery[] = [
      everything,
      { list: "feed", filter: { terms: [{ not: false, kind: "is", what: "unread" }] } },
    ];
    const left = scopes.map(async (scope) => {
      const { reader, feed } = await opened(stored, scope);
      feed.apply({ kind: "unstored", rows: [row(10)] });
      feed.follows = false;
      reader.stored = stored.map((one) => (one.id === "m5" ? { ...one, readAtMs: 7, doneAtMs: 7 } : one));
      feed.apply({ kind: "missed" });
      await reader.idle();
      feed.apply(rows({ changed: [row(5)] }));
      expect([ids(feed).includes("m5"), feed.held.count], "undone").toEqual([true, 0]);
      feed.apply({ kind: "missed" });
      await reader.idle();
      return ids(feed).length;
    });
    expect(await Promise.all(left)).toEqual([9, 10]);
  });

  it("keeps what is read above its window while it is read again", async () => {
    const reader = new FakeReader(numbered(300));
    let [open, gate] = [(): void => undefined, Promise.resolve()];
    const feed = new FeedState(async (query) => {
      const page = await reader.read(query);
      if (query.direction === "older") await gate;
      return page;
    }, everything);
    await reader.idle();
    await feed.goTo({ time: 150, arrival: 150 });
    await reader.idle();
    feed.follows = false;
    gate = new Promise((resolve) => (open = resolve));
    feed.apply({ kind: "missed" });
    await reader.idle();
    const before = feed.rows.length;
    feed.readAbove();
    await reader.idle();
    open();
    await reader.idle();
    expect(feed.rows.length).toBeGreaterThan(before);
  });

  it("applies to all that is read together what changes before the last of it has come", async () => {
    const reader = new FakeReader(numbered(100));
    let [open, gate] = [(): void => undefined, Promise.resolve()];
    const feed = new FeedState(async (query) => {
      const page = await reader.read(query);
      if (query.direction === "newer") await gate;
      return page;
    }, everything);
    await reader.idle();
    for (const [at, work] of [
      () => feed.goTo({ time: 50, arrival: 50 }),
      () => feed.apply({ kind: "missed" }),
    ].entries()) {
      gate = new Promise((resolve) => (open = resolve));
      const working = Promise.resolve(work());
      await reader.idle();
      feed.apply(rows({ changed: [row(49 - at, { readAtMs: 7 })], removed: [[1, 40 - at, `m${40 - at}`]] }));
      open();
      await working;
      await reader.idle();
      expect(feed.rows.find(({ id }) => id === `m${49 - at}`)?.readAtMs).toBe(7);
      expect(ids(feed)).not.toContain(`m${40 - at}`);
    }
  });

  it("shows all that was stored unannounced, however much it is", async () => {
    const { reader, feed } = await opened(numbered(3));
    feed.follows = false;
    reader.stored = numbered(900);
    feed.apply({ kind: "missed" });
    await reader.idle();
    expect(feed.held.isPart).toBe(true);
    await feed.release();
    expect(ids(feed)[0]).toBe("m900");
    expect((await seenToTheEnd(reader, feed)).size).toBe(900);
  });

  it("counts a message once, however often it is announced", async () => {
    const { feed } = await opened(numbered(3));
    feed.apply(rows({ added: [row(4)] }));
    feed.apply(rows({ added: [row(4)] }));
    feed.follows = false;
    feed.apply(rows({ added: [row(5)] }));
    feed.apply(rows({ added: [row(5)] }));
    expect(ids(feed)).toEqual(["m4", "m3", "m2", "m1"]);
    expect(feed.held.count).toBe(1);
  });

  it("counts no message as new because its mark changed, wherever it is", async () => {
    const { feed } = await opened(numbered(300));
    feed.follows = false;
    feed.apply(rows({ changed: [row(1, { readAtMs: 7 })] }));
    expect(feed.held.count, "below the window").toBe(0);
    await feed.goTo({ time: 100, arrival: 100 });
    feed.apply(rows({ changed: [row(290, { readAtMs: 7 })] }));
    expect(feed.held.count, "above the window").toBe(0);
    await feed.release();
    feed.follows = false;
    const come = Array.from({ length: 300 }, (_, at) => row(301 + at));
    for (const at of [0, 100, 200]) feed.apply(rows({ added: come.slice(at, at + 100) }));
    feed.apply(rows({ changed: [row(301, { readAtMs: 7 })] }));
    expect(feed.held.count, "among those held back").toBe(300);
  });

  it("holds back a message that returns from a snooze to a place in the window", async () => {
    const { feed } = await opened(numbered(9).map((one) => (one.id === "m5" ? { ...one, snoozedUntilMs: 7 } : one)));
    feed.follows = false;
    feed.apply(rows({ changed: [row(5)] }));
    expect(feed.held.count).toBe(1);
    await feed.release();
    expect(ids(feed)).toContain("m5");
  });

  it("ignores messages of other topics, lists and filters", async () => {
    const scope: FeedQuery = {
      list: "feed",
      subIds: [1],
      filter: { terms: [{ not: false, kind: "priority", values: [5] }] },
    };
    const { feed } = await opened([], scope);
    feed.apply(rows({ added: [row(1, { subId: 2 }), row(2), row(3, { doneAtMs: 1 })] }));
    expect(feed.rows).toEqual([]);
  });

  it("changes marks in place, and keeps a row that no longer matches until the view is opened again", async () => {
    const scope: FeedQuery = { list: "feed", filter: { terms: [{ not: false, kind: "is", what: "unread" }] } };
    const { feed } = await opened(numbered(2), scope);
    feed.apply(rows({ changed: [{ ...row(1), readAtMs: 7 }] }));
    expect(feed.rows.map(({ id, readAtMs }) => [id, readAtMs])).toEqual([
      ["m2", undefined],
      ["m1", 7],
    ]);
  });

  it("drops deleted and done messages, and brings them back at once on undo", async () => {
    const { feed } = await opened(numbered(3));
    feed.follows = false;
    feed.apply(rows({ removed: [[1, 2, "m2"]] }));
    feed.apply(rows({ changed: [{ ...row(1), doneAtMs: 7 }] }));
    expect(ids(feed)).toEqual(["m3"]);
    feed.apply(rows({ changed: [row(2), row(1)] }));
    expect(ids(feed)).toEqual(["m3", "m2", "m1"]);
    expect(feed.held.count).toBe(0);
    feed.apply(rows({ added: [row(50)], more: 46, changed: [{ ...row(2), doneAtMs: 7 }] }));
    feed.apply(rows({ changed: [row(2)] }));
    expect(ids(feed), "though not all new ones are known").toEqual(["m3", "m2", "m1"]);
  });

  it("keeps a starred message whose marks change, as starred ones are listed even if done or snoozed", async () => {
    const { feed } = await opened([row(1, { starred: 1, doneAtMs: 5 }), row(2, { starred: 1 })], {
      list: "starred",
      filter: { terms: [] },
    });
    feed.apply(rows({ changed: [row(1, { starred: 1, doneAtMs: 5, readAtMs: 7 }), row(2, { snoozedUntilMs: 9 })] }));
    expect(ids(feed)).toEqual(["m2", "m1"]);
    feed.apply(rows({ changed: [row(1, { starred: 1, deletedAtMs: 8 })] }));
    expect(ids(feed)).toEqual(["m2"]);
  });

  it("shows no message that came and was marked done during a read", async () => {
    const reader = new FakeReader(numbered(3));
    const feed = new FeedState(reader.read, everything);
    feed.apply(rows({ added: [row(4), row(5)] }));
    feed.apply(rows({ changed: [row(4, { doneAtMs: 7 }), row(5, { readAtMs: 7 })] }));
    await reader.idle();
    expect(feed.rows.map(({ id, readAtMs }) => [id, readAtMs])).toContainEqual(["m5", 7]);
    expect(ids(feed)).not.toContain("m4");
  });

  it("shows a message that was stored during a read", async () => {
    const reader = new FakeReader(numbered(3));
    const feed = new FeedState(reader.read, everything);
    feed.apply(rows({ added: [row(4)], changed: [{ ...row(3), readAtMs: 7 }], removed: [[1, 2, "m2"]] }));
    await reader.idle();
    expect(ids(feed)).toEqual(["m4", "m3", "m1"]);
    expect(feed.rows[1]?.readAtMs).toBe(7);
  });

  it("reads the messages that an announcement left out", async () => {
    const { reader, feed } = await opened(numbered(3));
    reader.stored = numbered(50);
    feed.apply(rows({ added: [row(50)], more: 46 }));
    await reader.idle();
    expect(ids(feed).slice(0, 3)).toEqual(["m50", "m49", "m48"]);
  });

  it("ends where the announcement of a backlog ends, without a read, and goes on from there", async () => {
    const reader = new FakeReader([]);
    let reads = 0;
    const feed = new FeedState((query) => (reads++, reader.read(query)), everything);
    await reader.idle();
    const readsToOpen = reads;
    const all = numbered(1001);
    // The newest part is announced first and in full; of the older part only the newest rows are announced.
    feed.apply(rows({ added: all.slice(900, 1000) }));
    feed.apply(rows({ added: all.slice(700, 900), more: 700 }));
    feed.apply(rows({ added: all.slice(1000) }));
    expect(reads).toBe(readsToOpen);
    expect([ids(feed)[0], ids(feed).length]).toEqual(["m1001", 301]);
    reader.stored = all;
    expect((await seenToTheEnd(reader, feed)).size).toBe(1001);
  });

  it("drops the rows beyond a hole, and reads them when the user gets there", async () => {
    const { reader, feed } = await opened(numbered(100));
    const burst = numbered(1000).slice(500);
    feed.apply(rows({ added: burst.slice(-200), more: 300 }));
    reader.stored = [...numbered(100), ...burst];
    expect(ids(feed).at(-1)).toBe("m801");
    expect((await seenToTheEnd(reader, feed)).size).toBe(600);
  });

  it("keeps the newest row in sight at the top when many come during a read below", async () => {
    const { reader, feed } = await opened(numbered(100));
    feed.readBelow();
    const burst = Array.from({ length: 590 }, (_, at) => row(101 + at));
    feed.apply(rows({ added: burst }));
    reader.stored = [...reader.stored, ...burst];
    await reader.idle();
    expect(ids(feed)[0]).toBe("m690");
    expect(feed.hasAbove).toBe(false);
    feed.apply(rows({ added: [row(691)] }));
    expect(ids(feed)[0]).toBe("m691");
    feed.follows = false;
    while (feed.hasBelow) {
      feed.readBelow();
      await reader.idle();
    }
    expect(ids(feed).at(-1), "and nothing below is skipped").toBe("m1");
    expect(feed.rows).toHaveLength(600);
    expect(feed.rows.every((one, at) => at === 0 || one.time === (feed.rows[at - 1]?.time ?? 0) - 1)).toBe(true);
  });

  it("counts the messages that an announcement left out while the user reads further down", async () => {
    const { reader, feed } = await opened(numbered(3));
    feed.follows = false;
    reader.stored = numbered(50);
    feed.apply(rows({ added: [row(50)], more: 46 }));
    expect(feed.held.count).toBe(47);
    await feed.release();
    await reader.idle();
    expect(feed.held.count).toBe(0);
    expect(ids(feed)[0]).toBe("m50");
  });

  it("goes on below its end when the older part of a backlog is stored while the user is there", async () => {
    const all = numbered(1000);
    const { reader, feed } = await opened(all.slice(900));
    await feed.goTo({ time: -1, arrival: 0 });
    expect([ids(feed).at(-1), feed.hasBelow]).toEqual(["m901", false]);
    reader.stored = all;
    feed.apply(rows({ added: all.slice(700, 900), more: 700 }));
    expect((await seenToTheEnd(reader, feed)).has("m1")).toBe(true);
  });

  it("keeps messages that could not be stored on the screen", async () => {
    const { reader, feed } = await opened(numbered(3));
    feed.apply({ kind: "unstored", rows: [row(4)] });
    feed.apply(rows({ added: [row(5)], more: 1 }));
    await reader.idle();
    expect(ids(feed)).toContain("m4");
  });

  it("puts messages that found room after all where the store has them, announced or not", async () => {
    const { reader, feed } = await opened([row(1, { time: 9 }), row(2, { time: 9 })]);
    const outside = (number: number) => row(number, { time: 9, arrival: 1_000_000 - number });
    feed.apply({ kind: "unstored", rows: [outside(3), outside(4), outside(5)] });
    expect(ids(feed)).toEqual(["m3", "m4", "m5", "m2", "m1"]);
    const found = [3, 4, 5].map((number) => row(number, { time: 9 }));
    reader.stored.push(...found);
    feed.apply(rows({ added: found.slice(1), more: 1 }));
    await reader.idle();
    expect(ids(feed)).toEqual(["m5", "m4", "m3", "m2", "m1"]);
  });

  it("holds a bounded number of new rows, and counts the rest", async () => {
    const { feed } = await opened(numbered(3));
    feed.follows = false;
    for (let at = 4; at < 1004; at += 100) feed.apply(rows({ added: numbered(at + 99).slice(at - 1) }));
    expect(feed.held.count).toBe(1000);
  });
});
