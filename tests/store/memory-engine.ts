import "../simulation/fast-database";
import { IDBFactory } from "fake-indexeddb";
import "fake-indexeddb/auto";
import { DATABASE_NAME } from "../../src/store";
import type { Engine } from "./samples";

/** A fresh IndexedDB in memory. */
export function memoryEngine(): Engine {
  return { indexedDB: new IDBFactory() };
}

/** A view's snapshot in the database. */
export async function snapshotIn({ indexedDB }: Engine, view = "#/"): Promise<unknown> {
  const ended = (request: IDBRequest) => new Promise((resolve) => (request.onsuccess = resolve));
  const opening = indexedDB.open(DATABASE_NAME);
  await ended(opening);
  const found = opening.result.transaction("snapshots").objectStore("snapshots").get(view) as IDBRequest<unknown>;
  opening.result.close();
  await ended(found);
  return found.result;
}
