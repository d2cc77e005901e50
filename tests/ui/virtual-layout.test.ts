import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { itemAt, layOut, type LayoutInput } from "../../src/ui/feed/virtual-layout";

const tall = (heights: number[]) => (index: number) => heights[index] ?? 0;
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
    });
    expect(layOut({ ...plain, count: 100, height, scrollTop: 1000 })).toEqual({
      first: 18,
      end: 28,
      above: 900,
      below: 72 * 50,
      scrollTop: 1000,
    });
  });

  it("keeps the anchor in its place when items enter above it", () => {
    const after = layOut({ ...plain, count: 23, height: () => 50, scrollTop: 80, anchor: { index: 5, top: 80 } });
    // Three came above the two that were there: the list begins at 0 again, and the scroller goes along.
    expect(after.scrollTop).toBe(250);
    expect(after.above + (5 - after.first) * 50 - after.scrollTop).toBe(0);
  });

  it("takes errors of the estimate up in the spacer while its start is far, without scrolling", () => {
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

  it("leaves free space above the first item where more can come, and closes it where nothing can", () => {
    const input = { ...plain, count: 10, height: () => 50, scrollTop: 500, anchor: { index: 0, top: 500 } };
    expect(layOut({ ...input, openAbove: true })).toMatchObject({ above: 500, scrollTop: 500 });
    expect(layOut({ ...input, openAbove: false })).toMatchObject({ above: 0, scrollTop: 0 });
  });

  it("renders nothing where there is nothing", () => {
    expect(layOut({ ...plain, count: 0, height: () => 50 })).toEqual({
      first: 0,
      end: 0,
      above: 0,
      below: 0,
      scrollTop: 0,
    });
  });

  it("moves no pixel of the anchor, whatever changed around it", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 80 }),
        fc.nat(),
        fc.integer({ min: -600, max: 600 }),
        fc.nat({ max: 20_000 }),
        fc.boolean(),
        (heights, pick, offset, scrollTop, openAbove) => {
          const index = pick % heights.length;
          const anchor = { index, top: scrollTop + offset };
          const height = tall(heights);
          const layout = layOut({ ...plain, count: heights.length, height, anchor, scrollTop, openAbove });
          expect(layout.above).toBeGreaterThanOrEqual(0);
          expect(layout.below).toBeGreaterThanOrEqual(0);
          expect(layout.first).toBeLessThanOrEqual(index === 0 ? heights.length - 1 : heights.length);
          let top = layout.above;
          for (let at = layout.first; at < index; at++) top += height(at);
          for (let at = layout.first; at > index; at--) top -= height(at - 1);
          const isHeldByStart = layout.scrollTop === 0;
          if (!isHeldByStart) expect(top - layout.scrollTop).toBe(offset);
        },
      ),
    );
  });

  it("renders all that is on the screen", () => {
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
