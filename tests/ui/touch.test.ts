import fc from "fast-check";
import { expect, test } from "vitest";
import { isMeant, kindOfMove } from "../../src/ui/parts/touch";

test("a movement that goes up or down as much as sideways is never a swipe", () => {
  fc.assert(
    fc.property(fc.integer({ min: -400, max: 400 }), fc.integer({ min: -400, max: 400 }), (dx, dy) => {
      if (Math.abs(dy) >= Math.abs(dx)) expect(kindOfMove(dx, dy)).not.toBe("swipe");
    }),
  );
});

test("a trembling finger is no swipe yet, but one that moves sideways is", () => {
  expect(kindOfMove(6, 6)).toBe("undecided");
  expect(kindOfMove(-12, 3)).toBe("swipe");
  expect(kindOfMove(12, 10)).toBe("other");
});

test("a row must be pulled a good part of its width, but on a wide screen no further than a thumb reaches", () => {
  expect(isMeant(-125, 360)).toBe(false);
  expect(isMeant(-127, 360)).toBe(true);
  expect(isMeant(141, 1200)).toBe(true);
});
