import type { Transport } from "../../src/contract";
import { expect, expectCaughtUp, KEEPALIVE_S, lookAgain, test, TRANSPORTS, type FarServer } from "./faults";
import { message } from "./on-screen";
import { POLLS, STREAMS } from "./tcp-proxy";

const BY = ["json", "sse", "ws", "poll"] as const satisfies Transport[];

test("through cuts, stalls, lost connections and restarts each transport stores every published message once", async ({
  server,
  page,
  startFar,
}) => {
  // Learning the keepalive takes two intervals, noticing its absence two and a margin, and the answer to a poll half a
  // minute.
  test.setTimeout(240_000);
  const fars: Record<Transport, FarServer> = {
    json: await startFar("by-json"),
    sse: await startFar("by-sse"),
    ws: await startFar("by-ws"),
    poll: await startFar("by-poll"),
  };
  const all = Object.values(fars);
  const streams = [fars.json, fars.sse, fars.ws];
  const { proxy: polled } = fars.poll;
  const streamsCaughtUp = async (): Promise<void> => {
    await Promise.all(streams.map((far) => expectCaughtUp(page, far, { isPolled: false })));
  };
  /** Streams come first, as `lookAgain` for the polled servers would help them too. */
  const caughtUp = async (): Promise<void> => {
    await streamsCaughtUp();
    await expectCaughtUp(page, fars.poll, { isPolled: true });
  };
  const untilAsked = (far: FarServer, isDone: () => boolean): Promise<void> =>
    expect(async () => {
      await lookAgain(page);
      expect(isDone(), `${far.topic} was asked`).toBe(true);
    }).toPass({ intervals: [500], timeout: 30_000 });

  await test.step("a slow line", async () => {
    for (const far of all) {
      far.proxy.delay(20);
      await far.publish();
      await far.subscribe(page, server);
      far.startPublishing();
    }
    for (const transport of ["poll", "json", "sse"] as const) await fars[transport].receiveBy(page, server, transport);
  });

  for (const bytes of [450, 1_111]) {
    await test.step(`a poll that is cut in the middle of a message, after ${bytes} bytes`, async () => {
      polled.cutAfter(bytes, POLLS);
      await untilAsked(fars.poll, () => polled.hasCut);
      await expectCaughtUp(page, fars.poll, { isPolled: true });
    });
  }

  await test.step("WebSockets live by what other streams have learnt of the server's signs of life", async () => {
    for (const far of streams) {
      await expect.poll(() => far.keepaliveMs(page), { timeout: 30_000 }).toBe(KEEPALIVE_S * 1_000);
    }
    await fars.ws.receiveBy(page, server, "ws");
    for (const { proxy } of all) proxy.pass();
    await caughtUp();
  });

  const askedBeforeLoss = await test.step("a poll whose connection is dead and looks alive", async () => {
    // This leaves no connection idle, so that the next poll opens a new one.
    polled.cut(POLLS);
    const before = polled.asked(POLLS);
    polled.stall(POLLS);
    await untilAsked(fars.poll, () => polled.asked(POLLS) > before);
    polled.loseSilently(POLLS);
    polled.pass();
    return polled.asked(POLLS);
  });

  for (const bytes of [70, 1_111]) {
    await test.step(`a stream that is cut in the middle of a message, after ${bytes} bytes`, async () => {
      const asked = streams.map(({ proxy }) => proxy.asked(STREAMS));
      for (const { proxy } of streams) proxy.cutAfter(bytes, STREAMS);
      for (const { proxy } of streams) await expect.poll(() => proxy.hasCut).toBe(true);
      await streamsCaughtUp();
      // A poll may have caught up before the stream is back.
      for (const [at, { proxy }] of streams.entries()) {
        await expect.poll(() => proxy.asked(STREAMS), { timeout: 30_000 }).toBeGreaterThan(asked[at] ?? 0);
      }
    });
  }

  await test.step("a stall that passes ends no stream", async () => {
    const asked = streams.map(({ proxy }) => proxy.asked(STREAMS));
    const upTo = streams.map(({ published }) => published.length + 20);
    for (const { proxy } of streams) proxy.stall();
    for (const [at, { published }] of streams.entries()) {
      await expect.poll(() => published.length).toBeGreaterThan(upTo[at] ?? 0);
    }
    for (const { proxy } of streams) proxy.pass();
    await streamsCaughtUp();
    expect(streams.map(({ proxy }) => proxy.asked(STREAMS))).toEqual(asked);
  });

  await test.step("streams whose connections are dead and look alive", async () => {
    const asked = streams.map(({ proxy }) => proxy.asked(STREAMS));
    for (const { proxy } of streams) proxy.loseSilently(STREAMS);
    for (const [at, { topic, proxy }] of streams.entries()) {
      await expect
        .poll(() => proxy.asked(STREAMS), { message: `streams of ${topic}`, timeout: 60_000 })
        .toBeGreaterThan(asked[at] ?? 0);
    }
    await streamsCaughtUp();
    // By now the app no longer waits for the answer to the lost poll.
    await expect.poll(() => polled.asked(POLLS), { timeout: 60_000 }).toBeGreaterThan(askedBeforeLoss);
    await caughtUp();
  });

  await test.step("a server that goes and comes back", async () => {
    await lookAgain(page);
    const accepted = all.map(({ proxy }) => proxy.accepted);
    for (const far of all) await far.stop();
    for (const [at, far] of all.entries()) await untilAsked(far, () => far.proxy.accepted > (accepted[at] ?? 0));
    for (const far of all) await far.start();
    await caughtUp();
  });

  await test.step("a server that comes back with nothing of what it had", async () => {
    for (const far of all) await far.stopPublishing();
    await caughtUp();
    for (const far of all) await far.stop();
    for (const far of all) await far.start({ forgetting: true });
    await caughtUp();
  });

  await test.step("all is there", async () => {
    for (const far of all) await far.stopPublishing();
    await caughtUp();
    for (const transport of BY) {
      const far = fars[transport];
      const { published, lost, doubled, isCounted } = await far.tally(page);
      test.info().annotations.push({
        type: TRANSPORTS[transport],
        description: `${published} published, ${lost} lost, ${doubled} doubled`,
      });
      expect({ lost, doubled, isCounted }, far.topic).toEqual({ lost: 0, doubled: 0, isCounted: true });
      await far.show(page, server);
      await expect(message(page, far.published.at(-1) ?? "")).toHaveCount(1);
      expect(far.formats()).toEqual(transport === "poll" ? [] : [transport]);
    }
  });
});
