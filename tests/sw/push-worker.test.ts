import { IDBFactory } from "fake-indexeddb";
import "fake-indexeddb/auto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DATABASE_NAME, SCHEMA_VERSION } from "../../src/store";

/** Its types are those of a worker, which this folder's are not. */
const WORKER: string = "../../src/sw/push-worker";

type Listener = (event: object) => void;

/** A push worker in a browser with no page of the app in sight, and what it shows. */
async function started() {
  const listeners = new Map<string, Listener>();
  const shown: string[] = [];
  vi.stubGlobal("self", {
    addEventListener: (name: string, listener: Listener) => listeners.set(name, listener),
    skipWaiting: () => Promise.resolve(),
    clients: { matchAll: () => Promise.resolve([]) },
    registration: {
      scope: "https://app.example/push/abc-1/",
      update: () => Promise.resolve(),
      showNotification: (title: string) => Promise.resolve(void shown.push(title)),
    },
  });
  vi.stubGlobal("navigator", { locks: { request: (_name: string, work: () => unknown) => Promise.resolve(work()) } });
  vi.resetModules();
  await import(WORKER);
  /** Resolves to whether what the event started has succeeded. */
  const dispatch = async (name: string, fields: object = {}): Promise<boolean> => {
    const work: Promise<unknown>[] = [];
    listeners.get(name)?.({ ...fields, waitUntil: (one: Promise<unknown>) => work.push(one) });
    return (await Promise.allSettled(work)).every(({ status }) => status === "fulfilled");
  };
  return { dispatch, shown };
}

/** Brings the database to a version, as a page does that then closes. */
async function databaseOf(version: number): Promise<void> {
  const request = indexedDB.open(DATABASE_NAME, version);
  await new Promise((resolve) => (request.onsuccess = resolve));
  request.result.close();
}

beforeEach(() => vi.stubGlobal("indexedDB", new IDBFactory()));
afterEach(() => vi.unstubAllGlobals());

test("a new version is installed once a page has brought the database to its own, and until then the former receives", async () => {
  const { dispatch } = await started();
  await databaseOf(SCHEMA_VERSION - 1);
  expect(await dispatch("install")).toBe(false);
  await databaseOf(SCHEMA_VERSION);
  expect(await dispatch("install")).toBe(true);
  await databaseOf(SCHEMA_VERSION + 1);
  expect(await dispatch("install"), "the app was set back").toBe(false);
});

const FIRE = { id: "abcdefghijkl", time: 1, event: "message", topic: "alerts", title: "Fire", message: "" };
const fire = { data: { text: () => JSON.stringify({ event: "message", message: FIRE }) } };

test("a push is shown though the browser can't even tell which databases there are", async () => {
  const { dispatch, shown } = await started();
  const databases = () => Promise.reject(new DOMException("Internal error.", "UnknownError"));
  vi.stubGlobal("indexedDB", { databases });
  await dispatch("push", fire);
  expect(shown).toEqual(["Fire"]);
});

test("a push leaves a database of an earlier version as it is, since a page may come that knows no other, and is shown", async () => {
  const { dispatch, shown } = await started();
  await databaseOf(SCHEMA_VERSION - 1);
  await dispatch("push", fire);
  expect(shown).toEqual(["Fire"]);
  expect((await indexedDB.databases()).map(({ version }) => version)).toEqual([SCHEMA_VERSION - 1]);
});
