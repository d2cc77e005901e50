// The bookkeeping of files that are kept on this device: one record for each message whose file was tried.
import { fileName, keyOf, newestFirst, type KeptFileState, type MessageKey, type StoredMessage } from "../../contract";
import { readCounters } from "../counters";
import { startingWith, transact, type Database } from "../database";
import { searchPage } from "../segments";
import type { KeptFileRecord } from "../schema";
import { stepsOn, type Steps } from "../steps";

/** Where messages stand whose files are kept: everywhere but among those to come. */
const LISTS = ["feed", "done", "snoozed"] as const;

/** So many messages are read at once. */
const PAGE = 200;

export type FileSteps = Steps<typeof STEPS>;

const STEPS = { fileCounters, fileRecords, fileRecord, messagesWithFiles, noteFile, forgetFiles, sweepFiles };

export function fileSteps(database: Database): FileSteps {
  return stepsOn(database, STEPS);
}

/** Counters that change whenever messages come or go. */
function fileCounters(database: Database): Promise<{ nextArrival: number; total: number }> {
  return transact(database, ["settings"], { mode: "readonly" }, readCounters);
}

/** All records, or those of one subscription. */
function fileRecords(database: Database, subId?: number): Promise<KeptFileRecord[]> {
  return transact(database, ["attachments"], { mode: "readonly" }, (transaction) =>
    transaction.store("attachments").getAll(subId === undefined ? undefined : startingWith(subId)),
  );
}

function fileRecord(database: Database, [subId, , id]: MessageKey): Promise<KeptFileRecord | undefined> {
  return transact(database, ["attachments"], { mode: "readonly" }, (transaction) =>
    transaction.store("attachments").get([subId, id]),
  );
}

/** Messages of these subscriptions that have a file, newest first: at most `most`, and none before `from` (server time). */
async function messagesWithFiles(
  database: Database,
  { subIds, from, most, nowMs }: { subIds: number[]; from: number; most: number; nowMs: number },
): Promise<StoredMessage[]> {
  const found: StoredMessage[] = [];
  const filter = { terms: [{ not: false, kind: "has", what: "attachment" } as const] };
  for (const list of LISTS) {
    const query = { subIds, list, filter, direction: "older", count: PAGE, nowMs } as const;
    for (let page = await searchPage(database, query); ;) {
      // The list of snoozed messages is in the order of their return.
      const rows = page.rows.filter(({ time }) => time >= from);
      found.push(...rows);
      const isOver = list !== "snoozed" && rows.length < page.rows.length;
      if (isOver || !page.next || found.length >= most) break;
      page = await searchPage(database, { ...query, from: page.next });
    }
  }
  return found.sort(newestFirst).slice(0, most);
}

/** Notes what became of a message's file; false = the message is gone, so nothing was noted. */
function noteFile(database: Database, key: MessageKey, state: KeptFileState, type?: string): Promise<boolean> {
  return transact(database, ["attachments", "messages"], { mode: "readwrite" }, async (transaction) => {
    if (!(await transaction.store("messages").get(key))) return false;
    const [subId, time, id] = key;
    transaction.store("attachments").put({ subId, time, id, state, ...(type !== undefined && { type }) });
    return true;
  });
}

/** Forgets all files, or those of one subscription. Resolves to the messages that had one. */
function forgetFiles(database: Database, subId?: number): Promise<MessageKey[]> {
  return transact(database, ["attachments"], { mode: "readwrite" }, async (transaction) => {
    const store = transaction.store("attachments");
    const records = await store.getAll(subId === undefined ? undefined : startingWith(subId));
    for (const record of records) {
      const { state } = record;
      // What the user deleted isn't fetched again.
      if (state.kind === "kept") {
        store.put({ ...record, state: { kind: "not-kept", why: "deleted", atMs: state.atMs, tries: 0 } });
      } else if (state.why !== "deleted") store.delete([record.subId, record.id]);
    }
    return records.map(keyOf);
  });
}

/**
 * Removes the records of messages that are gone, and those of files that the cache no longer has. Resolves to the names in
 * the cache that have no record.
 * @param names what the cache has
 */
function sweepFiles(database: Database, names: readonly string[]): Promise<string[]> {
  const inCache = new Set(names);
  return transact(database, ["attachments", "messages"], { mode: "readwrite" }, async (transaction) => {
    const store = transaction.store("attachments");
    const messages = transaction.store("messages");
    const records = await store.getAll();
    const rows = await Promise.all(records.map((record) => messages.getKey(keyOf(record))));
    const known = new Set<string>();
    records.forEach((record, at) => {
      const name = fileName(keyOf(record));
      const isKept = record.state.kind === "kept";
      if (rows[at] === undefined || (isKept && !inCache.has(name))) store.delete([record.subId, record.id]);
      else if (isKept) known.add(name);
    });
    return names.filter((name) => !known.has(name));
  });
}
