import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe";
import { expect, subscribe, test, type TestServer } from "./fixtures";
import { chooseInMenu, drag, expectLive, filterBox, message, notice } from "./on-screen";

const rail = (page: Page) => page.getByRole("navigation", { name: "Topics and views" });

/** Filters the current view and saves it under a name. */
async function save(page: Page, filter: string, name: string): Promise<void> {
  await filterBox(page).fill(filter);
  await filterBox(page).press("Enter");
  await page.locator("main > header").getByRole("button", { name: "Save this view" }).click();
  const dialog = page.getByRole("dialog", { name: "Save this view" });
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(rail(page).getByRole("link", { name: new RegExp(`^${name}`) })).toBeVisible();
}

async function open(page: Page, server: TestServer): Promise<void> {
  await server.publish("backups", "mail is safe", { title: "Done", tags: ["backup"] });
  await server.publish("backups", "no space left", { title: "Failed", tags: ["backup", "disk"], priority: 4 });
  await server.publish("backups", "somebody rang", { title: "Door" });
  await subscribe(page, server, "backups");
  await expectLive(page);
}

test("a view is saved, counts its unread messages, and opens by its link, from the list of topics and as a column", async ({
  server,
  page,
}) => {
  await open(page, server);
  await save(page, "tag:backup", "Backups: all");
  const link = rail(page).getByRole("link", { name: "Backups: all" });
  await expect(page.getByRole("heading", { level: 1, name: "Backups: all" })).toBeVisible();
  await expect(link).toHaveAttribute("aria-current", "page");
  await expect(link.getByText("2 unread", { exact: true })).toBeAttached();

  await server.publish("backups", "photos are safe", { title: "Done too", tags: ["backup"] });
  await server.publish("backups", "rang again", { title: "Door" });
  await expect(link.getByText("3 unread", { exact: true })).toBeAttached();
  await message(page, "photos are safe").click();
  await expect(link.getByText("2 unread", { exact: true })).toBeAttached();

  await page.goto(`${server.url}#/`);
  await link.click();
  await expect(page).toHaveURL(`${server.url}#/~view/Backups:%20all`);
  await expect(page.getByRole("feed").getByRole("article")).toHaveCount(3);
  await page.reload();
  await expect(page.getByRole("heading", { level: 1, name: "Backups: all" })).toBeVisible();
  await expect(link.getByText("2 unread", { exact: true })).toBeAttached();
  await page.getByRole("button", { name: "Clear the search and filter" }).click();
  await expect(page).toHaveURL(`${server.url}#/backups`);
  await expect(page.getByRole("heading", { level: 1, name: "backups" })).toBeVisible();

  await page.goto(`${server.url}#/~view/Nobody`);
  await expect(page.getByText("It names a saved view that this device doesn't have.")).toBeVisible();
  await test.step("a saved view can be a column", async () => {
    await page.setViewportSize({ width: 1920, height: 1000 });
    await page.goto(`${server.url}#/backups`);
    await save(page, "priority:high", "Bad news");
    await page.goto(`${server.url}#/~columns/~urgent`);
    await page.getByRole("button", { name: "Add a column" }).click();
    await page.getByRole("combobox", { name: "What to show" }).fill("bad");
    await expectAccessible(page);
    await page.getByRole("option", { name: "Bad news" }).click();
    const column = page.getByRole("region", { name: "Bad news" });
    await expect(column.getByRole("article")).toHaveCount(1);
    await expect(page).toHaveURL(/~columns\/~urgent%3B~view\/Bad%2520news$/);
    await page.reload();
    await expect(column.getByRole("article")).toHaveCount(1);
  });
  await test.step("views are in the list of topics, and are saved from the menu", async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`${server.url}#/backups?q=safe`);
    await chooseInMenu(page, "Save this view…");
    const dialog = page.getByRole("dialog", { name: "Save this view" });
    await dialog.getByRole("textbox", { name: "Name" }).fill("Safe");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("link", { name: "Topics" }).click();
    const link = page.getByRole("main").getByRole("link", { name: "Safe 1 unread" });
    await link.click();
    await expect(page.getByRole("heading", { level: 1, name: "Safe" })).toBeVisible();
    await expect(page.getByRole("feed").getByRole("article")).toHaveCount(2);
  });
});

test("views are renamed, moved, removed and restored by undo, and saving under an existing name replaces the view", async ({
  server,
  page,
}) => {
  await open(page, server);
  await save(page, "tag:backup", "One");
  await page.getByRole("button", { name: "Clear the search and filter" }).click();
  await save(page, "priority:high", "Two");
  const names = rail(page).getByRole("link", { name: /^(One|Two|Uno)/ });
  await expect(names).toHaveText([/One/, /Two/]);

  await chooseInMenu(page, "Move up");
  await expect(names).toHaveText([/Two/, /One/]);
  await expect(notice(page)).toContainText("View Two: 1 of 2");
  await names.first().focus();
  await page.keyboard.press("Alt+ArrowDown");
  await expect(names).toHaveText([/One/, /Two/]);
  await expect(names.last(), "the focus goes along").toBeFocused();
  await drag(page, names.last(), names.first(), "above");
  await page.mouse.up();
  await expect(names).toHaveText([/Two/, /One/]);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Command, topic, view or setting" }).fill("one");
  await expect(page.getByRole("option").first()).toContainText("Saved view");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "One" })).toBeVisible();
  await chooseInMenu(page, "Rename view…");
  const dialog = page.getByRole("dialog", { name: "Rename the view" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Two");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("Another view has this name.");
  await dialog.getByRole("textbox", { name: "Name" }).fill("Uno");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(names).toHaveText([/Two/, /Uno/]);
  await expect(page.getByRole("heading", { level: 1, name: "Uno" })).toBeVisible();

  await chooseInMenu(page, "Remove view");
  await expect(names).toHaveText([/Two/]);
  await notice(page).getByRole("button", { name: "Undo" }).click();
  await expect(names).toHaveText([/Two/, /Uno/]);

  await page.getByRole("button", { name: "Clear the search and filter" }).click();
  await save(page, "disk", "Uno");
  await expect(notice(page)).toContainText("“Uno” changed");
  await expect(names).toHaveText([/Two/, /Uno/]);
  await expect(page.getByRole("heading", { level: 1, name: "Uno" })).toBeVisible();
  await notice(page).getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "backups" })).toBeVisible();
});
