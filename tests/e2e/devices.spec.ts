import type { Browser, BrowserContext, Page } from "@playwright/test";
import { expectAccessible } from "./axe";
import { expect, subscribe, test, type TestServer } from "./fixtures";
import { beyondTheEdge, message } from "./on-screen";

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const digitsOn = (page: Page) => page.getByText(/^\d{3} \d{3}$/);
const unread = (page: Page, text: string) => message(page, text).getByText("Unread");
const openDevices = (page: Page, server: TestServer) => page.goto(`${server.url}#/~settings/devices`);

/** Makes a group of the page's device if it has none; returns the link that invites another. */
async function invite(page: Page, button: string): Promise<string> {
  await press(page, button);
  await expect(page.getByRole("img", { name: "QR code that adds a device" })).toBeVisible();
  await press(page, "Copy link");
  return page.evaluate(() => navigator.clipboard.readText());
}

/** A second device, which has stored nothing. */
async function secondDevice(browser: Browser): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext();
  await context.addInitScript(() => localStorage.setItem("earshot-first-steps", "done"));
  return { context, page: await context.newPage() };
}

test.beforeEach(({ context }) => context.grantPermissions(["clipboard-read", "clipboard-write"]));

test("two devices pair by a link that works once, and agree on topics and on what is read until one is removed", async ({
  server,
  page,
  browser,
}) => {
  await subscribe(page, server, "backups");
  await server.publish("backups", "disk full");
  await server.publish("backups", "disk empty");
  await expect(message(page, "disk empty")).toHaveCount(1);

  await openDevices(page, server);
  const link = await invite(page, "Use Earshot on several devices");
  await expectAccessible(page);
  const second = await secondDevice(browser);
  await second.page.goto(link);
  await expect(second.page.getByRole("heading", { name: "Join your other devices?" })).toBeVisible();
  expect(second.page.url(), "the secret has left the address").not.toContain("devices:");
  await expectAccessible(second.page);
  await press(second.page, "Join");
  await test.step("not if the digits differ", async () => {
    await press(page, "No");
    await expect(second.page.getByText("That code can't be used")).toBeVisible();
    await expect(page.getByText("No other device has joined yet.")).toBeVisible();
    await second.page.getByLabel("Link from the other device").fill(link);
    const addresses: string[] = [];
    second.page.on("framenavigated", (frame) => addresses.push(frame.url()));
    await press(second.page, "Go on");
    await press(second.page, "Join");
    await expect(second.page.getByText("That code can't be used"), "nor a second time").toBeVisible();
    await expect(second.page.getByLabel("Link from the other device"), "the secret is gone").toHaveValue("");
    expect(addresses.join(" "), "the secret never was in the address").not.toContain("devices:");
  });
  await second.page.getByLabel("Link from the other device").fill(await invite(page, "Add a device"));
  await press(second.page, "Go on");
  await press(second.page, "Join");

  await expect(digitsOn(second.page)).toBeVisible();
  await expect(page.getByRole("alert")).toContainText("“Linux” wants to join.");
  expect(await digitsOn(page).textContent()).toBe(await digitsOn(second.page).textContent());
  await expectAccessible(page);
  await expectAccessible(second.page);
  await press(page, "Yes, the same");
  await second.page.getByLabel("Name of this device").fill("Phone");
  await second.page.keyboard.press("Enter");
  await expect(page.getByRole("listitem").filter({ hasText: "Phone" })).toBeVisible();
  await expect(page.getByText("All devices are in step.")).toBeVisible();
  await expectAccessible(page);
  await expect(second.page.getByRole("listitem").filter({ hasText: "This device" })).toContainText("Phone");

  await second.page.goto(`${server.url}#/backups`);
  await expect(unread(second.page, "disk empty")).toHaveCount(1);
  await page.goto(`${server.url}#/backups`);
  await message(page, "disk empty").click();
  await expect(unread(second.page, "disk empty")).toHaveCount(0);
  await expect(unread(second.page, "disk full")).toHaveCount(1);

  await openDevices(page, server);
  await press(page, "Remove Phone");
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("No other device has joined yet.")).toBeVisible();
  await openDevices(second.page, server);
  await expect(second.page.getByText("Another of your devices removed this one.")).toBeVisible();
  await second.context.close();
});

test("the section works by keyboard, is found by name, fits a narrow page, and says what is no link", async ({
  server,
  page,
}) => {
  await subscribe(page, server, "backups");
  await page.setViewportSize({ width: 320, height: 640 });
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("second phone sync");
  await page.keyboard.press("Enter");
  const start = page.getByRole("button", { name: "Use Earshot on several devices" });
  await expect(start).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(start).toBeFocused();
  await page.getByLabel("Link from the other device").fill("https://ntfy.example/backups");
  await page.keyboard.press("Enter");
  await expect(page.getByText("This isn't a link from “Add a device”.")).toBeVisible();
  await expectAccessible(page);
  await start.press("Enter");
  await expect(page.getByRole("img", { name: "QR code that adds a device" })).toBeVisible();
  expect(await page.evaluate(beyondTheEdge)).toEqual([]);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Copy link" }), "the focus stayed in the section").toBeFocused();
  await page.getByRole("button", { name: "Leave…" }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Leave" }).press("Enter");
  await expect(start).toBeVisible();
});
