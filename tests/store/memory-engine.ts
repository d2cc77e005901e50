import { IDBFactory, IDBKeyRange } from "fake-indexeddb";
import type { Engine } from "./samples";

/** A fresh IndexedDB in memory. */
export function memoryEngine(): Engine {
  return { indexedDB: new IDBFactory(), keyRange: IDBKeyRange };
}
