import { expectAccessible } from "./axe";
import { expect, subscribe, test } from "./fixtures";
import { message, notice, storedSetting } from "./on-screen";
import { endSharedWorkers } from "./workers";
import { SETTINGS_PAGES } from "../../src/ui/settings/setting-place";
import type { Page } from "@playwright/test";

test("settings apply at once, stay, and are found", async ({ server, page }) => {
  await test.step("text size and times apply at once, stay after a reload, and a page can be reset and that undone", async () => {
    await server.publish("doors", "the front door");
    await subscribe(page, server, "doors");
    const time = page.getByRole("article").getByRole("time");
    await expect(time).toHaveText(/^\d\d:\d\d$/);
    const rootSize = (): Promise<string> => page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
    expect(await rootSize()).toBe("16px");

    await page.goto(`${server.url}#/~settings`);
    await page.getByLabel("Text size").selectOption("Large");
    await expect.poll(rootSize).toBe("18.4px");
    await expectAccessible(page);
    await page.goto(`${server.url}#/doors`);
    await page.reload();
    await expect.poll(rootSize).toBe("18.4px");

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
  const search = page.getByRole("searchbox", { name: "Find a setting" });
  await test.step("each by its name", async () => {
    const labels: string[] = [];
    for (const name of SETTINGS_PAGES) {
      await page.goto(`${server.url}#/~settings/${name}`);
      await expect(page.locator(`[aria-current=page][href$="${name}"]`)).toBeVisible();
      labels.push(...(await labelsIn(page, "[data-place]:not([data-place=backup], [data-place=storage])")));
    }
    expect(labels.length).toBeGreaterThan(18);
    expect(labels).toContain("When a server can't be reached");
    for (const label of labels) {
      await search.fill(label);
      await expect.soft(page.getByRole("search").getByRole("status"), label).toHaveText(/settings? found/);
    }
  });
  await test.step("by their words and choices, by keyboard alone", async () => {
    await page.goto(`${server.url}#/~settings`);
    await search.fill("compac");
    await expect(page.getByRole("search").getByRole("status")).toHaveText("1 setting found");
    await expectAccessible(page);
    await search.press("Enter");
    await expect(page.getByRole("radio", { name: "By width" })).toBeFocused();
    await search.fill("nothing like this");
    await expect(page.getByRole("search").getByRole("status")).toHaveText("No setting has these words.");
  });
});

test("a setting and a mark made right before a reload are kept", async ({ browser, server, page }) => {
  await server.publish("doors", "the front door");
  await server.publish("doors", "the back door");
  await subscribe(page, server, "doors");
  await page.goto(`${server.url}#/~settings`);
  const dark = page.getByRole("radio", { name: "Dark" });
  await expect(dark).toBeEnabled();
  // As if the worker ended before it could store what was pressed.
  await endSharedWorkers(browser, server);
  const reloaded = page.waitForEvent("load");
  await dark.evaluate((radio: HTMLInputElement) => {
    radio.click();
    location.reload();
  });
  await reloaded;
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect.poll(() => storedSetting(page, "theme")).toBe("dark");

  await page.goto(`${server.url}#/doors`);
  // A key that works shows that those who listen to keys are there.
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  const row = message(page, "the front door");
  await row.focus();
  await endSharedWorkers(browser, server);
  const again = page.waitForEvent("load");
  await row.evaluate((row) => {
    row.dispatchEvent(new KeyboardEvent("keydown", { key: "e", code: "KeyE", bubbles: true }));
    location.reload();
  });
  await again;
  await expect(message(page, "the back door")).toBeVisible();
  await expect(message(page, "the front door")).toHaveCount(0);
});

/** The labels of what can be set within some elements. */
function labelsIn(page: Page, within: string): Promise<string[]> {
  return page.locator(within).evaluateAll((places) =>
    places.flatMap((place) => {
      const all = "select, fieldset:has([type=radio]), input:not([type=radio], [type=search])";
      return [...place.querySelectorAll<HTMLElement>(all)].map((control) => {
        const isGroup = control instanceof HTMLFieldSetElement;
        const labels = isGroup ? control.querySelectorAll("legend") : (control as HTMLInputElement).labels;
        return labels?.[0]?.textContent.trim() ?? "";
      });
    }),
  );
}
