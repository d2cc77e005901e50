import { expect, subscribe, test } from "./fixtures";
import { notice } from "./on-screen";

test.use({ viewport: { width: 1920, height: 1080 } });

test("columns show feeds side by side, each with its own filter and selection, and the link holds them", async ({
  server,
  page,
}) => {
  await server.publish("a", "first of a");
  await server.publish("a", "second of a");
  await server.publish("b", "first of b", { priority: 5 });
  await subscribe(page, server, "a", "b");
  await page.goto(`${server.url}#/~columns/a;b;~urgent;~snoozed`);
  const column = (name: string) => page.getByRole("region", { name, exact: true });
  const rows = (name: string) => column(name).getByRole("article");
  await expect(rows("a")).toHaveCount(2);
  await expect(rows("b")).toHaveCount(1);
  await expect(rows("Urgent"), "the same message in another column").toHaveCount(1);

  await column("a").getByRole("button", { name: "Filter this column" }).click();
  await column("a").getByRole("combobox", { name: "Search and filter" }).fill("second");
  await expect(rows("a")).toHaveCount(1);
  await expect(rows("b")).toHaveCount(1);
  await expect(page).toHaveURL(/q%3Dsecond/);
  await page.reload();
  await expect(rows("a"), "the link is the view").toHaveCount(1);

  await rows("b").click();
  await expect(rows("b")).toHaveClass(/selected/);
  await expect(rows("Urgent")).not.toHaveClass(/selected/);
  await expect(page.getByRole("complementary", { name: "Message" })).toContainText("first of b");
  await page.keyboard.press("Escape");
  await rows("b").focus();
  await page.keyboard.press("ArrowLeft");
  await expect(rows("a")).toBeFocused();
  await page.keyboard.press("j");
  await expect(rows("a")).toHaveClass(/selected/);
  await expect(rows("b")).not.toHaveClass(/selected/);

  await test.step("the key for the search opens the box of the active column", async () => {
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("/");
    await expect(column("b").getByRole("combobox", { name: "Search and filter" })).toBeFocused();
    await page.keyboard.press("Escape");
  });

  await server.curl("b", "live in b");
  await expect(rows("b")).toHaveCount(2);
  await expect(column("b").locator("header")).toContainText("unread");
  await expect(column("Snoozed").locator("header"), "what is unread elsewhere").not.toContainText("unread");
  expect(server.running.streams()).toHaveLength(1);

  await test.step("whoever opens the newest of some repeats has read them all", async () => {
    for (let at = 1; at <= 3; at++) await server.publish("b", `Copied ${at} GB`);
    await expect(column("b").locator("header")).toContainText("4 unread");
    await rows("b").filter({ hasText: "Copied 3 GB" }).click();
    await expect(column("b").locator("header")).toContainText("1 unread");
  });
});

test("columns are added, moved, widened and removed, and come back the next time", async ({ server, page }) => {
  await subscribe(page, server, "a", "b");
  await page.getByRole("button", { name: "Columns" }).click();
  const titles = page.getByRole("main").getByRole("heading", { level: 2 }).and(page.locator("section > header > h2"));
  await expect(titles).toHaveText(["Urgent", "Everything"]);
  await page.getByRole("button", { name: "Add a column" }).click();
  await expect(page.getByRole("dialog", { name: "Add a column" })).toBeVisible();
  await page.getByRole("combobox", { name: "What to show" }).fill("b");
  await expect(page.getByRole("option").first()).toHaveAccessibleName(/^b /);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(titles).toHaveText(["Urgent", "Everything", "b"]);

  const act = async (column: string, entry: string): Promise<void> => {
    await page.getByRole("button", { name: `Actions for the column ${column}` }).click();
    await page.getByRole("menuitem", { name: entry, exact: true }).click();
  };
  await act("b", "Move towards the start");
  await expect(titles).toHaveText(["Urgent", "b", "Everything"]);
  const before = await page.getByRole("region", { name: "b", exact: true }).boundingBox();
  await act("b", "Wider");
  await act("b", "Wider");
  const width = async () => (await page.getByRole("region", { name: "b", exact: true }).boundingBox())?.width;
  await expect.poll(width).toBe(36 * 16);
  expect(before?.width).not.toBe(36 * 16);
  await act("b", "Remove column");
  await expect(titles).toHaveText(["Urgent", "Everything"]);
  await act("Everything", "Move towards the start");
  await page.getByRole("link", { name: /^Starred/ }).click();
  await notice(page).getByRole("button", { name: "Undo" }).click();
  await expect(titles, "beside what was arranged meanwhile").toHaveText(["Everything", "b", "Urgent"]);
  await expect.poll(width, "as wide as before").toBe(36 * 16);
  await page.goBack();
  await expect(page).toHaveURL(/~starred$/);

  await page.goto(`${server.url}#/`);
  await page.getByRole("button", { name: "Columns" }).click();
  await expect(titles).toHaveText(["Everything", "b", "Urgent"]);
  await expect.poll(width, "the width is kept").toBe(36 * 16);
  await page.goto(`${server.url}#/~columns/a;nowhere`);
  await expect(page.getByRole("heading", { name: "Not subscribed to nowhere" })).toBeVisible();
});
