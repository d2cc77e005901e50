import { devices, type Page } from "@playwright/test";
import { expectAccessible } from "./axe";
import { expect, subscribe, test } from "./fixtures";
import { beyondTheEdge, chooseInMenu, message, notice } from "./on-screen";

/** A narrow Android and an iPhone, with touch; only Chromium draws them here, so an iPhone's is a size and a name. */
const PHONES = ["Galaxy S9+", "iPhone 13"] as const;

/** Lays a finger on a message, and moves it by so many px to the side. */
async function swipe(page: Page, text: string, dx: number): Promise<void> {
  const row = message(page, text);
  // The code that handles touches is loaded.
  await expect(row).toHaveCSS("touch-action", "pan-y pinch-zoom");
  const box = await row.boundingBox();
  if (!box) throw new Error("nothing to lay a finger on");
  const session = await page.context().newCDPSession(page);
  const [x, y] = [box.x + box.width / 2, box.y + Math.min(box.height / 2, 30)];
  await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] });
  for (let step = 1; step <= 10; step++) {
    const at = { x: x + (dx * step) / 10, y };
    await session.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [at] });
  }
  await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await session.detach();
}

for (const name of PHONES) {
  const { defaultBrowserType: _, ...phone } = devices[name] as (typeof devices)[string];
  const isApple = name.startsWith("iPhone");

  test.describe(name, () => {
    test.use(phone);

    test("subscribing, reading, a swipe, installing and notifications are all in reach of a thumb", async ({
      server,
      page,
    }) => {
      await page.addInitScript((isApple) => {
        if (isApple) Object.assign(navigator, { standalone: false });
        // The browser's own offer comes when it likes, and would take the place of the one below.
        addEventListener("beforeinstallprompt", (offer) => offer.isTrusted && offer.stopImmediatePropagation(), true);
      }, isApple);
      await server.publish("backups", "an earlier one");
      await server.publish("backups", "all of it is copied", { title: "Backup done" });
      await subscribe(page, server, "backups");
      await expect.poll(() => page.evaluate(beyondTheEdge)).toEqual([]);
      await message(page, "all of it is copied").tap();
      const opened = page.getByRole("main", { name: "Message" });
      await expect(opened.getByRole("heading", { name: "Backup done" })).toBeVisible();
      await expect.poll(() => page.evaluate(beyondTheEdge)).toEqual([]);
      await page.goBack();
      await swipe(page, "all of it is copied", 220);
      await expect(notice(page)).toContainText("Message done");
      await notice(page).getByRole("button", { name: "Undo" }).click();
      await expect(message(page, "all of it is copied")).toHaveCount(1);

      await page.goto(`${server.url}#/~settings/devices`);
      const install = page.locator('[data-place="install"]');
      if (isApple) {
        await expect(install.getByRole("listitem")).toHaveCount(4);
        await expect(install, "with how to bring the topics along").toContainText("starts empty");
        await expectAccessible(page);
        await expect(install.locator("li svg"), "what to tap is drawn").toHaveCount(2);
      } else {
        await expect(install).toContainText("This browser offers no installation now.");
        await page.evaluate(() => {
          const offer = Object.assign(new Event("beforeinstallprompt", { cancelable: true }), {
            prompt: () => {
              document.body.dataset["installation"] = "asked";
              return Promise.resolve({ outcome: "accepted" });
            },
          });
          dispatchEvent(offer);
        });
        await install.getByRole("button", { name: "Install Earshot" }).click();
        await expect(page.locator("body")).toHaveAttribute("data-installation", "asked");
        await expect(install.getByRole("button")).toHaveCount(0);
      }
      await expect.poll(() => page.evaluate(beyondTheEdge)).toEqual([]);
      await page.goto(`${server.url}#/~settings/alerts`);
      await expect(page.getByRole("heading", { name: "Notifications", exact: true })).toBeAttached();
      await expect.poll(() => page.evaluate(beyondTheEdge)).toEqual([]);

      await page.goto(`${server.url}#/backups`);
      await expect(message(page, "all of it is copied")).toHaveCount(1);
      await chooseInMenu(page, "Server settings");
      await expect(page.getByRole("heading", { name: "With the app closed" })).toBeVisible();
      await expect.poll(() => page.evaluate(beyondTheEdge)).toEqual([]);
    });
  });
}

test.describe("on a phone", () => {
  test.use({ viewport: { width: 412, height: 823 } });

  test("nothing jumps when the app starts, with messages that fold and many unread", async ({ server, page }) => {
    for (let at = 1; at <= 120; at++) await server.publish("backups", "Done.", { title: `Backup ${at}` });
    await subscribe(page, server, "backups");
    await page.addInitScript(() => {
      Object.assign(globalThis, { shifts: { sum: 0 } });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
          if (entry.hadRecentInput) continue;
          (globalThis as unknown as { shifts: { sum: number } }).shifts.sum += entry.value;
        }
      }).observe({ type: "layout-shift", buffered: true });
    });
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    await page.reload();
    const header = page.getByRole("main").locator("header").first();
    await expect(header).toContainText("unread");
    await expect(header).toContainText("Live");
    await expect(header).not.toContainText("Checking");
    const sum = await page.evaluate(() => (globalThis as unknown as { shifts: { sum: number } }).shifts.sum);
    expect(sum).toBeLessThan(0.01);
    // Else the page, which later tests use again, would stay slow.
    await session.detach();
  });
});
