import { expect, test } from "vitest";
import { World } from "./world";
import { runs } from "../long";

/** The played clients stand for all the others: they share nothing but the server, which never refuses them here. */
const PLAYED = runs(100);
const CLIENTS = 1_000;

const GONE_MS = 60_000;
const WATCHED_S = 10;

type Kind = "probes" | "streams" | "polls";

/** The requests of one client in each second since the server is back, by kind; the seed decides its chances. */
async function play(seed: number): Promise<Record<Kind, number[]>> {
  let state = Math.imul(seed, 2_654_435_761) >>> 0;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const world = await World.make();
  const { time, server } = world;
  const { hub, tab } = await world.subscribed(["a"], {}, { random });
  const ping = (): void => {
    void tab.send("ping", { inSight: true });
    time.setTimer(ping, 10_000);
  };
  ping();
  await time.advance(30_000);
  server.down = true;
  server.cut();
  await time.advance(GONE_MS);
  server.down = false;
  const counts: Record<Kind, number[]> = { probes: [], streams: [], polls: [] };
  for (let second = 0; second < WATCHED_S; second++) {
    server.requests.length = 0;
    await time.advance(1_000);
    const probes = server.free.length;
    const polls = server.requests.filter(({ url }) => url.searchParams.has("poll")).length;
    counts.probes.push(probes);
    counts.polls.push(polls);
    counts.streams.push(server.requests.length - probes - polls);
  }
  expect(tab.newestStatus?.state.kind).toBe("live");
  hub.stop();
  return counts;
}

test("a thousand clients of a server that was gone for a minute come back spread out, and are all live within two seconds", async () => {
  const sums: Record<Kind, number[]> = { probes: [], streams: [], polls: [] };
  for (let seed = 1; seed <= PLAYED; seed++) {
    const counts = await play(seed);
    for (const kind of ["probes", "streams", "polls"] as const) {
      for (const [second, count] of counts[kind].entries()) {
        sums[kind][second] = (sums[kind][second] ?? 0) + (count * CLIENTS) / PLAYED;
      }
    }
  }
  // The limit holds in each of the ten seconds.
  for (const kind of ["probes", "streams", "polls"] as const) {
    expect(Math.max(...sums[kind]), `${kind} in a second`).toBeLessThanOrEqual(850);
  }
  for (const kind of ["streams", "polls"] as const) {
    expect(
      sums[kind].slice(0, 2).reduce((sum, count) => sum + count, 0),
      kind,
    ).toBe(CLIENTS);
    expect(sums[kind].slice(2), `${kind} after 2 s`).toEqual(sums[kind].slice(2).map(() => 0));
  }
});
