import { expect, test } from "vitest";
import type { ServerAddress } from "../../src/protocol";
import { World } from "./world";

const MINUTES = 10;

/** Requests a minute to each server in ten quiet minutes, with timers that woke the hub a minute. */
async function quiet(tabs: number, servers: number, inSight: boolean): Promise<{ requests: number[]; wakes: number }> {
  const world = await World.make();
  const { hub, tab } = await world.subscribed(["a", "b"]);
  const hosts = ["topics.example", ...Array.from({ length: servers - 1 }, (_, at) => `other-${at}.example`)];
  for (const host of hosts.slice(1))
    await tab.send("subscribe", { address: `https://${host}` as ServerAddress, topics: ["c"], history: "all" });
  const all = [tab, ...Array.from({ length: tabs - 1 }, () => world.openTab(hub))];
  // As pages do.
  const ping = (): void => {
    for (const one of all) void one.send("ping", { inSight });
    world.time.setTimer(ping, inSight ? 10_000 : 60_000);
  };
  ping();
  // By then what follows a start is over.
  await world.time.advance(120_000);
  world.server.requests.length = 0;
  const before = world.time.fired;
  await world.time.advance(MINUTES * 60_000);
  const requests = hosts.map((host) => world.server.requests.filter(({ url }) => url.host === host).length / MINUTES);
  return { requests, wakes: (world.time.fired - before) / MINUTES };
}

const CASES = [1, 5].flatMap((tabs) => [1, 3].map((servers) => [tabs, servers] as const));

test.each(CASES)("%i tabs in sight ask each of %i quiet servers at most four times a minute", async (tabs, servers) => {
  const { requests } = await quiet(tabs, servers, true);
  for (const count of requests) expect(count).toBeLessThanOrEqual(4);
});

test.each(CASES)(
  "%i hidden tabs ask each of %i quiet servers only what keeps its stream true, and the hub hardly wakes",
  async (tabs, servers) => {
    const { requests, wakes } = await quiet(tabs, servers, false);
    // A reconciling poll each 5 min.
    for (const count of requests) expect(count).toBeLessThanOrEqual(0.2);
    expect(wakes).toBeLessThanOrEqual(25);
  },
);
