import { expect, test } from "./fixtures";
import { PLAIN_NAME } from "./playwright.config";

test.use({ serviceWorkers: "allow" });

// At a name that is not localhost plain http is no secure context: no service worker, locks, clipboard, notifications.
test("over plain http the main job works, and the app says what is missing", async ({
  server,
  page,
  context,
  watch,
}) => {
  const address = `http://${PLAIN_NAME}:${server.port}/`;
  watch.allow(`${PLAIN_NAME}:${server.port}`);
  await server.publish("backups", "from before");

  await page.goto(`${address}#/backups`);
  expect(await page.evaluate(() => isSecureContext)).toBe(false);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(page.getByText("from before").first()).toBeVisible();
  await server.publish("backups", "live");
  await expect(page.getByText("live", { exact: true }).first()).toBeVisible();

  await page.getByRole("button", { name: "Share" }).click();
  await page.getByRole("button", { name: "Copy link" }).click();
  const link = page.getByRole("dialog", { name: "Copy this" }).getByRole("textbox");
  await expect(link, "without a clipboard it is there to be copied by hand").toHaveValue(`${address}#/backups`);
  await expect(link).toBeFocused();
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(`${address}#/backups`);

  const second = await context.newPage();
  await second.goto(`${address}#/backups`);
  await expect(second.getByText("live", { exact: true }).first()).toBeVisible();
  await expect.poll(() => server.running.streams()).toHaveLength(1);

  await page.close();
  await server.publish("backups", "after the first tab went");
  await expect(second.getByText("after the first tab went").first()).toBeVisible();

  await second.goto(`${address}#/~settings/storage`);
  await expect(second.getByText(/https/).first()).toBeVisible();
});
