import { beforeEach, describe, expect, test } from "vitest";
import { World } from "./world";

const credentials = { kind: "token", token: "tk_mine" } as const;

let world: World;

beforeEach(async () => {
  world = await World.make();
  world.server.users.push(credentials);
});

const list = (...topics: string[]) => topics.map((topic) => ({ base_url: world.server.address as string, topic }));

describe("topics of an account", () => {
  test("are offered if they aren't here, are of this server, and can be topics", async () => {
    const { tab } = await world.subscribed(["a"], { credentials });
    world.server.listed = [
      ...list("a", "b", "no topic", "b"),
      { base_url: "https://elsewhere.example", topic: "c" },
      { base_url: "", topic: "d", display_name: "Doors" },
    ];
    expect(await tab.send("accountTopics", { serverId: 1 })).toMatchObject({
      ok: true,
      value: { topics: [{ topic: "b" }, { topic: "d", displayName: "Doors" }] },
    });
  });

  test("are offered from an account that lists thousands", async () => {
    const { tab } = await world.subscribed(["a"], { credentials });
    world.server.listed = list(...Array.from({ length: 3_000 }, (_, at) => `topic-${String(at)}`));
    const told = await tab.send("accountTopics", { serverId: 1 });
    // So many are shown at most.
    expect(told.ok && told.value.topics).toHaveLength(500);
  });

  test("reserved ones are offered too", async () => {
    world.server.listed = list("b");
    world.server.reserved = ["b", "mine", "no topic", "a"];
    const { tab } = await world.subscribed(["a"], { credentials });
    expect(await tab.send("accountTopics", { serverId: 1 })).toMatchObject({
      ok: true,
      value: { topics: [{ topic: "b" }, { topic: "mine", isReserved: true }] },
    });
  });

  test("are offered to nobody who isn't signed in, and only when asked for", async () => {
    const { tab } = await world.subscribed(["a"]);
    expect(await tab.send("accountTopics", { serverId: 1 })).toMatchObject({ ok: false });
    await tab.send("setCredentials", { serverId: 1, credentials });
    world.server.listed = list("b");
    const before = world.server.requestsTo("/v1/account").length;
    await world.time.advance(3_600_000);
    const { subscriptions } = await world.store.reader.catalogue();
    expect(subscriptions.map(({ topic }) => topic)).toEqual(["a"]);
    expect(world.server.requestsTo("/v1/account").length - before).toBe(0);
  });
});
