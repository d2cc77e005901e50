import { IDBIndex, IDBObjectStore } from "fake-indexeddb";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { FirstTables } from "../../src/store";
import { readFirst } from "../../src/store/read-first";
import { DATABASE_NAME } from "../../src/store";
import { memoryEngine } from "./memory-engine";
import { message, must, NOW_MS, NOW_S, receive, storeWith } from "./samples";

/** Selects the whole feed; `topic` below selects one topic. */
const all = (): object => ({});
const topic =
  (subId: number) =>
  ({ subscriptions }: FirstTables) => {
    const subscription = subscriptions.find((one) => one.subId === subId);
    return subscription && { subscription };
  };

const backwards = [IDBObjectStore.prototype, IDBIndex.prototype].map((prototype) => ({
  prototype,
  own: Object.getOwnPropertyDescriptor(prototype, "getAllRecords"),
}));
afterAll(() => {
  for (const { prototype, own } of backwards) if (own) Object.defineProperty(prototype, "getAllRecords", own);
});

describe.each(["with getAllRecords", "without"])("the first rows, %s", (how) => {
  if (how === "without") {
    it("is missing here", () => {
      for (const { prototype } of backwards) Reflect.deleteProperty(prototype, "getAllRecords");
      expect("getAllRecords" in IDBObjectStore.prototype).toBe(false);
    });
  }

  it("are the same as the app reads, in the same order, for everything and for each topic", async () => {
    const counts = fc.tuple(fc.nat(70), fc.nat(10));
    // Several messages share a second, so that they are ordered by arrival.
    await fc.assert(
      fc.asyncProperty(counts, fc.integer({ min: 1, max: 40 }), fc.nat(9), async ([ours, others], seconds, done) => {
        const engine = memoryEngine();
        const { store, subIds } = await storeWith(engine, ["backup", "doors"]);
        const events = (name: string, count: number) =>
          Array.from({ length: count }, (_, at) => message(`${name}${at}`, NOW_S - ((at * 7) % seconds)));
        await receive(store, subIds[0] ?? 0, events("a", ours));
        await receive(store, subIds[1] ?? 0, events("b", others));
        const query = { list: "feed", direction: "older", count: 100, nowMs: NOW_MS } as const;
        const page = await store.reader.page(query);
        const hidden = page.rows
          .slice(0, done)
          .map(({ subId, time, id }) => [subId, time, id] as [number, number, string]);
        if (hidden.length > 0) must(await store.mark(hidden, { kind: "done", on: true }, NOW_MS));
        for (const ids of [undefined, ...subIds.map((subId) => [subId])]) {
          const [only] = ids ?? [];
          const read = await readFirst(only === undefined ? all : topic(only), engine.indexedDB);
          const whole = await store.reader.page({ ...query, ...(ids && { subIds: ids }) });
          const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
          const length = read?.isAll ? whole.rows.length : (read?.rows.length ?? 0);
          expect(idsOf(read?.rows ?? [])).toEqual(idsOf(whole.rows).slice(0, length));
        }
        store.close();
      }),
      { numRuns: 25 },
    );
  });

  it("are absent if there is no database, and none is created", async () => {
    const { indexedDB } = memoryEngine();
    expect(await readFirst(all, indexedDB)).toBeUndefined();
    expect(await indexedDB.databases()).toEqual([]);
  });

  it("are absent if the database is newer, which stays as it is", async () => {
    const { indexedDB } = memoryEngine();
    const open = indexedDB.open(DATABASE_NAME, 99);
    await new Promise((resolve) => (open.onsuccess = resolve));
    open.result.close();
    expect(await readFirst(all, indexedDB)).toBeUndefined();
    expect(await indexedDB.databases()).toEqual([{ name: DATABASE_NAME, version: 99 }]);
  });
});
