import { expectAccessible } from "./axe";
import { expect, subscribe, test } from "./fixtures";
import { expectLive, keptOffline, message, notice } from "./on-screen";

test.use({ serviceWorkers: "allow" });

test("without a network a QR code is made, and its link can be copied", async ({ server, page, context, watch }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await subscribe(page, server, "backups");
  await keptOffline(page);
  watch.tolerate(/ERR_CONNECTION_REFUSED|ERR_INTERNET_DISCONNECTED/);
  await server.stop();
  await context.setOffline(true);
  await page.locator("main > header").getByRole("button", { name: "Share" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("img", { name: "QR code of the link to backups" })).toBeVisible();
  await dialog.getByRole("button", { name: "Copy link" }).click();
  await expect(notice(page)).toContainText("Copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${server.url}#/backups`);
});

test("what is sent without a connection waits in view, and goes once there is one", async ({
  server,
  page,
  context,
  startOther,
  watch,
}) => {
  watch.tolerate(/ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE|ERR_INTERNET_DISCONNECTED/);
  const other = await startOther();
  await page.goto(`${server.url}#/http:${other.host}/backups`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expectLive(page);
  await keptOffline(page);
  await other.stop();
  await context.setOffline(true);
  await expect(page.getByText("Offline", { exact: false }).first()).toBeVisible();
  const dialog = page.getByRole("dialog", { name: "Send to backups" });
  for (const text of ["for later", "never mind"]) {
    await page.getByRole("button", { name: "Send a message" }).first().click();
    await dialog.getByLabel("Message", { exact: true }).fill(text);
    await dialog.getByRole("button", { name: "Send", exact: true }).click();
    await expect(dialog).toBeHidden();
    await expect(notice(page)).toContainText("No connection. The message is sent once there is one.");
  }
  await expect(page.getByText("2 messages to send")).toBeVisible();
  await expectAccessible(page);
  const waiting = (text: string) => page.getByRole("main").getByRole("listitem").filter({ hasText: text });
  await waiting("never mind").getByRole("button", { name: "Cancel" }).click();
  await expect(waiting("never mind")).toHaveCount(0);
  await notice(page).getByRole("button", { name: "Undo" }).click();
  await expect(waiting("never mind")).toHaveCount(1);
  await waiting("never mind").getByRole("button", { name: "Cancel" }).click();
  await other.start();
  await context.setOffline(false);
  await expect(message(page, "for later")).toHaveCount(1);
  await expect(waiting("for later")).toHaveCount(0);
  const stored = (await (await fetch(`${other.url}backups/json?poll=1`)).text()).trim().split("\n");
  expect(stored.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual(["for later"]);
});
