// The bookkeeping of files that are kept on this device: one record for each message whose file was tried.
import {
  type FeedList,
  keptFileName,
  keyOf,
  type KeptFileState,
  type MessageKey,
  type Position,
  FILE_CACHE,
} from "../../contract";
import { readCounters } from "../counters";
import { startingWith, transact, type Database } from "../database";
import type { Page } from "../read/reader";
import { readList } from "../search/search";
import type { KeptFileRecord } from "../schema";

/** A list in which messages stand whose files are kept. */
export type FileList = Exclude<FeedList, "scheduled" | "starred">;

/** So many messages are read at once. */
const PAGE = 200;

/** The transactions by which files of messages are kept. */
export const FILE_STEPS = {
  fileCounters,
  fileRecords,
  fileRecord,
  messagesWithFiles,
  noteFile,
  forgetFiles,
  sweepFiles,
};

/** Counters that change whenever messages come or go. */
function fileCounters(database: Database): Promise<{ nextArrival: number; total: number }> {
  return transact(database, ["settings"], { mode: "readonly" }, readCounters);
}

function fileRecords(database: Database): Promise<KeptFileRecord[]> {
  return transact(database, ["attachments"], { mode: "readonly" }, (transaction) =>
    transaction.store("attachments").getAll(),
  );
}

function fileRecord(database: Database, [subId, , id]: MessageKey): Promise<KeptFileRecord | undefined> {
  return transact(database, ["attachments"], { mode: "readonly" }, (transaction) =>
    transaction.store("attachments").get([subId, id]),
  );
}

/** A page of messages with a file, newest first, snoozed ones by their return. @param before end of the last page */
function messagesWithFiles(
  database: Database,
  { subIds, list, before, nowMs }: { subIds: number[]; list: FileList; before?: Position | undefined; nowMs: number },
): Promise<Page> {
  const filter = { terms: [{ not: false, kind: "has", what: "attachment" } as const] };
  const query = { subIds, list, filter, direction: "older", count: PAGE, nowMs } as const;
  return readList(database, before ? { ...query, from: before } : query);
}

/** Notes a file. It counts as kept only within `allBytes`; what another worker kept stays. */
function noteFile(
  database: Database,
  key: MessageKey,
  state: KeptFileState,
  { allBytes, type }: { allBytes: number; type?: string | undefined },
): Promise<"noted" | "gone" | "no-room"> {
  return transact(database, ["attachments", "messages"], { mode: "readwrite" }, async (transaction) => {
    if (!(await transaction.store("messages").getKey(key))) return "gone";
    const [subId, time, id] = key;
    const store = transaction.store("attachments");
    const records = await store.getAll();
    const isOwn = (record: KeptFileRecord): boolean => record.subId === subId && record.id === id;
    if (state.kind === "kept") {
      const others = records.flatMap((record) => (isOwn(record) || record.state.kind !== "kept" ? [] : record.state));
      const bytes = others.reduce((sum, other) => sum + other.bytes, state.bytes);
      if (bytes > allBytes) return "no-room";
    } else if (records.find(isOwn)?.state.kind === "kept") return "noted";
    store.put({ subId, time, id, state, ...(type !== undefined && { type }) });
    return "noted";
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
 * Removes records of messages that are gone, and of files the cache no longer has. Resolves to the cached names without
 * a record.
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
      const name = keptFileName(keyOf(record));
      const isKept = record.state.kind === "kept";
      if (rows[at] === undefined || (isKept && !inCache.has(name))) store.delete([record.subId, record.id]);
      else if (isKept) known.add(name);
    });
    return names.filter((name) => !known.has(name));
  });
}

/** Whether there is Cache Storage (not over plain http). It stores files whole or not at all (decision 0043). */
export function hasFileCache(): boolean {
  return (globalThis.caches as CacheStorage | undefined) !== undefined;
}

/** Opens the cache. Undefined where the browser has none or refuses it (some private windows). */
export async function openFileCache(): Promise<Cache | undefined> {
  return hasFileCache() ? caches.open(FILE_CACHE).catch(() => undefined) : undefined;
}

/** The names of all files in it. */
export async function namesIn(cache: Cache): Promise<string[]> {
  return (await cache.keys()).map(({ url }) => url);
}
