import { objections, objectionsNow } from "./axe";
import { expect, subscribe, test } from "./fixtures";
import { beyondTheEdge, filterBox } from "./on-screen";

test("questions lead to the page of the help that answers them; each fits, is accessible, and says if it is in another language", async ({
  server,
  page,
}) => {
  await test.step("questions lead to the page of the help that answers them, and Back to where they arose", async () => {
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
  await test.step("every page fits a phone and is accessible, and says if it is in another language", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const [language, lang] of [
      ["de", "de"],
      ["fr", "en"],
    ] as const) {
      await page.goto(`${server.url}#/~settings/appearance`);
      await page.locator("select:has([value=fr])").selectOption(language);
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      for (const name of ["first-steps", "filters", "keyboard", "phones", "troubleshooting", "there-is-none"]) {
        await test.step(`${language}, ${name}`, async () => {
          await page.goto(`${server.url}#/~help/${name}`);
          await expect(page.getByRole("article").getByRole("heading", { level: 1 })).toBeVisible();
          await expect(page.getByRole("article")).toHaveAttribute("lang", lang);
          const told = page.getByText("L’aide n’existe pour l’instant qu’en anglais.");
          await expect(told).toHaveCount(lang === "en" ? 1 : 0);
          await expect.poll(() => page.evaluate(beyondTheEdge)).toEqual([]);
          // The pages differ in their words, not in their colours.
          expect(await (name === "first-steps" ? objections : objectionsNow)(page)).toEqual([]);
        });
      }
    }
  });
});
