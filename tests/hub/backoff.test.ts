import fc from "fast-check";
import { expect, test } from "vitest";
import { Backoff } from "../../src/hub/backoff";

test("waits between a second and a minute, whatever the chance and however many failures", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { minLength: 1 }), (draws) => {
      let at = 0;
      const backoff = new Backoff(() => draws[at++ % draws.length] ?? 0);
      for (let failure = 1; failure <= 40; failure++) {
        const delayMs = backoff.next();
        expect(delayMs).toBeGreaterThanOrEqual(1_000);
        expect(delayMs).toBeLessThanOrEqual(Math.min(60_000, 1_000 * 2 ** failure));
        expect(backoff.attempt).toBe(failure);
      }
    }),
  );
});

test("spreads over the whole range, and starts small again after a reset", () => {
  const backoff = new Backoff(() => 0.999_999);
  const waits = Array.from({ length: 8 }, () => Math.round(backoff.next() / 1_000));
  expect(waits).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
  backoff.reset();
  expect(Math.round(backoff.next() / 1_000)).toBe(2);
});

test("waits longer where the server asks for it", () => {
  expect(new Backoff(() => 0).next(15_000)).toBe(15_000);
});
