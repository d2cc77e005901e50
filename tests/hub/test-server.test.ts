import { describe, expect, test } from "vitest";
import type { Credentials } from "../../src/protocol";
import { World } from "./world";

const ADA: Credentials = { kind: "basic", user: "ada", password: "s3cret" };

describe("a test of a server", () => {
  test("tells that topics can be read, a stream opens, and how far the clocks are apart", async () => {
    const world = await World.make();
    world.server.skewS = 90;
    const { tab } = await world.subscribed(["a", "b"]);
    world.server.intercept = ({ url }) =>
      url.pathname === "/v1/account"
        ? Response.json({ username: "*", limits: { messages_expiry_duration: 0 } })
        : undefined;
    const tested = await tab.send("testServer", { serverId: 1 });
    expect(tested).toEqual({
      ok: true,
      value: { access: [{ accountId: 0 }], hasStream: true, keepsS: 0, clockAheadS: 90 },
    });
    await world.time.settle();
    // The connection goes on by itself, and the test's own stream is closed.
    expect(world.server.streams.size).toBe(1);
  });

  test("tells which sign-in is refused, and tries a refused one no more than once", async () => {
    const world = await World.make();
    world.server.users.push(ADA);
    world.server.readers.set("a", [ADA]);
    const { tab } = await world.subscribed(["a"], { credentials: ADA });
    await tab.send("subscribe", { address: world.server.address, topics: ["open"], history: "all" });
    world.server.users.length = 0;
    const tested = await tab.send("testServer", { serverId: 1 });
    if (!tested.ok) throw new Error("refused");
    const [signedIn, open] = tested.value.access;
    expect(signedIn).toMatchObject({ accountId: expect.any(Number), why: { kind: "unauthorized" } });
    expect(open).toEqual({ accountId: 0 });
    expect(JSON.stringify(tested)).not.toContain("s3cret");
  });

  test("says that a proxy holds streams back", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    world.server.buffers.add("json");
    const tested = await tab.send("testServer", { serverId: 1 });
    expect(tested).toMatchObject({ ok: true, value: { hasStream: false } });
  });

  test("says that nothing gets through", async () => {
    const world = await World.make();
    const { tab } = await world.subscribed(["a"]);
    world.server.down = true;
    const tested = await tab.send("testServer", { serverId: 1 });
    expect(tested).toEqual({ ok: true, value: { access: [{ accountId: 0, why: { kind: "network" } }] } });
    expect(await tab.send("testServer", { serverId: 99 })).toEqual({ ok: false, error: { kind: "not-found" } });
  });
});
