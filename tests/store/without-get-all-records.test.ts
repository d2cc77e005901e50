import { IDBIndex, IDBObjectStore } from "fake-indexeddb";
import { expect, test } from "vitest";
import { memoryEngine } from "./memory-engine";
import { describeSearch } from "./search-contract";
import { describeWitnesses } from "./witnesses-contract";

// Without this method, as in WebKit, several records can only be read backwards by a cursor.
for (const { prototype } of [IDBObjectStore, IDBIndex]) Reflect.deleteProperty(prototype, "getAllRecords");

test("getAllRecords is missing here", () => {
  expect("getAllRecords" in IDBObjectStore.prototype).toBe(false);
});

// Who reads backwards.
describeSearch(memoryEngine);
describeWitnesses(memoryEngine);
