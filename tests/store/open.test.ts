import { onTestFinished, vi, expect, test } from "vitest";
import { openReader, openStore, SCHEMA_VERSION } from "../../src/store";
import { checkConsistency, snapshot } from "./check-consistency";
import { memoryEngine } from "./memory-engine";
import { arrivals, batch, feedIds, message, must, NOW_S, receive, storeWith, type Engine } from "./samples";

const request = <Value>(made: IDBRequest<Value>) =>
  new Promise<Value>((resolve, reject) => {
    made.onsuccess = () => resolve(made.result);
    made.onerror = () => reject(made.error ?? new Error("request failed"));
  });

test("opening reports a missing IndexedDB", async () => {
  vi.stubGlobal("indexedDB", undefined);
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(await openStore()).toMatchObject({ ok: false, error: { kind: "unavailable" } });
});

test.each(["throws", "fails"])("opening reports an IndexedDB that %s", async (how) => {
  const engine = memoryEngine();
  const refusing = {
    open() {
      const refused = new DOMException("not in a private window", "SecurityError");
      if (how === "throws") throw refused;
      const made = { error: refused, onerror: null as (() => void) | null };
      queueMicrotask(() => made.onerror?.());
      return made;
    },
  } as unknown as IDBFactory;
  const opened = await openStore({ ...engine, indexedDB: refusing });
  expect(opened).toEqual({
    ok: false,
    error: { kind: "unavailable", text: "SecurityError: not in a private window" },
  });
});

test("a database of a newer version is refused and left as it is", async () => {
  const engine = memoryEngine();
  const { store, subIds } = await storeWith(engine);
  await receive(store, subIds[0] ?? 0, [message("a")]);
  store.close();
  const newer = await request(engine.indexedDB.open("earshot", SCHEMA_VERSION + 1));
  newer.close();
  expect(await openStore(engine)).toMatchObject({ ok: false, error: { kind: "newer-version" } });
  expect((await snapshot(engine)).messages).toHaveLength(1);
});

test("a worker and pages that open a new database at the same time all get it, created once and completely", async () => {
  const engine = memoryEngine();
  const [first, page, second] = await Promise.all([openStore(engine), openReader(engine), openStore(engine)]);
  const { subIds } = await storeWith(engine);
  await receive(must(first), subIds[0] ?? 0, [message("a")]);
  const read = (await must(page).reader.page({ list: "feed", direction: "older", count: 5, nowMs: 0 })).rows;
  expect(read.map(({ id }) => id)).toEqual(["a"]);
  expect(await feedIds(must(second))).toEqual(["a"]);
  await checkConsistency(engine);
});

test("the database closes when a newer version wants to open it", async () => {
  const engine = memoryEngine();
  const told: string[] = [];
  const store = must(await openStore({ ...engine, onEnd: (why) => told.push(why) }));
  const newer = await request(engine.indexedDB.open("earshot", SCHEMA_VERSION + 1));
  expect(told).toEqual(["newer-version"]);
  expect(await store.ingest(batch([]))).toMatchObject({ ok: false, error: { kind: "unavailable" } });
  newer.close();
});

test("the database closes when it is deleted, says so, and is created anew", async () => {
  const engine = memoryEngine();
  const told: string[] = [];
  await openStore({ ...engine, onEnd: (why) => told.push(why) });
  await request(engine.indexedDB.deleteDatabase("earshot"));
  expect(told).toEqual(["deleted"]);
  expect(await openStore(engine)).toMatchObject({ ok: true });
});

test("a failed read reports that the browser closed the database, not that its transaction could not be aborted", async () => {
  const store = must(await openStore(memoryEngine()));
  onTestFinished(() => void vi.restoreAllMocks());
  vi.spyOn(IDBObjectStore.prototype, "get").mockImplementation(() => {
    throw new DOMException("the database was closed", "AbortError");
  });
  // The transaction is already over, but its event comes later.
  const abort = vi.spyOn(IDBTransaction.prototype, "abort").mockImplementation(function (this: IDBTransaction) {
    abort.mockRestore();
    this.abort();
    throw new DOMException("The transaction has finished.", "InvalidStateError");
  });
  expect(await store.message([1, 1, "a"])).toEqual({
    ok: false,
    error: { kind: "failed", text: "AbortError: the database was closed" },
  });
});

/** An engine on which every version is one higher, as after an update of the app. */
function nextVersion(engine: Engine): Engine {
  const open = (name: string, version = 0) => engine.indexedDB.open(name, version + 1);
  return { ...engine, indexedDB: { open } as unknown as IDBFactory };
}

test("opening waits for an older version that keeps the database open", async () => {
  const engine = memoryEngine();
  const older = await request(engine.indexedDB.open("earshot", SCHEMA_VERSION));
  const opened = openStore(nextVersion(engine));
  setTimeout(() => older.close(), 20);
  must(await opened).close();
});

test("a reader sees what a store writes, and writes nothing itself", async () => {
  const engine = memoryEngine();
  const { reader, close } = must(await openReader(engine));
  expect((await reader.catalogue()).subscriptions).toEqual([]);
  const { store, subIds } = await storeWith(engine);
  await receive(store, subIds[0] ?? 0, [message("a")]);
  expect((await reader.page({ list: "feed", direction: "older", count: 9, nowMs: 0 })).rows).toHaveLength(1);
  close();
  expect(await feedIds(store)).toEqual(["a"]);
});

test("a full disk is reported as such, and nothing of the batch is stored", async () => {
  const engine = memoryEngine();
  const { store, subIds } = await storeWith(engine);
  const subId = subIds[0] ?? 0;
  await receive(store, subId, [message("first")]);
  const before = await snapshot(engine);
  const prototype = await objectStorePrototype(engine);
  const put = prototype.put;
  let puts = 0;
  prototype.put = function (this: IDBObjectStore, ...args: Parameters<typeof put>) {
    if (++puts === 3) throw new DOMException("the disk is full", "QuotaExceededError");
    return put.apply(this, args);
  };
  const events = [message("a"), message("b"), message("c"), message("d")];
  try {
    const cursors = { timeCursors: [{ subId, time: NOW_S }] };
    const again = [message("first"), ...events];
    const result = await store.ingest(batch(arrivals(subId, again), { cursors }));
    expect(result).toMatchObject({ ok: false, error: { kind: "quota" } });
    // The error lists the events that would have been added, so that they can be shown, and none that are stored
    // already.
    expect(!result.ok && result.error.unstored?.map(({ id }) => id)).toEqual(["a", "b", "c", "d"]);
  } finally {
    prototype.put = put;
  }
  expect(await snapshot(engine)).toEqual(before);
  expect((await receive(store, subId, events)).added).toHaveLength(4);
  await checkConsistency(engine);
});

async function objectStorePrototype({ indexedDB }: Engine): Promise<IDBObjectStore> {
  const database = await request(indexedDB.open("earshot"));
  const store = database.transaction("views").objectStore("views");
  database.close();
  return Object.getPrototypeOf(store) as IDBObjectStore;
}
