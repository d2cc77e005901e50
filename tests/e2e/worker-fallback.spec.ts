import { expect, subscribe, test } from "./fixtures";
import { ownWorkers } from "./workers";

test("without shared workers one tab leads, and the lead passes on when that tab goes", async ({
  server,
  page,
  context,
}) => {
  await ownWorkers(context);
  await subscribe(page, server, "a");
  const second = await context.newPage();
  await second.goto(`${server.url}#/a`);
  await server.publish("a", "first");
  for (const tab of [page, second]) await expect(tab.getByText("first", { exact: true })).toHaveCount(1);
  expect(server.running.streams()).toHaveLength(1);
  await page.close();
  await server.publish("a", "after the leader went");
  await expect(second.getByText("after the leader went", { exact: true })).toHaveCount(1);
  await expect.poll(() => server.running.streams()).toHaveLength(1);
});

test.describe("without a database", () => {
  // Its copies of the scripts would bypass the route below.
  test.use({ serviceWorkers: "block" });

  test("where the database can't be opened, rows live in the worker's memory, and the app says so", async ({
    server,
    page,
    context,
  }) => {
    // To be redefined, as the browser's own property can be: what takes its place in memory does so.
    const breakDatabase =
      "Object.defineProperty(self, 'indexedDB', { configurable: true, value: { open() { throw new DOMException('no', 'SecurityError') } }, configurable: true });";
    await context.addInitScript(breakDatabase);
    await context.route(/\/worker-/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: `${breakDatabase}\n${await response.text()}` });
    });
    await subscribe(page, server, "a");
    await server.publish("a", "kept in memory");
    await expect(page.getByText("kept in memory", { exact: true })).toHaveCount(1);
    await page.reload();
    await expect(page.getByText(/runs from memory/i).first()).toBeVisible();
  });
});
