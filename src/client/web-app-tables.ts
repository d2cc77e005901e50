import { openDB } from "idb";
import type { ForeignTables } from "../contract";

/** The database of ntfy's web app, and of each user who signed in to it. */
const NAMES = /^ntfy(?:-.+)?$/;

const TABLES = ["subscriptions", "notifications", "users"] as const;

/** Databases of ntfy's web app on this origin, if one host serves both apps. Looking creates none. */
export async function webAppDatabases(): Promise<string[]> {
  // Some browsers can't list databases, whatever the types say.
  const factory = globalThis.indexedDB as Partial<IDBFactory> | undefined;
  try {
    const all = (await factory?.databases?.()) ?? [];
    return all.flatMap(({ name }) => (name !== undefined && NAMES.test(name) ? [name] : []));
  } catch (thrown) {
    // The browser forbids this site to store anything.
    if (thrown instanceof DOMException) return [];
    throw thrown;
  }
}

/** Reads such a database; undefined if it isn't one. */
export async function webAppTables(name: string): Promise<ForeignTables | undefined> {
  // If it has disappeared meanwhile, don't create it again.
  const opening = openDB(name, undefined, {
    upgrade(_database, _from, _to, transaction) {
      transaction.done.catch(() => undefined);
      transaction.abort();
    },
  });
  const database = await opening.catch(() => undefined);
  if (!database) return undefined;
  try {
    const transaction = database.transaction(TABLES);
    const read = await Promise.all(
      TABLES.map((table) => transaction.objectStore(table).getAll() as Promise<unknown[]>),
    );
    const [subscriptions = [], notifications = [], users = []] = read;
    return { subscriptions, notifications, users };
  } catch {
    // A table is missing, or can't be read.
    return undefined;
  } finally {
    database.close();
  }
}
