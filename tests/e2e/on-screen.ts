import { expect, type Locator, type Page } from "@playwright/test";

/** The message in the feed that holds a text. */
export function message(page: Page, text: string | RegExp): Locator {
  return page.getByRole("feed", { name: "Messages" }).getByRole("article").filter({ hasText: text });
}

/** Opens the message in the feed that holds a text; returns the page of it beside the feed, which shows it whole. */
export async function openMessage(page: Page, text: string | RegExp): Promise<Locator> {
  // At its edge, where there is nothing else to press.
  await message(page, text)
    .first()
    .click({ position: { x: 3, y: 20 } });
  const opened = page.getByRole("complementary", { name: "Message" }).getByRole("article").filter({ hasText: text });
  await expect(opened).toBeVisible();
  return opened;
}

/** Puts the pointer over the feed. (`hover` may scroll, to the far end when its first try fails.) */
export async function pointAtFeed(page: Page): Promise<void> {
  const box = await page.getByRole("feed").locator("xpath=..").boundingBox();
  if (!box) throw new Error("there is no feed on the screen");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
}

/** The filter box above the feed. */
export function filterBox(page: Page): Locator {
  return page.getByRole("combobox", { name: "Search and filter" });
}

/** The notice at the foot of the page. */
export function notice(page: Page): Locator {
  return page.getByRole("status", { name: "Notices" });
}

/** Chooses an entry of the menu of the view. */
export async function chooseInMenu(page: Page, entry: string): Promise<void> {
  await page.locator("main > header").getByRole("button", { name: "More" }).click();
  const item = page.getByRole("menuitem", { name: entry });
  await expect(page.getByRole("menuitem").first()).toBeVisible();
  if (await item.isVisible()) return item.click();
  // What is seldom done with a topic or a server is in its settings.
  await page.getByRole("menuitem", { name: /^(?:Topic|Server) settings$/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: entry }).click();
}

/** The value after a label in the details of a connection or the settings of a server. */
export function detail(page: Page, words: string): Locator {
  const dialog = page.getByRole("dialog");
  return dialog.locator("dt", { hasText: words }).locator("xpath=following-sibling::dd[1]");
}

/** Expects that the view says that it is connected, by a stream. */
export async function expectLive(page: Page): Promise<void> {
  // Backing off may take some seconds after an outage.
  await expect(page.getByRole("main").getByText("Live", { exact: true })).toBeVisible();
}

/** Has the header say in words what its dot says while all is well. */
export async function tellState(page: Page): Promise<void> {
  await page.locator("main > header").getByRole("button", { name: "Live", exact: true }).click();
}

/** Expects that the filter box tells of so many messages that it searches. */
export async function expectStored(page: Page, count: number): Promise<void> {
  const words = `Search ${count.toLocaleString("en")} message`;
  await expect(filterBox(page)).toHaveAttribute("placeholder", new RegExp(`^${words}s?,`));
}

/** Expects that the view says that the server is polled, how often, and when it was last polled. */
export async function expectPolled(page: Page): Promise<void> {
  const said = page.getByRole("main").getByText(/Polled every \d+ s · last at \d\d:\d\d/);
  await expect(said).toBeVisible();
}

/** The strip that says that no server can be reached. */
export function offlineStrip(page: Page): Locator {
  return page.getByRole("status").filter({ hasText: "Showing what is stored on this device." });
}

/** The time until the next try that it shows, in seconds; undefined if it shows none. */
export async function nextTryS(page: Page): Promise<number | undefined> {
  const [said = ""] = await offlineStrip(page).allInnerTexts();
  const [, seconds] = /Next try in (\d+) s/.exec(said) ?? [];
  return seconds === undefined ? undefined : Number(seconds);
}

/** Chooses an option by tapping its text. */
export async function choose(within: Page | Locator, words: string): Promise<void> {
  await within.getByRole("group").getByText(words, { exact: true }).click();
  await expect(within.getByRole("radio", { name: words, exact: true })).toBeChecked();
}

/** Waits until the service worker is active: from then on the page needs no server. */
export async function keptOffline(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe("activated");
}

/** How many messages are stored, straight from the database, and how many of them differ. */
export async function storedMessages(page: Page): Promise<{ rows: number; ids: number }> {
  return page.evaluate(async () => {
    const open = indexedDB.open("earshot");
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      open.onsuccess = () => resolve(open.result);
      open.onerror = () => reject(new Error(open.error?.message));
    });
    const request = db.transaction("messages").objectStore("messages").getAllKeys();
    const keys = await new Promise<IDBValidKey[]>((resolve) => (request.onsuccess = () => resolve(request.result)));
    db.close();
    return { rows: keys.length, ids: new Set(keys.map((key) => String((key as IDBValidKey[]).at(-1)))).size };
  });
}

/** A setting as it is stored, straight from the database. */
export async function storedSetting(page: Page, name: string): Promise<unknown> {
  return page.evaluate(async (name) => {
    const open = indexedDB.open("earshot");
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      open.onsuccess = () => resolve(open.result);
      open.onerror = () => reject(new Error(open.error?.message));
    });
    const request = db.transaction("settings").objectStore("settings").get(name) as IDBRequest<unknown>;
    const value = await new Promise<unknown>((resolve) => (request.onsuccess = () => resolve(request.result)));
    db.close();
    return value;
  }, name);
}

/** Backdates removals by `byMs`, as tests can't set the hub's clock. */
export async function ageRemovals(page: Page, byMs: number): Promise<void> {
  await page.evaluate(async (byMs) => {
    const open = indexedDB.open("earshot");
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      open.onsuccess = () => resolve(open.result);
      open.onerror = () => reject(new Error(open.error?.message));
    });
    const transaction = db.transaction("subscriptions", "readwrite");
    const request = transaction.objectStore("subscriptions").openCursor();
    request.onsuccess = () => {
      const cursor = request.result;
      if (!cursor) return;
      const record = cursor.value as { removedAtMs?: number };
      if (record.removedAtMs !== undefined) cursor.update({ ...record, removedAtMs: record.removedAtMs - byMs });
      cursor.continue();
    };
    await new Promise((resolve) => (transaction.oncomplete = resolve));
    db.close();
  }, byMs);
}

/** Makes the next load of the page look like a return after an absence of this length, ms. */
export async function wasAway(page: Page, forMs: number): Promise<void> {
  await page.addInitScript((forMs) => {
    if (sessionStorage.getItem("was-away")) return;
    sessionStorage.setItem("was-away", "yes");
    localStorage.setItem("earshot-seen", String(Date.now() - forMs));
  }, forMs);
}

/** Drags with the mouse in steps, as a person does, to the upper edge of the target, or just below it. */
export async function drag(page: Page, from: Locator, to: Locator, where: "above" | "below"): Promise<void> {
  const [start, end] = [await from.boundingBox(), await to.boundingBox()];
  if (!start || !end) throw new Error("not on the screen");
  await page.mouse.move(start.x + 40, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(start.x + 40, start.y + start.height / 2 + 10);
  await expect(page.locator(".drop-line")).toBeAttached();
  await page.mouse.move(end.x + 40, where === "above" ? end.y + 1 : end.y + end.height - 1, { steps: 5 });
  await expect(page.locator(".drop-line")).toBeVisible();
}

/**
 * The elements that extend beyond an edge of the screen, so that the page could scroll sideways. The page doesn't scroll
 * down either: its parts do. If it could, its height is listed.
 */
export function beyondTheEdge(): string[] {
  const { scrollWidth, scrollHeight } = document.documentElement;
  const tall = scrollHeight > innerHeight ? [`a page of ${String(scrollHeight)} px`] : [];
  if (scrollWidth <= innerWidth) return tall;
  return [...document.querySelectorAll("*")]
    .filter((element) => {
      const { left, right } = element.getBoundingClientRect();
      return right > innerWidth || left < 0;
    })
    .map(({ tagName, className }) => `${tagName} ${String(className)}`)
    .concat(tall);
}
