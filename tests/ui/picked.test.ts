import fc from "fast-check";
import { expect, test } from "vitest";
import { Picked } from "../../src/ui/state/navigation/picked.svelte";
import { row } from "./fake-reader";

const rows = Array.from({ length: 12 }, (_, at) => row(20 - at));
const ids = (picked: Picked) => rows.filter((one) => picked.has(one)).map(({ id }) => id);
const at = (index: number) => rows[index] ?? row(0);
const LIST = { list: "feed", filter: { terms: [] } } as const;

test("a range goes from the message picked last to the one picked now, in both directions", () => {
  const picked = new Picked();
  picked.toggle(at(3), rows);
  picked.toggle(at(5), rows, { isRange: true });
  expect(ids(picked)).toEqual(["m17", "m16", "m15"]);
  picked.toggle(at(4), rows);
  picked.toggle(at(2), rows, { isRange: true });
  expect(ids(picked), "from the one that was let go").toEqual(["m18", "m17", "m16", "m15"]);
  picked.toggle(at(3), rows, { isRange: true });
  expect(ids(picked), "a range is let go as it is picked").toEqual(["m16", "m15"]);
});

test("all messages are named by the list, without those deselected and those that come later", () => {
  const picked = new Picked();
  picked.toggle(at(0), rows);
  picked.all({ ...LIST, upTo: 18 }, 500);
  picked.toggle(at(4), rows);
  expect(picked.count).toBe(499);
  expect(picked.has(at(1)), "it came after the count").toBe(false);
  expect(picked.has(at(2))).toBe(true);
  expect(picked.chosen).toEqual({ every: { ...LIST, upTo: 18 }, except: [[1, 16, "m16"]] });
  picked.toggle(at(4), rows);
  expect(picked.chosen).toEqual({ every: { ...LIST, upTo: 18 }, except: [] });
});

test("when the last message is deselected nothing is picked, even of all", () => {
  const picked = new Picked();
  picked.all({ ...LIST, upTo: 20 }, 1);
  picked.toggle(at(0), rows);
  expect(picked.isEvery).toBe(false);
  expect(picked.count).toBe(0);
  expect(picked.chosen).toEqual({ keys: [] });
});

test("the count is always that of the picked messages", () => {
  const index = fc.nat({ max: rows.length - 1 });
  fc.assert(
    fc.property(fc.boolean(), fc.array(fc.tuple(index, fc.boolean())), (all, presses) => {
      const picked = new Picked();
      if (all) picked.all({ ...LIST, upTo: 20 }, rows.length);
      for (const [which, isRange] of presses) picked.toggle(at(which), rows, { isRange });
      expect(picked.count).toBe(ids(picked).length);
    }),
  );
});
