import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { itemAt, layOut, MAX_SPAN, type ListLayout, type LayoutInput } from "../../src/ui/feed/list/virtual-layout";

const tall = (heights: number[]) => (index: number) => heights[index] ?? 0;

/** Upper edge of an item, rendered or not. */
function topOf(index: number, { first, above }: ListLayout, height: (index: number) => number): number {
  let top = above;
  for (let at = first; at < index; at++) top += height(at);
  for (let at = first; at > index; at--) top -= height(at - 1);
  return top;
}

/**
 * Index of the anchor, its distance from the upper edge of the screen, the scroll position, and whether more items can
 * come above.
 */
const standing = [fc.nat(), fc.integer({ min: -600, max: 600 }), fc.nat({ max: 20_000 }), fc.boolean()] as const;

const plain: Omit<LayoutInput, "count" | "height"> = {
  anchor: { index: 0, top: 0 },
  scrollTop: 0,
  viewport: 300,
  margin: 100,
  openAbove: false,
};

describe("layOut", () => {
  it("renders the screen and a margin, and leaves room for the rest", () => {
    const height = () => 50;
    expect(layOut({ ...plain, count: 100, height })).toEqual({
      first: 0,
      end: 8,
      above: 0,
      below: 92 * 50,
      scrollTop: 0,
      moved: 0,
    });
    expect(layOut({ ...plain, count: 100, height, scrollTop: 1000 })).toEqual({
      first: 18,
      end: 28,
      above: 900,
      below: 72 * 50,
      scrollTop: 1000,
      moved: 0,
    });
  });

  it("renders a limited number of items, and leaves room for the others", () => {
    const input = { ...plain, count: 100, height: () => 50 };
    expect(layOut({ ...input, most: 3 })).toEqual({ ...layOut(input), end: 3, below: 97 * 50 });
    expect(layOut({ ...input, most: 8 })).toEqual(layOut(input));
    expect(layOut({ ...input, count: 2, most: 3 })).toEqual(layOut({ ...input, count: 2 }));
  });

  it("keeps the anchor in its place when items enter above it", () => {
    const after = layOut({ ...plain, count: 23, height: () => 50, scrollTop: 80, anchor: { index: 5, top: 80 } });
    // Three items came above the two that were there: the list begins at 0 again, and the scroll position follows.
    expect(after.scrollTop).toBe(250);
    expect(after.above + (5 - after.first) * 50 - after.scrollTop).toBe(0);
  });

  it("renders an unmeasured item that is to be scrolled to, however far above the screen it begins", () => {
    const height = () => 50;
    const given = { ...plain, count: 100, height, scrollTop: 700, margin: 0 };
    const goTo = { index: 10, top: 500 };
    expect(layOut({ ...given, anchor: { ...goTo, isMeasured: false } })).toMatchObject({ first: 10, above: 500 });
    expect(layOut({ ...given, anchor: goTo })).toMatchObject({ first: 14, above: 700 });
  });

  it("absorbs errors of the estimate in the spacer while the start is far, without scrolling", () => {
    const { scrollTop, above, first } = layOut({
      ...plain,
      count: 100,
      height: () => 60,
      scrollTop: 2000,
      anchor: { index: 40, top: 2000 },
    });
    expect(scrollTop).toBe(2000);
    expect(above + (40 - first) * 60).toBe(2000);
  });

  it("leaves space above the first item if more can come, and removes it if nothing can", () => {
    const input = { ...plain, count: 10, height: () => 50, scrollTop: 500, anchor: { index: 0, top: 500 } };
    expect(layOut({ ...input, openAbove: true })).toMatchObject({ above: 500, scrollTop: 500 });
    expect(layOut({ ...input, openAbove: false })).toMatchObject({ above: 0, scrollTop: 0 });
  });

  it("renders nothing if there are no items", () => {
    expect(layOut({ ...plain, count: 0, height: () => 50 })).toEqual({
      first: 0,
      end: 0,
      above: 0,
      below: 0,
      scrollTop: 0,
      moved: 0,
    });
  });

  it("does not move the anchor by a pixel, whatever changes around it", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 80 }),
        ...standing,
        (heights, pick, offset, scrollTop, openAbove) => {
          const index = pick % heights.length;
          const anchor = { index, top: scrollTop + offset };
          const height = tall(heights);
          const layout = layOut({ ...plain, count: heights.length, height, anchor, scrollTop, openAbove });
          expect(layout.above).toBeGreaterThanOrEqual(0);
          expect(layout.below).toBeGreaterThanOrEqual(0);
          expect(layout.first).toBeLessThanOrEqual(index === 0 ? heights.length - 1 : heights.length);
          const top = topOf(index, layout, height);
          const isHeldByStart = layout.scrollTop === 0;
          if (!isHeldByStart) expect(top - layout.scrollTop).toBe(offset);
        },
      ),
    );
  });

  it("says how far it moved, so that heights measured before a frame don't move the anchor by a pixel either", () => {
    const height = fc.integer({ min: 1, max: 2_500 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(height, height), { minLength: 1, maxLength: 40 }),
        ...standing,
        (heights, pick, offset, scrollTop, openAbove) => {
          const index = pick % heights.length;
          const guessed = tall(heights.map(([before]) => before));
          const measured = tall(heights.map(([, after]) => after));
          const input = { ...plain, count: heights.length, openAbove };
          const anchor = { index, top: scrollTop + offset };
          const first = layOut({ ...input, height: guessed, scrollTop, anchor });
          const along = { index, top: anchor.top - first.moved };
          const second = layOut({ ...input, height: measured, scrollTop: first.scrollTop, anchor: along });
          const top = topOf(index, second, measured);
          const isHeldByStart = first.scrollTop === 0 || second.scrollTop === 0;
          if (!isHeldByStart) expect(top - second.scrollTop).toBe(offset);
        },
      ),
    );
  });

  it("keeps the anchor on its pixel through any sequence of loads, removals, new heights and estimates", () => {
    const size = fc.integer({ min: 1, max: 70 });
    const step = fc.oneof(
      fc.record({ kind: fc.constantFrom("loadAbove", "loadBelow", "letGoAbove", "letGoBelow"), by: size }),
      fc.record({ kind: fc.constantFrom("heights"), by: fc.integer({ min: 1, max: 900 }) }),
      fc.record({ kind: fc.constantFrom("estimates"), by: fc.nat({ max: 8_000_000 }) }),
      fc.record({ kind: fc.constantFrom("scroll"), by: fc.integer({ min: -3_000, max: 3_000 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        // Items are numbers in an endless list; the list shows a range of them, and each has a height.
        let [from, to, salt, room] = [0, 60, 1, 5_000];
        const height = (index: number) => 20 + (((((from + index) * 7919 * salt) % 300) + 300) % 300);
        let layout = layOut({ ...plain, count: to - from, height, scrollTop: 2_000, openAbove: true });
        for (const { kind, by } of steps) {
          const read = itemAt(layout.scrollTop, layout, height);
          const item = from + read.index;
          const offset = read.top - layout.scrollTop;
          let { scrollTop } = layout;
          if (kind === "loadAbove") from -= by;
          if (kind === "loadBelow") to += by;
          if (kind === "letGoAbove") from = Math.min(item, from + by);
          if (kind === "letGoBelow") to = Math.max(item + 1, to - by);
          if (kind === "heights") salt = by;
          if (kind === "estimates") room = by;
          if (kind === "scroll") scrollTop = Math.max(0, scrollTop + by);
          const anchor = { index: item - from, top: read.top };
          const sizes = { before: room, behind: room, openAbove: true };
          layout = layOut({ ...plain, count: to - from, height, scrollTop, anchor, ...sizes });
          const top = topOf(item - from, layout, height);
          const moved = kind === "scroll" ? scrollTop - (read.top - offset) : 0;
          expect(top - layout.scrollTop).toBe(offset - moved);
          expect(layout.above).toBeGreaterThanOrEqual(0);
          expect(layout.below).toBeGreaterThanOrEqual(room);
        }
      }),
    );
  });

  it("leaves room for items that are not loaded, and makes more room above when it runs out", () => {
    const input = { ...plain, count: 10, height: () => 50, openAbove: true, before: 4_000, behind: 9_000 };
    const begun = layOut({ ...input, scrollTop: 4_000, anchor: { index: 0, top: 4_000 } });
    expect(begun).toMatchObject({ first: 0, above: 4_000, below: 9_000 + 100, scrollTop: 4_000 });
    const ranOut = layOut({ ...input, scrollTop: 20, anchor: { index: 0, top: -30 } });
    expect(ranOut).toMatchObject({ first: 0, above: 4_000, scrollTop: 4_050 });
  });

  it("moves to where the estimates say when they become known, without moving anything on the screen", () => {
    const input = { ...plain, count: 30, height: () => 50, openAbove: true, anchor: { index: 12, top: 590 } };
    const told = layOut({ ...input, scrollTop: 600, before: 40_000, behind: 9_000, anew: true });
    expect(told.above + (12 - told.first) * 50 - told.scrollTop).toBe(-10);
    expect(told.above - told.first * 50).toBe(40_000);
  });

  it("stays below the heights that browsers can lay out, however long the user scrolls", () => {
    const input = { ...plain, count: 10, height: () => 50, openAbove: true, before: MAX_SPAN, behind: 0 };
    const far = layOut({ ...input, scrollTop: 9_500_000, anchor: { index: 0, top: 9_500_000 } });
    expect(far).toMatchObject({ above: MAX_SPAN, scrollTop: MAX_SPAN });
  });

  it("renders everything that is on the screen", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 80 }),
        fc.nat({ max: 20_000 }),
        (heights, wish) => {
          const height = tall(heights);
          const total = heights.reduce((sum, one) => sum + one, 0);
          const scrollTop = Math.min(wish, Math.max(0, total - plain.viewport));
          const { first, end, above, below } = layOut({ ...plain, count: heights.length, height, scrollTop });
          let bottom = above;
          for (let at = first; at < end; at++) bottom += height(at);
          expect(above).toBeLessThanOrEqual(scrollTop);
          expect(bottom).toBeGreaterThanOrEqual(Math.min(total, scrollTop + plain.viewport));
          expect(bottom + below).toBe(total);
        },
      ),
    );
  });
});

describe("itemAt", () => {
  it("finds the item at a height among those that are rendered", () => {
    const layout = { first: 3, end: 6, above: 100 };
    expect(itemAt(100, layout, () => 50)).toEqual({ index: 3, top: 100 });
    expect(itemAt(149, layout, () => 50)).toEqual({ index: 3, top: 100 });
    expect(itemAt(150, layout, () => 50)).toEqual({ index: 4, top: 150 });
    expect(itemAt(9000, layout, () => 50)).toEqual({ index: 5, top: 200 });
  });
});
