import type { Page } from "@playwright/test";
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { changeApp, deploy } from "./deploy";
import { DIST, expect, subscribe, test as base, type TestServer } from "./fixtures";
import { keptOffline } from "./on-screen";

/** A copy of the built app that a test may change. */
const test = base.extend<{ folder: string }>({
  folder: async ({}, use, info) => {
    const folder = info.outputPath("app");
    await cp(DIST, folder, { recursive: true });
    await use(folder);
  },
  serverOptions: async ({ folder }, use) => use({ app: folder }),
});

const broken = (): string => `throw new Error("a broken deploy");`;

const version = (page: Page) => page.locator('meta[name="version"]').getAttribute("content");
const failure = (page: Page) => page.getByRole("alert").filter({ hasText: "Earshot could not start." });
const tryAgain = (page: Page) => failure(page).getByRole("button", { name: "Try again" }).click();
/** Presses "Try again", which loads the page. */
const loadAgain = (page: Page) => Promise.all([page.waitForEvent("load"), tryAgain(page)]);

/**
 * Replaces the served version by another one. The server stops meanwhile: it lists its files when it starts, and a
 * browser may ask at any moment, but must not meet half a version.
 */
async function publish(server: TestServer, work: () => Promise<void>): Promise<void> {
  await server.stop();
  await work();
  await server.start();
}

/** Starts with the working version, then updates to one that can't be loaded. */
async function takeBroken(server: TestServer, page: Page, folder: string): Promise<void> {
  await keptOffline(page);
  await publish(server, () => deploy(folder, "broken", broken));
  await page.reload();
  await page.getByRole("button", { name: "Reload" }).click();
  // A press may come while the page is still starting on a busy machine; then it is made again.
  await expect(async () => {
    const again = page.getByRole("button", { name: "Reload" });
    if (await again.isVisible()) await again.click({ timeout: 1_000 });
    await expect(failure(page)).toContainText("a broken deploy", { timeout: 8_000 });
  }).toPass({ timeout: 40_000 });
  expect(await version(page)).toBe("broken");
}

test.describe("a version of the app that can't be loaded", () => {
  test.beforeEach(({ watch }) => watch.tolerate(/a broken deploy|Failed to (load resource|fetch)|ERR_/));

  test("is replaced by a repaired one at the first press", async ({ server, page, folder }) => {
    await subscribe(page, server, "backups");
    await takeBroken(server, page, folder);
    await loadAgain(page);
    await expect(failure(page), "nothing is mended yet").toContainText("a broken deploy");

    await publish(server, () => deploy(folder, "mended"));
    await loadAgain(page);
    await expect(page.getByText("No messages yet")).toBeVisible();
    expect(await version(page)).toBe("mended");
    await expect(failure(page)).toHaveCount(0);
  });

  test("is replaced by a repaired one that is already waiting, in another tab too", async ({
    server,
    page,
    context,
    folder,
  }) => {
    await subscribe(page, server, "backups");
    await takeBroken(server, page, folder);
    const other = await context.newPage();
    await other.goto(page.url());
    await expect(failure(other)).toBeVisible();
    await publish(server, () => deploy(folder, "mended"));
    await page.reload();
    await expect
      .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting?.state))
      .toBe("installed");
    await expect(failure(page), "it waits").toBeVisible();
    await loadAgain(page);
    await expect(page.getByText("No messages yet")).toBeVisible();
    await loadAgain(other);
    await expect(other.getByText("No messages yet")).toBeVisible();
    expect(await version(other)).toBe("mended");
  });

  test("stays if the repaired one is incomplete, or without a network", async ({
    server,
    page,
    context,
    folder,
    watch,
  }) => {
    watch.tolerate(/bad-precaching-response|ERR_INTERNET_DISCONNECTED/);
    await subscribe(page, server, "backups");
    await takeBroken(server, page, folder);
    await publish(server, async () => {
      await deploy(folder, "half");
      const settings = (await readdir(join(folder, "assets"))).find((name) => /^SettingsPage.*\.js$/.test(name)) ?? "";
      await rm(join(folder, "assets", settings));
    });
    await loadAgain(page);
    await expect(failure(page)).toContainText("a broken deploy");
    await context.setOffline(true);
    await loadAgain(page);
    await expect(failure(page)).toContainText("a broken deploy");
    await context.setOffline(false);
    await publish(server, () => deploy(folder, "mended"));
    await loadAgain(page);
    await expect(page.getByText("No messages yet")).toBeVisible();
  });
});

test("a press on Reload loads the page again even if the waiting version never takes over", async ({
  server,
  page,
  folder,
}) => {
  await subscribe(page, server, "backups");
  await keptOffline(page);
  await publish(server, async () => {
    await deploy(folder, "deaf");
    const worker = join(folder, "sw.js");
    await writeFile(worker, (await readFile(worker, "utf8")).replaceAll("SKIP_WAITING", "NOTHING"));
  });
  await page.reload();
  const press = page.getByRole("button", { name: "Reload" });
  await press.click();
  await page.waitForEvent("load", { timeout: 8_000 });
  await expect(press, "it is offered again").toBeVisible();

  await publish(server, () => deploy(folder, "hearing"));
  await page.reload();
  // The new one takes the deaf one's place once it is installed.
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update();
    const { installing } = registration;
    if (installing) await new Promise<void>((resolve) => (installing.onstatechange = () => resolve()));
  });
  await press.click();
  await expect.poll(() => version(page)).toBe("hearing");
});

test.describe("without a service worker", () => {
  test.use({ serviceWorkers: "block" });

  test("a file that was broken for a while is reloaded past the cache", async ({ server, page, folder, watch }) => {
    watch.tolerate(/a broken deploy|Failed to load resource/);
    let whole = "";
    await changeApp(folder, (code) => {
      whole = code;
      return broken();
    });
    await page.goto(server.url);
    await expect(failure(page)).toBeVisible();
    await changeApp(folder, () => whole);
    await page.reload();
    await expect(failure(page), "the cache has the broken one").toBeVisible();
    await loadAgain(page);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  });

  test("a page whose host is unreachable stays as it is", async ({ server, page, folder, watch }) => {
    watch.tolerate(/a broken deploy|Failed to load resource/);
    await changeApp(folder, broken);
    await page.goto(server.url);
    await expect(failure(page)).toBeVisible();
    await server.stop();
    await tryAgain(page);
    const again = failure(page).getByRole("button", { name: "Try again" });
    await expect(again).toBeEnabled();
    expect(page.url()).toBe(server.url);
  });

  test("a part of the app that the next version has replaced appears after a press or two", async ({
    server,
    page,
    folder,
    watch,
  }) => {
    watch.tolerate(/Failed to (load resource|fetch dynamically imported module)|ERR_|Refused to apply style/);
    await subscribe(page, server, "backups");
    await publish(server, () => deploy(folder, "next"));
    await page.evaluate(() => (location.hash = "#/~settings"));
    const notLoaded = page.getByRole("alert").filter({ hasText: "This part of the app couldn't be loaded." });
    const again = notLoaded.getByRole("button", { name: "Try again" });
    await again.click();
    await expect(again).toBeVisible();
    await again.click();
    await expect(page.getByRole("heading", { name: "Settings" }).first()).toBeVisible();
    expect(await version(page)).toBe("next");
  });
});
