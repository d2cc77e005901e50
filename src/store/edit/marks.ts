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
import { unreachable } from "../../protocol";
import { MAX_CHANGED, type Marking } from "../changes";
import { readCounters, startingWith, transact, type Database } from "../database";
import { MessageWriter, WRITER_STORES } from "../ingest/message-writer";
import { woken } from "../ingest/told-marks";
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
function inverseOf(mark: Mark, { snoozedUntilMs, wokenAtMs, readAtMs, doneAtMs }: StoredMessage): Mark {
  switch (mark.kind) {
    case "read":
    case "done": {
      const atMs = mark.kind === "read" ? readAtMs : doneAtMs;
      return { kind: mark.kind, on: !mark.on, ...(atMs !== undefined && { atMs }) };
    }
    case "starred":
      return { ...mark, on: !mark.on };
    case "snooze":
      return {
        kind: "snooze",
        untilMs: snoozedUntilMs ?? null,
        ...(wokenAtMs !== undefined && { wokenAtMs }),
        ...(readAtMs !== undefined && { readAtMs }),
      };
    default:
      return unreachable(mark);
  }
}

/** Hides messages, also from counters, until restored or purged. One transaction: at most `MAX_CHANGED` keys. */
export function deleteMessages(database: Database, keys: readonly MessageKey[], nowMs: number): Promise<Changes> {
  return changeRows(database, keys, nowMs, (row) =>
    row.deletedAtMs === undefined ? { ...row, deletedAtMs: nowMs } : undefined,
  );
}

/** Brings back deleted messages that aren't purged yet. Runs in one transaction: pass at most `MAX_CHANGED` keys. */
export function restoreMessages(database: Database, keys: readonly MessageKey[], nowMs: number): Promise<Changes> {
  return changeRows(database, keys, nowMs, ({ deletedAtMs, ...row }) => (deletedAtMs === undefined ? undefined : row));
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
  const after = { ...row };
  switch (mark.kind) {
    case "read":
      if (mark.on === (row.readAtMs !== undefined)) return undefined;
      if (mark.on) after.readAtMs = mark.atMs ?? nowMs;
      else delete after.readAtMs;
      return after;
    case "done":
      if (mark.on === (row.doneAtMs !== undefined)) return undefined;
      delete after.doneAtMs;
      return mark.on ? { ...after, doneAtMs: mark.atMs ?? nowMs } : after;
    case "starred":
      if (mark.on === (row.starred !== undefined)) return undefined;
      delete after.starred;
      return mark.on ? { ...after, starred: 1 } : after;
    case "snooze":
      if (mark.untilMs === (row.snoozedUntilMs ?? null) && mark.wokenAtMs === row.wokenAtMs) return undefined;
      delete after.snoozedUntilMs;
      delete after.wokenAtMs;
      if (mark.untilMs !== null) after.snoozedUntilMs = mark.untilMs;
      if (mark.wokenAtMs !== undefined) after.wokenAtMs = mark.wokenAtMs;
      // It came back as unread meanwhile.
      if (mark.readAtMs !== undefined) after.readAtMs ??= mark.readAtMs;
      return after;
    default:
      return unreachable(mark);
  }
}
