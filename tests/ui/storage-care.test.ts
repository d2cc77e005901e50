import fc from "fast-check";
import { expect, test } from "vitest";
import { askToKeep, littleLeft, type Storage } from "../../src/ui/state/storage-care.svelte";
import { stubPage } from "./stub-page";

test("space is low when less than a tenth of it and less than 50 MB is left", () => {
  expect(littleLeft({ usage: 95, quota: 100 })).toBe(5);
  expect(littleLeft({ usage: 90, quota: 100 })).toBeUndefined();
  expect(littleLeft({ usage: 120, quota: 100 })).toBe(0);
  expect(littleLeft({ usage: 99e9, quota: 100e9 })).toBeUndefined();
  expect(littleLeft({ usage: 99.99e9, quota: 100e9 })).toBe(10_000_000);
  expect(littleLeft({})).toBeUndefined();
  expect(littleLeft({ usage: 0, quota: 0 })).toBeUndefined();
  fc.assert(
    fc.property(fc.nat(), fc.nat(), (usage, quota) => {
      const left = littleLeft({ usage, quota });
      if (left !== undefined) expect(left).toBeLessThan(50_000_000);
    }),
  );
});

test("the browser is asked to keep the data once in a tab and once when installed, but never if it does already", async () => {
  stubPage("https://app.example/");
  let asked = 0;
  let keeps = false;
  const storage: Storage = {
    estimate: () => Promise.resolve({}),
    persisted: () => Promise.resolve(keeps),
    persist: () => Promise.resolve(++asked > 100),
  };
  expect([await askToKeep(storage, false), await askToKeep(storage, false)]).toEqual([true, false]);
  expect([await askToKeep(storage, true), await askToKeep(storage, true)]).toEqual([true, false]);
  expect(asked).toBe(2);
  keeps = true;
  stubPage("https://app.example/");
  expect(await askToKeep(storage, false)).toBe(false);
});
