import type { ForeignTables } from "../contract";
import { answered } from "../store";

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
  const opening = indexedDB.open(name);
  // If it has disappeared meanwhile, don't create it again.
  opening.onupgradeneeded = () => opening.transaction?.abort();
  const database = await answered(opening).catch(() => undefined);
  if (!database) return undefined;
  try {
    const transaction = database.transaction(TABLES);
    const read = TABLES.map((table) => answered<unknown[]>(transaction.objectStore(table).getAll()));
    const [subscriptions = [], notifications = [], users = []] = await Promise.all(read);
    return { subscriptions, notifications, users };
  } catch {
    // A table is missing, or can't be read.
    return undefined;
  } finally {
    database.close();
  }
}
