import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { findRefused } from "../../src/hub/requests/find-refused";
import { Requests } from "../../src/hub/requests/requests";
import { World } from "./world";

const TOPICS = Array.from({ length: 64 }, (_, at) => `t${at}`);
const REFUSED = ["t3", "t4", "t60"];

async function worldWithRefused(): Promise<{ world: World; requests: Requests }> {
  const world = await World.make();
  for (const topic of REFUSED) world.server.readers.set(topic, []);
  return { world, requests: new Requests(world.environment(), world.server.address) };
}

test("finds each refused topic by few requests, and leaves no listeners on the signal that outlives them", async () => {
  const { world, requests } = await worldWithRefused();
  const { signal } = new AbortController();
  const { refused, failure } = await findRefused(requests, [TOPICS], {
    credentials: undefined,
    signal,
  });
  expect([...refused.keys()].sort()).toEqual([...REFUSED].sort());
  expect(failure).toBeUndefined();
  expect(world.server.requests.length).toBeLessThan(REFUSED.length * 2 * Math.log2(TOPICS.length));
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});

test("sends no requests once it is aborted", async () => {
  const { world, requests } = await worldWithRefused();
  const aborter = new AbortController();
  world.server.intercept = () => {
    aborter.abort();
    return undefined;
  };
  const { failure } = await findRefused(requests, [TOPICS], {
    credentials: undefined,
    signal: aborter.signal,
  });
  expect(failure).toEqual({ kind: "ended" });
  expect(world.server.requests).toHaveLength(1);
});
