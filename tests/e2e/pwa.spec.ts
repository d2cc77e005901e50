import type { Page } from "@playwright/test";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expectAccessible } from "./axe";
import { DIST, expect, subscribe, test as base, type TestServer } from "./fixtures";
import { keptOffline, notice, message } from "./on-screen";

/** A copy of the built app that a test may change. */
const test = base.extend<{ folder: string }>({
  folder: async ({}, use, info) => {
    const folder = info.outputPath("app");
    await cp(DIST, folder, { recursive: true });
    await use(folder);
  },
  serverOptions: async ({ folder }, use) => use({ app: folder }),
});

test.use({ serviceWorkers: "allow" });

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

test.describe("a share", () => {
  const shared = (server: TestServer, texts: Record<string, string>) =>
    `${server.url}?${new URLSearchParams(texts).toString()}#/~open`;

  test("of what isn't subscribed is read", async ({ server, page }) => {
    await test.step("without an address is explained", async () => {
      for (const viewport of [
        { width: 390, height: 844 },
        { width: 1440, height: 900 },
      ]) {
        await page.setViewportSize(viewport);
        await page.goto(shared(server, { title: "<b>Dinner</b>", text: "at eight, 12:30 and/or so" }));
        await expect(page.getByRole("heading", { name: "No topic found" })).toBeVisible();
        await expect(page.getByText("This names no topic.", { exact: false })).toBeVisible();
        await expect(page.getByText("<b>Dinner</b>")).toBeVisible();
        expect(page.url()).toBe(`${server.url}#/~open`);
        await expectAccessible(page);
      }
      await page.getByRole("main").getByRole("button", { name: "Add a topic" }).click();
      await expect(page.getByRole("dialog", { name: "Add a topic" })).toBeVisible();
      await page.reload();
      await expect(page.getByText("Nothing was shared with Earshot.")).toBeVisible();
      await page.goto(shared(server, { text: "https://ada:s3cret@ntfy.example.com/backups" }));
      await expect(page.getByText("Leave user and password out of the address", { exact: false })).toBeVisible();
    });
    await test.step("keeps the filter of a link", async () => {
      await page.goto(shared(server, { text: `${server.url}#/backups?priority=high` }));
      await expect(page.getByText("The link has a filter", { exact: false })).toBeVisible();
      expect(page.url()).toBe(`${server.url}#/backups?priority=high`);
    });
    await test.step("by the protocol handler is read in the page that is open", async () => {
      await page.goto(server.url);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await page.evaluate(() => Reflect.set(window, "samePage", true));
      const link = `web+ntfy://${server.host}/backups?secure=false&display=Nightly`;
      await page.goto(`${server.url}#/~open/${encodeURIComponent(link)}`);
      await expect(page.getByRole("heading", { name: "Subscribe to this topic?" })).toBeVisible();
      expect(page.url()).toBe(`${server.url}#/backups`);
      await page.goto(`${server.url}#/~open/${encodeURIComponent("web+ntfy:")}`);
      await expect(page.getByRole("heading", { name: "No topic found" })).toBeVisible();
      expect(await page.evaluate(() => Reflect.get(window, "samePage") as unknown)).toBe(true);
    });
    await test.step("of a topic's link asks before it does anything, and leaves nothing in the address bar", async () => {
      await server.publish("backups", "held by the server");
      const text = `Have a look: ${server.url}backups/json?poll=1`;
      await page.goto(shared(server, { title: "Nightly", text, url: "" }));
      await expect(page.getByRole("heading", { name: "Subscribe to this topic?" })).toBeVisible();
      expect(page.url()).toBe(`${server.url}#/backups`);
      expect(server.wasAskedFor("backups")).toBe(false);
      await page.getByRole("button", { name: "Subscribe", exact: true }).click();
      await expect(message(page, "held by the server")).toHaveCount(1);
    });
  });

  test("after the first visit the app opens without a network, and so does a share of a subscribed topic, of which the host learns nothing", async ({
    server,
    page,
    context,
    watch,
  }) => {
    await subscribe(page, server, "backups");
    await server.publish("backups", "kept for the road");
    await expect(message(page, "kept for the road")).toHaveCount(1);
    await keptOffline(page);
    await test.step("the settings say where messages are kept and how the app is connected", async () => {
      await page.goto(`${server.url}#/~settings/storage`);
      for (const said of ["1 message on this device", "Stored in this browser.", "One connection for all tabs."]) {
        await expect(page.getByText(said)).toBeVisible();
      }
      await expect(page.getByText("Also opens without a network.")).toBeVisible();
      const contents = page.getByRole("navigation", { name: "Pages of the settings" });
      await expect(contents.getByRole("link", { name: "Storage" })).toHaveAttribute("aria-current", "page");
      await contents.getByRole("link", { name: "About" }).click();
      await expect(page.getByRole("heading", { name: "About" })).toBeVisible();
    });
    await page.goto(shared(server, { url: `${server.url}backups` }));
    await expect(message(page, "kept for the road")).toHaveCount(1);
    expect(server.requests.filter(({ path }) => path.includes("url="))).toEqual([]);

    watch.tolerate(/ERR_CONNECTION_REFUSED|ERR_INTERNET_DISCONNECTED/);
    await server.stop();
    await context.setOffline(true);

    await page.close();
    const offline = await context.newPage();
    await offline.goto(`${server.url}#/backups`);
    await expect(message(offline, "kept for the road")).toHaveCount(1);
    await expect(offline.getByText("Offline. Showing what is stored on this device.").first()).toBeVisible();

    await offline.goto(shared(server, { title: "", text: `curl -d x ${server.url}backups`, url: "" }));
    await expect(message(offline, "kept for the road")).toHaveCount(1);
    expect(offline.url()).toBe(`${server.url}#/backups`);
  });
});

test("on a first visit the worker keeps the app, which can be installed, and nothing else", async ({
  server,
  page,
  context,
}) => {
  await test.step("on a first visit the files for offline use come after the page's own", async () => {
    await page.goto(server.url);
    await keptOffline(page);
    const paths = server.requests.map(({ path }) => path);
    const own = ["begin", "app"];
    const first = own.map((name) => paths.findIndex((path) => path.startsWith(`/assets/${name}-`)));
    expect(Math.min(...first), own.join()).toBeGreaterThan(-1);
    expect(paths.indexOf("/sw.js")).toBeGreaterThan(Math.max(...first));
    expect(paths.findIndex((path) => path.startsWith("/assets/settings-"))).toBeGreaterThan(paths.indexOf("/sw.js"));
  });
  await test.step("the first version is not announced as an update in any tab", async () => {
    const other = await context.newPage();
    await other.goto(server.url);
    for (const tab of [page, other]) {
      await keptOffline(tab);
      // The service worker asks once more; its answer means that it has reported any update by now.
      await tab.evaluate(async () => (await navigator.serviceWorker.ready).update());
      await expect(tab.getByText("Update ready")).toHaveCount(0);
    }
    await other.close();
  });
  await test.step("the service worker swallows neither streams nor topics nor files", async () => {
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
  await test.step("the manifest has no errors, and the app can be installed", async () => {
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
  await test.step("the browser reads shortcuts, share target and protocol from the manifest, with no warning", async () => {
    const warnings: string[] = [];
    page.on("console", (line) => {
      if (/manifest/i.test(line.text())) warnings.push(line.text());
    });
    await page.goto(server.url);
    const session = await page.context().newCDPSession(page);
    const { errors, manifest, data } = await session.send("Page.getAppManifest");
    expect(errors).toEqual([]);
    expect(warnings).toEqual([]);
    const at = (fragment: string) => `${server.url}${fragment}`;
    expect(manifest.startUrl).toBe(at("#/"));
    expect(manifest.launchHandler?.clientMode).toMatch(/navigate-?existing/i);
    expect(manifest.shortcuts?.map(({ name, url }) => [name, url])).toEqual([
      ["Urgent", at("#/~urgent")],
      ["Unread", at("#/?q=is:unread")],
      ["Search", at("#/~search")],
    ]);
    expect(manifest.shareTarget?.action).toBe(at("#/~open"));
    expect(manifest.shareTarget?.method).toMatch(/get$/i);
    // The developer protocol mixes up the other fields.
    expect((JSON.parse(data ?? "{}") as { share_target?: unknown }).share_target).toMatchObject({
      enctype: "application/x-www-form-urlencoded",
      params: { title: "title", text: "text", url: "url" },
    });
    expect(manifest.protocolHandlers).toEqual([{ protocol: "web+ntfy", url: at("#/~open/%s") }]);
    expect(manifest.screenshots?.map(({ formFactor }) => formFactor)).toEqual([
      expect.stringMatching(/narrow$/i),
      expect.stringMatching(/wide$/i),
    ]);
  });
  await test.step("every icon and screenshot of the manifest has the size that it claims", async () => {
    await page.goto(server.url);
    const sizes = await page.evaluate(async () => {
      type Pictures = { src: string; sizes: string }[];
      const manifest = (await (await fetch("./manifest.webmanifest")).json()) as Record<
        "icons" | "screenshots",
        Pictures
      >;
      return Promise.all(
        [...manifest.icons, ...manifest.screenshots].map(async ({ src, sizes }) => {
          const image = new Image();
          image.src = src;
          await image.decode();
          return { src, sizes, real: src.endsWith(".svg") ? "any" : `${image.naturalWidth}x${image.naturalHeight}` };
        }),
      );
    });
    expect(sizes.length).toBeGreaterThanOrEqual(8);
    for (const { src, sizes: claimed, real } of sizes) expect(real, src).toBe(claimed);
  });
});

test("a new version, and a language that is not stored", async ({ server, page, context, folder, watch }) => {
  await page.goto(server.url);
  await keptOffline(page);
  await test.step("a new version waits, is announced, is installed by one press, and leaves nothing of the old one in the cache", async () => {
    const cached = () =>
      page.evaluate(async () => {
        const names = await caches.keys();
        const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
        return keys.flat().map(({ url }) => url);
      });
    const before = await cached();
    await deployNext(folder);

    await page.reload();
    await expect(page.getByText("Update ready")).toBeVisible();
    await expectAccessible(page);
    expect(await isNext(page), "nothing changes unasked").toBe(0);

    await page.getByRole("button", { name: "Reload" }).click();
    await expect.poll(() => isNext(page)).toBe(1);
    await expect(page.getByText("Update ready")).toBeHidden();
    await expect.poll(async () => (await cached()).length).toBe(before.length);
    expect((await cached()).filter((url) => url.includes("index.html"))).toEqual([
      expect.stringContaining("ffffffffffff"),
    ]);
  });
  await test.step("without a network a language that is not stored leaves the page as it is, says so, and comes with the next start", async () => {
    await page.goto(`${server.url}#/~settings`);
    await expect(page.getByLabel("Language")).toBeVisible();
    await keptOffline(page);
    watch.tolerate(/Failed to fetch|ERR_(?:INTERNET_DISCONNECTED|FAILED).*\/assets\/fr-/);
    await context.setOffline(true);
    await page.getByLabel("Language").selectOption({ value: "fr" });
    await expect(notice(page)).toContainText("couldn't be loaded");
    await expect(page.getByRole("heading", { name: "Settings", level: 1 })).toBeVisible();
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
    await page.reload();
    await expect(page.getByRole("heading", { name: "Settings", level: 1 })).toBeVisible();
    await context.setOffline(false);
    await page.reload();
    await expect(page.locator("html")).toHaveAttribute("lang", "fr");
    await expect(page.getByRole("heading", { name: "Réglages", level: 1 })).toBeVisible();
  });
});

test.describe("in German", () => {
  test.use({ locale: "de-DE" });

  test("a language is kept offline, and no other one", async ({ server, page, watch }) => {
    await page.goto(server.url);
    await keptOffline(page);
    const languages = () =>
      page.evaluate(async () => {
        const urls: string[] = [];
        for (const name of await caches.keys()) {
          for (const { url } of await (await caches.open(name)).keys()) urls.push(url);
        }
        return urls.flatMap((url) => /\/assets\/([a-z]{2})-[\w-]{8}\.js$/.exec(url)?.[1] ?? []);
      });
    await expect.poll(languages).toEqual(["de"]);
    watch.tolerate(/ERR_/);
    await server.stop();
    await page.reload();
    await expect(page.getByRole("heading", { name: "Wovon willst du in Hörweite sein?" })).toBeVisible();
  });
});
