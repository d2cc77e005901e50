import type { Page } from "@playwright/test";
import { expect, subscribe, test } from "./fixtures";
import { message } from "./on-screen";

/** Reloads the page; whatever draws this text fails, until it is set to nothing. */
async function failing(page: Page, text: string): Promise<void> {
  await page.addInitScript((boom) => {
    const global = globalThis as { boom?: string };
    global.boom = boom;
    for (const name of ["nodeValue", "textContent"] as const) {
      const own = Object.getOwnPropertyDescriptor(Node.prototype, name);
      if (!own?.set) continue;
      Object.defineProperty(Node.prototype, name, {
        ...own,
        set(value: unknown) {
          if (global.boom && String(value).includes(global.boom)) throw new Error("broken on purpose");
          own.set?.call(this, value);
        },
      });
    }
  }, text);
  await page.reload();
}

const mend = (page: Page): Promise<void> => page.evaluate(() => void ((globalThis as { boom?: string }).boom = ""));

const again = (page: Page) => page.getByRole("button", { name: "Try again" });

test("what can't be drawn says so, and can be tried again", async ({ server, page, watch }) => {
  watch.tolerate(/broken on purpose/);
  await server.publish("doors", "front");
  await server.publish("doors", "back");
  await subscribe(page, server, "doors");
  await expect(message(page, "back")).toBeVisible();
  await test.step("a message leaves the others", async () => {
    await failing(page, "front");
    await expect(page.getByRole("heading", { name: "This message can't be shown" })).toBeVisible();
    await expect(message(page, "back")).toBeVisible();
    await page.getByText("Details").click();
    await expect(page.getByText("Error: broken on purpose")).toBeVisible();
    await mend(page);
    await again(page).click();
    await expect(message(page, "front")).toBeVisible();
  });
  for (const [part, text, heading] of [
    ["messages", "Today", "These messages can't be shown"],
    ["page", "doors", "The app can't be shown"],
  ] as const) {
    await test.step(`${part}: a backup is offered`, async () => {
      await failing(page, text);
      await expect(page.getByRole("heading", { name: heading })).toBeVisible();
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: "Save backup" }).click();
      expect((await download).suggestedFilename()).toMatch(/^earshot-.*jsonl$/);
      await mend(page);
      await again(page).click();
      await expect(message(page, "back")).toBeVisible();
    });
  }
});
