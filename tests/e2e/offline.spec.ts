import { expectAccessible } from "./axe";
import { expect, test } from "./fixtures";
import { expectLive, keptOffline, message, notice } from "./on-screen";

test.use({ serviceWorkers: "allow" });

test("without a connection a link is handed on, and what is sent waits in view and goes once there is one", async ({
  server,
  page,
  context,
  startOther,
  watch,
}) => {
  watch.tolerate(/ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE|ERR_INTERNET_DISCONNECTED/);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const other = await startOther();
  await page.goto(`${server.url}#/http:${other.host}/backups`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expectLive(page);
  await keptOffline(page);
  await other.stop();
  await context.setOffline(true);
  await expect(page.getByText("Offline", { exact: false }).first()).toBeVisible();

  await page.locator("main > header").getByRole("button", { name: "Share" }).click();
  const shared = page.getByRole("dialog");
  await expect(shared.getByRole("img", { name: "QR code of the link to backups" })).toBeVisible();
  await shared.getByRole("button", { name: "Copy link" }).click();
  await expect(notice(page)).toContainText("Copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${server.url}#/http:${other.host}/backups`);
  await page.keyboard.press("Escape");

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
