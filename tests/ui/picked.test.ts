import fc from "fast-check";
import { expect, test } from "vitest";
import { pickedActions } from "../../src/ui/feed/picked-actions";
import type { App } from "../../src/ui/state/app.svelte";
import type { DialogRequest } from "../../src/ui/state/dialogs.svelte";
import type { Pane } from "../../src/ui/state/navigation/pane.svelte";
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

test("messages to be snoozed stay picked until a time is chosen, and no longer", () => {
  const picked = new Picked();
  picked.all({ ...LIST, upTo: 20 }, 12);
  let asked: DialogRequest | undefined;
  const app = { dialogs: { open: (request: DialogRequest) => (asked = request) } };
  pickedActions(app as unknown as App, { picked, scope: LIST } as unknown as Pane, rows).snooze.run();
  expect(picked.count).toBe(12);
  if (asked?.kind !== "snooze") throw new Error("no time was asked for");
  asked.after?.();
  expect(picked.count).toBe(0);
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
