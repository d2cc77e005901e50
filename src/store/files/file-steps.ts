// Keeps track of files on this device: one record for each message whose file was tried.
import {
  type FeedList,
  keptFileName,
  keyOf,
  type KeptFileState,
  type MessageKey,
  type Position,
  FILE_CACHE,
} from "../../contract";
import { readCounters, startingWith, transact, type Database } from "../database";
import type { Page } from "../read/reader";
import { readList } from "../search/search";

/** A list whose messages' files are kept. */
export type FileList = Exclude<FeedList, "scheduled" | "starred">;

/** How many messages are read at once. */
const PAGE = 200;

/** Counters that change whenever messages come or go. */
export function fileCounters(database: Database): Promise<{ nextArrival: number; total: number }> {
  return transact(database, ["settings"], "read", readCounters);
}

/** A page of messages with a file, newest first, snoozed ones by their return. @param before end of the last page */
export function messagesWithFiles(
  database: Database,
  { subIds, list, before, nowMs }: { subIds: number[]; list: FileList; before?: Position | undefined; nowMs: number },
): Promise<Page> {
  const filter = { terms: [{ not: false, kind: "has", what: "attachment" } as const] };
  const query = { subIds, list, filter, direction: "older", count: PAGE, nowMs } as const;
  return readList(database, before ? { ...query, from: before } : query);
}

/** Records the result for a file. Resolves to whether its message is still there. */
export function noteFile(database: Database, [subId, time, id]: MessageKey, state: KeptFileState): Promise<boolean> {
  return transact(database, ["attachments", "messages"], "write", async (transaction) => {
    if (!(await transaction.store("messages").getKey([subId, time, id]))) return false;
    transaction.store("attachments").put({ subId, time, id, state });
    return true;
  });
}

/** Records that all kept files, or those of one subscription, were deleted, so that they aren't fetched again. */
export function forgetFiles(database: Database, subId?: number): Promise<MessageKey[]> {
  return transact(database, ["attachments"], "write", async (transaction) => {
    const store = transaction.store("attachments");
    const records = await store.getAll(subId === undefined ? undefined : startingWith(subId));
    const kept = records.filter(({ state }) => state.kind === "kept");
    for (const record of kept) {
      store.put({ ...record, state: { kind: "not-kept", why: "deleted", atMs: record.state.atMs, tries: 0 } });
    }
    return kept.map(keyOf);
  });
}

/**
 * Removes records of messages that are gone, and of files the cache no longer has. Resolves to the cached names without
 * a record.
 * @param names what the cache has
 */
export function sweepFiles(database: Database, names: readonly string[]): Promise<string[]> {
  const inCache = new Set(names);
  return transact(database, ["attachments", "messages"], "write", async (transaction) => {
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

/** Opens the cache. Undefined if the browser has none or refuses it (some private windows). */
export async function openFileCache(): Promise<Cache | undefined> {
  return hasFileCache() ? caches.open(FILE_CACHE).catch(() => undefined) : undefined;
}
