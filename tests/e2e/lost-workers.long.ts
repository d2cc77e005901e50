import { expect, subscribe, test } from "./fixtures";
import { expectLive, message } from "./on-screen";
import { expectAll, openBeside, ownWorkers, publishMany, strikeSharedWorkers } from "./workers";

for (const how of ["end", "hang"] as const) {
  test(`when the shared worker ${how}s silently, all tabs go on with the next one, and nothing is lost or doubled`, async ({
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
    // Time for a ping, the wait for its answer, and the silence after which a hung worker loses the lead.
    for (const tab of tabs) await expect(message(tab, "message-29.")).toHaveCount(1, { timeout: 60_000 });
    await publishMany(server, "a", 30, 1);
    await expectAll(tabs, 31);
    await release();
    // The worker that hung learns that it lost the lead, and closes its stream.
    await expect.poll(() => server.running.streams()).toHaveLength(1);
  });
}

test("without shared workers, a leading tab that crashes in a burst hands over at once", async ({
  server,
  page,
  context,
}) => {
  await ownWorkers(context);
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
