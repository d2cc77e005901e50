import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe";
import { expect, subscribe, test, type TestServer } from "./fixtures";
import { chooseInMenu, expectLive, expectStored, filterBox, message, notice, storedMessages } from "./on-screen";
import { nowS } from "./scripted-server";
import type { Watch } from "./watch";

const FULL = "Storage is full. New messages are shown but not stored.";

/** Opens a file of the app that runs no script, so that a test can prepare the origin before the app starts. */
async function openBare(page: Page, server: TestServer, watch: Watch): Promise<void> {
  watch.tolerate(/favicon/);
  await page.goto(`${server.url}manifest.webmanifest`);
}

/** The app's quota, bytes: so small that some hundred messages fill it. */
const LITTLE = 600_000;

test.describe("on a small disk", () => {
  // A service worker's copies of the app would take up part of the quota.
  test.use({ serviceWorkers: "block" });

  /** Subscribes with a small quota and fills it. The returned function makes room again. */
  async function fillDisk(page: Page, server: TestServer, watch: Watch): Promise<() => Promise<void>> {
    const { origin } = new URL(server.url);
    await openBare(page, server, watch);
    // Sets the quota before the database is first used, as the database asks only now and then how much room is left.
    // It holds while the session lives.
    const session = await page.context().newCDPSession(page);
    await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: LITTLE });
    await subscribe(page, server, "notes");
    await expectLive(page);
    for (let round = 0; !(await page.getByText(FULL).isVisible()); round++) {
      for (let at = 0; at < 10; at++) {
        await server.publish("notes", `filler-${round}.${at} ${randomBytes(1500).toString("hex")}`);
      }
      // Publishes in rounds: all at once could become one transaction, none of which fits.
      await expect(message(page, `filler-${round}.9`)).toBeVisible();
    }
    return async () => {
      await session.send("Storage.overrideQuotaForOrigin", { origin });
    };
  }

  test("messages that do not fit are shown and reported, nothing stored is lost, and all are stored once there is room", async ({
    server,
    page,
    watch,
  }) => {
    const makeRoom = await fillDisk(page, server, watch);
    const { time } = await server.publish("notes", "did not fit");
    await expect(message(page, "did not fit")).toBeVisible();
    await expectLive(page);
    const { rows, ids } = await storedMessages(page);
    expect(rows).toBe(ids);
    expect(rows).toBeGreaterThan(10);
    await page.reload();
    await expect(page.getByText(FULL)).toBeVisible();
    await expectStored(page, rows);
    await expectAccessible(page);
    await expect.poll(() => storedMessages(page)).toEqual({ rows, ids });
    await page.getByRole("button", { name: "Free space" }).click();
    await expect(page).toHaveURL(`${server.url}#/~settings/storage`);
    await expect(page.getByRole("button", { name: "Remove older messages now" })).toBeVisible();
    await page.goto(`${server.url}#/notes`);

    await makeRoom();
    await expectLive(page);
    // Messages of one second are ordered as they were stored, and the one that didn't fit may be stored after the next
    // one, so let that second pass.
    await expect.poll(nowS).toBeGreaterThan(time);
    await server.publish("notes", "fits again");
    await expect(message(page, "fits again")).toBeVisible();
    await expect(page.getByText(FULL)).toBeHidden();
    await chooseInMenu(page, "Fetch again");
    await expect(message(page, "did not fit")).toHaveCount(1);
  });
});

test("the app explains that a database is of a newer version, leaves it as it is, and runs from memory", async ({
  server,
  page,
  watch,
}) => {
  await openBare(page, server, watch);
  await page.evaluate(async () => {
    const open = indexedDB.open("earshot", 1000);
    open.onupgradeneeded = () => open.result.createObjectStore("from the future").put("precious", "key");
    await new Promise((resolve) => (open.onsuccess = resolve));
    open.result.close();
  });
  await page.goto(`${server.url}#/notes`);
  await expect(page.getByText(/written by a newer version of Earshot/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expectLive(page);
  await server.publish("notes", "kept in memory", { tags: ["backup"] });
  await server.publish("notes", "another");
  await expect(message(page, "kept in memory")).toHaveCount(1);
  await filterBox(page).fill("tag:backup");
  await filterBox(page).press("Enter");
  await expect(message(page, "another")).toHaveCount(0);
  await expect(message(page, "kept in memory")).toHaveCount(1);
  await chooseInMenu(page, "Fetch again");
  await expect(notice(page)).toContainText("Nothing is missing");
  const precious = await page.evaluate(async () => {
    const open = indexedDB.open("earshot", 1000);
    await new Promise((resolve) => (open.onsuccess = resolve));
    const request = open.result.transaction("from the future").objectStore("from the future").get("key");
    await new Promise((resolve) => (request.onsuccess = resolve));
    open.result.close();
    return request.result as unknown;
  });
  expect(precious).toBe("precious");
});

test("while an older version in another tab keeps the database, the app waits, and then starts", async ({
  server,
  page,
  context,
  watch,
}) => {
  await subscribe(page, server, "notes");
  const old = await context.newPage();
  await page.close();
  await openBare(old, server, watch);
  // The same tables and rows as version 4 had them, kept open by a tab that doesn't hear that a newer version waits.
  await old.evaluate(async () => {
    const done = (request: IDBRequest) => new Promise((resolve) => (request.onsuccess = resolve));
    const now = indexedDB.open("earshot");
    await done(now);
    const newer = ["snapshots", "outbox", "clears"];
    const names = [...now.result.objectStoreNames].filter((name) => !newer.includes(name));
    const tables = await Promise.all(
      names.map(async (name) => {
        const store = now.result.transaction(name).objectStore(name);
        const indexes = [...store.indexNames].map((index) => store.index(index));
        const [keys, rows] = [store.getAllKeys(), store.getAll()];
        await done(rows);
        return {
          name: name.replace(/^segment/, "pack"),
          store,
          indexes,
          keys: keys.result,
          rows: rows.result as unknown[],
        };
      }),
    );
    now.result.close();
    await done(indexedDB.deleteDatabase("earshot"));
    const open = indexedDB.open("earshot", 4);
    open.onupgradeneeded = () => {
      // Hubs without locks shared it.
      open.result.createObjectStore("leases");
      // Imports were put there.
      open.result.createObjectStore("imports", { keyPath: "importId" });
      open.result.createObjectStore("staged", { keyPath: ["importId", "part"] });
      for (const { name, store, indexes, keys, rows } of tables) {
        const { keyPath } = store;
        const made = open.result.createObjectStore(name, keyPath === null ? {} : { keyPath });
        for (const index of indexes) {
          // Messages were indexed by their time alone.
          if (index.name === "order") made.createIndex("time", "time");
          else made.createIndex(index.name, index.keyPath, index);
        }
        for (const [at, row] of rows.entries()) made.put(row, keyPath === null ? keys[at] : undefined);
      }
    };
    await done(open);
  });
  const app = await context.newPage();
  await app.goto(`${server.url}#/notes`);
  await old.close();
  await expectLive(app);
  await server.publish("notes", "after the update");
  await expect(message(app, "after the update")).toHaveCount(1);
});

test("when the browser or another page of the origin takes the database away, every tab says so, and goes on after a reload", async ({
  server,
  page,
  context,
}) => {
  await subscribe(page, server, "notes");
  await expectLive(page);
  const other = await context.newPage();
  await other.goto(`${server.url}#/notes`);
  await expectLive(other);
  await test.step("when the browser takes the database away, the app says so, and goes on after a reload", async () => {
    const session = await context.newCDPSession(page);
    await session.send("Storage.clearDataForOrigin", { origin: new URL(server.url).origin, storageTypes: "indexeddb" });
    for (const tab of [page, other]) {
      await expect(tab.getByText("Storage failed. Reload to continue; until then nothing is stored.")).toBeVisible();
      await expect.poll(() => server.running.streams()).toEqual([]);
    }
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expectLive(page);
    await server.publish("notes", "after that");
    await expect(message(page, "after that")).toHaveCount(1);
    await expect.poll(() => storedMessages(page)).toEqual({ rows: 1, ids: 1 });
    await other.getByRole("button", { name: "Reload" }).click();
    await expect(message(other, "after that")).toHaveCount(1);
    expect(server.running.streams()).toHaveLength(1);
  });
  await test.step("when another page of the origin deletes the database, every tab says so, is no longer live, and starts anew", async () => {
    const third = await context.newPage();
    await third.goto(`${server.url}icon.svg`);
    await third.evaluate(() => new Promise((resolve) => (indexedDB.deleteDatabase("earshot").onsuccess = resolve)));
    for (const tab of [page, other]) {
      await expect(
        tab.getByText("deleted what Earshot had stored here. Reload to start anew", { exact: false }),
      ).toBeVisible();
      await expect(tab.getByText("Not connected").first()).toBeVisible();
      await expect(tab.getByText("Live", { exact: true })).toHaveCount(0);
    }
    await expectAccessible(page);
    await expect.poll(() => server.running.streams()).toEqual([]);
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expectLive(page);
    await server.publish("notes", "after that, too");
    await expect(message(page, "after that, too")).toHaveCount(1);
    await other.getByRole("button", { name: "Reload" }).click();
    await expect(message(other, "after that, too")).toHaveCount(1);
    expect(server.running.streams()).toHaveLength(1);
  });
});

test("once there is a topic the browser is asked to keep the data; low space, and a database that ends while the page starts, are reported", async ({
  server,
  page,
}) => {
  await page.addInitScript(() => {
    const shared = globalThis as unknown as { asked: number };
    shared.asked = 0;
    const room = { usage: 400_000_000, quota: 410_000_000 };
    Object.assign(navigator.storage, {
      persisted: () => Promise.resolve(false),
      persist: () => Promise.resolve(Number.isNaN(++shared.asked)),
      estimate: () => Promise.resolve(room),
    });
  });
  const asked = () => page.evaluate(() => (globalThis as unknown as { asked: number }).asked);
  await page.goto(`${server.url}#/notes`);
  await expect(page.getByText("Storage is nearly full: 10 MB left.")).toBeVisible();
  expect(await asked(), "not before there is anything to keep").toBe(0);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect.poll(asked).toBe(1);
  await page.reload();
  await expect(page.getByText("Storage is nearly full: 10 MB left.")).toBeVisible();
  expect(await asked(), "nobody is asked twice").toBe(0);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Free space" }).click();
  await expect(page.getByRole("button", { name: "Remove older messages now" })).toBeVisible();
  await page.getByRole("button", { name: "Ask the browser to keep everything" }).click();
  await expect(notice(page)).toContainText("The browser declined.");
  await test.step("the app reports a database that ends while the page starts", async () => {
    await page.addInitScript(() => {
      IDBDatabase.prototype.transaction = () => {
        throw new DOMException("The database connection is closing.", "InvalidStateError");
      };
    });
    await page.reload();
    await expect(page.getByText("Storage failed. Reload to continue; until then nothing is stored.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Reload" })).toBeVisible();
    await expectAccessible(page);
  });
});
