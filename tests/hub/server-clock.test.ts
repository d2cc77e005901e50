import { expect, test } from "vitest";
import { ServerClock } from "../../src/hub/server-clock";
import { VirtualTime } from "./virtual-time";

test("knows nothing before the server said something, and then only what it said", async () => {
  const time = new VirtualTime();
  const clock = new ServerClock(time);
  clock.hearMessage(5_000);
  expect(clock.known).toBeUndefined();
  expect(clock.estimate()).toBeUndefined();
  clock.hearSignal(1_000);
  await time.advance(60_000);
  expect(clock.known).toBe(1_000);
  expect(clock.estimate()).toBe(1_060);
});

test("is moved forward by live messages, but never into the future", async () => {
  const time = new VirtualTime();
  const clock = new ServerClock(time);
  clock.hearSignal(1_000);
  await time.advance(30_000);
  clock.hearMessage(1_029);
  expect(clock.known).toBe(1_029);
  clock.hearMessage(900);
  clock.hearMessage(5_000);
  expect(clock.known).toBe(1_029);
});

test("follows a server whose clock was set back", () => {
  const clock = new ServerClock(new VirtualTime());
  clock.hearSignal(1_000);
  clock.hearSignal(400);
  expect(clock.known).toBe(400);
});
