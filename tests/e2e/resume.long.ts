import type { Page } from "@playwright/test";
import { expectLive, message, storedMessages } from "./on-screen";
import { expect, subscribe, test } from "./plain-browser";
import { POLLS, STREAMS } from "./tcp-proxy";
import { ownWorkers } from "./workers";

/** Matches polls by time: the reconciling one comes some seconds after a stream opened, and then every few minutes. */
const RECONCILING = /since=\d{10}&.*poll=1|poll=1.*since=\d{10}[& ]/;

/** Whether the page came back as it was, without loading again. */
const wasKept = (page: Page) => page.evaluate(() => (globalThis as { wasKept?: boolean }).wasKept === true);

test("a page that was hidden, frozen, left or asleep polls at once when it is back, and shows what its open stream never brought", async ({
  server,
  plain,
  startFar,
}) => {
  const { context, watch } = plain;
  const far = await startFar("away", { keepalive: 45 });
  watch.allow(far.proxy.host);
  watch.tolerate(/favicon/);
  const page = await context.newPage();
  const other = await context.newPage();
  await page.bringToFront();
  await far.subscribe(page, server);
  const session = await context.newCDPSession(page);
  await page.evaluate(() => {
    addEventListener("pageshow", (event) => Object.assign(globalThis, { wasKept: event.persisted }));
  });
  // From now on nothing polls by itself for minutes.
  await expect.poll(() => far.proxy.asked(RECONCILING), { timeout: 30_000 }).toBe(1);

  const putAside = async (): Promise<void> => {
    await other.bringToFront();
    await expect.poll(() => page.evaluate(() => document.visibilityState)).toBe("hidden");
  };
  const ways: Record<string, [away: () => Promise<unknown>, back: () => Promise<unknown>]> = {
    "out of sight": [putAside, () => page.bringToFront()],
    frozen: [
      async () => {
        await putAside();
        await session.send("Page.setWebLifecycleState", { state: "frozen" });
      },
      // The page is thawed but still out of sight.
      () => session.send("Page.setWebLifecycleState", { state: "active" }),
    ],
    "left for another page": [
      async () => {
        await page.bringToFront();
        await page.goto(`${server.url}manifest.webmanifest`);
      },
      async () => {
        await page.goBack({ waitUntil: "commit" });
        await expect.poll(() => wasKept(page)).toBe(true);
      },
    ],
    asleep: [
      () => Promise.resolve(),
      () =>
        page.evaluate(() => {
          const now = Date.now.bind(Date);
          Date.now = () => now() + 3_600_000;
        }),
    ],
  };
  for (const [way, [away, back]] of Object.entries(ways)) {
    await test.step(way, async () => {
      await away();
      far.proxy.loseSilently(STREAMS);
      const missed = await far.publish();
      far.proxy.stall(POLLS);
      const polls = far.proxy.asked(POLLS);
      await back();
      await expect.poll(() => far.proxy.asked(POLLS)).toBeGreaterThan(polls);
      if (way !== "asleep") await expect(page.getByRole("main").getByText("Checking", { exact: true })).toBeVisible();
      far.proxy.pass();
      await expect(message(page, missed)).toHaveCount(1);
      await expect(page.getByRole("main").getByText("Checking", { exact: true })).toBeHidden();
      await expectLive(page);
    });
  }
  expect(await far.tally(page)).toEqual({ published: 4, lost: 0, doubled: 0, isCounted: true });
});

test("without shared workers, a leading tab that is frozen hands over, and shows everything when it is thawed", async ({
  server,
  plain,
}) => {
  const { context } = plain;
  await ownWorkers(context);
  const page = await context.newPage();
  await subscribe(page, server, "a");
  await expectLive(page);
  const other = await context.newPage();
  await other.goto(`${server.url}#/a`);
  await other.bringToFront();
  await expect.poll(() => page.evaluate(() => document.visibilityState)).toBe("hidden");
  const session = await context.newCDPSession(page);
  await session.send("Page.setWebLifecycleState", { state: "frozen" });
  await server.publish("a", "while the leader was frozen");
  await expect(message(other, "while the leader was frozen")).toHaveCount(1);
  await expect.poll(() => server.running.streams()).toHaveLength(1);
  await session.send("Page.setWebLifecycleState", { state: "active" });
  await expect(message(page, "while the leader was frozen")).toHaveCount(1);
  expect(await storedMessages(page)).toEqual({ rows: 1, ids: 1 });
  expect(server.running.streams()).toHaveLength(1);
});
