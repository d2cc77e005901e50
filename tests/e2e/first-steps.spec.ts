import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe";
import { expect, subscribe, test } from "./fixtures";
import { choose, expectLive, message } from "./on-screen";

const offer = (page: Page, name: RegExp) => page.getByRole("main").getByRole("group", { name });
const ALERTS = /^Get alerts/;
const BLOCKED = /blocked/;
const INSTALL = /as an app/;
const OLDER = /older messages/;

/** Has the browser answer the question for notifications, and allow them at the event `allow`. */
async function answering(page: Page, answer: NotificationPermission): Promise<void> {
  await page.addInitScript((answer) => {
    let said: NotificationPermission = "default";
    Object.defineProperty(Notification, "permission", { get: () => said });
    Notification.requestPermission = () => Promise.resolve((said = answer));
    addEventListener("allow", () => {
      said = "granted";
      document.dispatchEvent(new Event("visibilitychange"));
    });
  }, answer);
}

/** The browser offers to install the app; resolves once it is asked to. */
const offerInstallation = (page: Page) =>
  page.evaluate(
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

test.describe("after the first subscription", () => {
  test.use({ firstSteps: true });

  test("one thing at a time is offered: older messages, notifications, the installation", async ({ server, page }) => {
    for (let at = 0; at < 7; at++) await server.publish("backups", `old-${String(at)}`);
    await answering(page, "granted");
    await subscribe(page, server, "backups");
    const offers = page
      .getByRole("main")
      .getByRole("group")
      .filter({ has: page.getByRole("button", { name: "Dismiss" }) });
    await expect(offer(page, OLDER)).toBeVisible();
    await expectAccessible(page);
    const asked = offerInstallation(page);
    await expect(offers).toHaveCount(1);
    const unread = page.getByRole("main").getByText(/^\d+ unread$/);
    await expect(unread).toHaveText("7 unread");
    await offer(page, OLDER).getByRole("button", { name: "Mark read" }).click();
    await expect(unread).toBeHidden();
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 740 });
      for (const name of ["Turn on", "Dismiss"]) {
        await expect(offers.getByRole("button", { name }), `at ${String(width)} px`).toBeInViewport({ ratio: 1 });
      }
    }
    await page.setViewportSize({ width: 1280, height: 720 });
    await offer(page, ALERTS).getByRole("button", { name: "Turn on" }).click();
    await offer(page, INSTALL).getByRole("button", { name: "Install" }).click();
    expect(await asked).toBe("asked");
    await expect(offers, "nothing is left to offer").toHaveCount(0);
  });

  test("what was dismissed never comes back, and nothing is offered in a search", async ({ server, page }) => {
    await answering(page, "granted");
    await subscribe(page, server, "backups");
    await expect(page.getByText("No messages yet")).toBeVisible();
    await expect(offer(page, ALERTS)).toBeVisible();
    await page.reload();
    await expect(offer(page, ALERTS)).toBeVisible();
    await server.publish("backups", "one");
    await page.goto(`${server.url}#/backups?q=one`);
    await expect(message(page, "one")).toBeVisible();
    await expect(offer(page, ALERTS)).toBeHidden();
    await page.goto(`${server.url}#/backups?q=two`);
    await expect(page.getByText("Nothing matches")).toBeVisible();
    await expect(offer(page, ALERTS)).toBeHidden();
    await page.goto(`${server.url}#/backups`);
    await offer(page, ALERTS).getByRole("button", { name: "Dismiss" }).click();
    await expect(offer(page, ALERTS)).toBeHidden();
    await page.reload();
    await expect(message(page, "one")).toBeVisible();
    await subscribe(page, server, "doors");
    await expectLive(page);
    await expect(offer(page, ALERTS)).toBeHidden();
  });

  test("notifications that the browser refuses are said to be blocked, and how to allow them", async ({
    server,
    page,
  }) => {
    await answering(page, "denied");
    await subscribe(page, server, "backups");
    await offer(page, ALERTS).getByRole("button", { name: "Turn on" }).click();
    await offer(page, BLOCKED).getByRole("button", { name: "How to allow" }).click();
    await expect(offer(page, /^Blocked for this site. To allow them/)).toBeVisible();
    await page.evaluate(() => dispatchEvent(new Event("allow")));
    await expect(offer(page, /Blocked/)).toBeHidden();
  });
});

test.describe("on a phone", () => {
  // Its words are longer than the English ones.
  test.use({
    locale: "de-DE",
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    firstSteps: true,
  });

  test("an offer is one line above the first day, which leaves the screen with it; on a narrow one its words stay whole", async ({
    server,
    page,
  }) => {
    for (let at = 0; at < 30; at++) await server.publish("backups", `old-${String(at)}`);
    await page.goto(`${server.url}#/backups`);
    await page.getByRole("button", { name: "Abonnieren" }).click();
    const strip = offer(page, /^30 ältere Nachrichten/);
    await expect(strip).toBeVisible();
    const [box, day] = [await strip.boundingBox(), await page.getByText("Heute", { exact: true }).boundingBox()];
    expect(box?.height).toBeLessThanOrEqual(48);
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(day?.y ?? 0);
    await page
      .getByRole("feed")
      .locator("xpath=..")
      .evaluate((scroller) => scroller.scrollTo(0, 400));
    await expect(strip).not.toBeInViewport();
    await expect(page.getByText("Heute", { exact: true })).toBeInViewport();

    await page
      .getByRole("feed")
      .locator("xpath=..")
      .evaluate((scroller) => scroller.scrollTo(0, 0));
    await page.setViewportSize({ width: 320, height: 740 });
    const words = await strip.getByText("30 ältere Nachrichten").boundingBox();
    const cross = await strip.getByRole("button", { name: "Ausblenden" }).boundingBox();
    const press = await strip.getByRole("button", { name: "Als gelesen markieren" }).boundingBox();
    if (!words || !cross || !press) throw new Error("not shown");
    expect(words.height).toBeLessThan(2 * press.height);
    expect(cross.x).toBeGreaterThanOrEqual(words.x + words.width);
    expect(cross.y).toBeLessThan(press.y + press.height);
  });
});

test("older messages come as read if that is chosen; pasted lines become several topics, each checked by name", async ({
  server,
  page,
  startOther,
}) => {
  // Of an earlier second than the subscription: what came in that very second may be newer, so it counts as unread.
  const time = server.running.nowS() - 60;
  for (let at = 0; at < 7; at++) await server.publish("doors", `older-${String(at)}`, { time });
  await page.goto(`${server.url}#/~settings/reading`);
  await choose(page, "read");
  await subscribe(page, server, "doors");
  const unread = page.getByRole("main").getByText(/^\d+ unread$/);
  await expect(message(page, "older-6")).toBeVisible();
  await expectLive(page);
  await expect(unread).toBeHidden();
  await server.publish("doors", "new");
  await expect(unread).toHaveText("1 unread");

  const other = await startOther();
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
