import { keyOf, type MessageKey, type StoredMessage } from "../contract";
import { ok, type Result } from "../protocol";
import { onDatabase, transact, type Database, startingWith } from "./database";
import { openDatabase, type OpenOptions } from "./open-database";
import { readCatalogue, readDays, readGaps, readSubscriptions } from "./read/read-catalogue";
import { readVersions } from "./read/read-page";
import type { BackupPage, BackupQuery } from "./read/reader";
import { findDamage } from "./tidy/repair";
import { findKeysById, RowSource } from "./read/row-source";
import { countMatches, readList, readTags } from "./search/search";
import { storeErrorOf, StoreFailure, type StoreError } from "./store-error";
import { handedOutUntil } from "./ingest/message-writer";

/**
 * Reads messages of all topics, oldest first in the order of the feed, whatever their marks: done, snoozed, scheduled and
 * earlier versions too. What was deleted comes as a trace; traces that are stored, and what is known of sequences, come with the last page.
 */
export function readBackup(database: Database, { from, count }: BackupQuery): Promise<BackupPage> {
  return transact(database, ["messages", "subscriptions", "tombstones", "sequences"], "read", async (transaction) => {
    const alive = new Set((await readSubscriptions(transaction)).map(({ subId }) => subId));
    const source = new RowSource(transaction, { all: true }, "newer", from);
    const read = await source.next(count);
    const last = read.at(-1);
    const page: BackupPage = { rows: [], traces: [], sequences: [] };
    for (const row of read) {
      const { subId, time, id, event, receivedAtMs } = row;
      if (!alive.has(subId)) continue;
      if (row.deletedAtMs === undefined) page.rows.push(row);
      else page.traces.push({ subId, time, id, until: handedOutUntil(event, receivedAtMs) });
    }
    if (last) return { ...page, next: { time: last.time, arrival: last.arrival } };
    const ranges = [...alive].map((subId) => startingWith(subId));
    const [traces, sequences] = await Promise.all([
      Promise.all(ranges.map((range) => transaction.store("tombstones").getAll(range))),
      Promise.all(ranges.map((range) => transaction.store("sequences").getAll(range))),
    ]);
    return { ...page, traces: traces.flat(), sequences: sequences.flat() };
  });
}

function readMessage(database: Database, key: MessageKey): Promise<StoredMessage | undefined> {
  return transact(database, ["messages"], "read", async (transaction) =>
    shown(await transaction.store("messages").get(key)),
  );
}

/** Finds a message by subscription and id, as in a link; with its server time, Unix seconds, without a search. */
function findMessage(database: Database, subId: number, id: string, time?: number): Promise<StoredMessage | undefined> {
  return transact(database, ["messages"], "read", async (transaction) => {
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

/** What a page reads; each is one transaction, or a few short ones. */
const READS = {
  catalogue: readCatalogue,
  page: readList,
  count: countMatches,
  tags: readTags,
  get: readMessage,
  find: findMessage,
  versions: readVersions,
  gaps: readGaps,
  days: readDays,
  damage: findDamage,
  backup: readBackup,
};

/**
 * The one way for a page to read (docs/design.md §3): from the database or, in memory mode, from the hub over the port.
 * Its promises reject with a `StoreFailure` if the database can't be read.
 */
export type Reader = {
  [Name in keyof typeof READS]: (typeof READS)[Name] extends (database: Database, ...args: infer Args) => infer Result
    ? (...args: Args) => Result
    : never;
};

export function readerOf(database: Database): Reader {
  const run = (read: () => Promise<unknown>) =>
    read().catch((thrown: unknown) => {
      const error = storeErrorOf(thrown);
      throw error ? new StoreFailure(error) : thrown;
    });
  return onDatabase(database, READS, run) as Reader;
}

/** A page's open database. It only reads, so that the page needs no code that writes. */
export interface OpenReader {
  reader: Reader;
  close(): void;
}

export async function openReader(options?: OpenOptions): Promise<Result<OpenReader, StoreError>> {
  const opened = await openDatabase(options);
  if (!opened.ok) return opened;
  const database = opened.value;
  return ok({ reader: readerOf(database), close: () => database.close() });
}
