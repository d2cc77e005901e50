import { expect, subscribe, test } from "./fixtures";
import { choose, message, notice } from "./on-screen";

test("a message counts as seen only once it is in sight, not behind another's page or in a column further on", async ({
  server,
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await server.publish("notes", "opened");
  await subscribe(page, server, "notes", "other");
  await page.goto(`${server.url}#/~settings/reading`);
  await choose(page, "when seen");
  await page.goto(`${server.url}#/notes`);
  await page.clock.install();
  const row = (text: string) => page.locator("article[id]", { hasText: text });
  const unread = (text: string) => row(text).getByText("Unread", { exact: true });
  /** Lets pass what makes messages in sight count as seen, and waits for what comes of it. */
  async function pass(topic: string, next: string): Promise<void> {
    await page.clock.fastForward(2_000);
    await server.publish(topic, next);
    await expect(row(next)).toBeAttached();
  }

  await message(page, "opened").click();
  await expect(page.getByRole("main", { name: "Message" })).toBeVisible();
  await server.publish("notes", "behind");
  await expect(row("behind")).toBeAttached();
  await pass("notes", "later");
  await page.goBack();
  await expect(unread("behind")).toHaveCount(1);
  await page.clock.fastForward(2_000);
  await expect(unread("behind")).toHaveCount(0);

  await page.goto(`${server.url}#/~columns/notes;other`);
  await server.publish("other", "beside");
  await expect(row("beside")).toBeAttached();
  await pass("other", "after that");
  await expect(unread("beside")).toHaveCount(1);
  await row("beside").scrollIntoViewIfNeeded();
  await page.clock.fastForward(2_000);
  await expect(unread("beside")).toHaveCount(0);
});

test("several messages are picked and changed together, and one undo reverts the change", async ({ server, page }) => {
  // This is more than one page of rows that the store reads.
  for (let at = 1; at <= 130; at++) await server.publish("backups", "text", { title: `Number-${at}` });
  await subscribe(page, server, "backups");
  const number = (at: number) => page.getByRole("article", { name: `Number-${at}`, exact: true });
  const box = (at: number) => page.getByRole("checkbox", { name: `Select Number-${at}`, exact: true });
  const bar = page.getByRole("toolbar", { name: "Selected messages" });
  const unread = page.getByRole("navigation", { name: "Topics and views" }).getByRole("link", { name: /^Everything/ });
  await expect(unread).toHaveAccessibleName("Everything 130 unread");

  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page.keyboard.press("Shift+J");
  await page.keyboard.press("Shift+J");
  await expect(bar).toContainText("3 selected");
  await expect(box(129)).toBeChecked();
  await page.keyboard.press("Shift+K");
  await expect(box(128)).not.toBeChecked();
  await page.keyboard.press("e");
  await expect(notice(page)).toContainText("2 messages done");
  await expect(number(130)).toHaveCount(0);
  await expect(bar).toHaveCount(0);
  await page.keyboard.press("z");
  await expect(number(130)).toHaveCount(1);
  await expect(number(129)).toHaveCount(1);

  await number(128).hover();
  await box(128).click();
  await number(126).click({ modifiers: ["Shift"] });
  await expect(bar).toContainText("3 selected");
  await expect(number(127)).toHaveClass(/picked/);
  await bar.getByRole("button", { name: "Star" }).click();
  await expect(notice(page)).toContainText("3 messages starred");
  await expect(number(127).getByText("Starred")).toBeAttached();
  await bar.getByRole("button", { name: "Select all in this view" }).click();
  await expect(bar).toContainText("All 130 selected");
  await box(127).click();
  await expect(bar).toContainText("All 129 selected");
  await bar.getByRole("button", { name: "Mark read" }).click();
  await expect(notice(page)).toContainText("messages marked read");
  await expect(unread).toHaveAccessibleName("Everything 1 unread");
  await expect(page.getByRole("main"), "the focus is not lost with the bar").toBeFocused();
  await notice(page).getByRole("button", { name: "Undo" }).click();
  await expect(unread).toHaveAccessibleName(/^Everything 1[23]\d unread$/);

  await number(126).hover();
  await box(126).click();
  await bar.getByRole("button", { name: "Snooze" }).click();
  await page.getByRole("button", { name: /^Tomorrow/ }).click();
  await expect(notice(page)).toContainText("Message snoozed");
  await expect(bar, "what left the feed is no longer selected").toHaveCount(0);
  await expect(page.getByRole("main")).toBeFocused();
  await notice(page).getByRole("button", { name: "Undo" }).click();

  await page.keyboard.press("*");
  await page.keyboard.press("a");
  await expect(bar).toContainText("All 130 selected");
  await page.keyboard.press("Escape");
  await expect(bar).toHaveCount(0);
});

test("single messages", async ({ server, page }) => {
  await test.step("undo by key puts selection and focus back where they were", async () => {
    for (const name of ["first", "second", "third"]) await server.publish("notes", name);
    await subscribe(page, server, "notes");
    await expect(message(page, "third")).toHaveCount(1);
    const isSelected = (name: string) => expect(message(page, name)).toHaveClass(/selected/);
    for (const key of ["j", "j"]) await page.keyboard.press(key);
    await isSelected("second");
    for (const key of ["e", "Delete"]) {
      await page.keyboard.press(key);
      await expect(message(page, "second")).toHaveCount(0);
      await isSelected("first");
      await page.keyboard.press("z");
      await isSelected("second");
      await expect(message(page, "second")).toBeFocused();
    }
  });
  await test.step("Back closes the message beside the feed, and then leaves the view", async () => {
    await page.goto(`${server.url}#/~starred`);
    await page.goto(`${server.url}#/notes`);
    await message(page, "first").click();
    const close = page.getByRole("complementary").getByRole("button", { name: "Close", exact: true });
    await expect(close).toBeVisible();
    await page.goBack();
    await expect(close).toBeHidden();
    await expect(message(page, "first")).toHaveCount(1);
    await message(page, "first").click();
    await close.click();
    await expect(close).toBeHidden();
    await page.goBack();
    await expect(page.getByText("Nothing is starred")).toBeVisible();
  });
  await test.step("the checkbox of a one-line row is not cut off", async () => {
    await server.publish("short", "Short");
    await subscribe(page, server, "short");
    const row = page.getByRole("article");
    await row.hover();
    await row.getByRole("button", { name: "Mark read" }).click();
    await expect(row).not.toHaveClass(/unread/);
    await expect(row.getByRole("checkbox")).toBeInViewport({ ratio: 1 });
  });
  await test.step("a scheduled one is cancelled on its server by the delete key, and another is sent now", async () => {
    await server.curl("plants", "never to be", { At: "2h" });
    await server.curl("plants", "sent early", { At: "3h", Title: "Plants" });
    await subscribe(page, server, "plants");
    await page.goto(`${server.url}#/~scheduled`);
    const row = message(page, "never to be");
    await expect(row.locator("time")).toHaveText(/^in (1 h 59 min|2 h) · /);
    await row.hover();
    await expect(row.getByRole("button", { name: "Cancel delivery" })).toBeVisible();
    await expect(row.getByRole("button", { name: "Star" })).toHaveCount(0);
    await page.keyboard.press("j");
    await expect(row).toBeFocused();
    await page.keyboard.press("Delete");
    await expect(notice(page)).toContainText("Delivery cancelled");
    await expect(row).toHaveCount(0);
    const onServer = async () =>
      (await (await fetch(`${server.url}plants/json?poll=1&scheduled=1`)).text()).match(/never to be|sent early/g);
    expect(await onServer()).toEqual(["sent early"]);
    const other = page.getByRole("article", { name: "Plants" });
    await other.hover();
    await other.getByRole("button", { name: "Send now" }).click();
    await expect(notice(page)).toContainText("Message sent");
    await expect(page.getByText("Nothing is scheduled")).toBeVisible();
    expect(await onServer()).toEqual(["sent early"]);
  });
  await test.step("a message is snoozed by key, listed with its time, and brought back, and seen messages become read if that is set", async () => {
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
    await expect(notice(page)).toContainText("Message snoozed until tomorrow 08:00");
    await page.keyboard.press("z");
    await expect(message(page, "later")).toHaveCount(1);

    await message(page, "later").click();
    await page.keyboard.press("h");
    await dialog.getByLabel("Pick a time").fill("2020-01-01T08:00");
    await dialog.getByRole("button", { name: "Snooze", exact: true }).click();
    await expect(dialog.getByLabel("Pick a time")).toHaveJSProperty("validationMessage", "That time has passed.");
    await expect(dialog.getByLabel("Pick a time")).toBeFocused();
    await dialog.getByRole("button", { name: /^Tomorrow/ }).click();
    await expect(message(page, "later")).toHaveCount(0);
    await page.getByRole("navigation", { name: "Topics and views" }).getByRole("link", { name: "Snoozed" }).click();
    await expect(page.getByRole("article")).toHaveText([/later/]);
    await expect(page.getByText("Tomorrow", { exact: true }), "the day of its return").toBeVisible();
    await page.keyboard.press("j");
    await page.keyboard.press("b");
    await dialog.getByRole("button", { name: "Bring it back now" }).click();
    await expect(page.getByText("Nothing is snoozed")).toBeVisible();
    await page.goto(`${server.url}#/~settings/reading`);
    await choose(page, "when seen");
    await page.goto(`${server.url}#/backups`);
    await expect(message(page, "later")).toHaveCount(1);
    await expect(message(page, "stays").getByText("Unread", { exact: true }), "seen, and so read").toHaveCount(0);
  });
});
