import {
  isInFeed,
  isUnread,
  type MessageKey,
  keyOf,
  keyText,
  type ListQuery,
  type Mark,
  type Position,
  type StoredMessage,
} from "../contract";
import { unreachable } from "../protocol";
import { MAX_CHANGED, type Changes, type Marking } from "./changes";
import { readCounters } from "./counters";
import { startingWith, transact, type Database } from "./database";
import { MessageWriter, WRITER_STORES } from "./message-writer";
import { readPage } from "./read-page";
import type { Page } from "./reader";
import { RowSource } from "./row-source";

/** Sets or removes a mark. Rows that don't exist are skipped. Runs in one transaction: pass at most `MAX_CHANGED` keys. */
export async function mark(
  database: Database,
  keys: readonly MessageKey[],
  mark: Mark,
  nowMs: number,
): Promise<Changes & { inverse: Marking[] }> {
  const inverse = new Map<string, Marking>();
  const changes = await changeRows(database, keys, (writer, row) => {
    const after = marked(row, mark, nowMs);
    if (!after) return;
    writer.update(row, after);
    const back = inverseOf(mark, row);
    const name = JSON.stringify(back);
    const marking = inverse.get(name) ?? { mark: back, keys: [] };
    inverse.set(name, marking);
    marking.keys.push(keyOf(row));
  });
  return { ...changes, inverse: [...inverse.values()] };
}

/** The mark that restores what a row was before another mark. */
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

/**
 * Hides messages everywhere, also from every counter, until they are restored or the undo time is over. Runs in one
 * transaction: pass at most `MAX_CHANGED` keys.
 */
export function deleteMessages(database: Database, keys: readonly MessageKey[], nowMs: number): Promise<Changes> {
  return changeRows(database, keys, (writer, row) => {
    if (row.deletedAtMs === undefined) writer.hide(row, { ...row, deletedAtMs: nowMs });
  });
}

/** Brings back deleted messages that aren't purged yet. Runs in one transaction: pass at most `MAX_CHANGED` keys. */
export function restoreMessages(database: Database, keys: readonly MessageKey[]): Promise<Changes> {
  return changeRows(database, keys, (writer, row) => {
    if (row.deletedAtMs === undefined) return;
    const after = { ...row };
    delete after.deletedAtMs;
    writer.update(row, after);
  });
}

/**
 * Marks unread messages of these subscriptions as read. It reads from the newest on until it has seen as many as the
 * counter says: unread ones are mostly new, so the rest needn't be read.
 *
 * @param upTo an arrival number; what came later stays as it is
 * @param onPart called after each of the transactions, as others may write between them
 */
export async function markAllRead(
  database: Database,
  subIds: readonly number[],
  upTo: number,
  nowMs: number,
  onPart: (changes: Changes) => void = () => undefined,
): Promise<Changes & { keys: MessageKey[] }> {
  const keys: MessageKey[] = [];
  let changes = await changeRows(database, [], () => undefined);
  for (const subId of subIds) {
    let seen = 0;
    for (let from: Position | undefined | "end"; from !== "end";) {
      const part = await transact(database, WRITER_STORES, { mode: "readwrite" }, async (transaction) => {
        const writer = await MessageWriter.open(transaction, [subId]);
        const source = new RowSource(transaction, { subId }, "older", from === "end" ? {} : { behind: from });
        const leftUnread = writer.subscription(subId)?.unread ?? 0;
        const rows = leftUnread > seen ? await source.next(MAX_CHANGED) : [];
        for (const row of rows.filter(isUnread)) {
          if (row.arrival > upTo) {
            seen++;
            continue;
          }
          writer.update(row, { ...row, readAtMs: nowMs });
          keys.push(keyOf(row));
        }
        const last = rows.at(-1);
        from = last && !source.isExhausted ? { time: last.time, arrival: last.arrival } : "end";
        return writer.finish();
      });
      onPart(part);
      changes = joinChanges(changes, part);
    }
  }
  return { ...changes, keys };
}

/** Brings messages whose snooze has ended back into the feed, as unread. */
export function wakeSnoozed(database: Database, nowMs: number): Promise<Changes & { nextWakeMs?: number }> {
  return transact(database, WRITER_STORES, { mode: "readwrite" }, async (transaction) => {
    const index = transaction.store("messages").index("listed");
    const [rows, [next]] = await Promise.all([
      index.getAll(IDBKeyRange.bound(["snoozed"], ["snoozed", nowMs]), MAX_CHANGED),
      index.getAll(IDBKeyRange.bound(["snoozed", nowMs], ["snoozed", []], true), 1),
    ]);
    const writer = await MessageWriter.open(
      transaction,
      rows.map((row) => row.subId),
    );
    for (const row of rows) {
      const after = { ...row };
      delete after.snoozedUntilMs;
      // A message that was dealt with meanwhile stays as it is.
      if (isInFeed(after)) {
        delete after.readAtMs;
        after.wokenAtMs = nowMs;
      }
      writer.update(row, after);
    }
    const nextWakeMs = rows.length === MAX_CHANGED ? nowMs : next?.snoozedUntilMs;
    return { ...(await writer.finish()), ...(nextWakeMs !== undefined && { nextWakeMs }) };
  });
}

/** Changes rows by key. */
function changeRows(
  database: Database,
  keys: readonly MessageKey[],
  change: (writer: MessageWriter, row: StoredMessage) => void,
): Promise<Changes> {
  const unique = [...new Map(keys.map((key) => [keyText(key), key])).values()];
  return transact(database, WRITER_STORES, { mode: "readwrite" }, async (transaction) => {
    const messages = transaction.store("messages");
    const [writer, ...rows] = await Promise.all([
      MessageWriter.open(
        transaction,
        unique.map(([subId]) => subId),
      ),
      ...unique.map((key) => messages.get(key)),
    ]);
    for (const row of rows) if (row) change(writer, row);
    return writer.finish();
  });
}

/** How many messages a list shows, and the newest arrival number; messages that come later aren't among them. */
export async function countList(
  database: Database,
  query: ListQuery,
  nowMs: number,
): Promise<{ count: number; upTo: number }> {
  const { nextArrival } = await transact(database, ["settings"], { mode: "readonly" }, readCounters);
  const upTo = nextArrival - 1;
  return { count: (await chosenKeys(database, { ...query, upTo }, nowMs)).length, upTo };
}

/** The keys of everything a list shows, of what had arrived by then. */
export async function chosenKeys(
  database: Database,
  { upTo, ...query }: ListQuery & { upTo: number },
  nowMs: number,
): Promise<MessageKey[]> {
  const keys: MessageKey[] = [];
  for (let from: Position | undefined | "end"; from !== "end";) {
    const read = { ...query, direction: "older", count: MAX_CHANGED, nowMs, ...(from && { from }) } as const;
    const { rows, next }: Page = await readPage(database, read);
    for (const row of rows) if (row.arrival <= upTo) keys.push(keyOf(row));
    from = next ?? "end";
  }
  return keys;
}

/** The keys of everything that is stored of these subscriptions, but for what was deleted. */
export function storedKeys(database: Database, subIds: readonly number[]): Promise<MessageKey[]> {
  return transact(database, ["messages"], { mode: "readonly" }, async (transaction) => {
    const messages = transaction.store("messages");
    const [deleted, ...stored] = await Promise.all([
      messages.index("listed").getAllKeys(IDBKeyRange.bound(["deleted"], ["deleted", []])),
      ...subIds.map((subId) => messages.getAllKeys(startingWith(subId))),
    ]);
    const isDeleted = new Set(deleted.map(keyText));
    return stored.flat().filter((key) => !isDeleted.has(keyText(key)));
  });
}

/** Joins two changes, made one after the other; the later counters hold. */
export function joinChanges(first: Changes, second: Changes): Changes {
  const counts = new Map([...first.counts, ...second.counts].map((count) => [count.subId, count]));
  return {
    changed: [...first.changed, ...second.changed],
    removed: [...first.removed, ...second.removed],
    counts: [...counts.values()],
    total: second.total,
    lastArrival: second.lastArrival,
  };
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
