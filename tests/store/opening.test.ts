import { join } from "node:path";
import { runInThisContext } from "node:vm";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ROOT } from "../../scripts/source-hash.mjs";
import { script } from "../../src/build/page.ts";
import { DATABASE_NAME, closeOpening, readSnapshot, SCHEMA_VERSION } from "../../src/store";
import { memoryEngine } from "./memory-engine";
import { message, must, NOW_S, receive, storeWith } from "./samples";

const LINE = await script(join(ROOT, "src/ui/inline.ts"));

const read = (): ReturnType<typeof readSnapshot> => readSnapshot("#/");
const ended = (request: IDBOpenDBRequest): Promise<unknown> =>
  new Promise((resolve) => ["success", "error"].forEach((type) => request.addEventListener(type, resolve)));

/** Runs the inline script of the page as the page does. */
function runLine(factory: IDBFactory | undefined): IDBOpenDBRequest | undefined {
  vi.stubGlobal("indexedDB", factory);
  // The line also listens for a script that can't be loaded, which tests/e2e/no-script.spec.ts tries.
  vi.stubGlobal("addEventListener", () => undefined);
  // And for the document to be read, on a first visit: tests/e2e/visit.spec.ts.
  vi.stubGlobal("document", { addEventListener: () => undefined });
  vi.stubGlobal("localStorage", { getItem: () => null });
  // In a block, as a page runs it only once.
  runInThisContext(`{${LINE}}`);
  return globalThis.earshotOpening;
}

function opening(factory: IDBFactory): IDBOpenDBRequest {
  const request = runLine(factory);
  if (!request) throw new Error("the line did not open anything");
  return request;
}

function isClosed(database: IDBDatabase): boolean {
  try {
    database.transaction("messages").abort();
    return false;
  } catch (error) {
    if (error instanceof DOMException && error.name === "InvalidStateError") return true;
    throw error;
  }
}

async function stored(): Promise<IDBFactory> {
  const engine = memoryEngine();
  const { store, subIds } = await storeWith(engine, ["backup"]);
  await receive(store, subIds[0] ?? 0, [message("done", NOW_S)]);
  must(await store.keepSnapshot({ view: "#/", conditions: "", height: 1, root: {}, tree: "" }, []));
  store.close();
  return engine.indexedDB;
}

afterEach(async () => {
  await closeOpening();
  vi.unstubAllGlobals();
});

describe.each(["while it is open", "while it opens"])("the connection that the page opened, used %s,", (when) => {
  const begun = async (factory: IDBFactory): Promise<IDBOpenDBRequest> => {
    const request = opening(factory);
    if (when === "while it is open") await ended(request);
    expect(request.readyState).toBe(when === "while it is open" ? "done" : "pending");
    return request;
  };

  it("is the only one that is opened for reading, and is closed afterwards", async () => {
    const factory = await stored();
    const request = await begun(factory);
    const open = vi.spyOn(factory, "open");
    expect((await read())?.view).toBe("#/");
    expect(open).not.toHaveBeenCalled();
    expect(isClosed(request.result)).toBe(true);
  });

  it("is used once", async () => {
    const factory = await stored();
    await begun(factory);
    const open = vi.spyOn(factory, "open");
    await read();
    expect((await read())?.view).toBe("#/");
    expect(open).toHaveBeenCalledOnce();
  });

  it("is absent if there is no database, and none is created", async () => {
    const { indexedDB } = memoryEngine();
    await begun(indexedDB);
    expect(await read()).toBeUndefined();
    expect(await indexedDB.databases()).toEqual([]);
  });

  it("is not read from but closed if the database has a newer version", async () => {
    const { indexedDB } = memoryEngine();
    const open = indexedDB.open(DATABASE_NAME, SCHEMA_VERSION + 1);
    open.onupgradeneeded = () => open.result.createObjectStore("messages");
    await new Promise((resolve) => (open.onsuccess = resolve));
    open.result.close();
    const request = await begun(indexedDB);
    expect(await read()).toBeUndefined();
    expect(isClosed(request.result)).toBe(true);
  });

  it("is closed if nothing is read from it", async () => {
    const request = await begun(await stored());
    await closeOpening();
    expect(isClosed(request.result)).toBe(true);
    expect(globalThis.earshotOpening).toBeUndefined();
  });
});

it("an unused connection of the page makes way for a newer version", async () => {
  const factory = await stored();
  const request = opening(factory);
  await ended(request);
  const newer = factory.open(DATABASE_NAME, SCHEMA_VERSION + 1);
  const blocked = vi.fn();
  newer.onblocked = blocked;
  await new Promise((resolve) => (newer.onsuccess = resolve));
  expect(blocked).not.toHaveBeenCalled();
  expect(isClosed(request.result)).toBe(true);
  newer.result.close();
});

it.each(["missing", "denied"])("nothing is opened and nothing fails if storage is %s", async (how) => {
  const denying = {
    open() {
      throw new DOMException("not here", "SecurityError");
    },
  } as unknown as IDBFactory;
  expect(runLine(how === "denied" ? denying : undefined)).toBeUndefined();
  expect(await read()).toBeUndefined();
  await closeOpening();
});
