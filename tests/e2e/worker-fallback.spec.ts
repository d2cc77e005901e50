import { expect, subscribe, test } from "./fixtures";
import { expectLive, message } from "./on-screen";
import { runBefore } from "./workers";

test.describe("without a database", () => {
  // A service worker's copies of the scripts would bypass the route below.
  test.use({ serviceWorkers: "block" });

  test("if the database can't be opened, rows live in the worker's memory, and the app says so", async ({
    server,
    page,
    context,
  }) => {
    // The property is configurable, like the browser's own, as the in-memory replacement redefines it.
    await runBefore(
      context,
      "Object.defineProperty(self, 'indexedDB', { configurable: true, value: { open() { throw new DOMException('no', 'SecurityError') } } });",
    );
    await subscribe(page, server, "a");
    await server.publish("a", "kept in memory");
    await expect(page.getByText("kept in memory", { exact: true })).toHaveCount(1);
    await page.reload();
    await expect(page.getByText(/running from memory/i).first()).toBeVisible();
  });

  test("if the browser refuses to store or share anything, each tab runs from its own memory, and says so", async ({
    server,
    page,
    context,
  }) => {
    // Firefox does the same where the user forbids sites to store anything.
    await runBefore(
      context,
      `{
        const refusal = () => new DOMException("no", "SecurityError");
        const refuse = () => { throw refusal(); };
        IDBFactory.prototype.open = refuse;
        for (const name of ["BroadcastChannel", "SharedWorker"]) {
          if (name in self) self[name] = class { constructor() { refuse(); } };
        }
        if ("localStorage" in self) Object.defineProperty(self, "localStorage", { get: refuse });
        // The empty page that each tab starts with has no locks.
        if ("locks" in navigator) LockManager.prototype.request = () => Promise.reject(refusal());
        if ("serviceWorker" in navigator) {
          ServiceWorkerContainer.prototype.register = () => Promise.reject(refusal());
          Object.defineProperty(ServiceWorkerContainer.prototype, "ready", { get: () => Promise.reject(refusal()) });
        }
      }`,
    );
    const other = await context.newPage();
    for (const tab of [page, other]) {
      await subscribe(tab, server, "a");
      await expectLive(tab);
      await expect(tab.getByText(/running from memory/i)).toBeVisible();
    }
    await server.publish("a", "heard by both");
    for (const tab of [page, other]) await expect(message(tab, "heard by both")).toHaveCount(1);
    await page.goto(`${server.url}#/~settings/storage`);
    await expect(page.getByText("Each tab has a connection of its own.")).toBeVisible();
  });

  test("without a channel between tabs a worker reaches its pages through their ports", async ({
    server,
    page,
    context,
  }) => {
    await runBefore(context, "delete self.BroadcastChannel;");
    await subscribe(page, server, "a");
    await expectLive(page);
    const other = await context.newPage();
    await other.goto(`${server.url}#/a`);
    await expectLive(other);
    await server.publish("a", "heard by both");
    for (const tab of [page, other]) await expect(message(tab, "heard by both")).toHaveCount(1);
    expect(server.running.streams()).toHaveLength(1);
  });
});
