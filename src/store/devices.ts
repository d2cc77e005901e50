// What the devices of a group share, as registers (docs/decisions/0047-devices-share-through-a-topic.md).
import {
  beats,
  type Changes,
  cutStamp,
  decodeRegister,
  nameOf,
  nextStamp,
  type Register,
  type RegisterKind,
  type Stamp,
  type StoredMessage,
} from "../contract";
import { patched, type Patch, transact, type Database, type Transaction } from "./database";
import type { GroupRecord, SharedRecord } from "./schema";

/** A change of the group's record; its clock is the store's own. */
export type GroupPatch = Patch<Partial<Omit<GroupRecord, "deviceId" | "clock">>>;

/** What came of registers from another device. */
export interface Taken {
  /** Those that won, cut and decoded; for topics, views, settings and devices the hub does the rest. */
  won: Register[];
  /** What the marks among them changed; absent = nothing. */
  changes?: Changes;
}

const groupIn = async (transaction: Transaction<"group">): Promise<GroupRecord | undefined> =>
  (await transaction.store("group").getAll())[0];

/** Whether the device is a member of its group, and may share. */
const isMember = ({ ended }: GroupRecord): boolean => ended === undefined;

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
  const won = await transact(database, ["group", "shared"], "write", async (transaction) => {
    const group = await groupIn(transaction);
    if (!group) return [];
    const store = transaction.store("shared");
    const latest = new Map<string, Register>();
    for (const one of told) {
      const decoded = decodeRegister(one);
      if (!decoded) continue;
      const register = { ...decoded, stamp: cutStamp(decoded.stamp, toldAtMs, CLOCK_SLACK_MS) };
      const known = latest.get(register.key);
      if (!known || beats(register, known)) latest.set(register.key, register);
    }
    const registers = [...latest.values()];
    const known = await Promise.all(registers.map(({ key }) => store.get(key)));
    const winners = registers.filter((register, at) => {
      const before = known[at];
      return !before || beats(register, before);
    });
    for (const register of winners) {
      store.put({ ...register, changedAtMs: nowMs, ...(isMark(register.key) && { waiting: 1 }) });
      if (register.stamp > (group.clock ?? "")) group.clock = register.stamp;
    }
    if (winners.length > 0) transaction.store("group").put(group);
    return winners;
  });
  const changes = await applyWaiting(database, nowMs);
  return { won, ...(changes && { changes }) };
}

/** A device's clock may be ahead of the server's by this, ms. */
const CLOCK_SLACK_MS = 60_000;

function isMark(key: string): boolean {
  const kind = nameOf(key)?.kind;
  return kind !== undefined && !["topic", "views", "setting", "device", "unknown"].includes(kind);
}

/**
 * Applies marks from other devices: those not tried yet, and those that waited for these messages. Resolves to what
 * changed; undefined = nothing.
 */
export function applyWaiting(
  _database: Database,
  _nowMs: number,
  _arrived: readonly Pick<StoredMessage, "subId" | "time" | "id">[] = [],
): Promise<Changes | undefined> {
  return Promise.resolve(undefined);
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

/** Shares the marks that were set before this device was in the group, as of the time when they were set. */
export function shareStored(_database: Database, _nowMs: number): Promise<null> {
  return Promise.resolve(null);
}

/**
 * What the others haven't been told, at most so many. Many `read`s of a topic are folded, and stamps that are ahead of
 * the server's clock are set back to it.
 */
export function unsentRegisters(database: Database, limit: number, _nowMs: number): Promise<Register[]> {
  return transact(database, ["shared"], "read", async (transaction) =>
    (await transaction.store("shared").index("unsent").getAll(1, limit)).map(registerOf),
  );
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
      if (record?.stamp === sent[at]?.stamp && record) store.put(patched<SharedRecord>(record, { unsent: null }));
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
