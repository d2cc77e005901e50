// The first topics of a server: whether they may be read is asked before anything is stored.
import { describe, expect, test } from "vitest";
import { htmlAnswer, pollAnswer } from "./fake-server";
import { World } from "./world";

/** Paths of the rationed requests so far, with their parameters. */
const asked = (world: World): string[] => world.server.rationed.map(({ url }) => url.pathname + url.search);

describe("the first topics of a server", () => {
  test("are shown after one question and one poll, even if there are several", async () => {
    const world = await World.make();
    world.server.publish("b", "one");
    world.server.publish("a", "two");
    const { tab } = await world.subscribed(["b", "a", "c"]);
    expect(new Set(await world.feed())).toEqual(new Set(["one", "two"]));
    expect(asked(world).filter((path) => path.includes("since=all"))).toHaveLength(1);
    expect(world.server.requestsTo("/auth")).toHaveLength(1);
    expect(tab.newestStatus?.recentRequests).toBe(asked(world).length);
  });

  test("get later messages by a stream or the next poll", async () => {
    const world = await World.make();
    let isPublished = false;
    world.server.intercept = ({ url }) => {
      // The stream asks next, before it is open.
      if (!isPublished && url.pathname === "/a/json" && !url.search) {
        isPublished = true;
        world.server.publish("a", "in between");
      }
      return undefined;
    };
    await world.subscribed(["a"]);
    expect(isPublished).toBe(true);
    expect(await world.feed()).toEqual(["in between"]);
  });

  test("are not stored if access is refused, and nothing else is asked", async () => {
    const world = await World.make();
    world.server.readers.set("a", []);
    const tab = world.openTab(world.startHub());
    const answer = await tab.send("subscribe", { address: world.server.address, topics: ["a"], history: "all" });
    expect(answer).toEqual({
      ok: false,
      error: { kind: "failed", why: { kind: "forbidden", code: 40301, topics: ["a"] } },
    });
    expect(asked(world)).toEqual(["/a/auth"]);
    expect(await world.store.reader.catalogue()).toMatchObject({ servers: [], subscriptions: [] });
  });

  test("are stored if their polls fail but access is granted, as a stream may get through", async () => {
    const world = await World.make();
    const tab = world.openTab(world.startHub());
    world.server.intercept = ({ url }) => (url.searchParams.has("poll") ? htmlAnswer(404) : undefined);
    const answer = await tab.send("subscribe", { address: world.server.address, topics: ["a"], history: "all" });
    expect(answer).toMatchObject({ ok: true });
    expect(world.server.requestsTo("/auth")).toHaveLength(1);
  });

  test("are not stored if neither poll nor access is answered, and the error says whether there is a topic server", async () => {
    const world = await World.make();
    const tab = world.openTab(world.startHub());
    const subscribe = () => tab.send("subscribe", { address: world.server.address, topics: ["a"], history: "all" });
    world.server.intercept = ({ url }) => (url.pathname === "/v1/health" ? undefined : htmlAnswer(200));
    expect(await subscribe()).toMatchObject({ ok: false, error: { why: { kind: "malformed", text: "text/html" } } });
    const unwell = () => Response.json({ healthy: false }, { status: 503 });
    world.server.intercept = ({ url }) => (url.pathname === "/v1/health" ? unwell() : htmlAnswer(200));
    expect(await subscribe()).toMatchObject({ ok: false, error: { why: { kind: "malformed" } } });
    world.server.intercept = () => htmlAnswer(200);
    expect(await subscribe()).toMatchObject({ ok: false, error: { why: { kind: "no-topic-server" } } });
    expect(asked(world)).toHaveLength(6);
    expect(await world.store.reader.catalogue()).toMatchObject({ servers: [], subscriptions: [] });
  });

  test("have their answer read on even if its first line is slow", async () => {
    const world = await World.make();
    const tab = world.openTab(world.startHub());
    const event = world.server.publish("a", "slow");
    const body = new TransformStream<Uint8Array, Uint8Array>();
    world.server.intercept = ({ url }) => (url.searchParams.has("poll") ? pollAnswer(body.readable) : undefined);
    await tab.send("subscribe", { address: world.server.address, topics: ["a"], history: "all" });
    const writer = body.writable.getWriter();
    const written = writer.write(new TextEncoder().encode(`${JSON.stringify(event)}\n`)).then(() => writer.close());
    await expect(written).resolves.toBeUndefined();
    await world.time.settle();
    expect(await world.feed()).toEqual(["slow"]);
  });
});

test("further topics of a server, and those from now on, are asked for access as before", async () => {
  const world = await World.make();
  const { tab } = await world.subscribed(["a"]);
  await tab.send("subscribe", { address: world.server.address, topics: ["b"], history: "all" });
  expect(world.server.requestsTo("/b/auth")).toHaveLength(1);
  const other = await World.make();
  await other.subscribed(["a"], { history: "now" });
  expect(other.server.requestsTo("/a/auth")).toHaveLength(1);
});
