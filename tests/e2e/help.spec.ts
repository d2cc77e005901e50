import { expectAccessible } from "./axe";
import { expect, subscribe, test } from "./fixtures";
import { beyondTheEdge, filterBox } from "./on-screen";

test("questions lead to the page of the help that answers them, and Back to where they arose", async ({
  server,
  page,
}) => {
  await subscribe(page, server, "backups");
  await filterBox(page).fill("prio");
  await page.getByRole("link", { name: "How filters work" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Searching and filtering" })).toBeVisible();
  await expect(page.getByRole("cell", { name: "priority>=4" })).toBeVisible();
  await expect(page).toHaveTitle(/Help · Earshot$/);
  await page.getByRole("link", { name: "If something is wrong" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "If something is wrong" })).toBeVisible();
  await page.getByRole("article").getByRole("link", { name: "Phones and installing" }).click();
  expect(page.url()).toBe(`${server.url}#/~help/phones`);
  await page.goBack();
  await page.goBack();
  await page.goBack();
  await expect(filterBox(page)).toBeVisible();

  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.getByRole("dialog").getByRole("link", { name: "More about the keyboard" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1, name: "Keyboard" })).toBeVisible();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, locale: "de-DE" });

  test("every page fits and is accessible, and says in which language it is", async ({ server, page }) => {
    for (const name of ["first-steps", "filters", "keyboard", "phones", "troubleshooting", "there-is-none"]) {
      await page.goto(`${server.url}#/~help/${name}`);
      await expect(page.getByRole("article").getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.getByText("Die Hilfe gibt es bisher nur auf Englisch.")).toBeVisible();
      expect(await page.evaluate(beyondTheEdge), name).toEqual([]);
      await expectAccessible(page);
    }
  });
});
