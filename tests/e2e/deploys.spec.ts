import type { Page } from "@playwright/test";
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { changeApp, deploy } from "./deploy";
import { DIST, expect, subscribe, test as base, type TestServer } from "./fixtures";
import { keptOffline, message } from "./on-screen";

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

/** The path of a script of the version in a folder. */
async function asset(folder: string, name: string): Promise<string> {
  const found = (await readdir(join(folder, "assets"))).find(
    (one) => one.startsWith(`${name}-`) && one.endsWith(".js"),
  );
  if (found === undefined) throw new Error(`there is no script ${name}`);
  return join(folder, "assets", found);
}

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

/** Updates a working version to one that can't be loaded. */
async function takeBroken(server: TestServer, page: Page, folder: string, name: string): Promise<void> {
  await keptOffline(page);
  await publish(server, () => deploy(folder, name, broken));
  await page.reload();
  await page.getByRole("button", { name: "Reload" }).click();
  // A press may come while the page is still starting on a busy machine; then it is made again.
  await expect(async () => {
    const again = page.getByRole("button", { name: "Reload" });
    if (await again.isVisible()) await again.click({ timeout: 1_000 });
    await expect(failure(page)).toContainText("a broken deploy", { timeout: 8_000 });
  }).toPass();
  expect(await version(page)).toBe(name);
}

test("a version of the app that can't be loaded gives way to a repaired one", async ({
  server,
  page,
  context,
  folder,
  watch,
}) => {
  watch.tolerate(/a broken deploy|Failed to (load resource|fetch)|ERR_|integrity|bad-precaching-response/);
  await subscribe(page, server, "backups");
  await takeBroken(server, page, folder, "broken");
  await test.step("but stays while the repaired one is incomplete, there is no network, or nothing is mended", async () => {
    await publish(server, async () => {
      await deploy(folder, "half");
      await rm(await asset(folder, "begin"));
    });
    await loadAgain(page);
    await expect(failure(page), "incomplete").toContainText("a broken deploy");
    await context.setOffline(true);
    await loadAgain(page);
    await expect(failure(page), "no network").toContainText("a broken deploy");
    await context.setOffline(false);
    await publish(server, () => deploy(folder, "as-broken", broken));
    await loadAgain(page);
    await expect(failure(page), "nothing is mended").toContainText("a broken deploy");
  });
  await test.step("at the first press", async () => {
    await publish(server, () => deploy(folder, "mended"));
    await loadAgain(page);
    await expect(page.getByText("No messages yet")).toBeVisible();
    expect(await version(page)).toBe("mended");
    await expect(failure(page)).toHaveCount(0);
  });
  await test.step("that is already waiting, in another tab too", async () => {
    await takeBroken(server, page, folder, "broken-again");
    const other = await context.newPage();
    await other.goto(page.url());
    await expect(failure(other)).toBeVisible();
    await publish(server, () => deploy(folder, "mended-again"));
    await page.reload();
    await expect
      .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting?.state))
      .toBe("installed");
    await expect(failure(page), "it waits").toBeVisible();
    await loadAgain(page);
    await expect(page.getByText("No messages yet")).toBeVisible();
    await loadAgain(other);
    await expect(other.getByText("No messages yet")).toBeVisible();
    expect(await version(other)).toBe("mended-again");
  });
});

/** What a host may have of the next version while it is copied, or between two of its replicas. */
const HALVES: Record<string, Record<string, (folder: string) => Promise<void>>> = {
  page: {
    "the old one": (folder) => cp(join(DIST, "index.html"), join(folder, "index.html")),
    "the old one, whose files stay": (folder) =>
      cp(DIST, folder, { recursive: true, filter: (path) => !path.endsWith("sw.js") }),
    "half of it": async (folder) => {
      const page = join(folder, "index.html");
      const html = await readFile(page, "utf8");
      await writeFile(page, html.slice(0, html.indexOf("<noscript>")));
    },
    "a network's sign-in page": (folder) =>
      writeFile(join(folder, "index.html"), "<!doctype html><title>Sign in to this network</title>"),
  },
  part: {
    none: async (folder) => rm(await asset(folder, "settings")),
    "half of it": async (folder) => {
      const part = await asset(folder, "settings");
      const code = await readFile(part);
      await writeFile(part, code.subarray(0, code.length / 2));
    },
    "that of another build": async (folder) => writeFile(await asset(folder, "settings"), "export default undefined;"),
    "a page": async (folder) => writeFile(await asset(folder, "settings"), "<!doctype html><title>Earshot</title>"),
  },
};

/** Has the browser look for a new version. Resolves to what became of that. */
const lookForUpdate = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update();
    const { installing, waiting } = registration;
    if (!installing) return waiting?.state;
    return new Promise<string>((resolve) => (installing.onstatechange = () => resolve(installing.state)));
  });

test("half of a new version on its host is not taken, and the whole one is", async ({
  server,
  page,
  context,
  folder,
  watch,
}) => {
  // The worker's own script can't be fetched if the browser asks for it just while the server is stopped.
  watch.tolerate(/bad-precaching-response|Failed to (load resource|fetch)|fetching the script|ERR_|integrity/i);
  await subscribe(page, server, "backups");
  await keptOffline(page);
  for (const [part, halves] of Object.entries(HALVES)) {
    for (const [what, leave] of Object.entries(halves)) {
      await test.step(`its ${part} is ${what}`, async () => {
        await publish(server, async () => {
          // The browser keeps what it got of a version, so one that lacks a part has names of its own.
          await deploy(folder, `half-${part}`);
          await leave(folder);
        });
        expect(await lookForUpdate(page)).toBe("redundant");
      });
    }
  }
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByText("No messages yet"), "the old version stays").toBeVisible();
  await page.goto(`${server.url}#/~settings`);
  await expect(page.getByRole("heading", { name: "Settings" }).first()).toBeVisible();
  await page.goto(`${server.url}#/backups`);
  await expect(page.locator('meta[name="version"]')).toHaveCount(0);
  await context.setOffline(false);

  await publish(server, () => deploy(folder, "next"));
  expect(await lookForUpdate(page)).toBe("installed");
  await page.getByRole("button", { name: "Reload" }).click();
  await expect.poll(() => version(page)).toBe("next");
  await expect(page.getByText("No messages yet")).toBeVisible();

  await test.step("a version does no harm while its worker is still the old one", async () => {
    const worker = await readFile(join(folder, "sw.js"));
    await publish(server, async () => {
      await deploy(folder, "later");
      await writeFile(join(folder, "sw.js"), worker);
    });
    expect(await lookForUpdate(page)).toBeUndefined();
    await page.reload();
    await expect(page.getByText("No messages yet")).toBeVisible();
    expect(await version(page)).toBe("next");
    // A browser without the app takes the page, and installs nothing. The page may register its worker at that moment,
    // which takes the end of the old one back.
    await expect(async () => {
      await page.evaluate(async () => (await navigator.serviceWorker.ready).unregister());
      await page.reload();
      await expect(page.getByText("No messages yet")).toBeVisible();
      await expect(page.locator('meta[name="version"]')).toHaveAttribute("content", "later", { timeout: 1_000 });
    }).toPass();
    await publish(server, () => deploy(folder, "later"));
    await page.reload();
    await keptOffline(page);
    await context.setOffline(true);
    await page.reload();
    await expect(page.getByText("No messages yet")).toBeVisible();
  });
});

/** Changes a file that the service worker keeps. */
const changeKept = (page: Page, file: string, from: string, to: string) =>
  page.evaluate(
    async ([file, before, after]) => {
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) {
          if (!request.url.includes(file)) continue;
          const kept = await cache.match(request);
          const text = await kept?.text();
          await cache.put(request, new Response(text?.replaceAll(before, after), { headers: kept?.headers ?? {} }));
        }
      }
    },
    [file, from, to] as const,
  );

test("an app whose kept files don't fit together starts from its host after a press, with all that it stored", async ({
  server,
  page,
  context,
  watch,
}) => {
  watch.tolerate(/Failed to (load resource|fetch)|ERR_|Refused to apply style/);
  await subscribe(page, server, "backups");
  await server.publish("backups", "kept");
  await expect(message(page, "kept")).toBeVisible();
  for (const [file, script, words, button] of [
    ["assets/begin-", "app-", "Earshot could not start.", "Try again"],
    ["index.html", "begin-", "Earshot could not be loaded", "Load again"],
  ] as const) {
    await test.step(button, async () => {
      await keptOffline(page);
      await changeKept(page, file, `/${script}`, `/gone-${script}`);
      await page.reload();
      const alert = page.getByRole("alert").filter({ hasText: words });
      await expect(alert).toBeVisible();

      await context.setOffline(true);
      await Promise.all([page.waitForEvent("load"), alert.getByRole("button", { name: button }).click()]);
      await expect(alert, "without its host it stays as it is").toBeVisible();
      expect(await page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe("activated");
      await context.setOffline(false);

      await Promise.all([page.waitForEvent("load"), alert.getByRole("button", { name: button }).click()]);
      await expect(message(page, "kept")).toBeVisible();
      await expect(alert).toHaveCount(0);
      await keptOffline(page);
      await context.setOffline(true);
      await page.reload();
      await expect(message(page, "kept")).toBeVisible();
      await context.setOffline(false);
    });
  }
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
  await Promise.all([page.waitForEvent("load"), press.click()]);
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
    watch.tolerate(/a broken deploy|Failed to (load resource|fetch)|ERR_|Refused to apply style/);
    let whole = "";
    await changeApp(folder, (code) => {
      whole = code;
      return broken();
    });
    await page.goto(server.url);
    await expect(failure(page)).toBeVisible();
    await test.step("a page whose host is unreachable stays as it is", async () => {
      await server.stop();
      await tryAgain(page);
      await expect(failure(page).getByRole("button", { name: "Try again" })).toBeEnabled();
      expect(page.url()).toBe(server.url);
      await server.start();
    });
    await test.step("what was broken is reloaded past the cache", async () => {
      await changeApp(folder, () => whole);
      await page.reload();
      await expect(failure(page), "the cache has the broken one").toBeVisible();
      await loadAgain(page);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    });
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
