import type { Page } from "@playwright/test";
import { AWKWARD } from "./awkward";
import { message } from "./on-screen";
import { expect, lines, messageEvent, nowS, test } from "./scripted-server";

// The tests hold back the page's own requests, which a service worker would make in its place.
test.use({ serviceWorkers: "block" });

/** Ordinary messages, to compare beside the awkward ones. */
const ORDINARY: Record<string, object> = {
  short: { message: "all copied" },
  titled: { title: "Backup done", message: "with a link to https://example.org/log and more" },
  urgent: { title: "Disk full", message: "on atlas", priority: 5, tags: ["rotating_light", "disk"] },
  high: { message: "high", priority: 4 },
  low: { message: "low", priority: 2 },
  lowest: { message: "lowest", priority: 1 },
  long: { title: "A long one", message: Array.from({ length: 20 }, (_, at) => `line ${at}`).join("\n") },
  wide: { message: "words that fill lines ".repeat(60) },
  dayBefore: { message: "of the day before", time: nowS() - 100_000 },
};

/**
 * The first rows leave these out: a message from the future, one whose text can't be shown, as the sentence in its
 * place comes with the app and takes two lines on a phone, and a file, whose card comes with the app.
 */
const LEFT_OUT = ["future", "nothing", "file"];

/** The app's script, which is loaded after the first rows. */
const APP = /\/assets\/app-[^/]*\.js$/;

/** Holds back the app's script, one load of the page after the other. */
class Gate {
  #tell: () => void = () => undefined;
  #open: () => void = () => undefined;
  #opened = Promise.resolve();
  /** Resolves when the page has requested the app's script. */
  asked = Promise.resolve();

  async hold(page: Page): Promise<void> {
    await page.route(APP, async (route) => {
      const opened = this.#opened;
      this.#tell();
      await opened;
      await route.continue();
    });
  }

  /** Reloads the page and holds the app's script back. */
  async load(page: Page, url: string): Promise<void> {
    await page.goto("about:blank");
    this.asked = new Promise((resolve) => (this.#tell = resolve));
    this.#opened = new Promise((resolve) => (this.#open = resolve));
    // The load isn't complete before the app's script has come.
    await page.goto(url, { waitUntil: "commit" });
    await this.asked;
  }

  letGo(): void {
    this.#open();
  }
}

/** Waits until the page has stored the texts around its first rows, which its next start draws. */
async function whenNoted(page: Page): Promise<void> {
  await page.waitForFunction(() => localStorage.getItem("earshot-said") !== null);
}

/** Writes a setting into the database, behind the app's back, for its next start. */
function set(page: Page, name: string, value: string): Promise<void> {
  return page.evaluate(
    ([name, value]) =>
      new Promise<void>((resolve) => {
        const open = indexedDB.open("earshot");
        open.onsuccess = () => {
          const transaction = open.result.transaction("settings", "readwrite");
          transaction.objectStore("settings").put(value, name);
          transaction.oncomplete = () => (open.result.close(), resolve());
        };
      }),
    [name, value],
  );
}

interface Looks {
  looks?: string[];
  taken?: Promise<string[]>;
}

/**
 * Runs in the page: installs a function that describes each element of the feed and its heading that is on the screen:
 * where it is, its classes and its text.
 */
function installLooks(): void {
  const looksOf = (): string[] =>
    [...document.querySelectorAll("main, main *")].flatMap((element) => {
      const box = element.getBoundingClientRect();
      if (box.width === 0 || box.height === 0 || box.bottom <= 0 || box.top >= innerHeight) return [];
      const isSpace = element.matches(".scroller > [role=feed], [role=feed] > :not(.item)");
      if (isSpace) return [];
      // The sentence in place of a text that can't be shown comes with the app.
      const comesLater = element.matches(".told");
      const text = comesLater
        ? ""
        : [...element.childNodes].map((node) => (node instanceof Text ? node.data.trim() : "")).join("");
      const names = [
        "id",
        "role",
        "href",
        "dir",
        "datetime",
        "d",
        "aria-label",
        "aria-posinset",
        "aria-expanded",
      ].concat(["aria-hidden", "aria-setsize", "tabindex", "target", "rel", "type", "viewBox"]);
      const said = element.tagName === "H2" ? [] : names.map((name) => element.getAttribute(name) ?? "-");
      const at = [box.x, box.y, box.width, box.height].map((px) => px.toFixed(2)).join();
      const { color, backgroundColor } = getComputedStyle(element);
      const classes = [...element.classList].sort().join(".");
      return [`${element.tagName} ${classes} ${at} ${color} ${backgroundColor} ${said.join("|")} ${text}`];
    });
  const looks = globalThis as Looks;
  looks.taken = new Promise((resolve) => {
    addEventListener("DOMContentLoaded", () => {
      const app = document.querySelector("#app");
      let first: Element | null = null;
      const watch = new MutationObserver(() => {
        const frame = app?.querySelector(".frame") ?? null;
        if (!first && frame) {
          first = frame;
          requestAnimationFrame(() => void scheduler.postTask(() => (looks.looks = looksOf())));
        } else if (frame && frame !== first) {
          watch.disconnect();
          requestAnimationFrame(() => void scheduler.postTask(() => resolve(looksOf()), { priority: "user-blocking" }));
        }
      });
      if (app) watch.observe(app, { childList: true, subtree: true });
    });
  });
}

test("the first rows look as the app draws them, on a phone, a desktop, and compact", async ({
  server,
  page,
  scripted,
}) => {
  test.slow();
  const newestS = nowS() - 100;
  const kinds = Object.entries({ ...ORDINARY, ...AWKWARD }).filter(([name]) => !LEFT_OUT.includes(name));
  scripted.polled = lines(
    ...kinds.map(([name, fields], at) =>
      messageEvent("notes", `about ${name}`, { id: `kind${name}`, time: newestS - at, ...fields }),
    ),
  );
  await page.goto(`${server.url}#/http:${scripted.host}/notes`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(message(page, "all copied")).toBeVisible();
  await whenNoted(page);
  await page.addInitScript(installLooks);
  const gate = new Gate();
  await gate.hold(page);

  const shapes = [
    { name: "phone", width: 360, height: 9000, density: "comfortable" },
    { name: "desktop", width: 1280, height: 7000, density: "comfortable" },
    { name: "compact", width: 900, height: 7000, density: "compact" },
  ];
  for (const { name, width, height, density } of shapes) {
    await page.setViewportSize({ width, height });
    await set(page, "density", density);
    await gate.load(page, `${server.url}#/`);
    await page.waitForFunction(() => (globalThis as Looks).looks !== undefined);
    const before = await page.evaluate(() => (globalThis as Looks).looks);
    expect(before?.length, name).toBeGreaterThan(50);
    gate.letGo();
    expect(await page.evaluate(() => (globalThis as Looks).taken), name).toEqual(before);
  }
});

test("actions on the first rows before the app came are carried out, and the scroll position stays", async ({
  server,
  page,
  scripted,
}) => {
  // No three in a row may repeat each other, as the first rows would end there.
  const text = (n: number) => `message ${String("gjkloqrvy"[n % 9])}-${n}`;
  const lengthy = Array.from({ length: 20 }, (_, at) => `\nline ${at}`).join("");
  const events = Array.from({ length: 60 }, (_, at) =>
    messageEvent("notes", `${text(60 - at)}${at === 2 ? lengthy : ""}`, {
      id: `message${at}`,
      time: nowS() - 100 - at,
    }),
  );
  scripted.polled = lines(...events);
  await page.goto(`${server.url}#/http:${scripted.host}/notes`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(message(page, text(60))).toBeVisible();
  await whenNoted(page);

  const gate = new Gate();
  await gate.hold(page);
  await gate.load(page, `${server.url}#/`);
  const scroller = page.getByRole("feed").locator("xpath=..");
  await scroller.evaluate((element) => (element.scrollTop = 400));
  const row = message(page, text(54));
  await row.click();
  const top = (await row.boundingBox())?.y ?? NaN;
  gate.letGo();
  await expect(page.locator("article.selected")).toContainText(text(54));
  expect((await row.boundingBox())?.y).toBeCloseTo(top, 0);

  await gate.load(page, `${server.url}#/`);
  await expect(message(page, text(60))).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await message(page, text(60)).click();
  await page.keyboard.press("j");
  await page.getByRole("button", { name: "Show all" }).click();
  gate.letGo();
  await expect(page.locator("article.selected")).toContainText(text(59));
  await expect(page.getByRole("button", { name: "Show less" })).toBeVisible();
  await expect(message(page, "line 19")).toBeVisible();
});

/** Counts how often the page itself opens the database, from its next load on. */
async function countOpened(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const counted = globalThis as unknown as { opened: number };
    counted.opened = 0;
    const { open } = IDBFactory.prototype;
    IDBFactory.prototype.open = function (...given) {
      counted.opened++;
      return open.apply(this, given);
    };
  });
  return () => page.evaluate(() => (globalThis as unknown as { opened: number }).opened);
}

test("the page opens the database before any script comes, once, without creating one or blocking others", async ({
  server,
  page,
  watch,
}) => {
  const opened = await countOpened(page);
  const databases = () => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
  const blockScripts = () => page.route(/\/assets\/[^/]*\.js$/, (route) => route.abort());
  watch.tolerate(/Failed to load resource/);
  const ended = () => page.waitForFunction(() => globalThis.earshotOpening?.readyState === "done");

  await blockScripts();
  await page.goto(server.url);
  await ended();
  expect(await opened()).toBe(1);
  await expect.poll(databases, "where there is none none is left").toEqual([]);
  await page.unrouteAll();

  await server.publish("backup", "stored");
  await page.goto("about:blank");
  await page.goto(`${server.url}#/backup`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(message(page, "stored")).toBeVisible();
  await whenNoted(page);
  const gate = new Gate();
  await gate.hold(page);
  await gate.load(page, server.url);
  await expect(message(page, "stored")).toBeVisible();
  expect(await opened()).toBe(1);
  expect(await page.evaluate(() => globalThis.earshotOpening)).toBeUndefined();
  // Text shared from another app is left to the app, and the connection that the page opened is closed.
  await gate.load(page, `${server.url}?text=shared`);
  expect(await page.evaluate(() => globalThis.earshotOpening)).toBeUndefined();
  await page.unrouteAll();

  await blockScripts();
  await page.goto("about:blank");
  await page.goto(server.url);
  await ended();
  const taken = await page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const newer = indexedDB.open("earshot", 1000);
        newer.onblocked = () => resolve("blocked");
        newer.onsuccess = () => resolve("open");
      }),
  );
  expect(taken).toBe("open");
});

test("a filter, another view, missing texts and a missing database are left to the app, whose failure to load is reported", async ({
  server,
  page,
  watch,
}) => {
  await server.publish("backup", "stored");
  const gate = new Gate();
  await gate.hold(page);
  const expectNothingFirst = async (fragment: string) => {
    await gate.load(page, `${server.url}${fragment}`);
    await expect(page.locator("#app"), fragment).toBeEmpty();
    gate.letGo();
    await expect(page.locator("#app .frame"), fragment).toBeVisible();
  };
  await expectNothingFirst("");
  await page.goto(`${server.url}#/backup`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(message(page, "stored")).toBeVisible();
  await whenNoted(page);
  for (const fragment of ["#/?q=stored", "#/backup?priority=3", "#/~urgent", "#/~settings", "#/other"]) {
    await expectNothingFirst(fragment);
  }
  await set(page, "language", "de");
  await expectNothingFirst("");
  await page.waitForFunction(() => localStorage.getItem("earshot-said")?.includes("Alles"));
  await gate.load(page, server.url);
  await expect(page.getByRole("heading", { name: "Alles" })).toBeVisible();
  await expect(page.getByRole("article", { name: "backup" })).toBeVisible();
  gate.letGo();

  // Something else has spoiled the stored texts.
  watch.tolerate(/Cannot read properties of undefined/);
  await page.evaluate(() => {
    const { days, ...others } = JSON.parse(localStorage.getItem("earshot-said") ?? "{}") as Record<string, unknown>;
    localStorage.setItem("earshot-said", JSON.stringify(others));
    return days;
  });
  await page.goto("about:blank");
  await page.unrouteAll();
  await page.goto(server.url);
  await expect(page.locator("main header button").first()).toBeVisible();
  await page.evaluate(() => localStorage.removeItem("earshot-said"));
  await page.goto("about:blank");
  await page.goto(server.url);
  await page.waitForFunction(() => localStorage.getItem("earshot-said") !== null);

  watch.tolerate(/Failed to (load resource|fetch dynamically imported module)/);
  await page.route(APP, (route) => route.abort());
  await page.goto("about:blank");
  await page.goto(server.url);
  await expect(page.getByRole("alert")).toContainText("Earshot konnte nicht starten.");
  await expect(page.getByRole("article", { name: "backup" })).toBeVisible();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Erneut versuchen" }).click();
  await expect(page.locator("main header button").first()).toBeVisible();
});
