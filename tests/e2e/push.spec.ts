import type { Page } from "@playwright/test";
import { NOTIFICATION_LOCK } from "../../src/contract";
import { expect, subscribe, test as base, type TestServer } from "./fixtures";
import { chooseInMenu, keptOffline, message } from "./on-screen";
import { PushService } from "./push-service";

const test = base.extend<{ service: PushService }>({
  service: async ({}, use) => {
    const service = await PushService.start();
    await use(service);
    await service.stop();
  },
});

test.use({ serverOptions: { webPush: { allowLoopback: true } } });

/** Titles of all that is on screen, whichever registration showed it. */
async function titles(page: Page): Promise<string[]> {
  return page.evaluate(async (lock) => {
    const registrations = await navigator.serviceWorker.getRegistrations();
    const shown = await navigator.locks.request(lock, () =>
      Promise.all(registrations.map((registration) => registration.getNotifications())),
    );
    return shown
      .flat()
      .map(({ title }) => title)
      .sort();
  }, NOTIFICATION_LOCK);
}

/** Opens the settings of the server that is shown. */
async function openSettings(page: Page): Promise<void> {
  await chooseInMenu(page, "Server settings");
  await expect(page.getByRole("heading", { name: "With the app closed" })).toBeVisible();
}

const receive = (page: Page) => page.getByRole("checkbox", { name: "Receive with the app closed" });

/** A page with a topic whose pushes are on. */
async function turnedOn(page: Page, server: TestServer, service: PushService): Promise<void> {
  await page.context().grantPermissions(["notifications"], { origin: server.url });
  await service.attach(page);
  await subscribe(page, server, "alerts");
  await keptOffline(page);
  await openSettings(page);
  await receive(page).click();
  await expect(receive(page)).toBeChecked();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
}

/** Leaves the app; what stays is a page without it, to look at what the worker shows. */
async function leave(page: Page, server: TestServer): Promise<void> {
  await page.goto(`${server.url}icon.svg`);
}

test("a message that comes with the app closed is stored, shown once, and there when it opens", async ({
  server,
  page,
  service,
  watch,
}) => {
  watch.tolerate(/favicon/);
  await turnedOn(page, server, service);
  await leave(page, server);
  const event = await server.publish("alerts", "fire in the kitchen", { title: "Fire", tags: ["warning"] });
  await expect.poll(() => titles(page)).toEqual(["⚠️ Fire · alerts"]);
  await service.deliver(JSON.stringify({ event: "message", message: event }));
  await page.goto(`${server.url}#/alerts`);
  await expect(message(page, "fire in the kitchen")).toHaveCount(1);
  expect(await titles(page)).toEqual(["⚠️ Fire · alerts"]);
  // Read here, it goes from the screen, though another registration showed it.
  await message(page, "fire in the kitchen").click();
  await expect.poll(() => titles(page)).toEqual([]);
});

test("what an open tab has shown isn't shown by a push as well", async ({ server, page, service }) => {
  await turnedOn(page, server, service);
  service.delivers = false;
  await expect(async () => {
    await server.publish("alerts", "by the stream", { title: "Stream" });
    await expect.poll(() => titles(page), { timeout: 2_000 }).not.toEqual([]);
  }).toPass();
  const shown = await titles(page);
  for (const text of service.received) await service.deliver(text);
  // This push comes last, and is shown, so the others have been dealt with.
  await server.publish("alerts", "a last one", { title: "Last" });
  await expect.poll(() => titles(page)).toEqual([...shown, "Last · alerts"].sort());
});

test("a push of anything but a message of a topic here shows and stores nothing", async ({
  server,
  page,
  service,
  watch,
}) => {
  watch.tolerate(/favicon/);
  await turnedOn(page, server, service);
  await leave(page, server);
  const foreign = { event: "message", id: "abcdefghijkl", time: 1, topic: "elsewhere", message: "not ours" };
  for (const text of [
    "",
    "{",
    "[]",
    "null",
    '{"event":"message"}',
    JSON.stringify({ event: "message", message: foreign }),
  ])
    await service.deliver(text);
  await server.publish("alerts", "a real one", { title: "Real" });
  await expect.poll(() => titles(page)).toEqual(["Real · alerts"]);
  await page.goto(`${server.url}#/`);
  await expect(message(page, "a real one")).toHaveCount(1);
  await expect(message(page, "not ours")).toHaveCount(0);
});

test("a deleted message takes its notification away with the app closed", async ({ server, page, service, watch }) => {
  watch.tolerate(/favicon/);
  await turnedOn(page, server, service);
  await leave(page, server);
  await server.curl("alerts", "door open", { "X-Title": "Door", "X-Sequence-ID": "door" });
  await expect.poll(() => titles(page)).toEqual(["Door · alerts"]);
  const answer = await fetch(`${server.url}alerts/door`, { method: "DELETE" });
  expect(answer.status).toBe(200);
  await expect.poll(() => titles(page)).toEqual([]);
});

test("a test goes the whole way, and its time is said", async ({ server, page, service }) => {
  await turnedOn(page, server, service);
  await openSettings(page);
  await page.getByRole("dialog").getByRole("button", { name: "Test", exact: true }).click();
  await expect(page.getByRole("dialog").getByText(/The push arrived after/)).toBeVisible();
  expect(service.received).toHaveLength(1);
});

test("topics that come are pushed too, and turned off nothing is", async ({ server, page, service }) => {
  await turnedOn(page, server, service);
  await subscribe(page, server, "doors");
  await expect(async () => {
    await server.publish("doors", "open");
    await expect.poll(() => service.received.some((text) => text.includes('"doors"')), { timeout: 1_000 }).toBe(true);
  }).toPass();
  await openSettings(page);
  await receive(page).click();
  await expect(receive(page)).not.toBeChecked();
  expect(service.scope).toBeUndefined();
  const before = service.received.length;
  await server.publish("alerts", "nobody is told");
  await expect(message(page, "nobody is told").or(page.getByText("doors").first())).toBeVisible();
  expect(service.received).toHaveLength(before);
});

test("where it can't be turned on, the settings say why", async ({ server, page, service, startOther }) => {
  await page.context().grantPermissions(["notifications"], { origin: server.url });
  await service.attach(page);
  const other = await startOther();
  await subscribe(page, server, "alerts");
  await page.goto(`${server.url}#/http:${other.host}/doors`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await keptOffline(page);
  await openSettings(page);
  await receive(page).click();
  await expect(page.getByText("This server sends no pushes.")).toBeVisible();
  await expect(receive(page)).not.toBeChecked();
  await page.keyboard.press("Escape");
  await page.evaluate(() => localStorage.setItem("test push fails", "yes"));
  await page.goto(`${server.url}#/alerts`);
  await openSettings(page);
  await receive(page).click();
  await expect(page.getByText("The browser's push service can't be reached.")).toBeVisible();
  await expect(receive(page)).not.toBeChecked();
  expect(service.scope).toBeUndefined();
});
