import type { Page } from "@playwright/test";
import { expect, subscribe, test } from "./fixtures";

// Nothing may be stored, not even that the first steps are done.
test.use({ firstSteps: true });

const APP_FILE = /\/assets\/index-[^/]*\.js$/;

/** Names of the build's files that a page has asked for, without their hashes. */
function filesOf(page: Page): Set<string> {
  const files = new Set<string>();
  page.on("request", (request) => {
    const [, name] = /\/assets\/([\w-]+?)-[\w-]{8}\.(?:js|css)$/.exec(request.url()) ?? [];
    if (name !== undefined) files.add(name);
  });
  return files;
}

test.describe("a first visit", () => {
  for (const fragment of ["", "#/backups"]) {
    test(`asks for what its screen needs before the app came: ${fragment || "the start screen"}`, async ({
      server,
      page,
    }) => {
      const files = filesOf(page);
      let goOn: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (goOn = resolve));
      await page.route(APP_FILE, async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(`${server.url}${fragment}`, { waitUntil: "commit" });
      for (const name of ["index", "visit", "migrations"]) {
        await expect.poll(() => files.has(name), name).toBe(true);
      }
      goOn();
      await expect(page.getByRole("button", { name: "Subscribe", exact: true })).toBeVisible();
    });
  }

  test("without storage shows its screen too", async ({ server, page }) => {
    await page.addInitScript(() => {
      const deny = () => {
        throw new DOMException("denied", "SecurityError");
      };
      Object.defineProperty(window, "localStorage", { get: deny });
      Object.defineProperty(window, "indexedDB", { value: { open: deny } });
    });
    await page.goto(`${server.url}#/backups`);
    await expect(page.getByRole("heading", { name: "Subscribe to this topic?" })).toBeVisible();
  });
});

test("a later visit asks for nothing of the first one's screens", async ({ server, page }) => {
  await subscribe(page, server, "backups");
  await server.publish("backups", "stored");
  await expect(page.getByRole("article").filter({ hasText: "stored" })).toBeVisible();
  await page.waitForFunction(() => localStorage.getItem("earshot-said") !== null);
  const files = filesOf(page);
  await page.reload();
  await expect(page.getByRole("main").getByText("Live", { exact: true })).toBeVisible();
  await expect.poll(() => files.has("background-services")).toBe(true);
  expect(files.has("index")).toBe(true);
  expect(files.has("visit")).toBe(false);
});
