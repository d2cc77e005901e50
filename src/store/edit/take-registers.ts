// What other devices told: registers are merged, and marks among them set as if they were set here.
import {
  beats,
  type Changes,
  cutStamp,
  decodeRegister,
  MARK_KINDS,
  markKey,
  markOf,
  type Mark,
  type MarkKind,
  MAX_MUTE_MS,
  type MessageKey,
  keyOf,
  nameOf,
  readAt,
  type ReadSpan,
  type Register,
  rowKey,
  spanOf,
  type StoredMessage,
} from "../../contract";
import { MAX_CHANGED } from "../changes";
import { transact, type Database, type Transaction } from "../database";
import { MessageWriter, WRITER_STORES } from "../ingest/message-writer";
import type { SharedRecord } from "../schema";
import { marked, putMarked, woken } from "./marks";
import { CAPTURE_STORES, groupIn, isOfMessages, NamedTopics, sharesMarks } from "./shared";

/** What came of registers from another device. */
export interface Taken {
  /** Those that won; for topics, views, settings and devices the hub does the rest. */
  won: Register[];
  /** What the marks among them changed, one after the other. */
  changes: Changes[];
}

/** A device's clock may be ahead of the server's by this, ms. */
const CLOCK_SLACK_MS = 60_000;

/**
 * Takes what another device told. Anything that isn't a register is left out.
 *
 * @param toldAtMs server time of the packet, ms: a stamp more than a minute later is set back to it
 */
export async function takeRegisters(
  database: Database,
  told: readonly unknown[],
  toldAtMs: number,
  nowMs: number,
): Promise<Taken> {
  const latest = new Map<string, Register>();
  for (const one of told) {
    const decoded = decodeRegister(one);
    if (!decoded) continue;
    const register = { ...decoded, stamp: cutStamp(decoded.stamp, toldAtMs, CLOCK_SLACK_MS) };
    const known = latest.get(register.key);
    if (!known || beats(register, known)) latest.set(register.key, register);
  }
  const won: Register[] = [];
  const registers = [...latest.values()];
  for (let at = 0; at < registers.length; at += MAX_CHANGED) {
    won.push(...(await merge(database, registers.slice(at, at + MAX_CHANGED), nowMs)));
  }
  return { won, changes: won.length > 0 ? await applyWaiting(database, nowMs) : [] };
}

/** Stores those that win over what is known, and resolves to them. */
function merge(database: Database, registers: readonly Register[], nowMs: number): Promise<Register[]> {
  return transact(database, ["group", "shared"], "write", async (transaction) => {
    const store = transaction.store("shared");
    const [group, ...known] = await Promise.all([groupIn(transaction), ...registers.map(({ key }) => store.get(key))]);
    if (!group) return [];
    const won = registers.filter((register, at) => {
      const before = known[at];
      return !before || beats(register, before);
    });
    let clock = group.clock ?? "";
    for (const register of won) {
      store.put({ ...register, changedAtMs: nowMs, ...(isOfMessages(register.key) && { waiting: 1 }) });
      if (register.stamp > clock) clock = register.stamp;
    }
    if (clock !== "") transaction.store("group").put({ ...group, clock });
    return won;
  });
}

const STORES = [...WRITER_STORES, ...CAPTURE_STORES] as const;

type TakeTransaction = Transaction<(typeof STORES)[number]>;

/** What registers say of a stored message. */
interface Told {
  row: StoredMessage;
  /** If one of `read` and `snoozed` is to be set, both are here: waking a message makes it unread. */
  marks: Partial<Record<MarkKind, SharedRecord | undefined>>;
}

/**
 * Sets the marks that other devices told and that weren't tried yet, and those that waited for these messages. Resolves
 * to what changed, one after the other. Costs one read of an index while nothing waits.
 */
export async function applyWaiting(
  database: Database,
  nowMs: number,
  arrived: readonly Pick<StoredMessage, "subId" | "time" | "id">[] = [],
): Promise<Changes[]> {
  const all: Changes[] = [];
  const untried = () =>
    transact(database, ["group", "shared"], "read", async (transaction) => {
      const waiting = transaction.store("shared").index("waiting");
      const [any, group] = await Promise.all([waiting.getKey(IDBKeyRange.lowerBound(1)), groupIn(transaction)]);
      return any !== undefined && sharesMarks(group) ? waiting.getAll(1, MAX_CHANGED) : undefined;
    });
  let records = await untried();
  if (!records) return all;
  for (let at = 0; at < arrived.length; at += MAX_CHANGED) {
    const keys = arrived.slice(at, at + MAX_CHANGED).map(keyOf);
    all.push(await set(database, nowMs, (...of) => toldOfArrived(...of, keys)));
  }
  for (; records && records.length > 0; records = await untried()) {
    const marks = records.filter(({ key }) => !isSpan(key)).map(({ key }) => key);
    if (marks.length > 0) all.push(await set(database, nowMs, (...of) => toldByMarks(...of, marks)));
    else for (const { key } of records) all.push(...(await setSpan(database, nowMs, key)));
  }
  return all.filter(({ changed, removed }) => changed.length > 0 || removed.length > 0);
}

const isSpan = (key: string): boolean => nameOf(key)?.kind === "read-span";

/** Sets in one transaction what is told of some messages. */
function set(
  database: Database,
  nowMs: number,
  find: (transaction: TakeTransaction, topics: NamedTopics) => Promise<Told[]>,
): Promise<Changes> {
  return transact(database, STORES, "write", async (transaction) => {
    const topics = await NamedTopics.read(transaction);
    const told = await find(transaction, topics);
    const subIds = [...new Set(told.map(({ row }) => row.subId))];
    const [writer, ...spans] = await Promise.all([
      MessageWriter.open(
        transaction,
        told.map(({ row }) => row),
      ),
      ...subIds.map((subId) => spansOf(transaction, topics, subId)),
    ]);
    const bySubId = new Map(subIds.map((subId, at) => [subId, spans[at] ?? []]));
    for (const one of told) {
      const after = withMarks(one, bySubId.get(one.row.subId) ?? [], nowMs);
      if (after !== one.row) putMarked(writer, one.row, after);
    }
    return writer.finish();
  });
}

async function spansOf(transaction: TakeTransaction, topics: NamedTopics, subId: number): Promise<ReadSpan[]> {
  const store = transaction.store("shared");
  const found = await Promise.all(
    topics.namesOf(subId).map(({ address, topic }) => {
      const prefix = `read-span ${address} ${topic} `;
      return store.getAll(IDBKeyRange.bound(prefix, `${prefix}\uffff`));
    }),
  );
  return found.flat().flatMap((record) => spanOf({ ...record, value: record.value }) ?? []);
}

/** Adds `read` and `snoozed` of messages, if one of them is to be set. */
async function withPairs(transaction: TakeTransaction, topics: NamedTopics, told: Iterable<Told>): Promise<Told[]> {
  const store = transaction.store("shared");
  return Promise.all(
    [...told].map(async ({ row, marks }) => {
      const name = topics.nameOf(row);
      if (!name || !("read" in marks || "snoozed" in marks)) return { row, marks };
      const [read, snoozed] = await Promise.all([
        marks.read ?? store.get(markKey("read", name)),
        marks.snoozed ?? store.get(markKey("snoozed", name)),
      ]);
      return { row, marks: { ...marks, read, snoozed } };
    }),
  );
}

/** What some registers say, except those whose messages aren't here: they wait. */
async function toldByMarks(transaction: TakeTransaction, topics: NamedTopics, keys: string[]): Promise<Told[]> {
  const store = transaction.store("shared");
  const told = new Map<string, Told>();
  await Promise.all(
    keys.map(async (key) => {
      const record = await store.get(key);
      if (!record) return;
      const { waiting: _, ...tried } = record;
      const name = markOf(key);
      const at = name && topics.keyOf(name);
      const row = at && (await transaction.store("messages").get(at));
      if (!name || !row) return store.put({ ...tried, waiting: 2 });
      store.put(tried);
      const one = told.get(rowKey(row)) ?? { row, marks: {} };
      one.marks[name.kind] = record;
      told.set(rowKey(row), one);
    }),
  );
  return withPairs(transaction, topics, told.values());
}

/** Up to this many messages are looked up one by one. */
const FEW = 16;

/** What registers that waited say of messages that are here now. */
async function toldOfArrived(
  transaction: TakeTransaction,
  topics: NamedTopics,
  keys: readonly MessageKey[],
): Promise<Told[]> {
  const store = transaction.store("shared");
  const waiting = keys.length > FEW ? new Set(await store.index("waiting").getAllKeys(2)) : undefined;
  const found = await Promise.all(
    keys.map(async (key): Promise<Told[]> => {
      const row = await transaction.store("messages").get(key);
      if (!row) return [];
      // A span may have come before it.
      const marks: Told["marks"] = { read: undefined };
      for (const { address, topic } of topics.namesOf(row.subId))
        for (const kind of MARK_KINDS) {
          const name = markKey(kind, { address, topic, time: row.time, id: row.id });
          const record = waiting?.has(name) === false ? undefined : await store.get(name);
          if (record?.waiting === undefined) continue;
          const { waiting: _, ...tried } = record;
          store.put(tried);
          marks[kind] = record;
        }
      return [{ row, marks }];
    }),
  );
  return withPairs(transaction, topics, found.flat());
}

/** Sets the messages of a span as read, a part at a time. */
async function setSpan(database: Database, nowMs: number, key: string): Promise<Changes[]> {
  const all: Changes[] = [];
  let isMore = true;
  for (let after: MessageKey | undefined; isMore;) {
    const changes = await set(database, nowMs, async (transaction, topics) => {
      const store = transaction.store("shared");
      const [record, name] = [await store.get(key), nameOf(key)];
      const topic = name?.kind === "read-span" ? topics.find(name) : undefined;
      const rows =
        topic !== undefined && name?.kind === "read-span"
          ? await transaction
              .store("messages")
              .getAll(
                IDBKeyRange.bound(after ?? [topic, name.from], [topic, name.until, []], after !== undefined),
                MAX_CHANGED,
              )
          : [];
      const last = rows.at(-1);
      isMore = last !== undefined && rows.length === MAX_CHANGED;
      after = last && keyOf(last);
      // Further messages of the span may come.
      if (record && !isMore) store.put({ ...record, waiting: 2 });
      const unread = rows.filter(({ readAtMs }) => readAtMs === undefined);
      return withPairs(
        transaction,
        topics,
        unread.map((row): Told => ({ row, marks: { read: undefined } })),
      );
    });
    all.push(changes);
  }
  return all;
}

/** The row with the marks that registers say; the same if it has them. */
function withMarks({ row, marks }: Told, spans: readonly ReadSpan[], nowMs: number): StoredMessage {
  let after = row;
  const mark = (one: Mark) => {
    after = marked(after, one, nowMs) ?? after;
  };
  const at = (value: unknown) => (value === null ? { on: false } : { on: true, atMs: value as number });
  if (marks.done) mark({ kind: "done", ...at(marks.done.value) });
  if (marks.starred) mark({ kind: "starred", on: marks.starred.value !== null });
  const readAtMs = "read" in marks ? readAt(row, marks.read, spans) : undefined;
  if (readAtMs !== undefined) mark({ kind: "read", ...at(readAtMs) });
  if (marks.snoozed) after = snoozedUntil(after, marks.snoozed.value as number | null, nowMs);
  if (marks.deleted) {
    // As of now, so that there is time to undo it here.
    if (marks.deleted.value === null) after = withoutDeletion(after);
    else if (after.deletedAtMs === undefined) after = { ...after, deletedAtMs: nowMs };
  }
  return after;
}

function withoutDeletion(row: StoredMessage): StoredMessage {
  if (row.deletedAtMs === undefined) return row;
  const { deletedAtMs: _, ...rest } = row;
  return rest;
}

/** A snooze that is over has brought the message back as unread, unless it was read since. */
function snoozedUntil(row: StoredMessage, untilMs: number | null, nowMs: number): StoredMessage {
  const { wokenAtMs, readAtMs } = row;
  if (untilMs !== null && untilMs > nowMs + MAX_MUTE_MS) return row;
  const isOver = untilMs !== null && untilMs <= nowMs;
  if (isOver && (readAtMs === undefined ? row.snoozedUntilMs !== undefined : readAtMs < untilMs)) {
    return woken(row, untilMs);
  }
  const setUntilMs = isOver ? null : untilMs;
  if ((row.snoozedUntilMs ?? null) === setUntilMs) return row;
  const mark = { kind: "snooze", untilMs: setUntilMs, ...(wokenAtMs !== undefined && { wokenAtMs }) } as const;
  return marked(row, mark, nowMs) ?? row;
}
