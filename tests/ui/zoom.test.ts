import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FITTING, moveBy, zoomBy, type Size, type Zoom } from "../../src/ui/message/attachment/zoom";

const size = fc.record({ width: fc.integer({ min: 1, max: 2000 }), height: fc.integer({ min: 1, max: 2000 }) });
const point = fc.record({ x: fc.integer({ min: -1500, max: 1500 }), y: fc.integer({ min: -1500, max: 1500 }) });
const factor = fc.double({ min: 0.1, max: 10, noNaN: true });

/** An image and its stage; at scale 1 the image is never larger than the stage. */
const lying = fc.tuple(size, size).map(([stage, { width, height }]): [Size, Size] => {
  return [{ width: Math.min(width, stage.width), height: Math.min(height, stage.height) }, stage];
});

/** Expects no empty space on one side while the image is cut off on the other. */
function expectKept({ scale, x, y }: Zoom, image: Size, stage: Size): void {
  expect(scale).toBeGreaterThanOrEqual(1);
  expect(scale).toBeLessThanOrEqual(8);
  expect(Math.abs(x)).toBeLessThanOrEqual(Math.max(0, (image.width * scale - stage.width) / 2) + 1e-6);
  expect(Math.abs(y)).toBeLessThanOrEqual(Math.max(0, (image.height * scale - stage.height) / 2) + 1e-6);
}

describe("an image on its stage", () => {
  test("stays on it, whatever is done", () => {
    const step = fc.oneof(fc.record({ factor, at: point }), fc.record({ by: point }));
    fc.assert(
      fc.property(lying, fc.array(step, { maxLength: 20 }), ([image, stage], steps) => {
        let zoom = FITTING;
        for (const each of steps) {
          zoom = "by" in each ? moveBy(zoom, each.by, image, stage) : zoomBy(zoom, each.factor, each.at, image, stage);
          expectKept(zoom, image, stage);
        }
      }),
    );
  });

  test("keeps the point under the finger in place while it grows, unless an edge would come inside", () => {
    const stage = { width: 400, height: 400 };
    const grown = zoomBy(FITTING, 4, { x: 100, y: -50 }, stage, stage);
    expect(grown).toEqual({ scale: 4, x: -300, y: 150 });
    expect(zoomBy(grown, 0.25, { x: 100, y: -50 }, stage, stage)).toEqual(FITTING);
  });

  test("is centred if it is smaller than the stage", () => {
    const zoom = zoomBy(FITTING, 2, { x: 90, y: 90 }, { width: 100, height: 100 }, { width: 400, height: 400 });
    const pushed = moveBy(zoom, { x: 500, y: -500 }, { width: 100, height: 100 }, { width: 400, height: 400 });
    for (const { scale, x, y } of [zoom, pushed]) expect([scale, Math.abs(x), Math.abs(y)]).toEqual([2, 0, 0]);
  });
});
