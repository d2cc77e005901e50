// Opens the database as it is, without creating or migrating it. A line of index.html starts opening it while the
// scripts load.
import type { Snapshot } from "../../contract";
import { DATABASE_NAME, SCHEMA_VERSION } from "../migrations";

declare global {
  /** The request started by index.html; undefined if a policy forbids its line or storage is denied. */
  var earshotOpening: IDBOpenDBRequest | undefined;
}

/** Takes the request that the page started; only the first caller gets it. */
function takeOpening(): IDBOpenDBRequest | undefined {
  const { earshotOpening } = globalThis;
  globalThis.earshotOpening = undefined;
  return earshotOpening;
}

/** Opens the database; undefined if there is none, or it has another version. */
async function openAsItIs(): Promise<IDBDatabase | undefined> {
  let request: IDBOpenDBRequest;
  try {
    request = takeOpening() ?? indexedDB.open(DATABASE_NAME);
  } catch {
    // IndexedDB is denied or missing; the app reports that.
    return undefined;
  }
  const database = await opened(request);
  if (database?.version === SCHEMA_VERSION) return database;
  database?.close();
  return undefined;
}

/** Closes the database that the page opened if nothing is read from it. */
export async function closeOpening(): Promise<void> {
  const request = takeOpening();
  if (request) (await opened(request))?.close();
}

function opened(request: IDBOpenDBRequest): Promise<IDBDatabase | undefined> {
  return new Promise((resolve) => {
    // There is no database yet, and it isn't created here.
    request.onupgradeneeded = () => request.transaction?.abort();
    const ended = () => {
      if (request.error) return resolve(undefined);
      const database = request.result;
      database.onversionchange = () => database.close();
      resolve(database);
    };
    if (request.readyState === "done") return ended();
    request.onerror = ended;
    request.onsuccess = ended;
  });
}

/**
 * Reads the snapshot of a view from the database as it is, without any wrapper; undefined if there is none. Whatever
 * opens the database next reports any error.
 */
export async function readSnapshot(view: string): Promise<Snapshot | undefined> {
  const database = await openAsItIs();
  if (!database) return undefined;
  try {
    const request = database.transaction("snapshots").objectStore("snapshots").get(view) as IDBRequest<unknown>;
    const found = await new Promise((resolve) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => resolve(undefined);
    });
    return isSnapshot(found) ? found : undefined;
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  } finally {
    database.close();
  }
}

/** Used instead of `intact`, which would bring in the shapes of all records. */
function isSnapshot(record: unknown): record is Snapshot {
  const { conditions, height, root, tree } = (record ?? {}) as Partial<Snapshot>;
  return (
    typeof conditions === "string" && typeof height === "number" && typeof root === "object" && typeof tree === "string"
  );
}
