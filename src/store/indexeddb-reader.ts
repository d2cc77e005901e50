import { keyOf, type MessageKey, type StoredMessage } from "../contract";
import { transact, type Database } from "./database";
import { readCatalogue, readDays, readGaps } from "./read-catalogue";
import { readPage, readVersions } from "./read-page";
import type * as LazyReads from "./lazy-reads";
import type { PageQuery, Reader } from "./reader";
import { findKeysById } from "./row-source";
import { storeErrorOf, StoreFailure } from "./store-error";

/** The reads of an open database. */
export function readerOf(database: Database): Reader {
  return {
    catalogue: () => named(readCatalogue(database)),
    page: (query) =>
      named(
        isSearch(query) ? withLazyReads(({ searchPage }) => searchPage(database, query)) : readPage(database, query),
      ),
    count: (query) => named(withLazyReads(({ countMatches }) => countMatches(database, query))),
    tags: () => named(withLazyReads(({ readTags }) => readTags(database))),
    get: (key) => named(readMessage(database, key)),
    find: (subId, id, time) => named(findMessage(database, subId, id, time)),
    versions: (subId, sequence) => named(readVersions(database, subId, sequence)),
    gaps: (subIds) => named(readGaps(database, subIds)),
    days: (subIds) => named(readDays(database, subIds)),
    damage: () => named(withLazyReads(({ findDamage }) => findDamage(database))),
    backup: (query) => named(withLazyReads(({ readBackup }) => readBackup(database, query))),
  };
}

/** Searches and backups are rare here and their code is long, so it is loaded when one comes. */
async function withLazyReads<Value>(work: (reads: typeof LazyReads) => Promise<Value>): Promise<Value> {
  return work(await import("./lazy-reads"));
}

/**
 * Whether the segments answer a query: those of lists that may be long, with a filter. The other lists hold few
 * messages, which are read instead.
 */
function isSearch({ list, filter }: PageQuery): boolean {
  return (list === "feed" || list === "done") && filter !== undefined && filter.terms.length > 0;
}

function readMessage(database: Database, key: MessageKey): Promise<StoredMessage | undefined> {
  return transact(database, ["messages"], { mode: "readonly" }, async (transaction) =>
    shown(await transaction.store("messages").get(key)),
  );
}

function findMessage(database: Database, subId: number, id: string, time?: number): Promise<StoredMessage | undefined> {
  return transact(database, ["messages"], { mode: "readonly" }, async (transaction) => {
    const messages = transaction.store("messages");
    const row = time === undefined ? undefined : await messages.get(keyOf({ subId, time, id }));
    if (row) return shown(row);
    const key = (await findKeysById(transaction, subId, new Set([id]))).get(id);
    return key && shown(await messages.get(key));
  });
}

/** A message that the user deleted counts as absent, though the delete can still be undone. */
function shown(row: StoredMessage | undefined): StoredMessage | undefined {
  return row?.deletedAtMs === undefined ? row : undefined;
}

/** Turns the database's errors into `StoreFailure`s. */
async function named<Value>(read: Promise<Value>): Promise<Value> {
  try {
    return await read;
  } catch (thrown) {
    const error = storeErrorOf(thrown);
    throw error ? new StoreFailure(error) : thrown;
  }
}
