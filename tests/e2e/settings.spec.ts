import { expectAccessible } from "./axe";
import { expect, subscribe, test } from "./fixtures";
import { chooseInMenu, message, notice, storedSetting } from "./on-screen";
import { endSharedWorkers } from "./workers";
import type { Page } from "@playwright/test";

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
  await expect.poll(rootSize).toBe("18.4px");

  await chooseInMenu(page, "Topic settings");
  const muted = page.getByRole("dialog").getByLabel("Mute alerts");
  await expect(muted.getByRole("option", { name: /tomorrow 0?8:00/ })).toHaveText(/^Until tomorrow 0?8:00\sam$/i);
  await page.keyboard.press("Escape");

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

test("a setting and a mark of the moment before a reload are kept", async ({ browser, server, page }) => {
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

/** What can be set within some elements, each with whether a sentence says what it does: its own, or that of its section. */
function settingsIn(page: Page, within: string): Promise<{ label: string; isSaid: boolean }[]> {
  return page.locator(within).evaluateAll((places) =>
    places.flatMap((place) => {
      const all = "select, fieldset:has([type=radio]), input:not([type=radio], [type=search])";
      return [...place.querySelectorAll<HTMLElement>(all)].map((control) => {
        const isGroup = control instanceof HTMLFieldSetElement;
        const labels = isGroup ? control.querySelectorAll("legend") : (control as HTMLInputElement).labels;
        const ids = (control.getAttribute("aria-describedby") ?? "").split(" ");
        const texts = ids.map((id) => document.getElementById(id)?.textContent);
        for (let around = control.parentElement; around; around = around.parentElement) {
          // A hint that another field has stands within that field.
          texts.push(...[...around.children].filter(({ tagName }) => tagName === "P").map((said) => said.textContent));
          // A symbol has the sentence of the field beside it.
          if (around.className.startsWith("icon")) texts.push(around.textContent);
          if (around.tagName === "SECTION" && !around.parentElement?.closest("[data-place]")) break;
          if (around.tagName === "FORM") break;
        }
        return {
          label: labels?.[0]?.textContent.trim() ?? "",
          isSaid: texts.some((text) => /\w.*[.]/.test(text ?? "")),
        };
      });
    }),
  );
}

test("each setting has its sentence, and is found by its name", async ({ server, page }) => {
  await subscribe(page, server, "doors");
  await page.goto(`${server.url}#/~settings`);
  await page.getByLabel("When a server can't be reached").selectOption({ index: 1 });
  await page.getByLabel("Keep attachments").selectOption("Up to 5 MB each");
  await expect(page.getByLabel("Pause these alerts")).toBeVisible();
  const settings = await settingsIn(page, "main [data-place]:not([data-place=backup], [data-place=storage])");
  expect(settings.length).toBeGreaterThan(20);
  expect(settings.filter(({ isSaid }) => !isSaid)).toEqual([]);
  const search = page.getByRole("searchbox", { name: "Find a setting" });
  for (const { label } of settings) {
    await search.fill(label);
    await expect.soft(page.getByRole("search").getByRole("status"), label).toHaveText(/settings? found/);
  }
  await search.fill("");

  await page.goto(`${server.url}#/doors`);
  await chooseInMenu(page, "Topic settings");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Quiet hours").selectOption("None");
  const own = await settingsIn(page, "dialog form");
  expect(own.length).toBeGreaterThan(9);
  expect(own.filter(({ isSaid }) => !isSaid)).toEqual([]);
});
