import type { Page } from "@playwright/test";
import type { Transport } from "../../src/protocol";
import { expect, KEEPALIVE_S, lookAgain, test, TRANSPORTS, type FarServer } from "./faults";
import { chooseInMenu, detail, expectLive, keptOffline, message, offlineStrip } from "./on-screen";
import { HTTP_STREAMS, POLLS, STREAMS } from "./tcp-proxy";

const BY = ["json", "sse", "ws", "poll"] as const satisfies Transport[];

/** Waits until all that was published up to now is stored. What is polled is asked for at once, as each half minute by itself. */
async function expectCaughtUp(page: Page, far: FarServer, { isPolled }: { isPolled: boolean }): Promise<void> {
  const upTo = far.published.length;
  await expect
    .poll(
      async () => {
        if (isPolled) await lookAgain(page);
        return (await far.tally(page, upTo)).lost;
      },
      { message: `messages of ${far.topic} that are not stored`, timeout: 60_000, intervals: [500] },
    )
    .toBe(0);
}

test("through cuts, stalls, lost connections and restarts each transport stores all that is published, once", async ({
  server,
  page,
  startFar,
}) => {
  // Two intervals to learn what a sign of life is, two and a margin to miss it, half a minute for an answer to a poll.
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
  /** Streams first: looking again for what is polled would help them, too. */
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
    // None is idle, so that the next poll takes a new one.
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
      for (const { proxy } of streams) proxy.cutAfter(bytes, STREAMS);
      for (const { proxy } of streams) await expect.poll(() => proxy.hasCut).toBe(true);
      await streamsCaughtUp();
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
    // By now nobody waits for the answer of the lost poll any more.
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

test("a proxy that buffers, blocks upgrades or cuts long requests makes it choose another way, which it remembers", async ({
  server,
  page,
  startFar,
}) => {
  const buffered = await startFar("buffered");
  const blocked = await startFar("blocked");
  const cutShort = await startFar("cut-short");
  const all = [buffered, blocked, cutShort];
  for (const far of [buffered, blocked]) far.proxy.buffer(HTTP_STREAMS);
  blocked.proxy.blockUpgrades();
  cutShort.proxy.cutLong(200, HTTP_STREAMS);
  for (const far of all) {
    await far.publish();
    await far.show(page, server);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expect(message(page, "message 0.")).toHaveCount(1);
  }
  // Each cut doubles the wait that follows; whoever looks again waits no longer.
  const chosen = (far: FarServer): Promise<void> =>
    expect(async () => {
      await lookAgain(page);
      expect(far.formats()).toEqual(["ws"]);
    }).toPass({ intervals: [500], timeout: 40_000 });
  await chosen(buffered);
  await chosen(cutShort);
  const received = async (far: FarServer, by: string): Promise<void> => {
    await far.show(page, server);
    await expectLive(page);
    await chooseInMenu(page, "Connection");
    await expect(detail(page, "Receiving by")).toHaveText(`${by}, chosen by itself`);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
  };
  await received(buffered, "WebSocket");
  await received(cutShort, "WebSocket");
  await received(blocked, "Polling");
  for (const far of all) await far.publish();
  for (const far of all) await expectCaughtUp(page, far, { isPolled: far === blocked });

  const asked = [buffered, cutShort].map(({ proxy }) => proxy.asked(HTTP_STREAMS));
  await page.reload();
  for (const far of [buffered, cutShort]) await received(far, "WebSocket");
  expect([buffered, cutShort].map(({ proxy }) => proxy.asked(HTTP_STREAMS))).toEqual(asked);
  for (const far of all) {
    expect(await far.tally(page)).toEqual({ published: 2, lost: 0, doubled: 0, isCounted: true });
  }
});

test("offline it keeps all in sight, and back it checks at once and says as of when all is there", async ({
  server,
  page,
  context,
  startFar,
}) => {
  const far = await startFar("away");
  await far.publish();
  await far.subscribe(page, server);
  await expect(message(page, "message 0.")).toHaveCount(1);
  await keptOffline(page);

  await context.setOffline(true);
  // What is emulated ends no stream of a shared worker.
  far.proxy.refuse();
  await expect(offlineStrip(page)).toBeVisible();
  await expect(page.getByRole("main").getByText(/^complete until (\d\d:\d\d|Today)/i)).toBeVisible();
  for (let at = 0; at < 25; at++) await far.publish();
  await expect(message(page, "message 0.")).toHaveCount(1);
  expect((await far.tally(page)).lost).toBe(25);

  far.proxy.pass();
  far.proxy.stall(POLLS);
  await context.setOffline(false);
  await expect(page.getByRole("main").getByText("Checking", { exact: true })).toBeVisible();
  await chooseInMenu(page, "Connection");
  await expect(detail(page, "Last complete check")).toHaveText("Checking…");
  far.proxy.pass();
  await expect(detail(page, "Last complete check")).toHaveText(/^\d\d:\d\d/);
  await page.keyboard.press("Escape");
  await expect(offlineStrip(page)).toBeHidden();
  await expectLive(page);
  await expect(message(page, "message 25.")).toHaveCount(1);
  expect(await far.tally(page)).toEqual({ published: 26, lost: 0, doubled: 0, isCounted: true });
});
