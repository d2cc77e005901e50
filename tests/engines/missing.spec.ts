import { button, expect, isLive, message, storedMessages, subscribe, test, words } from "./fixtures";

const MEMORY = "Earshot is running from memory";

interface Missing {
  name: string;
  /** Removes the feature, in pages and in workers. */
  take: () => void;
  /** Rows are in a worker's memory: in one for all windows ("shared"), or in one for each window ("own"). */
  memory?: "shared" | "own";
}

/** Features that some browsers lack, or withhold from a page. */
const MISSING: Missing[] = [
  { name: "shared workers", take: () => void Reflect.deleteProperty(globalThis, "SharedWorker") },
  {
    name: "locks",
    take: () => void Object.defineProperty(Object.getPrototypeOf(navigator), "locks", { value: undefined }),
  },
  { name: "broadcast channels", take: () => void Reflect.deleteProperty(globalThis, "BroadcastChannel") },
  {
    name: "a database",
    // The property is configurable, as the in-memory replacement redefines it.
    take: () => void Object.defineProperty(globalThis, "indexedDB", { configurable: true, value: undefined }),
    memory: "shared",
  },
  {
    name: "a service worker",
    take: () => void Reflect.deleteProperty(Object.getPrototypeOf(navigator) as object, "serviceWorker"),
  },
  {
    name: "anything that is kept or shared",
    // Firefox does the same where a user forbids sites to store anything.
    take: () => {
      const refusal = () => new DOMException("The operation is insecure.", "SecurityError");
      const refuse = () => {
        throw refusal();
      };
      for (const name of ["localStorage", "sessionStorage"]) {
        if (name in globalThis) Object.defineProperty(globalThis, name, { get: refuse });
      }
      for (const name of ["BroadcastChannel", "SharedWorker"]) {
        if (name in globalThis)
          Object.defineProperty(globalThis, name, {
            value: class {
              constructor() {
                refuse();
              }
            },
          });
      }
      IDBFactory.prototype.open = refuse;
      CacheStorage.prototype.open = () => Promise.reject(refusal());
      LockManager.prototype.request = () => Promise.reject(refusal());
      if (!("serviceWorker" in navigator)) return;
      ServiceWorkerContainer.prototype.register = () => Promise.reject(refusal());
      Object.defineProperty(ServiceWorkerContainer.prototype, "ready", { get: () => Promise.reject(refusal()) });
    },
    memory: "own",
  },
];

for (const { name, take, memory } of MISSING) {
  test.describe(`without ${name}`, () => {
    test.use({ changes: { everywhere: take } });

    test("messages come live in two windows, and stay where they can", async ({ server, tab, openTab }) => {
      await subscribe(tab, server, "backups");
      const other = await openTab();
      if (memory === "own") await subscribe(other, server, "backups");
      else await other.goto(`${server.url}#/backups`);
      await isLive(other);
      await server.curl("backups", "heard by both");
      for (const one of [tab, other]) await one.shows(message("heard by both"));
      await expect.poll(() => server.running.streams().length).toBe(memory === "own" ? 2 : 1);
      if (memory) {
        for (const one of [tab, other]) await one.first({ css: "*", within: "body", text: MEMORY });
        return;
      }
      expect(await storedMessages(tab)).toBe(1);
      await tab.reload();
      await tab.shows(message("heard by both"));
      await tab.press(button("Mark this one read", "main"));
      for (const one of [tab, other]) await one.shows(words("1 unread", "main"), 0);
    });
  });
}
