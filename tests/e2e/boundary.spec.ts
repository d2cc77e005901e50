import type { Page } from "@playwright/test";
import { expect, subscribe, test, type TestServer } from "./fixtures";
import { message } from "./on-screen";

/** Whatever draws this text fails, until it is set to nothing. */
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
}

const mend = (page: Page): Promise<void> => page.evaluate(() => void ((globalThis as { boom?: string }).boom = ""));

async function withMessages(page: Page, server: TestServer): Promise<void> {
  await server.publish("doors", "front");
  await server.publish("doors", "back");
  await subscribe(page, server, "doors");
  await page.goto(`${server.url}#/doors`);
  await expect(message(page, "back")).toBeVisible();
}

const again = (page: Page) => page.getByRole("button", { name: "Try again" });

test("a message that can't be drawn leaves the others, and can be tried again", async ({ server, page, watch }) => {
  watch.tolerate(/broken on purpose/);
  await withMessages(page, server);
  await failing(page, "front");
  await page.reload();
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
  test(`${part} that can't be drawn say so, give a backup, and can be tried again`, async ({ server, page, watch }) => {
    watch.tolerate(/broken on purpose/);
    await withMessages(page, server);
    await failing(page, text);
    await page.reload();
    await expect(page.getByRole("heading", { name: heading })).toBeVisible();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save backup" }).click();
    expect((await download).suggestedFilename()).toMatch(/^earshot-.*jsonl$/);
    await mend(page);
    await again(page).click();
    await expect(message(page, "back")).toBeVisible();
  });
}
