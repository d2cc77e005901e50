import {
  type MessageKey,
  keyOf,
  keyText,
  MAX_MUTE_MS,
  type CountedList,
  type ListQuery,
  type Mark,
  type Position,
  type Pressed,
  type StoredMessage,
  type Changes,
} from "../../contract";
import { MAX_CHANGED, type Marking } from "../changes";
import { patched, readCounters, startingWith, transact, type Database } from "../database";
import { MessageWriter, WRITER_STORES } from "../ingest/message-writer";
import { MARK_FIELDS, woken } from "../ingest/told-marks";
import { capture, CAPTURE_STORES } from "./shared";
import type { Page } from "../read/reader";
import { noteClear } from "./clears";
import { readList } from "../search/search";

/** Sets or removes a mark. Rows that don't exist are skipped. Runs in one transaction: pass at most `MAX_CHANGED` keys. */
export async function mark(
  database: Database,
  keys: readonly MessageKey[],
  mark: Mark,
  nowMs: number,
): Promise<Changes & { inverse: Marking[] }> {
  const inverse = new Map<string, Marking>();
  const changes = await changeRows(database, keys, nowMs, (row) => {
    const after = marked(row, mark, nowMs);
    if (!after) return undefined;
    const back = inverseOf(mark, row);
    const name = JSON.stringify(back);
    const marking = inverse.get(name) ?? { mark: back, keys: [] };
    inverse.set(name, marking);
    marking.keys.push(keyOf(row));
    return after;
  });
  return { ...changes, inverse: [...inverse.values()] };
}

/** The mark that brings back what a row was before another mark. */
function inverseOf(mark: Mark, row: StoredMessage): Mark {
  if (mark.kind === "starred") return { ...mark, on: !mark.on };
  if (mark.kind !== "snooze") return patched(mark, { on: !mark.on, atMs: row[MARK_FIELDS[mark.kind]] ?? null });
  const { snoozedUntilMs: untilMs = null, wokenAtMs, readAtMs } = row;
  return {
    kind: "snooze",
    untilMs,
    ...(wokenAtMs !== undefined && { wokenAtMs }),
    ...(readAtMs !== undefined && { readAtMs }),
  };
}

/** Returns snoozed messages to the feed as unread. One beyond the longest snooze was set by a wrong clock. */
export function wakeSnoozed(database: Database, nowMs: number): Promise<Changes & { nextWakeMs?: number }> {
  return transact(database, WRITER_STORES, "write", async (transaction) => {
    const index = transaction.store("messages").index("listed");
    const longestMs = nowMs + MAX_MUTE_MS;
    const [ended, tooLong, [next]] = await Promise.all([
      index.getAll(IDBKeyRange.bound(["snoozed"], ["snoozed", nowMs]), MAX_CHANGED / 2),
      index.getAll(IDBKeyRange.bound(["snoozed", longestMs], ["snoozed", []], true), MAX_CHANGED / 2),
      index.getAll(IDBKeyRange.bound(["snoozed", nowMs], ["snoozed", longestMs], true), 1),
    ]);
    const rows = [...ended, ...tooLong];
    const writer = await MessageWriter.open(transaction, rows);
    for (const row of rows) writer.update(row, woken(row, nowMs));
    const nextWakeMs = rows.length >= MAX_CHANGED / 2 ? nowMs : next?.snoozedUntilMs;
    return { ...(await writer.finish()), ...(nextWakeMs !== undefined && { nextWakeMs }) };
  });
}

/** Records the result of a button's request. */
export function notePressed(database: Database, key: MessageKey, pressed: Pressed): Promise<Changes> {
  return changeRows(database, [key], pressed.atMs, (row) => {
    const others = (row.pressed ?? []).filter(({ id }) => id !== pressed.id);
    return { ...row, pressed: [...others, pressed] };
  });
}

/** Marks an own message read that came before its answer; as with one that comes after, nobody is told (decision 0031). */
export function readOwn(database: Database, key: MessageKey, nowMs: number): Promise<Changes> {
  return transact(database, WRITER_STORES, "write", async (transaction) => {
    const row = await transaction.store("messages").get(key);
    const writer = await MessageWriter.open(transaction, row ? [row] : []);
    if (row && row.readAtMs === undefined) writer.update(row, { ...row, readAtMs: nowMs });
    return writer.finish();
  });
}

/** Changes rows by hand, which the user's other devices are told of. */
function changeRows(
  database: Database,
  keys: readonly MessageKey[],
  nowMs: number,
  change: (row: StoredMessage) => StoredMessage | undefined,
): Promise<Changes> {
  const unique = [...new Map(keys.map((key) => [keyText(key), key])).values()];
  return transact(database, [...WRITER_STORES, ...CAPTURE_STORES, "clears"], "write", async (transaction) => {
    const messages = transaction.store("messages");
    const named = unique.map(([subId]) => ({ subId }));
    const [writer, ...rows] = await Promise.all([
      MessageWriter.open(transaction, named),
      ...unique.map((key) => messages.get(key)),
    ]);
    const changes = rows.flatMap((row): [StoredMessage, StoredMessage][] => {
      const after = row && change(row);
      return after ? [[row, after]] : [];
    });
    for (const [before, after] of changes) {
      putMarked(writer, before, after);
      noteClear(transaction, writer.subscription(after.subId), before, after, nowMs);
    }
    await capture(transaction, changes, nowMs);
    return writer.finish();
  });
}

/** Writes a row with other marks. */
export function putMarked(writer: MessageWriter, before: StoredMessage, after: StoredMessage): void {
  if (before.deletedAtMs === undefined && after.deletedAtMs !== undefined) writer.hide(before, after);
  else writer.update(before, after);
}

/** How many messages a list shows, and the newest arrival number; later messages aren't included. */
export async function countList(
  database: Database,
  query: ListQuery,
  nowMs: number,
): Promise<{ count: number; upTo: number; atMs: number }> {
  const { nextArrival } = await transact(database, ["settings"], "read", readCounters);
  const upTo = nextArrival - 1;
  return { count: (await chosenKeys(database, { ...query, upTo }, nowMs)).length, upTo, atMs: nowMs };
}

/** The keys of everything a list shows that had arrived by then, newest first. */
export async function chosenKeys(
  database: Database,
  { upTo, atMs, ...query }: CountedList,
  nowMs: number,
): Promise<MessageKey[]> {
  const keys: MessageKey[] = [];
  for (let from: Position | undefined | "end"; from !== "end";) {
    const read = {
      ...query,
      direction: "older",
      count: MAX_CHANGED,
      nowMs: atMs ?? nowMs,
      ...(from && { from }),
    } as const;
    const { rows, next }: Page = await readList(database, read);
    for (const row of rows) if (row.arrival <= upTo) keys.push(keyOf(row));
    from = next ?? "end";
  }
  return keys;
}

/** The keys of everything stored of these subscriptions, except what was deleted. */
export function storedKeys(database: Database, subIds: readonly number[]): Promise<MessageKey[]> {
  return transact(database, ["messages"], "read", async (transaction) => {
    const messages = transaction.store("messages");
    const [deleted, ...stored] = await Promise.all([
      messages.index("listed").getAllKeys(IDBKeyRange.bound(["deleted"], ["deleted", []])),
      ...subIds.map((subId) => messages.getAllKeys(startingWith(subId))),
    ]);
    const isDeleted = new Set(deleted.map(keyText));
    return stored.flat().filter((key) => !isDeleted.has(keyText(key)));
  });
}

/** The row with the mark; `undefined` if it has it already. */
function marked(row: StoredMessage, mark: Mark, nowMs: number): StoredMessage | undefined {
  if (mark.kind !== "snooze") {
    const field = MARK_FIELDS[mark.kind];
    if (mark.on === (row[field] !== undefined)) return undefined;
    const value = mark.kind === "starred" ? 1 : (mark.atMs ?? nowMs);
    return patched(row, { [field]: mark.on ? value : null });
  }
  const { untilMs: snoozedUntilMs, wokenAtMs = null, readAtMs = null } = mark;
  if (snoozedUntilMs === (row.snoozedUntilMs ?? null) && wokenAtMs === (row.wokenAtMs ?? null)) return undefined;
  // It came back as unread meanwhile.
  return patched(row, { snoozedUntilMs, wokenAtMs, readAtMs: row.readAtMs ?? readAtMs });
}
