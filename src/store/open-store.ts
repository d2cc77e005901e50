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
import { storeErrorOf, type StoreError } from "./store-error";
import { getCursor, listSubscriptions, noteKeptFor, patchSubscription, unjoin } from "./subscriptions";

type LazyMethods = typeof Lazy.methods;

/** A method of the store, made of a function that takes the database first: database errors are values. */
type Bound<Method> = Method extends (database: Database, ...args: infer Args) => Promise<infer Value>
  ? (...args: Args) => Promise<Result<Value, StoreError>>
  : never;

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

/** The words of a text, as types. */
type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text;

/** Methods whose code is loaded when one of them is first called: words of one text, which compress best. */
const LAZY_NAMES =
  "settleDue unsettled reconcileScheduled wakeSnoozed mark markAllRead delete restore count chosenKeys updateIndex prune purgeRemoved addServer findServer moveServer addAccount patchAccount setAccount addSubscriptions arrange removeSubscription restoreSubscription witnesses setViews takeClaims settleClaim endClaims unread pushes editPush lease releaseLease importer";

/** Doesn't compile if a method is missing. */
const LAZY_METHODS: [keyof LazyMethods] extends [Words<typeof LAZY_NAMES>] ? string : never = LAZY_NAMES;

/** Opens the database for reading and writing, after migrating it to this version. */
export async function openStore(options?: OpenOptions): Promise<Result<Store, StoreError>> {
  const opened = await openDatabase(options);
  if (!opened.ok) return opened;
  const database = opened.value;
  return ok({
    ...bind<typeof METHODS>(Object.keys(METHODS), async (name, args) => call(METHODS[name], database, args)),
    ...bind<LazyMethods>(LAZY_METHODS.split(" "), async (name, args) =>
      call((await loadLazy()).methods[name], database, args),
    ),
    reader: lazyReader(database),
    close: () => database.close(),
    ingest: async (batch) => {
      let unstored = undefined as StoredMessage[] | undefined;
      const result = await attempt(ingest(database, batch, (rows) => (unstored = rows)));
      return result.ok || !unstored ? result : fail({ ...result.error, unstored });
    },
  });
}

/** Makes methods of a list of names. */
function bind<Methods extends object>(
  names: readonly string[],
  work: (name: keyof Methods, args: unknown[]) => Promise<unknown>,
): { [Name in keyof Methods]: Bound<Methods[Name]> } {
  const methods = names.map((name) => [name, (...args: unknown[]) => attempt(work(name as keyof Methods, args))]);
  return Object.fromEntries(methods) as { [Name in keyof Methods]: Bound<Methods[Name]> };
}

/** Calls a function with arguments that `Bound` has checked. */
function call(method: unknown, database: Database, args: unknown[]): Promise<unknown> {
  return (method as (database: Database, ...args: unknown[]) => Promise<unknown>)(database, ...args);
}

/** Pages read for themselves; only a page that can't open the database asks here, so this code is loaded on demand. */
function lazyReader(database: Database): Reader {
  return passingReader(async (method, args) => {
    const { readerOf } = await import("./lazy-reader");
    const read = readerOf(database)[method] as (...args: unknown[]) => Promise<unknown>;
    return read(...args);
  });
}

/** Returns the database's errors as values; bugs are thrown on. */
async function attempt<Value>(work: Promise<Value>): Promise<Result<Value, StoreError>> {
  try {
    return ok(await work);
  } catch (thrown) {
    const error = storeErrorOf(thrown);
    if (!error) throw thrown;
    return fail(error);
  }
}
