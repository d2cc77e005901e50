import { IDBFactory } from "fake-indexeddb";
import "fake-indexeddb/auto";
import type { Engine } from "./samples";

/** A fresh IndexedDB in memory. */
export function memoryEngine(): Engine {
  return { indexedDB: new IDBFactory() };
}
