import type { Page } from "@playwright/test";

/** How often the database is read, ms, which is also how late an answer can be. */
const EVERY_MS = 25;

/** Waits until so many messages are stored; resolves to the page's `performance.now()` at that time. */
export function waitUntilStored(page: Page, count: number): Promise<number> {
  return page.evaluate(
    async ({ count, everyMs }) => {
      const ask = <Value>(request: IDBRequest<Value>): Promise<Value> =>
        new Promise((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(new Error(request.error?.message));
        });
      const database = await ask(indexedDB.open("earshot"));
      for (;;) {
        // Reads the counter that the ingest keeps in the same transaction, which is one read however many messages
        // there are.
        const subscriptions = await ask<{ total: number }[]>(
          database.transaction("subscriptions").objectStore("subscriptions").getAll(),
        );
        if (subscriptions.reduce((sum, { total }) => sum + total, 0) >= count) break;
        await new Promise((resolve) => setTimeout(resolve, everyMs));
      }
      database.close();
      return performance.now();
    },
    { count, everyMs: EVERY_MS },
  );
}

/** Waits until a setting has a value in the database. */
export function waitForSetting(page: Page, name: string, value: number): Promise<void> {
  return page.evaluate(
    async ({ name, value, everyMs }) => {
      const ask = <Value>(request: IDBRequest<Value>): Promise<Value> =>
        new Promise((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(new Error(request.error?.message));
        });
      const database = await ask(indexedDB.open("earshot"));
      while ((await ask<unknown>(database.transaction("settings").objectStore("settings").get(name))) !== value) {
        await new Promise((resolve) => setTimeout(resolve, everyMs));
      }
      database.close();
    },
    { name, value, everyMs: EVERY_MS },
  );
}
