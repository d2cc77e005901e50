import type { WebAppTables } from "../contract";

/** The database of ntfy's web app, and of each user who signed in there. */
const NAMES = /^ntfy(?:-.+)?$/;

const TABLES = ["subscriptions", "notifications", "users"] as const;

/**
 * Names of that web app's databases on this origin, which exist only if one host serves both apps. Looking creates
 * none.
 */
export async function webAppDatabases(): Promise<string[]> {
  // Some browsers have no list of databases, whatever the types say.
  const factory = globalThis.indexedDB as IDBFactory | undefined;
  const list = factory?.databases as IDBFactory["databases"] | undefined;
  if (!factory || !list) return [];
  try {
    const all = await list.call(factory);
    return all.flatMap(({ name }) => (name !== undefined && NAMES.test(name) ? [name] : []));
  } catch (thrown) {
    // The browser forbids this site to store anything.
    if (thrown instanceof DOMException) return [];
    throw thrown;
  }
}

/** Reads such a database; undefined if it isn't one. */
export function webAppTables(name: string): Promise<WebAppTables | undefined> {
  return new Promise((resolve) => {
    const request = indexedDB.open(name);
    // It has gone meanwhile: nothing is made in its place.
    request.onupgradeneeded = () => request.transaction?.abort();
    request.onerror = () => resolve(undefined);
    request.onsuccess = () => {
      const database = request.result;
      const isOne = TABLES.every((table) => database.objectStoreNames.contains(table));
      if (!isOne) {
        database.close();
        return resolve(undefined);
      }
      const transaction = database.transaction(TABLES, "readonly");
      const reads = TABLES.map((table) => transaction.objectStore(table).getAll() as IDBRequest<unknown[]>);
      transaction.oncomplete = () => {
        database.close();
        const [subscriptions = [], notifications = [], users = []] = reads.map(({ result }) => result);
        resolve({ subscriptions, notifications, users });
      };
      transaction.onabort = () => {
        database.close();
        resolve(undefined);
      };
    };
  });
}
