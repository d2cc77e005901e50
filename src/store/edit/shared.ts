// What the devices of a group share, as registers (docs/decisions/0047-devices-share-through-a-topic.md): what this
// device sets, and what the others have yet to be told.
import {
  beats,
  cutStamp,
  MARK_KINDS,
  markKey,
  markOf,
  type MarkKind,
  MAX_UNDO_MS,
  type MessageName,
  nameOf,
  type Patch,
  type Register,
  type RegisterName,
  stampAt,
  stampMs,
  type StoredMessage,
  topicKey,
} from "../../contract";
import { DAY_MS, partsOf } from "../../protocol";
import { MAX_CHANGED } from "../changes";
import { type Database, patched, startingWith, transact, type Transaction } from "../database";
import { groupIn, MARK_FIELDS, SHARING_STORES, sharing } from "../ingest/told-marks";
import type { GroupRecord, SharedRecord, SubscriptionRecord } from "../schema";
import { isServerAt, removeUnused } from "./remove-unused";

/** A change of the group's record. */
export type GroupPatch = Patch<Partial<Omit<GroupRecord, "deviceId">>>;

type Value = Pick<Register, "key" | "value">;

/** Sets registers as of now, by the server's clock, later than all that was seen of each. The same again stays. */
async function setOwn(
  transaction: Transaction<"group" | "shared">,
  group: GroupRecord,
  values: readonly Value[],
  nowMs: number,
): Promise<void> {
  const store = transaction.store("shared");
  const known = await Promise.all(values.map(({ key }) => store.get(key)));
  values.forEach(({ key, value }, at) => {
    const before = known[at];
    if (before && JSON.stringify(before.value) === JSON.stringify(value)) return;
    const laterMs = before ? stampMs(before.stamp) + 1 : 0;
    const stamp = stampAt(Math.max(nowMs + (group.aheadMs ?? 0), laterMs), group.deviceId);
    const after = { key, value, stamp, changedAtMs: nowMs };
    // What is removed isn't here: if that is undone before the next comparison, it is a change.
    const removed = { ...after, unsent: nowMs + MAX_UNDO_MS };
    store.put(isRemoval(key, value) ? removed : { ...before, ...after, unsent: NEW });
  });
}

/** What the others haven't been told, as `unsent`; removals by when they can't be undone any more. They come last. */
const NEW = 1;
const AGAIN = 2;

function isRemoval(key: string, value: unknown): boolean {
  const kind = nameOf(key)?.kind;
  return (kind === "deleted" && value !== null) || (kind === "topic" && value === null);
}

/** The group of this device; undefined = none. */
export function readGroup(database: Database): Promise<GroupRecord | undefined> {
  return transact(database, ["group"], "read", groupIn);
}

/** Begins with a group, or ends with it: null also removes what was shared, and a server that was kept for it alone. */
export function setGroup(database: Database, group: GroupRecord | null): Promise<null> {
  const names = ["group", "shared", "servers", "accounts", "subscriptions", "cursors", "push"] as const;
  return transact(database, names, "by hand", async (transaction) => {
    const before = await groupIn(transaction);
    transaction.store("group").clear();
    if (group) transaction.store("group").put(group);
    else transaction.store("shared").clear();
    for (const server of before ? await transaction.store("servers").getAll() : [])
      if (before && isServerAt(server, before.address)) await removeUnused(transaction, server.serverId);
    return null;
  });
}

/** Changes the group's record, if the group is still at this topic; undefined = there is none. */
export function patchGroup(database: Database, patch: GroupPatch, topic?: string): Promise<GroupRecord | undefined> {
  return transact(database, ["group"], "write", async (transaction) => {
    const group = await groupIn(transaction);
    if (topic !== undefined && group?.topic !== topic) return group;
    const after = group && patched<GroupRecord>(group, patch);
    if (after) transaction.store("group").put(after);
    return after;
  });
}

/** The topics of this device, by the names that all devices know; those that are removed and may come back, too. */
export async function topicNames(transaction: Transaction<"servers" | "subscriptions">) {
  const [servers, subscriptions] = await Promise.all([
    transaction.store("servers").getAll(),
    transaction.store("subscriptions").getAll(),
  ]);
  const addresses = new Map(servers.map(({ serverId, address }) => [serverId, address]));
  const names = new Map<number, Pick<MessageName, "address" | "topic"> & { isRemoved: boolean }>();
  for (const { subId, serverId, topic, removedAtMs } of subscriptions) {
    const address = addresses.get(serverId);
    if (address !== undefined) names.set(subId, { address, topic, isRemoved: removedAtMs !== undefined });
  }
  return names;
}

export const CAPTURE_STORES = [...SHARING_STORES, "subscriptions"] as const;

/** Registers of the marks in which two states of a row differ. @param before absent = none was set */
function changedMarks(
  names: Awaited<ReturnType<typeof topicNames>>,
  before: StoredMessage | undefined,
  after: StoredMessage,
): { kind: MarkKind; key: string; value: number | null }[] {
  const name = names.get(after.subId);
  if (!name) return [];
  return MARK_KINDS.flatMap((kind) => {
    const value = after[MARK_FIELDS[kind]] ?? null;
    if (value === (before?.[MARK_FIELDS[kind]] ?? null)) return [];
    return [{ kind, key: markKey(kind, { ...name, time: after.time, id: after.id }), value }];
  });
}

/** Notes what the user marked, in the transaction that does it. Costs one read while there is no group. */
export async function capture(
  transaction: Transaction<(typeof CAPTURE_STORES)[number]>,
  changes: readonly (readonly [before: StoredMessage, after: StoredMessage])[],
  nowMs: number,
): Promise<void> {
  const group = await groupIn(transaction);
  if (!sharing(group, "marks") || changes.length === 0) return;
  const topics = await topicNames(transaction);
  const registers = changes.flatMap(([before, after]) => changedMarks(topics, before, after));
  await setOwn(transaction, group, registers, nowMs);
}

/** Notes that the user removed a topic, in the transaction that does it. */
export async function captureRemoval(
  transaction: Transaction<(typeof CAPTURE_STORES)[number]>,
  { serverId, topic }: SubscriptionRecord,
  nowMs: number,
): Promise<void> {
  const [group, server] = await Promise.all([groupIn(transaction), transaction.store("servers").get(serverId)]);
  if (!sharing(group, "topics") || !server) return;
  await setOwn(transaction, group, [{ key: topicKey(server.address, topic), value: null }], nowMs);
}

/** Marks of older messages aren't shared when a device comes to a group; stars are. */
const SHARED_AGE_MS = 30 * DAY_MS;

/**
 * Shares the marks that were set before a device came to the group, as of the time when they were set. Call it before
 * `takeRegisters`, which would otherwise win over all of them, and before a newcomer is told everything.
 */
export async function shareStored(database: Database, nowMs: number): Promise<null> {
  const keys = await transact(database, [...CAPTURE_STORES, "messages"], "read", async (transaction) => {
    const messages = transaction.store("messages");
    const { aheadMs = 0 } = (await groupIn(transaction)) ?? {};
    const fromS = Math.floor((nowMs + aheadMs - SHARED_AGE_MS) / 1_000);
    const found = await Promise.all([
      messages.index("listed").getAllKeys(startingWith("starred")),
      messages.index("order").getAllKeys(IDBKeyRange.lowerBound([fromS])),
    ]);
    return found.flat();
  });
  for (const part of partsOf(keys, MAX_CHANGED))
    await transact(database, [...CAPTURE_STORES, "messages"], "write", async (transaction) => {
      const store = transaction.store("shared");
      const [group, topics, ...rows] = await Promise.all([
        groupIn(transaction),
        topicNames(transaction),
        ...part.map((key) => transaction.store("messages").get(key)),
      ]);
      if (!sharing(group, "marks")) return;
      for (const row of rows)
        for (const { kind, key, value } of row ? changedMarks(topics, undefined, row) : []) {
          const isTime = kind !== "starred" && kind !== "snoozed" && value !== null;
          const setAtMs = isTime ? Math.min(value, nowMs) : (row?.receivedAtMs ?? 0);
          const register = { key, value, stamp: stampAt(setAtMs + (group.aheadMs ?? 0), group.deviceId) };
          const before = await store.get(key);
          // The same mark is older or newer by no more than the clocks were set in between.
          const isKnown = isTime && typeof before?.value === "number";
          if (!before || (!isKnown && beats(register, before)))
            store.put({ ...register, changedAtMs: nowMs, unsent: AGAIN });
        }
    });
  return null;
}

/** Sets what this device shares, to be told to the others; what is the same already stays. */
export function setRegisters(database: Database, values: readonly Value[], nowMs: number): Promise<null> {
  return transact(database, ["group", "shared"], "write", async (transaction) => {
    const group = await groupIn(transaction);
    if (group) await setOwn(transaction, group, values, nowMs);
    return null;
  });
}

/**
 * What the others may be told and haven't been, at most so many: what is new first, then what is told again. Also
 * how much there is with all that may yet be undone, and when the next of that may be told, ms.
 */
export function unsentRegisters(
  database: Database,
  limit: number,
  nowMs: number,
): Promise<{ registers: Register[]; waiting: number; nextAtMs: number }> {
  return transact(database, ["shared"], "read", async (transaction) => {
    const index = transaction.store("shared").index("unsent");
    const latestMs = nowMs + MAX_UNDO_MS;
    const [waiting, due, ahead, [next]] = await Promise.all([
      index.count(),
      index.getAll(IDBKeyRange.upperBound(nowMs), limit),
      // From before a clock was set back.
      index.getAll(IDBKeyRange.lowerBound(latestMs, true), limit),
      index.getAll(IDBKeyRange.bound(nowMs, latestMs, true), 1),
    ]);
    const records = [...due, ...ahead].slice(0, limit);
    const registers = records.map(({ key, value, stamp }) => ({ key, value, stamp }));
    return { registers, waiting, nextAtMs: next?.unsent ?? Infinity };
  });
}

/** Changes registers; those for which there is no other stay. */
async function changeRegisters(
  database: Database,
  keys: readonly string[],
  change: (record: SharedRecord) => SharedRecord | undefined,
): Promise<null> {
  for (const part of partsOf(keys, MAX_CHANGED))
    await transact(database, ["shared"], "write", async (transaction) => {
      const store = transaction.store("shared");
      for (const record of await Promise.all(part.map((key) => store.get(key)))) {
        const after = record && change(record);
        if (after) store.put(after);
      }
    });
  return null;
}

/**
 * Notes that the others were told, unless they were changed since.
 * @param toldAtMs server time, ms: stamps that are far ahead of it are set back, as those do who hear them
 * @param nowMs device clock: what this device told for the first time waited until then, and may be missed since
 */
export function noteSent(
  database: Database,
  sent: readonly Pick<Register, "key" | "stamp">[],
  toldAtMs = Infinity,
  nowMs?: number,
): Promise<null> {
  const stamps = new Map(sent.map(({ key, stamp }) => [key, stamp]));
  return changeRegisters(database, [...stamps.keys()], ({ unsent = AGAIN, ...told }) => {
    if (told.stamp !== stamps.get(told.key)) return undefined;
    const isFirst = markOf(told.key) ? unsent !== AGAIN : unsent > AGAIN;
    const changedAtMs = isFirst ? (nowMs ?? told.changedAtMs) : told.changedAtMs;
    return { ...told, stamp: cutStamp(told.stamp, toldAtMs), changedAtMs };
  });
}

/**
 * Tells the others again what this device learnt or set since then, device clock, ms: somebody missed it.
 * @param newcomerMs when a newcomer asked, server time, ms: it isn't told of older marks than a newcomer tells
 */
export async function tellAgain(database: Database, sinceMs: number, newcomerMs?: number): Promise<null> {
  const fromS = newcomerMs === undefined ? 0 : (newcomerMs - SHARED_AGE_MS) / 1_000;
  const keys = await transact(database, ["shared"], "read", (transaction) =>
    transaction.store("shared").index("changed").getAllKeys(IDBKeyRange.lowerBound(sinceMs)),
  );
  return changeRegisters(database, keys, (record) => {
    const mark = markOf(record.key);
    if (record.unsent || (mark && mark.kind !== "starred" && mark.time < fromS)) return undefined;
    // Marks come last: they are many, and new ones don't wait for them.
    return { ...record, unsent: mark ? AGAIN : NEW };
  });
}

/** Notes of some registers how it is here, as JSON; undefined = it isn't. */
export function noteHere(database: Database, texts: ReadonlyMap<string, string | undefined>): Promise<null> {
  return changeRegisters(database, [...texts.keys()], ({ here: _, ...record }) => {
    const here = texts.get(record.key);
    return here === undefined ? record : { ...record, here };
  });
}

export function registersOf(database: Database, ...kinds: RegisterName["kind"][]): Promise<SharedRecord[]> {
  return transact(database, ["shared"], "read", async (transaction) => {
    const ranges = kinds.map((kind) => IDBKeyRange.bound(`${kind} `, `${kind} \uffff`));
    return (await Promise.all(ranges.map((range) => transaction.store("shared").getAll(range)))).flat();
  });
}

/** Marks that this device learnt so long ago are forgotten, ms. */
const KEPT_MS = 90 * DAY_MS;

/** Forgets some outdated marks. Resolves to whether there are more. */
export async function sweepRegisters(
  transaction: Transaction<"shared">,
  nowMs: number,
  limit: number,
): Promise<boolean> {
  const store = transaction.store("shared");
  const old = await store.index("changed").getAll(IDBKeyRange.upperBound(nowMs - KEPT_MS), limit);
  for (const record of old) {
    // What stays is looked at again later.
    if (record.unsent || !markOf(record.key)) store.put({ ...record, changedAtMs: nowMs });
    else store.delete(record.key);
  }
  return old.length === limit;
}
