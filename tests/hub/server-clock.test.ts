import { expect, test } from "vitest";
import { ServerClock } from "../../src/hub/server/server-facts";
import { ok, type ServerAddress } from "../../src/protocol";
import type { Store } from "../../src/store";
import { VirtualTime } from "./virtual-time";

const ADDRESS = "https://ntfy.example" as ServerAddress;

/** A clock that starts with what is stored of the server. */
function clockAt(time: VirtualTime, clockAheadS?: number): ServerClock {
  const store = { patchServer: () => Promise.resolve(ok({})) } as unknown as Store;
  const server = { serverId: 1, address: ADDRESS, ...(clockAheadS !== undefined && { clockAheadS }) };
  return new ServerClock({ now: () => time.now(), store, report: () => undefined }, server);
}

test("knows nothing before the server tells its time, and then only that", async () => {
  const time = new VirtualTime();
  const clock = clockAt(time);
  clock.hearMessage(5_000);
  expect(clock.known).toBeUndefined();
  expect(clock.estimate()).toBeUndefined();
  clock.hearOpen(1_000);
  await time.advance(60_000);
  expect(clock.known).toBe(1_000);
  expect(clock.estimate()).toBe(1_060);
});

test("is moved forward by live messages, but never into the future", async () => {
  const time = new VirtualTime();
  const clock = clockAt(time);
  clock.hearOpen(1_000);
  await time.advance(30_000);
  clock.hearMessage(1_029);
  expect(clock.known).toBe(1_029);
  clock.hearMessage(900);
  clock.hearMessage(5_000);
  expect(clock.known).toBe(1_029);
});

test("is not set back by a live message that was in a buffer while the device slept", async () => {
  const time = new VirtualTime();
  const clock = clockAt(time);
  clock.hearOpen(10_000);
  await time.advance(1_000_000);
  clock.hearMessage(10_040);
  expect(clock.known).toBe(10_040);
  expect(clock.estimate()).toBe(11_000);
});

test("is set forward by a live message that is a little ahead of it", async () => {
  const time = new VirtualTime();
  const clock = clockAt(time);
  clock.hearOpen(1_000);
  await time.advance(10_000);
  clock.hearMessage(1_013);
  await time.advance(1_000);
  expect(clock.estimate()).toBe(1_014);
});

test("follows a server whose clock was set back", () => {
  const clock = clockAt(new VirtualTime());
  clock.hearOpen(1_000);
  clock.hearOpen(400);
  expect(clock.known).toBe(400);
});

test("is not set back by the older of two lines that streams bring at about the same time", async () => {
  const time = new VirtualTime();
  const clock = clockAt(time);
  clock.hearOpen(1_000);
  clock.hearOpen(999);
  expect(clock.known).toBe(1_000);
  await time.advance(45_000);
  clock.hearKeepalive(1_044);
  expect(clock.known).toBe(1_044);
  expect(clock.estimate()).toBe(1_044);
});

test("believes a keepalive that it was set back once a second one agrees", async () => {
  const time = new VirtualTime();
  const clock = clockAt(time);
  clock.hearOpen(10_000);
  await time.advance(45_000);
  clock.hearKeepalive(400);
  expect(clock.estimate()).toBe(10_045);
  await time.advance(45_000);
  clock.hearKeepalive(446);
  expect(clock.estimate()).toBe(446);
});

test("is not set back by keepalives that were in a buffer while the device slept", async () => {
  const time = new VirtualTime();
  const clock = clockAt(time, 0);
  clock.hearOpen(10_000);
  await time.advance(1_000_000);
  for (const sentAfterS of [45, 90, 135]) clock.hearKeepalive(10_000 + sentAfterS);
  expect(clock.estimate()).toBe(11_000);
  await time.advance(20_000);
  clock.hearKeepalive(11_020);
  expect(clock.known).toBe(11_020);
});

test("is not set back by keepalives of two streams that were in buffers together", async () => {
  const time = new VirtualTime();
  const clock = clockAt(time);
  clock.hearOpen(10_000);
  await time.advance(1_000_000);
  for (const sentAfterS of [45, 90, 135]) {
    clock.hearKeepalive(10_000 + sentAfterS);
    clock.hearKeepalive(10_001 + sentAfterS);
  }
  expect(clock.estimate()).toBe(11_000);
});

test("says when it was set forward, but isn't misled by a late line or a server's first", async () => {
  const time = new VirtualTime();
  const clock = clockAt(time, undefined);
  clock.hearOpen(10_000);
  await time.advance(45_000);
  clock.hearKeepalive(10_045);
  await time.advance(65_000);
  clock.hearKeepalive(10_140);
  await time.advance(25_000);
  clock.hearKeepalive(10_135);
  expect(clock.setOnAtMs).toBeUndefined();
  await time.advance(45_000);
  const nowMs = time.now();
  clock.hearKeepalive(13_780);
  expect(clock.setOnAtMs).toBe(nowMs);
});

test("says that it was set forward while nobody listened", async () => {
  const time = new VirtualTime();
  const deviceS = Math.floor(time.now() / 1_000);
  const clock = clockAt(time, 20);
  clock.hearOpen(deviceS + 3_620);
  expect(clock.setOnAtMs).toBe(time.now());
});

test("guesses by the device's clock and what was learnt before, until the server tells its time", () => {
  const time = new VirtualTime();
  const deviceS = Math.floor(time.now() / 1_000);
  const clock = clockAt(time, -3_600);
  expect(clock.nowS).toBe(deviceS - 3_600);
  expect(clock.estimate()).toBeUndefined();
  clock.hearOpen(deviceS + 60);
  expect(clock.nowS).toBe(deviceS + 60);
});

test("is unknown after the device slept, until the server is heard again, but times that have passed stay so", () => {
  const time = new VirtualTime();
  const clock = clockAt(time);
  clock.hearOpen(1_000);
  clock.doubt();
  expect(clock.estimate()).toBeUndefined();
  expect(clock.known).toBe(1_000);
  clock.hearOpen(2_000);
  expect(clock.estimate()).toBe(2_000);
});
