// What the devices of a group share, as registers (docs/decisions/0047-devices-share-through-a-topic.md): what this
// device sets, and what the others have yet to be told.
import {
  beats,
  cutStamp,
  isCurrent,
  MARK_KINDS,
  markKey,
  markOf,
  type MarkKind,
  type MessageKey,
  type MessageName,
  nameOf,
  nextStamp,
  type Register,
  type RegisterKind,
  spanRegister,
  type Stamp,
  stampAt,
  stampMs,
  type StoredMessage,
} from "../../contract";
import { DAY_MS, type ServerAddress } from "../../protocol";
import { MAX_CHANGED } from "../changes";
import { patched, type Patch, transact, type Database, type Transaction } from "../database";
import type { GroupRecord, SharedRecord } from "../schema";

/** A change of the group's record; its clock is the store's own. */
export type GroupPatch = Patch<Partial<Omit<GroupRecord, "deviceId" | "clock">>>;

export const groupIn = async (transaction: Transaction<"group">): Promise<GroupRecord | undefined> =>
  (await transaction.store("group").getAll())[0];

const isMember = ({ ended }: GroupRecord): boolean => ended === undefined;

/** Whether this device tells the others its marks and takes theirs. */
export const sharesMarks = (group: GroupRecord | undefined): group is GroupRecord =>
  group !== undefined && isMember(group) && group.shares.includes("marks");

/** Whether a register is a mark of one message or of many. */
export function isOfMessages(key: string): boolean {
  return markOf(key) !== undefined || nameOf(key)?.kind === "read-span";
}

const registerOf = ({ key, value, stamp }: SharedRecord): Register => ({ key, value, stamp });

/** A stamp for what this device sets now, by the server's clock. */
function takeStamp(transaction: Transaction<"group">, group: GroupRecord, nowMs: number): Stamp {
  group.clock = nextStamp(group.clock, nowMs + (group.aheadMs ?? 0), group.deviceId);
  transaction.store("group").put(group);
  return group.clock;
}

/** The group of this device; undefined = none. */
export function readGroup(database: Database): Promise<GroupRecord | undefined> {
  return transact(database, ["group"], "read", groupIn);
}

/** Begins with a group, or ends with it: null also removes what was shared. */
export function setGroup(database: Database, group: Omit<GroupRecord, "clock"> | null): Promise<null> {
  return transact(database, ["group", "shared"], "by hand", (transaction) => {
    transaction.store("group").clear();
    if (group) transaction.store("group").put(group);
    else transaction.store("shared").clear();
    return null;
  });
}

/** Changes the group's record; undefined = there is none. */
export function patchGroup(database: Database, patch: GroupPatch): Promise<GroupRecord | undefined> {
  return transact(database, ["group"], "write", async (transaction) => {
    const group = await groupIn(transaction);
    const after = group && patched<GroupRecord>(group, patch);
    if (after) transaction.store("group").put(after);
    return after;
  });
}

/** The topics of this device, by the names that all devices know. */
export class NamedTopics {
  readonly #byName = new Map<string, number>();
  /** By subscription: its present name, then those by former addresses. */
  readonly #names = new Map<number, Pick<MessageName, "address" | "topic">[]>();

  static async read(transaction: Transaction<"servers" | "subscriptions">): Promise<NamedTopics> {
    const topics = new NamedTopics();
    const [servers, subscriptions] = await Promise.all([
      transaction.store("servers").getAll(),
      transaction.store("subscriptions").getAll(),
    ]);
    const byId = new Map(servers.map((server) => [server.serverId, server]));
    for (const { subId, topic, ...subscription } of subscriptions) {
      const server = byId.get(subscription.serverId);
      if (!server || subscription.removedAtMs !== undefined) continue;
      // Where the server hasn't moved yet, it goes by its former address.
      const names = [server.address, ...(server.formerAddresses ?? [])].map((address) => ({ address, topic }));
      topics.#names.set(subId, names);
      names.forEach(({ address }, at) => {
        const name = `${address} ${topic}`;
        if (at === 0 || !topics.#byName.has(name)) topics.#byName.set(name, subId);
      });
    }
    return topics;
  }

  /** The subscription of a message or topic. */
  find({ address, topic }: { address: ServerAddress; topic: string }): number | undefined {
    return this.#byName.get(`${address} ${topic}`);
  }

  /** The key of a message here, stored or not. */
  keyOf(name: MessageName): MessageKey | undefined {
    const subId = this.find(name);
    return subId === undefined ? undefined : [subId, name.time, name.id];
  }

  namesOf(subId: number): readonly Pick<MessageName, "address" | "topic">[] {
    return this.#names.get(subId) ?? [];
  }

  /** What other devices call a message; undefined = its topic is gone. */
  nameOf({ subId, time, id }: Pick<StoredMessage, "subId" | "time" | "id">): MessageName | undefined {
    const [name] = this.namesOf(subId);
    return name && { ...name, time, id };
  }

  subIds(): number[] {
    return [...this.#names.keys()];
  }
}

type Marks = Record<MarkKind, number | null>;

function marksOf({ readAtMs, doneAtMs, starred, snoozedUntilMs, deletedAtMs }: StoredMessage): Marks {
  return {
    read: readAtMs ?? null,
    done: doneAtMs ?? null,
    starred: starred ?? null,
    snoozed: snoozedUntilMs ?? null,
    deleted: deletedAtMs ?? null,
  };
}

export const CAPTURE_STORES = ["group", "shared", "servers", "subscriptions"] as const;

/** Notes what the user marked, in the transaction that does it. Costs one read while there is no group. */
export async function capture(
  transaction: Transaction<(typeof CAPTURE_STORES)[number]>,
  changes: readonly (readonly [before: StoredMessage, after: StoredMessage])[],
  nowMs: number,
): Promise<void> {
  const group = await groupIn(transaction);
  if (!sharesMarks(group) || changes.length === 0) return;
  const topics = await NamedTopics.read(transaction);
  let stamp: Stamp | undefined;
  for (const [before, after] of changes) {
    const name = topics.nameOf(after);
    const [was, is] = [marksOf(before), marksOf(after)];
    for (const kind of MARK_KINDS) {
      if (!name || was[kind] === is[kind]) continue;
      stamp ??= takeStamp(transaction, group, nowMs);
      const key = markKey(kind, name);
      transaction.store("shared").put({ key, value: is[kind], stamp, changedAtMs: nowMs, unsent: 1 });
    }
  }
}

/** Marks of older messages aren't shared when a device comes to a group; stars are. */
const SHARED_AGE_MS = 30 * DAY_MS;

/**
 * Shares the marks that were set before this device came to the group, as of the time when they were set. Call it
 * before `takeRegisters`, which would otherwise win over all of them.
 */
export async function shareStored(database: Database, nowMs: number): Promise<null> {
  const starred = IDBKeyRange.bound(["starred"], ["starred", []]);
  const subIds = await transact(database, ["servers", "subscriptions"], "read", async (transaction) =>
    (await NamedTopics.read(transaction)).subIds(),
  );
  const stars = await transact(database, ["messages"], "read", (transaction) =>
    transaction.store("messages").index("listed").getAllKeys(starred),
  );
  const recentFrom = Math.floor((nowMs - SHARED_AGE_MS) / 1_000);
  const recent = await Promise.all(
    subIds.map((subId) =>
      transact(database, ["messages"], "read", (transaction) =>
        transaction.store("messages").getAllKeys(IDBKeyRange.bound([subId, recentFrom], [subId, []])),
      ),
    ),
  );
  const keys = [...stars, ...recent.flat()];
  for (let at = 0; at < keys.length; at += MAX_CHANGED) {
    await transact(database, [...CAPTURE_STORES, "messages"], "write", async (transaction) => {
      const group = await groupIn(transaction);
      if (!sharesMarks(group)) return;
      const part = keys.slice(at, at + MAX_CHANGED);
      const store = transaction.store("shared");
      const [topics, ...rows] = await Promise.all([
        NamedTopics.read(transaction),
        ...part.map((key) => transaction.store("messages").get(key)),
      ]);
      const registers = rows.flatMap((row) => {
        const name = row && topics.nameOf(row);
        if (!name) return [];
        const marks = marksOf(row);
        return MARK_KINDS.flatMap((kind): Register[] => {
          const value = marks[kind];
          if (value === null) return [];
          const setAtMs = kind === "starred" || kind === "snoozed" ? row.receivedAtMs : Math.min(value, nowMs);
          return [{ key: markKey(kind, name), value, stamp: stampAt(setAtMs + (group.aheadMs ?? 0), group.deviceId) }];
        });
      });
      const known = await Promise.all(registers.map(({ key }) => store.get(key)));
      registers.forEach((register, index) => {
        const before = known[index];
        if (!before || beats(register, before)) store.put({ ...register, changedAtMs: nowMs, unsent: 1 });
      });
    });
  }
  return null;
}

/** Sets what this device shares, to be told to the others; what is the same already stays. */
export function setRegisters(
  database: Database,
  values: readonly Pick<Register, "key" | "value">[],
  nowMs: number,
): Promise<null> {
  return transact(database, ["group", "shared"], "write", async (transaction) => {
    const group = await groupIn(transaction);
    const store = transaction.store("shared");
    const known = await Promise.all(values.map(({ key }) => store.get(key)));
    const changed = values.filter(({ value }, at) => JSON.stringify(known[at]?.value) !== JSON.stringify(value));
    if (!group || !isMember(group) || changed.length === 0) return null;
    const stamp = takeStamp(transaction, group, nowMs);
    for (const { key, value } of changed) store.put({ key, value, stamp, changedAtMs: nowMs, unsent: 1 });
    return null;
  });
}

/** From this many `read`s of a topic on, they are told as a span. */
const MIN_FOLDED = 50;

/** Messages of the last moments aren't folded, s: more of the same second may come. */
const FOLDED_AFTER_S = 60;

type FoldStore = "shared" | "messages" | "servers" | "subscriptions";

/** Replaces many `read`s of a topic that the others haven't been told by spans. */
async function foldReads(transaction: Transaction<FoldStore>, nowMs: number, serverMs: number): Promise<void> {
  const store = transaction.store("shared");
  const unsent = await store.index("unsent").getAllKeys(1);
  const byTopic = new Map<string, string[]>();
  for (const key of unsent) {
    if (!key.startsWith("read ")) continue;
    const topic = key.split(" ", 3).join(" ");
    byTopic.set(topic, [...(byTopic.get(topic) ?? []), key]);
  }
  const many = [...byTopic.values()].filter(({ length }) => length >= MIN_FOLDED);
  if (many.length === 0) return;
  const topics = await NamedTopics.read(transaction);
  for (const keys of many)
    for (let at = 0; at < keys.length; at += MAX_CHANGED) {
      const records = await Promise.all(keys.slice(at, at + MAX_CHANGED).map((key) => store.get(key)));
      const reads = records.flatMap((record) => {
        const name = record && markOf(record.key);
        if (!name || record.value === null) return [];
        return name.time < serverMs / 1_000 - FOLDED_AFTER_S ? [{ ...name, ...record }] : [];
      });
      const [first, last] = [reads[0], reads.at(-1)];
      const subId = first && topics.find(first);
      if (!first || subId === undefined || !last || reads.length < MIN_FOLDED) continue;
      const range = IDBKeyRange.bound([subId, first.time], [subId, last.time, []]);
      const rows = await transaction.store("messages").getAll(range, 2 * MAX_CHANGED);
      const except = rows.filter((row) => isCurrent(row) && row.readAtMs === undefined).map(({ id }) => id);
      if (rows.length === 2 * MAX_CHANGED || except.length > reads.length / 2) continue;
      for (const { key } of reads) store.delete(key);
      store.put({ ...spanRegister(first, reads, except), changedAtMs: nowMs, unsent: 1, waiting: 2 });
    }
}

/**
 * What the others haven't been told, at most so many. Many `read`s of a topic are folded, and stamps that are ahead of
 * the server's clock are set back to it.
 */
export function unsentRegisters(database: Database, limit: number, nowMs: number): Promise<Register[]> {
  return transact(database, [...CAPTURE_STORES, "messages"], "write", async (transaction) => {
    const group = await groupIn(transaction);
    if (!group || !isMember(group)) return [];
    const serverMs = nowMs + (group.aheadMs ?? 0);
    await foldReads(transaction, nowMs, serverMs);
    const store = transaction.store("shared");
    const unsent = await store.index("unsent").getAll(1, limit);
    if (group.aheadMs === undefined) return unsent.map(registerOf);
    if (group.clock !== undefined && stampMs(group.clock) > serverMs) {
      transaction.store("group").put({ ...group, clock: cutStamp(group.clock, serverMs) });
    }
    return unsent.map((record) => {
      const stamp = cutStamp(record.stamp, serverMs);
      if (stamp !== record.stamp) store.put({ ...record, stamp });
      return registerOf({ ...record, stamp });
    });
  });
}

/** How many registers the others haven't been told. */
export function unsentCount(database: Database): Promise<number> {
  return transact(
    database,
    ["shared"],
    "read",
    async (transaction) => (await transaction.store("shared").index("unsent").getAllKeys(1)).length,
  );
}

/** Notes that the others were told, unless they were changed since. */
export function noteSent(database: Database, sent: readonly Pick<Register, "key" | "stamp">[]): Promise<null> {
  return transact(database, ["shared"], "write", async (transaction) => {
    const store = transaction.store("shared");
    const known = await Promise.all(sent.map(({ key }) => store.get(key)));
    known.forEach((record, at) => {
      if (!record || record.stamp !== sent[at]?.stamp) return;
      const { unsent: _, ...told } = record;
      store.put(told);
    });
    return null;
  });
}

/** Tells the others again what this device learnt or set since then, device clock, ms: somebody missed it. */
export function tellAgain(database: Database, sinceMs: number): Promise<null> {
  return transact(database, ["shared"], "write", async (transaction) => {
    const store = transaction.store("shared");
    for (const record of await store.index("changed").getAll(IDBKeyRange.lowerBound(sinceMs))) {
      store.put({ ...record, unsent: 1 });
    }
    return null;
  });
}

/** What this device learnt or set since then (device clock, ms), the latest first, at most so many. */
export function registersChangedSince(database: Database, sinceMs: number, limit: number): Promise<Register[]> {
  return transact(database, ["shared"], "read", async (transaction) =>
    (await transaction.store("shared").index("changed").getLast(IDBKeyRange.lowerBound(sinceMs), limit)).map(
      registerOf,
    ),
  );
}

/** All registers of a kind. */
export function registersOf(
  database: Database,
  kind: Extract<RegisterKind, "topic" | "views" | "setting" | "device">,
): Promise<Register[]> {
  return transact(database, ["shared"], "read", async (transaction) =>
    (await transaction.store("shared").getAll(IDBKeyRange.bound(kind, `${kind} \uffff`)))
      .filter(({ key }) => nameOf(key)?.kind === kind)
      .map(registerOf),
  );
}

/** Registers of messages that this device learnt so long ago go, ms. */
const KEPT_MS = 90 * DAY_MS;

/** Removes some outdated registers. Resolves to whether there are more. */
export async function sweepRegisters(
  transaction: Transaction<"shared" | "messages" | "servers" | "subscriptions">,
  nowMs: number,
  limit: number,
): Promise<boolean> {
  const store = transaction.store("shared");
  const old = await store.index("changed").getAll(IDBKeyRange.upperBound(nowMs - KEPT_MS), limit);
  if (old.length === 0) return false;
  const topics = await NamedTopics.read(transaction);
  await Promise.all(
    old.map(async (record) => {
      const mark = markOf(record.key);
      const key = mark?.kind === "starred" && record.value !== null ? topics.keyOf(mark) : undefined;
      const isStored = key && (await transaction.store("messages").getKey(key));
      // What stays is looked at again later.
      if (!isOfMessages(record.key) || record.unsent || isStored) store.put({ ...record, changedAtMs: nowMs });
      else store.delete(record.key);
    }),
  );
  return old.length === limit;
}
