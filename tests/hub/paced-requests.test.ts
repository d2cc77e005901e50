import { getEventListeners } from "node:events";
import { beforeEach, describe, expect, test } from "vitest";
import { PACED_EVERY_MS } from "../../src/hub/requests/request-count";
import { Requests } from "../../src/hub/requests/requests";
import { errorAnswer, htmlAnswer } from "./fake-server";
import { World } from "./world";

const MANY = 30;

describe("requests of a long task", () => {
  let world: World;
  let requests: Requests;
  let made: string[];

  const ask = (name: string, signal?: AbortSignal): void => {
    void requests.pace(MANY, signal).then(() => made.push(name));
  };

  beforeEach(async () => {
    world = await World.make();
    requests = new Requests(world.environment(), world.server.address);
    made = [];
    for (let at = 0; at < 20; at++) await requests.pace(MANY);
  });

  test("are made one after the other once the first were made", async () => {
    for (const name of ["a", "b", "c"]) ask(name);
    await world.time.advance(PACED_EVERY_MS);
    expect(made).toEqual(["a"]);
    await world.time.advance(2 * PACED_EVERY_MS);
    expect(made).toEqual(["a", "b", "c"]);
  });

  test("stop waiting when they are aborted, and don't delay others", async () => {
    const aborter = new AbortController();
    ask("a");
    ask("b", aborter.signal);
    ask("c");
    aborter.abort();
    await world.time.advance(0);
    expect(made).toEqual(["b"]);
    await world.time.advance(3 * PACED_EVERY_MS);
    expect(made).toEqual(["b", "a", "c"]);
  });
});

test.each([
  [true, undefined],
  [false, Response.json({ healthy: false }, { status: 503 })],
  [undefined, errorAnswer(503, 50301)],
  [undefined, htmlAnswer(200)],
  [undefined, "network-error" as const],
])("a question about the server's health tells %s, and leaves no listener on its signal", async (health, answer) => {
  const world = await World.make();
  if (answer) world.server.intercept = () => answer;
  const requests = new Requests(world.environment(), world.server.address);
  const { signal } = new AbortController();
  expect(await requests.health(signal)).toBe(health);
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});
