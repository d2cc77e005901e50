import type { Page } from "@playwright/test";
import type { Snapshot } from "../../src/contract";
import type {} from "../../src/ui/snapshot/show-snapshot";
import { AWKWARD } from "./awkward";
import { message, storedMessages } from "./on-screen";
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

/** The app loads their parts only with its first frame: a message from the future, one whose text can't be shown, a file. */
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

/** The snapshot of the page's view in the database. */
function kept(page: Page): Promise<Snapshot | undefined> {
  return page.evaluate(
    () =>
      new Promise<Snapshot | undefined>((resolve) => {
        const open = indexedDB.open("earshot");
        open.onsuccess = () => {
          const one = open.result
            .transaction("snapshots")
            .objectStore("snapshots")
            .get(location.hash || "#/");
          one.onsuccess = () => (open.result.close(), resolve(one.result as Snapshot | undefined));
        };
      }),
  );
}

/** Changes the snapshot in the database, behind the app's back. */
async function change(page: Page, to: Partial<Snapshot>): Promise<void> {
  const before = await kept(page);
  await page.evaluate(
    (record) =>
      new Promise<void>((resolve) => {
        const open = indexedDB.open("earshot");
        open.onsuccess = () => {
          const transaction = open.result.transaction("snapshots", "readwrite");
          transaction.objectStore("snapshots").put(record);
          transaction.oncomplete = () => (open.result.close(), resolve());
        };
      }),
    { ...before, ...to },
  );
}

/** Waits until the page has kept a snapshot that shows a text. */
async function whenKept(page: Page, text: string): Promise<void> {
  await expect.poll(async () => (await kept(page))?.tree ?? "").toContain(text);
}

/** Writes a setting into the database, behind the app's back, for its next start. */
function set(page: Page, name: string, value: string): Promise<void> {
  return page.evaluate(
    ([name, value]) =>
      new Promise<void>((resolve) => {
        const open = indexedDB.open("earshot");
        open.onsuccess = () => {
          const transaction = open.result.transaction(["settings", "snapshots"], "readwrite");
          transaction.objectStore("settings").put(value, name);
          transaction.objectStore("snapshots").clear();
          transaction.oncomplete = () => (open.result.close(), resolve());
        };
      }),
    [name, value],
  );
}

/**
 * Runs in the page: describes each element of the feed and its heading that is on the screen: where it is, its classes
 * and its text.
 */
function looksOf(): string[] {
  return [...document.querySelectorAll("main h1, main [role=feed] *")].flatMap((element) => {
    const box = element.getBoundingClientRect();
    if (box.width === 0 || box.height === 0 || box.bottom <= 0 || box.top >= innerHeight) return [];
    if (element.matches("[role=feed] > :not(.item)")) return [];
    // The sentence in place of a text that can't be shown comes with the app.
    const comesLater = element.matches(".told");
    const text = comesLater
      ? ""
      : [...element.childNodes].map((node) => (node instanceof Text ? node.data.trim() : "")).join("");
    const names = ["id", "role", "href", "dir", "datetime", "d", "aria-label", "aria-posinset", "aria-expanded"].concat(
      ["aria-hidden", "aria-setsize", "tabindex", "target", "rel", "type", "viewBox"],
    );
    const said = element.tagName === "H2" ? [] : names.map((name) => element.getAttribute(name) ?? "-");
    const at = [box.x, box.y, box.width, box.height].map((px) => px.toFixed(2)).join();
    const { color, backgroundColor } = getComputedStyle(element);
    const classes = [...element.classList].sort().join(".");
    return [`${element.tagName} ${classes} ${at} ${color} ${backgroundColor} ${said.join("|")} ${text}`];
  });
}

test("a snapshot looks as the app draws it, on a phone, a desktop, and compact", async ({ server, page, scripted }) => {
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
    gate.letGo();
    await whenKept(page, "all copied");
    await gate.load(page, `${server.url}#/`);
    const before = await page.evaluate(looksOf);
    expect(before.length, name).toBeGreaterThan(50);
    gate.letGo();
    await expect(page.locator("#app:not([aria-busy]) article").first()).toBeVisible();
    await expect.poll(() => page.evaluate(looksOf), name).toEqual(before);
  }
});

test("actions on the first rows before the app came are carried out, and the scroll position stays", async ({
  server,
  page,
  scripted,
}) => {
  // No three in a row may repeat each other, as they would be folded.
  const text = (n: number) => `message ${String("gjkloqrvy"[n % 9])}-${n}`;
  const events = Array.from({ length: 60 }, (_, at) =>
    messageEvent("notes", text(60 - at), {
      id: `message${at}`,
      time: nowS() - 100 - at,
    }),
  );
  scripted.polled = lines(...events);
  await page.goto(`${server.url}#/http:${scripted.host}/notes`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.goto(`${server.url}#/`);
  await whenKept(page, text(60));

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
  await expect.poll(async () => (await row.boundingBox())?.y).toBeCloseTo(top, 0);
  // The row that was opened is read now, which removes the snapshot: the one below is new.
  await expect.poll(() => kept(page)).toBeUndefined();
  await page.goto("about:blank");
  await page.unrouteAll();
  await page.goto(`${server.url}#/`);
  await whenKept(page, text(60));

  await gate.hold(page);
  await gate.load(page, `${server.url}#/`);
  await expect(message(page, text(60))).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await message(page, text(60)).click();
  await page.keyboard.press("j");
  gate.letGo();
  await expect(page.locator("article.selected")).toContainText(text(59));
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

test("the page reads the database before any script comes, once, without creating one or blocking others", async ({
  server,
  page,
  watch,
}) => {
  const opened = await countOpened(page);
  const databases = () => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
  const blockScripts = () => page.route(/\/assets\/[^/]*\.js$/, (route) => route.abort());
  watch.tolerate(/Failed to (load resource|fetch dynamically imported module)/);
  const ended = () => page.evaluate(() => globalThis.earshotSnapshot);

  await blockScripts();
  await page.goto(server.url);
  await ended();
  expect(await opened()).toBe(0);
  await expect.poll(databases, "where there is none none is left").toEqual([]);
  await page.unrouteAll();

  await server.publish("backup", "stored");
  await page.goto("about:blank");
  await page.goto(`${server.url}#/backup`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(message(page, "stored")).toBeVisible();
  await page.goto(server.url);
  await whenKept(page, "stored");
  const gate = new Gate();
  await gate.hold(page);
  await gate.load(page, server.url);
  await expect(message(page, "stored")).toBeVisible();
  expect(await opened()).toBe(1);
  await page.unrouteAll();
  await page.goto("about:blank");

  await test.step("if the app can't be loaded, a line above the snapshot says so in its language", async () => {
    await page.goto(`${server.url}#/backup`);
    await set(page, "language", "de");
    await page.reload();
    await whenKept(page, "stored");
    await expect.poll(async () => (await kept(page))?.root["lang"]).toBe("de");
    await page.route(APP, (route) => route.abort());
    await page.goto("about:blank");
    await page.goto(`${server.url}#/backup`);
    await expect(page.getByRole("alert")).toContainText("Earshot konnte nicht starten.");
    await expect(page.getByRole("article")).toContainText("stored");
    await page.unrouteAll();
    await page.getByRole("button", { name: "Erneut versuchen" }).click();
    await expect(page.locator("#app:not([aria-busy]) main header button").first()).toBeVisible();
  });

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

test("a snapshot of another view, build, size, language or look, or one that was tampered with, is not shown", async ({
  server,
  page,
}) => {
  test.slow();
  await server.publish("backup", "stored");
  const gate = new Gate();
  await gate.hold(page);
  const expectNothingFirst = async (what: string, fragment = "") => {
    await gate.load(page, `${server.url}${fragment}`);
    await page.waitForTimeout(0);
    await expect(page.locator("#app"), what).toBeEmpty();
    gate.letGo();
    await expect(page.locator("#app .frame"), what).toBeVisible();
  };
  await page.goto(`${server.url}#/backup`);
  gate.letGo();
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(message(page, "stored")).toBeVisible();
  await whenKept(page, "stored");
  for (const fragment of ["", "#/backup?priority=3"]) {
    await expectNothingFirst(fragment, fragment);
    await page.goto(`${server.url}#/backup`);
    await whenKept(page, "stored");
    await expect.poll(async () => (await kept(page))?.view).toBe("#/backup");
  }
  const { conditions = "", tree = "" } = (await kept(page)) ?? {};
  // They are compared as a whole, so one change stands for all.
  const { day, languages } = await page.evaluate(() => ({
    day: new Date().toDateString(),
    languages: navigator.languages,
  }));
  expect(JSON.parse(conditions)).toEqual(expect.arrayContaining([day, languages]));
  const spoiled: [string, Partial<Snapshot>][] = [
    ["build", { conditions: conditions.replace(/"[^"]+"/, '"another"') }],
    ["a larger screen", { height: 100 }],
    ["cut off", { tree: tree.slice(0, -9) }],
    ["script", { tree: tree.replace('["h1",', '["script",') }],
  ];
  for (const [what, to] of spoiled) {
    await whenKept(page, "stored");
    await change(page, to);
    await expectNothingFirst(what, "#/backup");
  }
  await whenKept(page, "stored");
  await set(page, "theme", "dark");
  await expectNothingFirst("theme", "#/backup");
  await whenKept(page, "stored");
  await page.setViewportSize({ width: 700, height: 700 });
  await page.goto("about:blank");
  await expectNothingFirst("width", "#/backup");
});

test("what changed in another tab", async ({ server, page, context }) => {
  await test.step("after a new message the earlier rows are there at once, in each of the last views, and it joins them", async () => {
    await server.publish("backup", "of before");
    await page.goto(`${server.url}#/backup`);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expect(message(page, "of before")).toBeVisible();
    await whenKept(page, "of before");
    await page.goto(`${server.url}#/`);
    await whenKept(page, "of before");
    const other = await context.newPage();
    await other.goto(`${server.url}#/~settings`);
    await page.goto("about:blank");
    await server.publish("backup", "came meanwhile");
    await expect.poll(() => storedMessages(other)).toEqual({ rows: 2, ids: 2 });

    const gate = new Gate();
    await gate.hold(page);
    for (const fragment of ["#/", "#/backup"]) {
      await gate.load(page, `${server.url}${fragment}`);
      await expect(message(page, "of before")).toBeVisible();
      await expect(message(page, "came meanwhile")).toHaveCount(0);
      gate.letGo();
      await expect(message(page, "came meanwhile")).toHaveCount(1);
      await expect(message(page, "of before")).toHaveCount(1);
      await expect(page.locator("#app")).not.toHaveAttribute("aria-busy");
    }
    await page.unrouteAll();
    await other.close();
  });
  await test.step("a message deleted in another tab isn't seen at the next start, nor kept", async () => {
    await server.publish("secrets", "to stay");
    await server.publish("secrets", "a secret");
    await page.goto(`${server.url}#/secrets`);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expect(message(page, "a secret")).toBeVisible();
    await whenKept(page, "a secret");
    const other = await context.newPage();
    await other.goto(`${server.url}#/secrets`);
    await message(other, "a secret").click();
    await other.keyboard.press("Delete");
    await expect(message(other, "a secret")).toBeHidden();
    expect((await kept(other))?.tree ?? "").not.toContain("a secret");
    await Promise.all([page.close(), other.close()]);

    const next = await context.newPage();
    await next.addInitScript(() => {
      const seen = globalThis as unknown as { hasSecret: boolean };
      seen.hasSecret = false;
      new MutationObserver(() => {
        if (document.body?.textContent.includes("a secret")) seen.hasSecret = true;
      }).observe(document, { childList: true, subtree: true, characterData: true });
    });
    await next.goto(`${server.url}#/secrets`);
    await expect(message(next, "to stay")).toBeVisible();
    await whenKept(next, "to stay");
    expect((await kept(next))?.tree).not.toContain("a secret");
    expect(await next.evaluate(() => (globalThis as unknown as { hasSecret: boolean }).hasSecret)).toBe(false);
  });
});
