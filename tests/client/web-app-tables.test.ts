import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { webAppDatabases, webAppTables } from "../../src/client/web-app-tables";

const TABLES = ["subscriptions", "notifications", "users", "prefs"];

let factory: IDBFactory;

beforeEach(() => {
  factory = new IDBFactory();
  vi.stubGlobal("indexedDB", factory);
});

afterEach(() => vi.unstubAllGlobals());

/** Makes a database as another app would. */
function make(name: string, tables: readonly string[], rows: Record<string, object[]> = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = factory.open(name, 20);
    request.onupgradeneeded = () => {
      for (const table of tables) {
        const store = request.result.createObjectStore(table, { keyPath: "id" });
        for (const row of rows[table] ?? []) store.put(row);
      }
    };
    request.onerror = () => reject(new Error("not made"));
    request.onsuccess = () => {
      request.result.close();
      resolve();
    };
  });
}

describe("databases of the web app of the reference server", () => {
  test("are found by their names, and nothing else is", async () => {
    for (const name of ["ntfy", "ntfy-ada", "ntfyx", "earshot", "my-ntfy", "ntfy-"]) await make(name, TABLES);
    expect((await webAppDatabases()).sort()).toEqual(["ntfy", "ntfy-ada"]);
  });

  test("are none if the browser has no list of them, forbids it, or has no databases", async () => {
    vi.stubGlobal("indexedDB", { open: () => undefined });
    expect(await webAppDatabases()).toEqual([]);
    vi.stubGlobal("indexedDB", { databases: () => Promise.reject(new DOMException("denied", "SecurityError")) });
    expect(await webAppDatabases()).toEqual([]);
    vi.stubGlobal("indexedDB", undefined);
    expect(await webAppDatabases()).toEqual([]);
  });

  test("a bug of ours is not taken for a refusal", async () => {
    vi.stubGlobal("indexedDB", { databases: () => Promise.reject(new TypeError("a bug")) });
    await expect(webAppDatabases()).rejects.toThrow("a bug");
  });

  test("are read whole, whatever their version", async () => {
    const rows = { subscriptions: [{ id: "a" }], notifications: [{ id: "1" }, { id: "2" }], users: [{ id: "ada" }] };
    await make("ntfy", TABLES, rows);
    expect(await webAppTables("ntfy")).toEqual(rows);
  });

  test("one without a table is ignored, and stays as it is", async () => {
    await make("ntfy", ["subscriptions", "users"], { users: [{ id: "ada" }] });
    expect(await webAppTables("ntfy")).toBeUndefined();
    expect(await factory.databases()).toEqual([{ name: "ntfy", version: 20 }]);
  });

  test("one that is gone is not created by looking", async () => {
    expect(await webAppTables("ntfy")).toBeUndefined();
    expect(await factory.databases()).toEqual([]);
  });

  test("one that is read can be deleted after it", async () => {
    await make("ntfy", TABLES);
    await webAppTables("ntfy");
    await new Promise<void>((resolve, reject) => {
      const request = factory.deleteDatabase("ntfy");
      request.onsuccess = () => resolve();
      request.onblocked = () => reject(new Error("still open"));
    });
  });
});
