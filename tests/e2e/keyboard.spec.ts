import type { Locator, Page } from "@playwright/test";
import { expect, subscribe, test } from "./fixtures";
import { expectLive, filterBox, message, notice } from "./on-screen";

/** More stops than any screen here has. */
const MANY = 80;

/** Goes on with Tab until something has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  const hasFocus = () => target.evaluate((element) => element === document.activeElement);
  for (let stop = 0; stop < MANY && !(await hasFocus()); stop++) await page.keyboard.press("Tab");
  await expect(target).toBeFocused();
}

/** What has the focus and does not show it; undefined when all is well. */
function unseenFocus(): string | undefined {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return undefined;
  // A mark that is drawn on the words beside an input, or on a box around it, is one too.
  const near = [focused, focused.nextElementSibling, focused.parentElement].filter((element) => element !== null);
  const isMarked = near.some((element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  });
  const { width, height } = focused.getBoundingClientRect();
  return isMarked && width > 0 && height > 0 ? undefined : focused.outerHTML.slice(0, 200);
}

test("a topic is subscribed from the first screen without a mouse", async ({ server, page }) => {
  await page.goto(server.url);
  const field = page.getByRole("textbox", { name: "Topic" });
  await expect(field).toBeVisible();
  await tabTo(page, field);
  await page.keyboard.type("backups");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("backups");
  await expectLive(page);
});

test("a link is answered without a mouse", async ({ server, page }) => {
  await server.publish("backups", "held by the server", { time: server.running.nowS() - 60 });
  await page.goto(`${server.url}#/backups`);
  await expect(page.getByRole("button", { name: "Subscribe" })).toBeVisible();
  await tabTo(page, page.getByRole("radio", { name: "With history" }));
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("radio", { name: "From now on" })).toBeChecked();
  await tabTo(page, page.getByRole("button", { name: "Subscribe" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "No messages yet" })).toBeVisible();
});

test("messages are read, filtered, deleted and brought back without a mouse", async ({ server, page }) => {
  for (const [at, text] of ["oldest", "middle", "newest"].entries()) {
    await server.publish("backups", text, { time: server.running.nowS() - 60 + at });
  }
  await subscribe(page, server, "backups");
  await expect(message(page, "oldest")).toHaveCount(1);
  const details = page.getByRole("complementary", { name: "Message" });

  await page.keyboard.press("j");
  await expect(message(page, "newest")).toBeFocused();
  await expect(details).toContainText("newest");
  await page.keyboard.press("j");
  await expect(message(page, "middle")).toBeFocused();
  await expect(details).toContainText("middle");
  await page.keyboard.press("k");
  await expect(message(page, "newest")).toBeFocused();
  expect(await page.evaluate(unseenFocus)).toBeUndefined();
  await expect(page.getByRole("main").getByText("1 unread")).toBeVisible();
  await page.keyboard.press("u");
  await expect(page.getByRole("main").getByText("2 unread")).toBeVisible();
  await page.keyboard.press("s");
  await expect(message(page, "newest").getByText("Starred")).toBeAttached();

  await page.keyboard.press("#");
  await expect(message(page, "newest")).toHaveCount(0);
  await expect(notice(page)).toContainText("Message deleted");
  await expect(message(page, "middle"), "the next one is at hand").toBeFocused();
  await tabTo(page, notice(page).getByRole("button", { name: "Undo" }));
  await page.keyboard.press("Enter");
  await expect(message(page, "newest")).toHaveCount(1);

  await page.keyboard.press("k");
  await page.keyboard.press("e");
  await expect(notice(page)).toContainText("Message done");
  await page.keyboard.press("Control+z");
  await expect(notice(page)).toHaveText("");
  await expect(page.getByRole("feed").getByRole("article")).toHaveCount(3);

  await page.keyboard.press("/");
  await expect(filterBox(page)).toBeFocused();
  await page.keyboard.type("middle");
  await expect(page.getByRole("feed").getByRole("article")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("feed").getByRole("article")).toHaveCount(3);
  await page.keyboard.press("Escape");
  await expect(filterBox(page)).not.toBeFocused();
});

test("a topic is added without a mouse, and the focus returns from a dialog", async ({ server, page }) => {
  await subscribe(page, server, "backups");
  const add = page.getByRole("button", { name: "Add a topic" });
  await tabTo(page, add);
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Add a topic" });
  const field = dialog.getByRole("textbox", { name: "Topic" });
  await expect(field).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(add).toBeFocused();

  await page.keyboard.press("Enter");
  await expect(field).toBeFocused();
  await page.keyboard.type("doors");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("doors");
});

test("a menu is walked with the arrows, and gives the focus back", async ({ server, page }) => {
  await subscribe(page, server, "backups");
  const more = page.locator("main > header").getByRole("button", { name: "More" });
  await tabTo(page, more);
  await page.keyboard.press("Enter");
  const items = page.getByRole("menuitem");
  await expect(items.first()).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(items.last()).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(items.first()).toBeHidden();
  await expect(more).toBeFocused();

  await page.keyboard.press("Enter");
  await expect(items.first()).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("menuitem", { name: "Topic settings" })).toBeFocused();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Settings of backups" });
  await expect(dialog.getByLabel("Shown as")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(more).toBeFocused();
});

test("the first stop leads past the rail to the messages", async ({ server, page }) => {
  await subscribe(page, server, "backups");
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("backups");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the messages" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});

test("whatever has the focus shows it", async ({ server, page }) => {
  await server.publish("backups", "with all that can be pressed", {
    title: "A title",
    tags: ["disk"],
    click: "https://example.org/",
    actions: [{ action: "copy", label: "Copy it", value: "a" }],
  });
  await subscribe(page, server, "backups");
  await message(page, "A title").click();
  const seen = new Set<string>();
  for (const link of ["#/backups", "#/~topics", "#/~settings", "#/elsewhere", "#/~add"]) {
    await page.goto(`${server.url}${link}`);
    await expect(page.getByRole("heading").first()).toBeVisible();
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    for (let stop = 0; stop < 30; stop++) {
      await page.keyboard.press("Tab");
      const unseen = await page.evaluate(unseenFocus);
      if (unseen !== undefined) seen.add(`${link}: ${unseen}`);
    }
  }
  expect([...seen], "focus that does not show").toEqual([]);
});
