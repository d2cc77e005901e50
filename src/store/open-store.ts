import type { MessageKey, StoredMessage } from "../contract";
import { fail, ok, type Result } from "../protocol";
import { transact, type Database } from "./database";
import { addGap } from "./gaps";
import { ingest } from "./ingest";
import type * as Lazy from "./lazy";
import { loadLazy } from "./load-lazy";
import { openDatabase, type OpenOptions } from "./open-database";
import { readGaps, readSettings } from "./read-catalogue";
import { listAccounts, listServers, patchServer } from "./servers";
import { setSetting } from "./set-setting";
import { passingReader, type Reader } from "./reader";
import type { Store } from "./store";
import { attempt, stepOn, stepsOn, type Steps } from "./steps";
import type { StoreError } from "./store-error";
import { getCursor, listSubscriptions, noteKeptFor, patchSubscription, unjoin } from "./subscriptions";

type LazyMethods = typeof Lazy.methods;

/** Methods that are there at once. */
const METHODS = {
  servers: listServers,
  patchServer,
  accounts: listAccounts,
  subscriptions: listSubscriptions,
  patchSubscription,
  unjoin,
  noteKeptFor,
  getCursor,
  gaps: readGaps,
  addGap,
  settings: (database: Database) => transact(database, ["settings"], { mode: "readonly" }, readSettings),
  setSetting,
  message: (database: Database, key: MessageKey) =>
    transact(database, ["messages"], { mode: "readonly" }, (transaction) => transaction.store("messages").get(key)),
};

/** Opens the database for reading and writing, after migrating it to this version. */
export async function openStore(options?: OpenOptions): Promise<Result<Store, StoreError>> {
  const opened = await openDatabase(options);
  if (!opened.ok) return opened;
  const database = opened.value;
  const early = {
    ...stepsOn(database, METHODS),
    reader: lazyReader(database),
    close: () => database.close(),
    ingest: async (batch) => {
      let unstored = undefined as StoredMessage[] | undefined;
      const result = await attempt(database, () => ingest(database, batch, (rows) => (unstored = rows)));
      return result.ok || !unstored ? result : fail({ ...result.error, unstored });
    },
  } satisfies Partial<Store>;
  // Every other name is that of a method whose code is loaded when it is first called. A list of them would be loaded at
  // every start.
  const lazy: ProxyHandler<object> = {
    get: (own: Record<string, unknown>, name: keyof LazyMethods | "then") =>
      // Whatever has a method `then` counts as a promise.
      name === "then" ? undefined : (own[name] ?? stepOn(database, async () => (await loadLazy()).methods[name])),
  };
  return ok(new Proxy(early, lazy) as typeof early & Steps<LazyMethods>);
}

/** Pages read for themselves; only a page that can't open the database asks here, so this code is loaded on demand. */
function lazyReader(database: Database): Reader {
  return passingReader(async (method, args) => {
    const { readerOf } = await import("./lazy-reader");
    const read = readerOf(database)[method] as (...args: unknown[]) => Promise<unknown>;
    return read(...args);
  });
}
