// What other devices told: registers are merged, and the marks among them set as if they were set here.
import {
  beats,
  type Changes,
  cutStamp,
  decodeRegister,
  keyOf,
  MARK_KINDS,
  type MarkKind,
  markKey,
  markOf,
  MAX_MUTE_MS,
  type Register,
  rowKey,
  type StoredMessage,
} from "../../contract";
import { MAX_CHANGED, partsOf } from "../changes";
import { transact, type Database, type Transaction } from "../database";
import { MessageWriter, WRITER_STORES } from "../ingest/message-writer";
import type { SharedRecord } from "../schema";
import { putMarked, woken } from "./marks";
import { CAPTURE_STORES, groupIn, MARK_FIELDS, topicNames, type TopicNames, registerOf, sharesMarks } from "./shared";

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
  const registers = told.flatMap((one): Register[] => {
    const register = decodeRegister(one);
    return register ? [{ ...register, stamp: cutStamp(register.stamp, toldAtMs, CLOCK_SLACK_MS) }] : [];
  });
  const won: Register[] = [];
  for (const part of partsOf(registers)) won.push(...(await merge(database, part, nowMs)));
  return { won, changes: won.length > 0 ? await applyWaiting(database, nowMs) : [] };
}

/** Stores those that win over what is known, and resolves to them. */
function merge(database: Database, registers: readonly Register[], nowMs: number): Promise<Register[]> {
  return transact(database, ["group", "shared", "servers"], "write", async (transaction) => {
    const store = transaction.store("shared");
    const [group, servers] = await Promise.all([groupIn(transaction), transaction.store("servers").getAll()]);
    if (!group) return [];
    // A device on which a server hasn't moved yet names it by its former address.
    const moved = new Map(
      servers.flatMap(({ address, formerAddresses: all = [] }) => all.map((one) => [String(one), address] as const)),
    );
    for (const { address } of servers) moved.delete(address);
    const present = registers.map((register) => {
      const [kind, address = "", ...rest] = register.key.split(" ");
      const now = moved.get(address);
      return now === undefined ? register : { ...register, key: [kind, now, ...rest].join(" ") };
    });
    const known = new Map<string, Register>();
    for (const record of await Promise.all(present.map(({ key }) => store.get(key))))
      if (record) known.set(record.key, registerOf(record));
    const won = new Map<string, Register>();
    for (const register of present) {
      const before = known.get(register.key);
      if (before && !beats(register, before)) continue;
      known.set(register.key, register);
      won.set(register.key, register);
    }
    for (const register of won.values()) {
      store.put({ ...register, changedAtMs: nowMs, ...(markOf(register.key) && { waiting: 1 }) });
      if (register.stamp > (group.clock ?? "")) group.clock = register.stamp;
    }
    transaction.store("group").put(group);
    return [...won.values()];
  });
}

const STORES = [...WRITER_STORES, ...CAPTURE_STORES] as const;

type TakeTransaction = Transaction<(typeof STORES)[number]>;

/** A stored message, and which marks of it to set. */
interface Found {
  row: StoredMessage;
  kinds: Set<MarkKind>;
}

type Find = (transaction: TakeTransaction, topics: TopicNames) => Promise<Found[]>;

/**
 * Sets the marks that other devices told and that weren't tried yet, and those that waited for these messages. Resolves
 * to what changed, one after the other. Costs a look at an index while nothing waits.
 */
export async function applyWaiting(
  database: Database,
  nowMs: number,
  arrived: readonly Pick<StoredMessage, "subId" | "time" | "id">[] = [],
): Promise<Changes[]> {
  const { any, untried } = await transact(database, ["group", "shared"], "read", async (transaction) => {
    const waiting = transaction.store("shared").index("waiting");
    const [group, ...keys] = await Promise.all([groupIn(transaction), waiting.getKey(1), waiting.getKey(2)]);
    if (!sharesMarks(group)) return {};
    return { any: keys.some((key) => key !== undefined), untried: keys[0] !== undefined };
  });
  const all: Changes[] = [];
  const set = async (find: Find) => {
    const changes = await setFound(database, nowMs, find);
    if (changes) all.push(changes);
  };
  for (const part of any ? partsOf(arrived) : [])
    await set(async (transaction) => {
      const rows = await Promise.all(part.map((one) => transaction.store("messages").get(keyOf(one))));
      return rows.flatMap((row) => (row ? { row, kinds: new Set(MARK_KINDS) } : []));
    });
  for (let isMore = untried; isMore;)
    await set(async (transaction, topics) => {
      const records = await transaction.store("shared").index("waiting").getAll(1, MAX_CHANGED);
      isMore = records.length > 0;
      return findMarked(transaction, topics, records);
    });
  return all;
}

/** The messages that some registers mark. If they aren't here, the registers wait. */
async function findMarked(
  transaction: TakeTransaction,
  topics: TopicNames,
  records: readonly SharedRecord[],
): Promise<Found[]> {
  const found = new Map<string, Found>();
  const finding = records.map(async (record) => {
    const name = markOf(record.key);
    const subId = name && topics.find(name);
    const row = name && subId !== undefined && (await transaction.store("messages").get([subId, name.time, name.id]));
    if (!row) transaction.store("shared").put({ ...record, waiting: 2 });
    else found.set(rowKey(row), { row, kinds: (found.get(rowKey(row))?.kinds ?? new Set()).add(name.kind) });
  });
  await Promise.all(finding);
  return [...found.values()];
}

/** Sets in one transaction what registers say of some messages; undefined = they have these marks. */
function setFound(database: Database, nowMs: number, find: Find): Promise<Changes | undefined> {
  return transact(database, STORES, "write", async (transaction) => {
    const topics = await topicNames(transaction);
    const found = await find(transaction, topics);
    const after = await Promise.all(
      found.map(async (one) => withMarks(one, await registersFor(transaction, topics, one), nowMs)),
    );
    if (found.every(({ row }, at) => after[at] === row)) return undefined;
    const writer = await MessageWriter.open(
      transaction,
      found.map(({ row }) => row),
    );
    found.forEach(({ row }, at) => {
      const changed = after[at];
      if (changed && changed !== row) putMarked(writer, row, changed);
    });
    return writer.finish();
  });
}

/** The registers of a message's marks. They don't wait any more. A snooze's end makes unread, so both are looked up. */
async function registersFor(
  transaction: TakeTransaction,
  topics: TopicNames,
  { row, kinds }: Found,
): Promise<Map<MarkKind, SharedRecord>> {
  const store = transaction.store("shared");
  const name = topics.nameOf(row.subId);
  const registers = new Map<MarkKind, SharedRecord>();
  if (kinds.has("read") || kinds.has("snoozed")) kinds.add("read").add("snoozed");
  const looking = [...kinds].map(async (kind) => {
    const record = name && (await store.get(markKey(kind, { ...name, time: row.time, id: row.id })));
    if (!record) return;
    registers.set(kind, record);
    const { waiting, ...tried } = record;
    if (waiting) store.put(tried);
  });
  await Promise.all(looking);
  return registers;
}

/** The row with the marks that registers say; the same if it has them. */
function withMarks(
  { row, kinds }: Found,
  registers: ReadonlyMap<MarkKind, SharedRecord>,
  nowMs: number,
): StoredMessage {
  let after = row;
  const set = (field: (typeof MARK_FIELDS)[MarkKind], value: number | null) => {
    const { [field]: before = null, ...rest } = after;
    if (before !== value) after = value === null ? rest : ({ ...rest, [field]: value } as StoredMessage);
  };
  for (const kind of kinds) {
    const value = registers.get(kind)?.value;
    if (value === undefined || kind === "snoozed") continue;
    // Deleted as of now, so that there is time to undo it here.
    if (kind !== "deleted" || value === null) set(MARK_FIELDS[kind], value as number | null);
    else if (row.deletedAtMs === undefined) set(MARK_FIELDS[kind], nowMs);
  }
  const untilMs = registers.get("snoozed")?.value as number | null | undefined;
  if (untilMs === undefined || (untilMs !== null && untilMs > nowMs + MAX_MUTE_MS)) return after;
  const { readAtMs, snoozedUntilMs } = after;
  if (untilMs === null || untilMs > nowMs) set("snoozedUntilMs", untilMs);
  // A snooze that is over has brought the message back as unread, unless it was read since.
  else if (readAtMs === undefined ? snoozedUntilMs !== undefined : readAtMs < untilMs) after = woken(after, untilMs);
  else set("snoozedUntilMs", null);
  return after;
}
