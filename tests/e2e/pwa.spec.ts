import type { Page } from "@playwright/test";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expectAccessible } from "./axe";
import { DIST, expect, subscribe, test as base } from "./fixtures";
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

/** Puts a new version of the app into the folder: its page says so, and the service worker lists the new page. */
async function deployNext(folder: string): Promise<void> {
  const page = join(folder, "index.html");
  const worker = join(folder, "sw.js");
  await writeFile(page, (await readFile(page, "utf8")).replace("<head>", '<head><meta name="next" content="yes" />'));
  const before = await readFile(worker, "utf8");
  const after = before.replace(/(index\.html.{1,20}revision:.)[0-9a-f]{12}/, "$1ffffffffffff");
  expect(after).not.toBe(before);
  await writeFile(worker, after);
}

const isNext = (page: Page) => page.locator('meta[name="next"]').count();

test("the manifest has no errors, and the app can be installed", async ({ server, page }) => {
  await page.goto(server.url);
  await keptOffline(page);
  const session = await page.context().newCDPSession(page);
  const { errors, data } = await session.send("Page.getAppManifest");
  expect(errors).toEqual([]);
  const manifest = JSON.parse(data ?? "{}") as Record<string, unknown>;
  expect(manifest).not.toHaveProperty("id");
  expect(manifest).toMatchObject({ start_url: "./#/", scope: "./", display: "standalone" });
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  // The window of a test is incognito, where nothing can be installed.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito")).toEqual([]);
});

test("every icon of the manifest has the size that it claims", async ({ server, page }) => {
  await page.goto(server.url);
  const sizes = await page.evaluate(async () => {
    const { icons } = (await (await fetch("./manifest.webmanifest")).json()) as {
      icons: { src: string; sizes: string }[];
    };
    return Promise.all(
      icons.map(async ({ src, sizes }) => {
        const image = new Image();
        image.src = src;
        await image.decode();
        return { src, sizes, real: src.endsWith(".svg") ? "any" : `${image.naturalWidth}x${image.naturalHeight}` };
      }),
    );
  });
  expect(sizes.length).toBeGreaterThanOrEqual(5);
  for (const { src, sizes: claimed, real } of sizes) expect(real, src).toBe(claimed);
});

test("after the first visit it opens with no network and shows what is stored", async ({
  server,
  page,
  context,
  watch,
}) => {
  await subscribe(page, server, "backups");
  await server.publish("backups", "kept for the road");
  await expect(page.getByText("kept for the road").first()).toBeVisible();
  await keptOffline(page);
  await page.close();

  watch.tolerate(/ERR_CONNECTION_REFUSED|ERR_INTERNET_DISCONNECTED/);
  await server.stop();
  await context.setOffline(true);
  const offline = await context.newPage();
  await offline.goto(`${server.url}#/backups`);
  await expect(offline.getByText("kept for the road").first()).toBeVisible();
  await expect(offline.getByText("Offline. Showing what is stored on this device.").first()).toBeVisible();
});

test("opens with a query, as a share brings it, with no network", async ({ server, page, context, watch }) => {
  await page.goto(server.url);
  await keptOffline(page);
  watch.tolerate(/ERR_CONNECTION_REFUSED|ERR_INTERNET_DISCONNECTED/);
  await server.stop();
  await context.setOffline(true);
  await page.goto(`${server.url}?title=a&text=b`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

test("the service worker swallows neither streams nor topics nor files", async ({ server, page }) => {
  await page.goto(server.url);
  await keptOffline(page);
  await server.publish("notes", "from the server");
  const answers = await page.evaluate(async () => {
    const poll = await fetch("./notes/json?poll=1");
    const health = await fetch("./v1/health");
    return { poll: await poll.text(), health: await health.json() };
  });
  expect(answers.poll).toContain("from the server");
  expect(answers.health).toEqual({ healthy: true });
  await page.goto(`${server.url}notes`);
  expect(page.url(), "the server leads the topic's path to the app").toBe(`${server.url}#/notes`);
});

test("the first version is no update, in whichever tab it came", async ({ server, page, context }) => {
  await page.goto(server.url);
  const other = await context.newPage();
  await other.goto(server.url);
  for (const tab of [page, other]) {
    await keptOffline(tab);
    // The service worker asks once more; its answer means that it has reported any update by now.
    await tab.evaluate(async () => (await navigator.serviceWorker.ready).update());
    await expect(tab.getByText("Update ready")).toHaveCount(0);
  }
});

test("a new version waits, says so, and is there after one press", async ({ server, page, folder }) => {
  await page.goto(server.url);
  await keptOffline(page);
  await deployNext(folder);

  await page.reload();
  await expect(page.getByText("Update ready")).toBeVisible();
  await expectAccessible(page);
  expect(await isNext(page), "nothing changes unasked").toBe(0);

  await page.getByRole("button", { name: "Reload" }).click();
  await expect.poll(() => isNext(page)).toBe(1);
  await expect(page.getByText("Update ready")).toBeHidden();
});

test("a new version leaves nothing of the old one in the cache", async ({ server, page, folder }) => {
  await page.goto(server.url);
  await keptOffline(page);
  const cached = () =>
    page.evaluate(async () => {
      const names = await caches.keys();
      const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return keys.flat().map(({ url }) => url);
    });
  const before = await cached();
  await deployNext(folder);
  await page.reload();
  await page.getByRole("button", { name: "Reload" }).click();
  await expect.poll(() => isNext(page)).toBe(1);
  await expect.poll(async () => (await cached()).length).toBe(before.length);
  expect((await cached()).filter((url) => url.includes("index.html"))).toEqual([
    expect.stringContaining("ffffffffffff"),
  ]);
});
