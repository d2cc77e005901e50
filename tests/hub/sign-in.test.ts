import { describe, expect, test } from "vitest";
import type { Credentials } from "../../src/protocol";
import { Requests } from "../../src/hub/requests/requests";
import type { ServerRecord } from "../../src/store";
import type { Intercept, SeenRequest } from "./fake-server";
import { World } from "./world";

const ADA: Credentials = { kind: "basic", user: "ada", password: "s3cret" };
const DAY_MS = 86_400_000;
const REFUSED: Intercept = (request) => (request.authorization ? "network-error" : undefined);

const byQuery = (request: SeenRequest): boolean => request.url.searchParams.has("auth");
const withHeader = (request: SeenRequest): boolean => request.authorization !== undefined;

async function makeWorld(): Promise<World> {
  const world = await World.make();
  world.server.users.push(ADA);
  world.server.readers.set("a", [ADA]);
  return world;
}

async function serverOf(world: World): Promise<ServerRecord | undefined> {
  const { servers } = await world.store.reader.catalogue();
  return servers[0];
}

/** The requests made while `work` runs. */
async function during(world: World, work: () => Promise<unknown>): Promise<SeenRequest[]> {
  const before = world.server.requests.length;
  await work();
  return world.server.requests.slice(before);
}

const publication = (world: World) => ({
  address: world.server.address,
  topic: "a",
  message: "published",
  credentials: ADA,
});

/** A device that subscribed behind a proxy that refuses the header, and whose worker has ended. */
async function whereRefused(): Promise<World> {
  const world = await makeWorld();
  world.server.intercept = REFUSED;
  const { hub } = await world.subscribed(["a"], { credentials: ADA });
  await world.time.settle();
  hub.stop();
  await world.time.settle();
  return world;
}

describe("a request that writes", () => {
  test("is made only once, even if its answer was lost and the server is well", async () => {
    const world = await makeWorld();
    const { tab } = await world.subscribed(["a"], { credentials: ADA });
    world.server.losesAnswer = ({ method }) => method === "POST";
    const answer = await tab.send("publish", publication(world));
    expect(answer).toEqual({ ok: false, error: { kind: "failed", why: { kind: "network" } } });
    await world.time.advance(60_000);
    expect(world.server.requests.filter(({ method, url }) => method === "POST" && url.pathname === "/")).toHaveLength(
      1,
    );
    expect(tab.added).toEqual(["published"]);
    expect(world.server.requests.filter(byQuery)).toEqual([]);
    expect(await serverOf(world)).not.toHaveProperty("credentialsBy");
  });

  test("fails if the header is refused, is not repeated, and uses the query when sent again", async () => {
    const world = await makeWorld();
    await world.subscribed(["b"]);
    world.server.intercept = REFUSED;
    const tab = world.openTab(world.startHub());
    const first = await during(world, () => tab.send("publish", publication(world)));
    expect(first.filter(({ method, url }) => method === "POST" && url.pathname === "/")).toHaveLength(1);
    expect(first.filter(byQuery)).toEqual([]);
    const second = await during(world, async () =>
      expect(await tab.send("publish", publication(world))).toMatchObject({ ok: true }),
    );
    expect(second.map((request) => [request.method, byQuery(request)])).toEqual([["POST", true]]);
  });

  test.each(["POST", "PUT", "PATCH", "DELETE"] as const)("with %s is not repeated", async (method) => {
    const world = await makeWorld();
    world.server.intercept = REFUSED;
    const requests = new Requests(world.environment(), world.server.address);
    const url = `${world.server.address}/a/sequence`;
    const asked = requests.failure({ url, method, credentials: ADA });
    await world.time.advance(10_000);
    expect(await asked).toEqual({ kind: "network" });
    expect(world.server.requestsTo("/a/sequence")).toHaveLength(1);
  });
});

describe("the header", () => {
  test("stays in use when one request failed with it at a start", async () => {
    const world = await makeWorld();
    let failures = 0;
    world.server.intercept = (request) => (withHeader(request) && failures++ === 0 ? "network-error" : undefined);
    const { tab } = await world.subscribed(["a"], { credentials: ADA });
    await world.time.advance(DAY_MS / 4);
    expect(failures).toBeGreaterThan(10);
    expect(tab.newestStatus?.state.kind).toBe("live");
    expect(world.server.requests.filter(byQuery)).toEqual([]);
    expect(await serverOf(world)).not.toHaveProperty("credentialsBy");
  });

  test.each([1, 2])("stays in use when %i of the later requests fail and then one doesn't", async (failing) => {
    const world = await makeWorld();
    let requests = 0;
    world.server.intercept = (request) => {
      if (!withHeader(request)) return undefined;
      return requests++ % (failing + 1) < failing ? "network-error" : undefined;
    };
    await world.subscribed(["a"], { credentials: ADA });
    await world.time.advance(DAY_MS / 4);
    expect(requests).toBeGreaterThan(20);
    expect(world.server.requests.filter(byQuery)).toEqual([]);
  });

  test.each<[string, Intercept]>([
    ["nothing is answered", () => "network-error"],
    ["only the health check is answered", ({ url }) => (url.pathname === "/v1/health" ? undefined : "network-error")],
    [
      "all but the health check is answered",
      ({ url, authorization }) => (url.pathname === "/v1/health" || authorization ? "network-error" : undefined),
    ],
    ["requests with it hang", (request) => (withHeader(request) ? "hang" : undefined)],
  ])("stays, when %s", async (_, intercept) => {
    const world = await makeWorld();
    const { hub } = await world.subscribed(["a"], { credentials: ADA });
    hub.stop();
    world.server.intercept = intercept;
    const again = world.startHub();
    await world.time.advance(3_600_000);
    again.stop();
    expect(world.server.requests.filter(byQuery).filter(({ url }) => !url.pathname.endsWith("/ws"))).toEqual([]);
    expect(await serverOf(world)).not.toHaveProperty("credentialsBy");
  });

  test("stays in use for requests while a WebSocket, which can't send it, has the credentials in its address", async () => {
    const world = await makeWorld();
    const { tab } = await world.subscribed(["a"], { credentials: ADA });
    const serverId = tab.newestStatus?.serverId ?? 0;
    const asked = await during(world, async () => {
      await tab.send("patchServer", { serverId, transport: "ws" });
      await world.time.advance(3_600_000);
    });
    expect(tab.newestStatus?.state).toMatchObject({ kind: "live", transport: "ws" });
    expect(asked.filter(byQuery).map(({ url }) => url.pathname)).toEqual(["/a/ws"]);
    expect(asked.filter(withHeader).length).toBeGreaterThan(10);
    expect(await serverOf(world)).not.toHaveProperty("credentialsBy");
  });
});

describe("the query", () => {
  test("is used if the header is refused again and again, which is stored with its date", async () => {
    const world = await makeWorld();
    world.server.intercept = REFUSED;
    const { tab } = await world.subscribed(["a"], { credentials: ADA });
    expect(tab.newestStatus?.state.kind).toBe("live");
    const server = await serverOf(world);
    expect(server?.credentialsBy).toBe("query");
    expect(world.time.now() - (server?.credentialsByAtMs ?? 0)).toBeLessThan(60_000);
    const asked = await during(world, async () => {
      world.server.cut();
      await world.time.advance(5_000);
    });
    expect(asked.some(withHeader)).toBe(false);
    world.server.publish("a", "hello");
    await world.time.settle();
    expect(tab.added).toEqual(["hello"]);
  });

  test("is used for a request that writes, once", async () => {
    const world = await whereRefused();
    const tab = world.openTab(world.startHub());
    await world.time.settle();
    const asked = await during(world, () => tab.send("publish", publication(world)));
    const posts = asked.filter(({ method }) => method === "POST");
    expect(posts.map(byQuery)).toEqual([true]);
    expect(asked.some(withHeader)).toBe(false);
  });

  test("is given up at the next start, when the header gets through", async () => {
    const world = await whereRefused();
    world.server.intercept = undefined;
    const asked = await during(world, async () => {
      world.startHub();
      await world.time.settle();
    });
    expect(asked.filter(byQuery)).toEqual([]);
    expect(asked.filter(withHeader).length).toBeGreaterThan(1);
    const server = await serverOf(world);
    expect(server).not.toHaveProperty("credentialsBy");
    expect(server).not.toHaveProperty("credentialsByAtMs");
  });

  test("is given up within a day, when the header gets through", async () => {
    const world = await whereRefused();
    world.startHub();
    await world.time.advance(60_000);
    world.server.intercept = undefined;
    const before = await during(world, () => world.time.advance(DAY_MS - 3_600_000));
    expect(before.some(withHeader)).toBe(false);
    await world.time.advance(2 * 3_600_000);
    const after = await during(world, () => world.time.advance(DAY_MS));
    expect(after.filter(byQuery)).toEqual([]);
    expect(after.some(withHeader)).toBe(true);
    expect(await serverOf(world)).not.toHaveProperty("credentialsBy");
  });

  test("stays in use while the header is refused, which is tested at each start and once a day", async () => {
    const world = await whereRefused();
    const first = await serverOf(world);
    await world.time.advance(60_000);
    const asked = await during(world, async () => {
      world.startHub();
      await world.time.advance(DAY_MS + 3_600_000);
    });
    expect(asked.filter(withHeader)).toHaveLength(2);
    const server = await serverOf(world);
    expect(server?.credentialsBy).toBe("query");
    expect((server?.credentialsByAtMs ?? 0) - (first?.credentialsByAtMs ?? 0)).toBeGreaterThan(DAY_MS - 3_600_000);
  });

  test("keeps its old date through an outage, and the header is tried again after it", async () => {
    const world = await whereRefused();
    const first = await serverOf(world);
    world.server.intercept = undefined;
    world.server.down = true;
    world.startHub();
    // Most of the day asleep.
    await world.time.sleep(DAY_MS - 3_600_000);
    await world.time.advance(2 * 3_600_000);
    expect(await serverOf(world)).toEqual(first);
    world.server.down = false;
    await world.time.advance(120_000);
    expect(await serverOf(world)).not.toHaveProperty("credentialsBy");
  });

  test.each([
    ["without a date, as it was kept before", null],
    ["with a date to come, as the clock was set back", 7 * DAY_MS],
  ])("kept %s is checked before anything is sent by it", async (_, aheadMs) => {
    const world = await makeWorld();
    const { hub, tab: first } = await world.subscribed(["a"], { credentials: ADA });
    const serverId = first.newestStatus?.serverId ?? 0;
    const credentialsByAtMs = aheadMs === null ? null : world.time.now() + aheadMs;
    await world.store.patchServer(serverId, { credentialsBy: "query", credentialsByAtMs });
    const tab = world.openTab(hub);
    const asked = await during(world, () => tab.send("publish", publication(world)));
    expect(asked.filter(byQuery)).toEqual([]);
    expect(asked.filter(({ method }) => method === "POST").map(withHeader)).toEqual([true]);
    expect(await serverOf(world)).not.toHaveProperty("credentialsBy");
  });

  test("appears in nothing that is stored, announced, answered or reported", async () => {
    const world = await whereRefused();
    const tab = world.openTab(world.startHub());
    await world.time.advance(60_000);
    const serverId = tab.newestStatus?.serverId ?? 0;
    await tab.send("patchServer", { serverId, transport: "ws" });
    await world.time.advance(60_000);
    world.server.intercept = () => "network-error";
    world.server.cut();
    await world.time.advance(120_000);
    const answer = await tab.send("publish", publication(world));
    expect(world.server.requests.filter(byQuery).length).toBeGreaterThan(5);
    const catalogue = await world.store.reader.catalogue();
    const kept = [await world.store.servers(), await world.store.subscriptions(), await world.store.accounts()];
    const seen = JSON.stringify([tab.events, answer, world.problems, catalogue, kept]);
    // The first two are the `auth` parameter and the header inside it.
    for (const secret of ["QmFzaWMgWVdSaE9uTXpZM0psZEE", "YWRhOnMzY3JldA", "auth="]) expect(seen).not.toContain(secret);
  });
});
