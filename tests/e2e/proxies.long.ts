import { expect, expectCaughtUp, lookAgain, test, type FarServer } from "./faults";
import { chooseInMenu, detail, expectLive, expectPolled, keptOffline, message, offlineStrip } from "./on-screen";
import { HTTP_STREAMS, POLLS } from "./tcp-proxy";

test("behind a proxy that buffers, blocks upgrades or cuts long requests the app chooses another transport, and remembers it", async ({
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
    await expect(message(page, "message-0.")).toHaveCount(1);
  }
  // Each cut doubles the wait that follows; making the page visible again ends it.
  const chosen = (far: FarServer): Promise<void> =>
    expect(async () => {
      await lookAgain(page);
      expect(far.formats()).toEqual(["ws"]);
    }).toPass({ intervals: [500], timeout: 40_000 });
  await chosen(buffered);
  await chosen(cutShort);
  const received = async (far: FarServer, by: string): Promise<void> => {
    await far.show(page, server);
    await (by === "Polling" ? expectPolled(page) : expectLive(page));
    await chooseInMenu(page, "Connection");
    await expect(detail(page, "Receiving by")).toContainText(`${by}, chosen automatically`);
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

test("offline the app shows all messages, and once back it checks at once and says until when they are complete", async ({
  server,
  page,
  context,
  startFar,
}) => {
  const far = await startFar("away");
  await far.publish();
  await far.subscribe(page, server);
  await expect(message(page, "message-0.")).toHaveCount(1);
  await keptOffline(page);

  await context.setOffline(true);
  // Playwright's emulation doesn't end the streams of shared workers.
  far.proxy.refuse();
  await expect(offlineStrip(page)).toBeVisible();
  await expect(page.getByRole("main").getByText(/^complete until (\d\d:\d\d|Today)/i)).toBeVisible();
  for (let at = 0; at < 25; at++) await far.publish();
  await expect(message(page, "message-0.")).toHaveCount(1);
  expect((await far.tally(page)).lost).toBe(25);

  far.proxy.pass();
  far.proxy.stall(POLLS);
  await context.setOffline(false);
  await expect(page.getByRole("main").getByText("Checking", { exact: true })).toBeVisible();
  // A check that takes long says what it is waiting for.
  await expect(page.getByRole("main").getByText(/^Checking for \d+ s: no full answer yet from /)).toBeVisible();
  await chooseInMenu(page, "Connection");
  await expect(detail(page, "Last complete check")).toHaveText("Checking…");
  far.proxy.pass();
  await expect(detail(page, "Last complete check")).toHaveText(/^\d\d:\d\d/);
  await page.keyboard.press("Escape");
  await expect(offlineStrip(page)).toBeHidden();
  await expectLive(page);
  await expect(message(page, "message-25.")).toHaveCount(1);
  expect(await far.tally(page)).toEqual({ published: 26, lost: 0, doubled: 0, isCounted: true });
});
