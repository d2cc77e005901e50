// What other devices told: registers are merged, and the marks among them set as if they were set here.
import {
  beats,
  type Changes,
  cutStamp,
  keyText,
  MARK_KINDS,
  type MarkKind,
  markKey,
  markOf,
  type MessageKey,
  type Register,
  type StoredMessage,
} from "../../contract";
import { partsOf } from "../../protocol";
import { MAX_CHANGED } from "../changes";
import { transact, type Database, type Transaction } from "../database";
import { MessageWriter, WRITER_STORES } from "../ingest/message-writer";
import { groupIn, sharing, withMarks } from "../ingest/told-marks";
import type { SharedRecord } from "../schema";
import { putMarked } from "./marks";
import { CAPTURE_STORES, registersOf, topicNames } from "./shared";

const STORES = [...WRITER_STORES, ...CAPTURE_STORES] as const;

type TakeTransaction = Transaction<(typeof STORES)[number]>;

/**
 * Takes what another device told. Marks of messages that aren't stored are set when these come; for topics, views,
 * settings and devices the hub does the rest. Resolves to what the marks changed, step by step.
 *
 * @param toldAtMs server time of the packet, ms: a stamp more than a minute later is set back to it
 */
export async function takeRegisters(
  database: Database,
  told: readonly Register[],
  toldAtMs: number,
  nowMs: number,
): Promise<Changes[]> {
  const registers = told.map((one) => ({ ...one, stamp: cutStamp(one.stamp, toldAtMs) }));
  const all: Changes[] = [];
  for (const part of partsOf(registers, MAX_CHANGED))
    await transact(database, STORES, "write", async (transaction) => {
      all.push(...(await setMarks(transaction, await merge(transaction, part, nowMs), nowMs)));
    });
  return all;
}

/** Sets all marks that were told, for a device that shares them again. Resolves to what changed, step by step. */
export async function setToldMarks(database: Database, nowMs: number): Promise<Changes[]> {
  const keys = (await registersOf(database, ...MARK_KINDS)).map(({ key }) => key);
  const all: Changes[] = [];
  for (const part of partsOf(keys, MAX_CHANGED))
    all.push(...(await transact(database, STORES, "write", (transaction) => setMarks(transaction, part, nowMs))));
  return all;
}

/** Stores those that win over what is known, and resolves to their keys. */
async function merge(transaction: TakeTransaction, registers: readonly Register[], nowMs: number): Promise<string[]> {
  const store = transaction.store("shared");
  const [group, servers] = await Promise.all([groupIn(transaction), transaction.store("servers").getAll()]);
  const won: string[] = [];
  if (!group) return won;
  // A device on which a server hasn't moved yet names it by its former address.
  const moved = new Map(
    servers.flatMap(({ address, formerAddresses: all = [] }) => all.map((one) => [String(one), address] as const)),
  );
  for (const { address } of servers) moved.delete(address);
  const present = registers.map((register) => {
    const [kind, address = "", ...rest] = register.key.split(" ");
    const now = moved.get(address);
    return now === undefined || kind === "moved" ? register : { ...register, key: [kind, now, ...rest].join(" ") };
  });
  const records = await Promise.all(present.map(({ key }) => store.get(key)));
  const known = new Map(records.flatMap((record) => (record ? [[record.key, record] as const] : [])));
  for (const register of present) {
    const before = known.get(register.key);
    if (before && !beats(register, before)) continue;
    const { unsent: _, ...kept } = before ?? {};
    const after = { ...kept, ...register, changedAtMs: nowMs };
    known.set(register.key, after);
    store.put(after);
    won.push(register.key);
  }
  return won;
}

/** Sets the marks among these registers on stored messages. */
async function setMarks(transaction: TakeTransaction, keys: readonly string[], nowMs: number): Promise<Changes[]> {
  if (!sharing(await groupIn(transaction), "marks")) return [];
  const names = await topicNames(transaction);
  const shared = transaction.store("shared");
  const told = new Map<string, { key: MessageKey; told: Map<MarkKind, SharedRecord> }>();
  const looking = keys.map(async (key) => {
    const name = markOf(key);
    if (!name) return;
    // A snooze's end makes unread, so both are looked up.
    const kinds = name.kind === "read" || name.kind === "snoozed" ? (["read", "snoozed"] as const) : [name.kind];
    const registers = await Promise.all(kinds.map((kind) => shared.get(markKey(kind, name))));
    // A topic that was removed and added again is here twice for a while.
    for (const [subId, { address, topic }] of names) {
      if (address !== name.address || topic !== name.topic) continue;
      const message: MessageKey = [subId, name.time, name.id];
      const one = told.get(keyText(message)) ?? { key: message, told: new Map<MarkKind, SharedRecord>() };
      told.set(keyText(message), one);
      registers.forEach((register, at) => register && one.told.set(kinds[at] ?? name.kind, register));
    }
  });
  await Promise.all(looking);
  const finding = [...told.values()].map(async (one): Promise<[StoredMessage, StoredMessage] | undefined> => {
    const row = await transaction.store("messages").get(one.key);
    const after = row && withMarks(row, one.told, nowMs);
    return row && after && after !== row ? [row, after] : undefined;
  });
  const changes = (await Promise.all(finding)).filter((one) => one !== undefined);
  if (changes.length === 0) return [];
  const rows = changes.map(([row]) => row);
  const writer = await MessageWriter.open(transaction, rows);
  for (const [before, after] of changes) putMarked(writer, before, after);
  const all = await writer.finish();
  // Pages show nothing of a removed topic.
  return [{ ...all, changed: all.changed.filter(({ subId }) => names.get(subId)?.isRemoved === false) }];
}
