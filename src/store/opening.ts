// The database as it is: neither made nor changed. A line of index.html begins to open it while the scripts come in.
import { DATABASE_NAME } from "./database-name";
import { SCHEMA_VERSION } from "./schema";

declare global {
  /** What the line in index.html began. Undefined where a host's policy forbids it, or storage is denied. */
  var earshotOpening: IDBOpenDBRequest | undefined;
}

/** Takes up what the page began to open, once: nobody else gets it. */
function takeOpening(): IDBOpenDBRequest | undefined {
  const { earshotOpening } = globalThis;
  globalThis.earshotOpening = undefined;
  return earshotOpening;
}

/** Undefined where there is none, or one of another version. @param factory default: the browser's */
export async function openAsItIs(factory?: IDBFactory): Promise<IDBDatabase | undefined> {
  let request: IDBOpenDBRequest;
  try {
    request = takeOpening() ?? (factory ?? indexedDB).open(DATABASE_NAME);
  } catch {
    // Denied, or missing altogether: the app says so.
    return undefined;
  }
  const database = await opened(request);
  if (database?.version === SCHEMA_VERSION) return database;
  database?.close();
  return undefined;
}

/** Closes what the page opened, where nothing is read from it. */
export async function closeOpening(): Promise<void> {
  const request = takeOpening();
  if (request) (await opened(request))?.close();
}

function opened(request: IDBOpenDBRequest): Promise<IDBDatabase | undefined> {
  return new Promise((resolve) => {
    // There is none yet: making one is not for here.
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
