import type { BrowserContext, Page } from "@playwright/test";
import { expect, subscribe, test, type TestServer } from "./fixtures";
import { expectLive, message, storedMessages } from "./on-screen";
import { strikeSharedWorkers } from "./workers";

/** A second tab on a topic. */
async function openBeside(context: BrowserContext, server: TestServer, topic: string): Promise<Page> {
  const tab = await context.newPage();
  await tab.goto(`${server.url}#/${topic}`);
  await expectLive(tab);
  return tab;
}

/** Publishes so many numbered messages; what else goes on has its turn in between. */
async function publishMany(server: TestServer, topic: string, from: number, count: number): Promise<void> {
  for (let at = from; at < from + count; at++) {
    await server.publish(topic, `message ${at}.`);
    if (at % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Expects that all that was published is stored once and that every tab counts it. */
async function expectAll(tabs: Page[], count: number): Promise<void> {
  for (const tab of tabs) {
    await expect(message(tab, `message ${count - 1}.`)).toHaveCount(1, { timeout: 30_000 });
    await expect.poll(() => storedMessages(tab), { timeout: 30_000 }).toEqual({ rows: count, ids: count });
    const unread = `${count.toLocaleString("en-GB")} unread`;
    await expect(tab.locator("main > header").getByText(unread)).toBeVisible();
  }
}

for (const how of ["end", "hang"] as const) {
  test(`when the shared worker ${how}s without a word, all tabs go on by the next one, and nothing is lost or doubled`, async ({
    server,
    page,
    context,
    browser,
  }) => {
    test.setTimeout(120_000);
    await subscribe(page, server, "a");
    await expectLive(page);
    const tabs = [page, await openBeside(context, server, "a")];
    await publishMany(server, "a", 0, 10);
    await expectAll(tabs, 10);
    const release = await strikeSharedWorkers(browser, server, how);
    await publishMany(server, "a", 10, 20);
    // A ping, the wait for its answer, and from one that hangs the lead must be taken after its silence.
    for (const tab of tabs) await expect(message(tab, "message 29.")).toHaveCount(1, { timeout: 60_000 });
    await publishMany(server, "a", 30, 1);
    await expectAll(tabs, 31);
    await release();
    // One that was hung hears that it was robbed, and lets go of its stream.
    await expect.poll(() => server.running.streams()).toHaveLength(1);
  });
}

test("without shared workers, a leading tab that crashes in a burst hands over at once", async ({
  server,
  page,
  context,
}) => {
  await context.addInitScript(() => Reflect.deleteProperty(globalThis, "SharedWorker"));
  await subscribe(page, server, "a");
  await expectLive(page);
  const other = await openBeside(context, server, "a");
  const session = await context.newCDPSession(page);
  const crashed = new Promise((resolve) => page.once("crash", resolve));
  const burst = publishMany(server, "a", 0, 500);
  // Its answer never comes.
  session.send("Page.crash").catch((reason: unknown) => expect(String(reason)).toMatch(/crash|closed/i));
  await crashed;
  await burst;
  await expectAll([other], 500);
  await expect.poll(() => server.running.streams()).toHaveLength(1);
});
