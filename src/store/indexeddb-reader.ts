import { keyOf, type MessageKey, type StoredMessage } from "../contract";
import { transact, type Database } from "./database";
import { readCatalogue, readDays, readGaps } from "./read-catalogue";
import { readBackup } from "./backup/read-backup";
import { readPage, readVersions } from "./read-page";
import type { PageQuery, Reader } from "./reader";
import { findDamage } from "./repair";
import { findKeysById } from "./row-source";
import { countMatches, readTags, searchPage } from "./segments";
import { storeErrorOf, StoreFailure } from "./store-error";

/** The reads of an open database. */
export function readerOf(database: Database): Reader {
  return {
    catalogue: () => named(readCatalogue(database)),
    page: (query) => named(isSearch(query) ? searchPage(database, query) : readPage(database, query)),
    count: (query) => named(countMatches(database, query)),
    tags: () => named(readTags(database)),
    get: (key) => named(readMessage(database, key)),
    find: (subId, id, time) => named(findMessage(database, subId, id, time)),
    versions: (subId, sequence) => named(readVersions(database, subId, sequence)),
    gaps: (subIds) => named(readGaps(database, subIds)),
    days: (subIds) => named(readDays(database, subIds)),
    damage: () => named(findDamage(database)),
    backup: (query) => named(readBackup(database, query)),
  };
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
