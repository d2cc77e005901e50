import { IDBIndex, IDBObjectStore } from "fake-indexeddb";
import { afterAll, expect, test } from "vitest";
import { memoryEngine } from "./memory-engine";
import { describeSearch } from "./search-contract";
import { describeWitnesses } from "./witnesses-contract";

// Without this method, as in WebKit, several records can only be read backwards by a cursor.
const methods = [IDBObjectStore, IDBIndex].map(({ prototype }) => {
  const method = Object.getOwnPropertyDescriptor(prototype, "getAllRecords") ?? {};
  Reflect.deleteProperty(prototype, "getAllRecords");
  return { prototype, method };
});
afterAll(() => {
  for (const { prototype, method } of methods) Object.defineProperty(prototype, "getAllRecords", method);
});

test("getAllRecords is missing here", () => {
  expect("getAllRecords" in IDBObjectStore.prototype).toBe(false);
});

// Who reads backwards.
describeSearch(memoryEngine);
describeWitnesses(memoryEngine);
