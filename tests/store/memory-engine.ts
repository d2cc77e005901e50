import { IDBFactory } from "fake-indexeddb";
import "fake-indexeddb/auto";
import { vi } from "vitest";
import { readSnapshot } from "../../src/store";
import type { Engine } from "./samples";

/** A fresh IndexedDB in memory. */
export function memoryEngine(): Engine {
  return { indexedDB: new IDBFactory() };
}

/** A view's snapshot, read as by a page whose browser has this IndexedDB. */
export function snapshotIn({ indexedDB }: Engine, view = "#/"): ReturnType<typeof readSnapshot> {
  vi.stubGlobal("indexedDB", indexedDB);
  const reading = readSnapshot(view);
  vi.unstubAllGlobals();
  return reading;
}
