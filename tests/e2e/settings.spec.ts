import { expectAccessible } from "./axe";
import { expect, subscribe, test } from "./fixtures";
import { notice } from "./on-screen";

test("text size and times apply at once, stay after a reload, and a section can be reset and that undone", async ({
  server,
  page,
}) => {
  await server.publish("doors", "the front door");
  await subscribe(page, server, "doors");
  const time = page.getByRole("article").getByRole("time");
  await expect(time).toHaveText(/^\d\d:\d\d$/);
  const rootSize = (): Promise<string> => page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
  expect(await rootSize()).toBe("16px");

  await page.goto(`${server.url}#/~settings`);
  await page.getByLabel("Text size").selectOption("Large");
  await page.getByLabel("Clock").selectOption("12 hours");
  await expect.poll(rootSize).toBe("18.4px");
  await expectAccessible(page);
  await page.goto(`${server.url}#/doors`);
  await expect(time).toHaveText(/^\d\d:\d\d\s[ap]m$/i);
  await page.reload();
  await expect(time).toHaveText(/^\d\d:\d\d\s[ap]m$/i);
  expect(await rootSize()).toBe("18.4px");

  await page.goto(`${server.url}#/~settings`);
  await page.getByRole("group", { name: "Times of messages" }).getByText("How long ago").click();
  await page.goto(`${server.url}#/doors`);
  await expect(time).toHaveText(/^(now|\d+ min ago)$/);

  await page.goto(`${server.url}#/~settings`);
  await page.getByRole("button", { name: "Reset “Appearance”" }).click();
  await expect.poll(rootSize).toBe("16px");
  await notice(page).getByRole("button", { name: "Undo" }).click();
  await expect.poll(rootSize).toBe("18.4px");
});

test("settings are found by their words and choices, by keyboard alone", async ({ server, page }) => {
  await subscribe(page, server, "doors");
  await page.goto(`${server.url}#/~settings`);
  const search = page.getByRole("searchbox", { name: "Find a setting" });
  await search.fill("24 hou");
  await expect(page.getByRole("search").getByRole("status")).toHaveText("1 setting found");
  await expectAccessible(page);
  await search.press("Enter");
  await expect(page.getByLabel("Clock")).toBeFocused();
  await search.fill("nothing like this");
  await expect(page.getByRole("search").getByRole("status")).toHaveText("No setting has these words.");
});
