import { beforeEach, expect, test, vi } from "vitest";
import type * as RestFile from "../../src/hub/commands/rest";
import { World } from "./world";

/** The hubs that have made the commands which come once there is a server, by their ids. */
const loaded = vi.hoisted((): string[] => []);

vi.mock("../../src/hub/commands/rest", async (original) => {
  const { rest } = await original<typeof RestFile>();
  const counted: typeof rest = (context, ...others) => {
    loaded.push(context.hubId);
    return rest(context, ...others);
  };
  return { rest: counted };
});

beforeEach(() => {
  loaded.length = 0;
});

test("a hub that waits for a first server has the other commands soon after another hub added one", async () => {
  const world = await World.make();
  world.openTab(world.startHub({ hubId: "waiting" }));
  await world.time.advance(60_000);
  expect(loaded).toEqual([]);
  const other = world.openTab(world.startHub({ hubId: "other" }));
  const { address } = world.server;
  expect(await other.send("subscribe", { address, topics: ["a"], history: "all" })).toMatchObject({ ok: true });
  await world.time.advance(20_000);
  expect(loaded.toSorted()).toEqual(["other", "waiting"]);
  // They are made once only.
  await world.time.advance(60_000);
  expect(loaded).toHaveLength(2);
  expect(world.problems).toEqual([]);
});
