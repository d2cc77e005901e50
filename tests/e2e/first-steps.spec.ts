import type { Locator, Page } from "@playwright/test";
import { expectAccessible } from "./axe";
import { expect, subscribe, test } from "./fixtures";
import { choose, expectLive, message, notice } from "./on-screen";

const card = (page: Page) => page.getByRole("region", { name: /^Subscribed/ });

test.describe("after the first subscription", () => {
  test.use({ firstSteps: true, serviceWorkers: "allow" });

  test("a card offers to send a message, once", async ({ server, page }) => {
    await page.goto(server.url);
    await page.getByRole("textbox", { name: "Topic" }).fill("backups");
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expectLive(page);
    await expect(card(page)).toBeVisible();
    await expect(card(page).getByRole("button", { name: "Install" }), "the browser offers none").toBeHidden();
    await page.reload();
    await card(page).getByRole("button", { name: "Send a message" }).click();
    const dialog = page.getByRole("dialog", { name: "Send to backups" });
    await dialog.getByRole("button", { name: "Send" }).click();
    await expect(message(page, "It works")).toHaveCount(1);
    await expect(message(page, "It works").getByText("Unread", { exact: true })).toHaveCount(0);
    await card(page).getByRole("button", { name: "Dismiss" }).click();
    await expect(card(page)).toBeHidden();
    await page.reload();
    await expect(message(page, "It works")).toBeVisible();
    await page.goto(`${server.url}#/doors`);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expectLive(page);
    await expect(card(page), "it never comes back").toBeHidden();
  });

  test("the card installs the app if the browser offers that, and turns on notifications", async ({ server, page }) => {
    await page.addInitScript(() => {
      let said: NotificationPermission = "default";
      Object.defineProperty(Notification, "permission", { get: () => said });
      Notification.requestPermission = () => Promise.resolve((said = "granted"));
    });
    await subscribe(page, server, "backups");
    await expectLive(page);
    const asked = page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const offer = Object.assign(new Event("beforeinstallprompt", { cancelable: true }), {
            prompt: () => {
              resolve("asked");
              return Promise.resolve({ outcome: "accepted" });
            },
          });
          dispatchEvent(offer);
        }),
    );
    await expectAccessible(page);
    for (const width of [390, 360]) {
      await page.setViewportSize({ width, height: 740 });
      for (const name of ["Send a message", "Turn on notifications", "Install", "Dismiss"]) {
        await expect(card(page).getByRole("button", { name }), `at ${width} px`).toBeInViewport({ ratio: 1 });
      }
    }
    await card(page).getByRole("button", { name: "Install" }).click();
    expect(await asked).toBe("asked");
    await expect(card(page).getByRole("button", { name: "Install" })).toBeHidden();
    await card(page).getByRole("button", { name: "Turn on notifications" }).click();
    await expect(card(page).getByRole("button", { name: "Turn on notifications" })).toBeHidden();
    await card(page).getByRole("button", { name: "Send a message" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Send" }).click();
    await expect(message(page, "It works")).toHaveCount(1);
    await expect(card(page), "nothing is left to offer").toBeHidden();
  });

  test("the card says that notifications are refused until they are allowed", async ({ server, page }) => {
    await page.addInitScript(() => {
      let said: NotificationPermission = "default";
      Object.defineProperty(Notification, "permission", { get: () => said });
      Notification.requestPermission = () => Promise.resolve((said = "denied"));
      addEventListener("allow", () => {
        said = "granted";
        document.dispatchEvent(new Event("visibilitychange"));
      });
    });
    await subscribe(page, server, "backups");
    await card(page).getByRole("button", { name: "Turn on notifications" }).click();
    const refused = card(page).getByRole("alert");
    await expect(refused).toContainText("Blocked for this site");
    await card(page).getByRole("button", { name: "Send a message" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Send" }).click();
    await expect(message(page, "It works")).toHaveCount(1);
    await expect(refused).toBeVisible();
    await page.evaluate(() => dispatchEvent(new Event("allow")));
    await expect(card(page)).toBeHidden();
  });
});

/** Expects that the one ends where the other begins, or further up. */
async function expectAbove(upper: Locator, lower: Locator): Promise<void> {
  await expect(async () => {
    const [over, under] = [await upper.boundingBox(), await lower.boundingBox()];
    expect((over?.y ?? Infinity) + (over?.height ?? Infinity)).toBeLessThanOrEqual(under?.y ?? 0);
  }).toPass();
}

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, firstSteps: true });

  test("a message is covered neither by the card nor by the notice of older messages", async ({ server, page }) => {
    for (let at = 0; at < 7; at++) await server.publish("backups", `old-${String(at)}`);
    await subscribe(page, server, "backups");
    await expect(card(page)).toBeVisible();
    await expect(notice(page)).toContainText("7 older messages");
    const bar = notice(page).locator(".notice");
    await expectAbove(page.getByRole("feed").locator("xpath=.."), card(page));
    await expectAbove(card(page), bar);
    await message(page, "old-3").getByText("old-3").last().tap();
    const tools = page.getByRole("group", { name: "Message actions" });
    await expect(tools).toBeInViewport();
    await expect(card(page)).toBeHidden();
    await expectAbove(tools, bar);
    await page.goBack();
    await expect(card(page)).toBeVisible();
  });
});

test("older messages can be marked as read at once, and come as read if that is chosen", async ({ server, page }) => {
  for (let at = 0; at < 7; at++) await server.publish("backups", `old-${String(at)}`);
  for (let at = 0; at < 7; at++) await server.publish("doors", `older-${String(at)}`);
  await subscribe(page, server, "backups");
  await expect(notice(page)).toContainText("7 older messages");
  const unread = page.getByRole("main").getByText(/^\d+ unread$/);
  await expect(unread).toHaveText("7 unread");
  await notice(page).getByRole("button", { name: "Mark read" }).click();
  await expect(unread).toBeHidden();

  await page.goto(`${server.url}#/~settings/reading`);
  await choose(page, "read");
  await subscribe(page, server, "doors");
  await expect(message(page, "older-6")).toBeVisible();
  await expectLive(page);
  await expect(unread).toBeHidden();
  await server.publish("doors", "new");
  await expect(unread).toHaveText("1 unread");
});

test("pasted lines become several topics, each checked by name", async ({ server, page, startOther }) => {
  const other = await startOther();
  await subscribe(page, server, "first");
  await page.goto(`${server.url}#/~add`);
  const dialog = page.getByRole("dialog", { name: "Add a topic" });
  const field = dialog.getByRole("textbox", { name: "Topic" });
  await field.focus();
  await field.evaluate((element, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", text);
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, `one\ntwo\r\nhttp://${other.host}/three\ndocs`);
  await expect(field).toHaveAccessibleDescription("docs: The server reserves the name docs.");
  await field.fill(`one, two http://${other.host}/three`);
  await dialog.getByRole("button", { name: "Subscribe" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Everything");
  const rail = page.getByRole("navigation", { name: "Topics and views" });
  for (const name of ["one", "two", "three"]) await expect(rail.getByRole("link", { name, exact: true })).toBeVisible();
});
