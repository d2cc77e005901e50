import { choose, expectLive, filterBox, message } from "./on-screen";
import { expect, subscribe, test } from "./fixtures";

test("commands are given by key and by name, and single keys can be turned off", async ({ server, page }) => {
  await server.publish("backups", "the only one");
  await subscribe(page, server, "backups", "doors");
  await expectLive(page);
  const heading = page.getByRole("heading", { level: 1 });
  const palette = page.getByRole("dialog", { name: "Commands" });
  const field = palette.getByRole("combobox");

  await page.keyboard.press("g");
  await page.keyboard.press("s");
  await expect(heading).toHaveText("Starred");
  await page.keyboard.press("Shift+?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(help.getByText("Mark read or unread")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(help).toBeHidden();

  await page.keyboard.press("Control+k");
  await expect(field).toBeFocused();
  await page.keyboard.type("backu");
  await expect(palette.getByRole("option")).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(palette).toBeHidden();
  await expect(heading).toHaveText("backups");

  await page.keyboard.press("j");
  await expect(message(page, "the only one")).toBeFocused();
  await page.keyboard.press("Control+k");
  await expect(field).toBeFocused();
  await page.keyboard.type("star");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  const chosen = palette.getByRole("option", { selected: true });
  await expect(chosen).toContainText("Star or unstar");
  await expect(field).toHaveAttribute("aria-activedescendant", String(await chosen.getAttribute("id")));
  await page.keyboard.press("Enter");
  await expect(message(page, "the only one").getByText("Starred")).toBeAttached();
  await expect(message(page, "the only one"), "the focus is back").toBeFocused();

  await page.keyboard.press("/");
  await page.keyboard.type("gs e #");
  await expect(filterBox(page), "letters are text where one types").toHaveValue("gs e #");
  await page.keyboard.press("Control+k");
  await expect(field, "even from a field").toBeFocused();
  await page.keyboard.type("settings");
  await page.keyboard.press("Enter");
  await choose(page, "Off");
  await page.goto(`${server.url}#/backups`);
  await expect(message(page, "the only one")).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("s");
  await page.keyboard.press("#");
  await page.keyboard.press("Control+k");
  await expect(field).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(palette).toBeHidden();
  await expect(heading).toHaveText("backups");
  await expect(message(page, "the only one")).toBeVisible();
});
