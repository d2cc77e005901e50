import { expect, test } from "vitest";
import type { IngestBatch, Store } from "../../src/store";
import { over, World } from "./world";

/** Lines of a stream. */
function lines(world: World, topic: string, names: string[]): string {
  const time = world.server.nowS;
  return names
    .map((id) => JSON.stringify({ id, time, expires: time + 43_200, event: "message", topic, message: id }) + "\n")
    .join("");
}

test("a flood is stored in transactions of bounded size, each topic in its order", async () => {
  const world = await World.make();
  const batches: IngestBatch[] = [];
  let isHeld = false;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const wrapStore = (store: Store): Store =>
    over(store, {
      async ingest(batch) {
        if (isHeld) {
          batches.push(batch);
          await held;
        }
        return store.ingest(batch);
      },
    });
  await world.subscribed(["flood", "calm", "door"], {}, { wrapStore });
  isHeld = true;
  const names = (part: number): string[] => Array.from({ length: 500 }, (_, at) => `f${part * 500 + at}`);
  // A stream may bring thousands at once.
  world.server.sendRaw(lines(world, "flood", [0, 1, 2, 3, 4, 5, 6, 7, 8].flatMap(names)));
  for (let part = 9; part < 18; part++) world.server.sendRaw(lines(world, "flood", names(part)));
  world.server.sendRaw(
    lines(world, "flood", names(18)) + lines(world, "calm", ["c0"]) + lines(world, "flood", names(19)),
  );
  world.server.sendRaw(lines(world, "door", ["d0", "d1"]));
  await world.time.settle();
  release();
  await world.time.settle();
  const stored = batches.map(({ arrivals }) => arrivals.map(({ event }) => event.id));
  expect(stored.flat()).toContain("c0");
  expect(Math.max(...stored.map(({ length }) => length))).toBeLessThanOrEqual(2_000);
  const of = (topic: string) => stored.flat().filter((id) => id.startsWith(topic));
  expect(of("f")).toEqual(Array.from({ length: 10_000 }, (_, at) => `f${at}`));
  expect(of("d")).toEqual(["d0", "d1"]);
  expect(world.problems).toEqual([]);
});
