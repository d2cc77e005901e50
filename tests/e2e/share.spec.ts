import { expectAccessible } from "./axe";
import { readQrCode } from "../ui/read-qr-code";
import { expect, subscribe, test } from "./fixtures";
import { chooseInMenu, keptOffline, message, notice } from "./on-screen";

const NAME = "QR code of the link to backups";

test("the link of a view is shown as a QR code, and reads back as the link", async ({ server, page }) => {
  await subscribe(page, server, "backups");
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1440, height: 900 },
  ]) {
    await page.setViewportSize(viewport);
    await chooseInMenu(page, "QR code…");
    const dialog = page.getByRole("dialog", { name: "backups" });
    const picture = dialog.getByRole("img", { name: NAME });
    await expect(picture).toBeVisible();
    await expect(dialog.getByText(`${server.url}#/backups`)).toBeVisible();
    const size = Number((await picture.getAttribute("viewBox"))?.split(" ")[2]);
    const path = (await picture.locator(".dark").getAttribute("d")) ?? "";
    expect(readQrCode({ path, size })).toBe(`${server.url}#/backups`);
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect(dialog).toBeHidden();
  }
});

test("a QR code is made with no network, and its link can be copied", async ({ server, page, context, watch }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await subscribe(page, server, "backups");
  await keptOffline(page);
  watch.tolerate(/ERR_CONNECTION_REFUSED|ERR_INTERNET_DISCONNECTED/);
  await server.stop();
  await context.setOffline(true);
  await chooseInMenu(page, "QR code…");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("img", { name: NAME })).toBeVisible();
  await dialog.getByRole("button", { name: "Copy link" }).click();
  await expect(notice(page)).toContainText("Link copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${server.url}#/backups`);
});

test("only the title, the QR code and the link are printed", async ({ server, page }) => {
  await subscribe(page, server, "backups");
  await server.publish("backups", "nobody prints this");
  await expect(message(page, "nobody prints this")).toHaveCount(1);
  await page.evaluate(() => {
    window.print = () => {
      document.documentElement.dataset["printed"] = "yes";
    };
  });
  await chooseInMenu(page, "QR code…");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Print" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-printed", "yes");
  await page.emulateMedia({ media: "print" });
  await expect(dialog.getByRole("img", { name: NAME })).toBeVisible();
  await expect(dialog.getByRole("heading", { name: "backups" })).toBeVisible();
  await expect(dialog.getByText(`${server.url}#/backups`)).toBeVisible();
  await expect(page.getByText("nobody prints this")).toBeHidden();
  for (const button of await dialog.locator("button").all()) await expect(button).toBeHidden();
});

test("a link that is too long for a QR code says so and can be copied", async ({ server, page }) => {
  await subscribe(page, server, "backups");
  await page.goto(`${server.url}#/backups?q=${"x".repeat(3_000)}`);
  await chooseInMenu(page, "QR code…");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("This link is too long for a QR code.")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Copy link" })).toBeVisible();
  await expect(dialog.getByRole("img")).toHaveCount(0);
});
