import { expect, subscribe, test } from "./fixtures";
import { message, notice } from "./on-screen";

test("a message is snoozed by key, listed with its time, and brought back", async ({ server, page }) => {
  await server.publish("backups", "stays");
  await server.publish("backups", "later");
  await subscribe(page, server, "backups");
  await expect(message(page, "later")).toHaveCount(1);
  await page.keyboard.press("j");
  await expect(message(page, "later")).toBeFocused();
  await page.keyboard.press("h");
  const dialog = page.getByRole("dialog", { name: "Snooze until" });
  await dialog.getByRole("button", { name: /^Tomorrow/ }).click();
  await expect(dialog).toBeHidden();
  await expect(message(page, "later")).toHaveCount(0);
  await expect(notice(page)).toContainText("Message snoozed until Tomorrow 08:00");
  await page.keyboard.press("z");
  await expect(message(page, "later")).toHaveCount(1);

  await message(page, "later").click();
  await page.keyboard.press("h");
  await dialog.getByLabel("Another moment").fill("2020-01-01T08:00");
  await expect(dialog.getByRole("button", { name: "Snooze", exact: true })).toBeDisabled();
  await dialog.getByRole("button", { name: /^Tomorrow/ }).click();
  await expect(message(page, "later")).toHaveCount(0);
  await page.getByRole("navigation", { name: "Topics and views" }).getByRole("link", { name: "Snoozed" }).click();
  await expect(page.getByRole("article")).toHaveText([/later/]);
  await expect(page.getByText("Tomorrow", { exact: true }), "the day of its return").toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press("b");
  await dialog.getByRole("button", { name: "Bring it back now" }).click();
  await expect(page.getByText("Nothing is snoozed")).toBeVisible();
  await page.goto(`${server.url}#/backups`);
  await expect(message(page, "later")).toHaveCount(1);
});
