import { describe, expect, it } from "vitest";
import { feedItems, joinGaps } from "../../src/ui/feed/feed-items";
import { row } from "./fake-reader";

/** A moment on the device's clock, Unix seconds. */
const at = (day: number, hour: number) => new Date(2026, 10, day, hour).getTime() / 1000;
const said = (items: ReturnType<typeof feedItems>) =>
  items.map((item) => (item.kind === "row" ? item.row.id : item.kind === "day" ? new Date(item.at).getDate() : "gap"));
const all = { newer: false, older: false };

describe("feedItems", () => {
  const rows = [row(3, { time: at(21, 2) }), row(2, { time: at(20, 23) }), row(1, { time: at(20, 1) })];

  it("begins each day with a heading", () => {
    expect(said(feedItems(rows, [], all))).toEqual([21, "m3", 20, "m2", "m1"]);
  });

  it("numbers the rows, not the headings", () => {
    const positions = feedItems(rows, [], all).flatMap((item) => (item.kind === "row" ? [item.position] : []));
    expect(positions).toEqual([0, 1, 2]);
  });

  it("puts a gap above the first message that is older than its end", () => {
    const gaps = joinGaps([{ subId: 1, from: at(20, 2), to: at(20, 5) }]);
    expect(said(feedItems(rows, gaps, all))).toEqual([21, "m3", 20, "m2", "gap", "m1"]);
  });

  it("shows a gap older than all messages only if nothing older is left to read", () => {
    const gaps = joinGaps([{ subId: 1, from: at(19, 2), to: at(19, 5) }]);
    expect(said(feedItems(rows, gaps, all)).at(-1)).toBe("gap");
    expect(said(feedItems(rows, gaps, { newer: false, older: true })).at(-1)).toBe("m1");
  });

  it("shows no gap newer than a window that begins further down", () => {
    const gaps = joinGaps([{ subId: 1, from: at(21, 5), to: at(21, 6) }]);
    expect(said(feedItems(rows, gaps, all))[0]).toBe("gap");
    expect(said(feedItems(rows, gaps, { newer: true, older: false }))[0]).toBe(21);
  });

  it("gives each item a key of its own, whatever times a server sends", () => {
    const odd = [row(2, { time: Number.MAX_SAFE_INTEGER }), row(1, { time: 0 })];
    const keys = feedItems(odd, [], all).map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe("joinGaps", () => {
  it("merges gaps of the same span and cause in several topics, newest first", () => {
    expect(
      joinGaps([
        { subId: 1, from: 1, to: 2 },
        { subId: 1, from: 5, to: 6 },
        { subId: 2, from: 5, to: 6 },
        { subId: 3, from: 5, to: 6, forgot: 1 },
        { subId: 4, from: 5, to: 6, forgot: 1 },
      ]),
    ).toEqual([
      { from: 5, to: 6, subIds: [1, 2] },
      { from: 5, to: 6, forgot: 1, subIds: [3, 4] },
      { from: 1, to: 2, subIds: [1] },
    ]);
  });
});
