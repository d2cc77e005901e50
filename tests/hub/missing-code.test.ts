import { beforeEach, expect, test, vi } from "vitest";
import type * as Loading from "../../src/hub/load-when-needed";
import { World } from "./world";

/** The host of the app's files can be reached. */
const host = vi.hoisted(() => ({ isThere: true, asked: 0 }));

vi.mock("../../src/hub/load-when-needed", async (original) => {
  const { loadWhenNeeded } = await original<typeof Loading>();
  return { loadWhenNeeded: () => (host.asked++, host.isThere ? loadWhenNeeded() : Promise.resolve(undefined)) };
});

beforeEach(() => {
  Object.assign(host, { isThere: true, asked: 0 });
});

test("the code for outages is loaded as soon as a first poll is complete, in sight or not", async () => {
  const world = await World.make();
  await world.subscribed(["a"]);
  expect(host.asked).toBeGreaterThan(0);
});

test("a poll that needs code which can't be loaded fails, and is made again", async () => {
  host.isThere = false;
  const world = await World.make();
  await world.subscribed(["a"]);
  world.server.publish("a", "first");
  // By now the first poll by time has been made, which asks for a proof that the server has its cache.
  await world.time.advance(60_000);
  world.server.cut();
  world.server.publish("a", "between two streams");
  host.isThere = true;
  await world.time.advance(120_000);
  expect(await world.feed()).toContain("between two streams");
  expect(world.problems).toEqual([]);
});
