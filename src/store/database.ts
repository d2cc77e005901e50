// What the store does with IndexedDB: reads return promises, writes don't, and a transaction is one function. Requests
// bypass `idb`, whose proxies and promises for each make up a tenth of the cost of a long backlog.
import { unwrap, type IDBPDatabase, type StoreNames } from "idb";
import type { Patch } from "../contract";
import { intact, isIntactSetting } from "./intact";
import type { EarshotSchema, Counters } from "./schema";

export type StoreName = StoreNames<EarshotSchema>;
/** How many records are damaged, by store. */
export type Damage = { [Name in StoreName]?: number };

type KeyOf<Name extends StoreName> = EarshotSchema[Name]["key"];
type ValueOf<Name extends StoreName> = EarshotSchema[Name]["value"];
type IndexOf<Name extends StoreName> = EarshotSchema[Name] extends { indexes: infer Indexes }
  ? keyof Indexes & string
  : never;

export type Database = IDBPDatabase<EarshotSchema>;

/** What a request asked for; a cursor's is answered again for each step. */
function answered<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error as DOMException);
  });
}

/** Reads several records in either direction at once, in browsers that can. */
interface RecordSource {
  getAllRecords(options: {
    query?: IDBKeyRange | null;
    count?: number;
    direction?: IDBCursorDirection;
  }): IDBRequest<{ value: unknown }[]>;
}

/** Reads by key or range. Damaged records count as absent; settings are checked where their keys are known. */
export class Readable<Key, Value> {
  constructor(
    protected readonly source: IDBObjectStore | IDBIndex,
    private readonly name: StoreName,
  ) {}

  async get(key: IDBValidKey | IDBKeyRange): Promise<Value | undefined> {
    return this.#intact(await answered(this.source.get(key)));
  }
  /** The first `count` records of a range. */
  async getAll(query?: IDBValidKey | IDBKeyRange, count?: number): Promise<Value[]> {
    const all: unknown[] = await answered(this.source.getAll(query, count));
    const rows = this.#allIntact(all);
    return rows.length < all.length && all.length === count ? this.#walk(query, count, "next") : rows;
  }
  /** Primary keys, in the order of this store or index. */
  getAllKeys(query?: IDBValidKey | IDBKeyRange, count?: number): Promise<Key[]> {
    return answered(this.source.getAllKeys(query, count)) as Promise<Key[]>;
  }
  count(): Promise<number> {
    return answered(this.source.count());
  }
  /** The primary key of the first match. */
  getKey(query: IDBValidKey | IDBKeyRange): Promise<Key | undefined> {
    return answered(this.source.getKey(query)) as Promise<Key | undefined>;
  }
  /**
   * The last `count` records of a range with an end, last first; if browsers can't read backwards, there may be more with
   * equal keys.
   */
  async getLast(query: IDBKeyRange, count: number): Promise<Value[]> {
    const all = await this.#readLast(query, count);
    const rows = this.#allIntact(all);
    return rows.length < all.length && all.length >= count ? this.#walk(query, count, "prev") : rows;
  }
  async #readLast(query: IDBKeyRange, count: number): Promise<unknown[]> {
    if ("getAllRecords" in this.source) {
      const source = this.source as unknown as RecordSource;
      const records = await answered(source.getAllRecords({ query, count, direction: "prev" }));
      return records.map((record) => record.value);
    }
    const first = await this.keyFromEnd(query, count - 1);
    const { upper, upperOpen } = query as { upper: unknown; upperOpen: boolean };
    const rest = first === undefined ? query : IDBKeyRange.bound(first, upper, false, upperOpen);
    return (await answered<unknown[]>(this.source.getAll(rest))).reverse();
  }
  /** The key (of this store or index) that is `steps` before the end of a range; `undefined` if the range has fewer. */
  async keyFromEnd(query: IDBKeyRange, steps: number): Promise<IDBValidKey | undefined> {
    const request = this.source.openKeyCursor(query, "prev");
    const last = await answered(request);
    if (!last || steps === 0) return last?.key;
    last.advance(steps);
    return (await answered(request))?.key;
  }

  /** Reads one by one, to replace damaged records with further ones. */
  async #walk(
    query: IDBValidKey | IDBKeyRange | undefined,
    count: number,
    direction: "next" | "prev",
  ): Promise<Value[]> {
    const rows: Value[] = [];
    const request = this.source.openCursor(query, direction);
    for (let cursor = await answered(request); cursor; cursor = await answered(request)) {
      const row = this.#intact(cursor.value);
      if (row !== undefined) rows.push(row);
      if (rows.length === count) break;
      cursor.continue();
    }
    return rows;
  }

  #intact(value: unknown): Value | undefined {
    if (value === undefined || this.name === "settings") return value as Value | undefined;
    return intact(this.name, value) as Value | undefined;
  }

  #allIntact(values: unknown[]): Value[] {
    return values.map((value) => this.#intact(value)).filter((value) => value !== undefined);
  }
}

/** Stores whose changes may be visible. Servers aren't: they are written whenever heard from. */
const SHOWN_STORES: ReadonlySet<StoreName> = new Set<StoreName>([
  "messages",
  "subscriptions",
  "accounts",
  "attachments",
  "gaps",
  "outbox",
  "views",
  "settings",
]);

/** One store within a transaction. Writes return no promise: a failed one aborts the transaction, which reports it. */
export class TypedStore<Name extends StoreName> extends Readable<KeyOf<Name>, ValueOf<Name>> {
  constructor(
    private readonly store: IDBObjectStore,
    name: Name,
    private readonly onwrite: () => void,
  ) {
    super(store, name);
  }
  put(value: ValueOf<Name>, key?: KeyOf<Name>): void {
    this.store.put(value, key as IDBValidKey | undefined);
    this.onwrite();
  }
  delete(key: KeyOf<Name> | IDBKeyRange): void {
    this.store.delete(key as IDBValidKey | IDBKeyRange);
    this.onwrite();
  }
  clear(): void {
    this.store.clear();
    this.onwrite();
  }
  /** Records as stored, damaged or not, in the order of their keys. */
  async getStored(after: IDBValidKey | undefined, count: number): Promise<StoredRecord[]> {
    const range = after === undefined ? undefined : IDBKeyRange.lowerBound(after, true);
    const [keys, records] = await Promise.all([
      answered(this.store.getAllKeys(range, count)),
      answered<unknown[]>(this.store.getAll(range, count)),
    ]);
    return keys.map((key, at) => ({ key, record: records[at] }));
  }
  index(name: IndexOf<Name>): Readable<KeyOf<Name>, ValueOf<Name>> {
    return new Readable(this.store.index(name), this.store.name as Name);
  }
}

export interface StoredRecord {
  key: IDBValidKey;
  record: unknown;
}

/** The range of all compound keys that begin with these parts. */
export function startingWith(...parts: (number | string)[]): IDBKeyRange {
  // Arrays sort after numbers and strings, so an empty one is above anything that can follow.
  return IDBKeyRange.bound(parts, [...parts, []]);
}

/** What a transaction's body works with. */
export class Transaction<Name extends StoreName> {
  constructor(
    private readonly stores: (name: StoreName) => IDBObjectStore,
    private readonly onshown: () => void,
  ) {}
  store<Chosen extends Name>(name: Chosen): TypedStore<Chosen> {
    return SHOWN_STORES.has(name) ? new TypedStore(this.stores(name), name, this.onshown) : this.unseen(name);
  }
  /** A store for writes that leave every snapshot right: cursors, new rows and what comes with them. */
  unseen<Chosen extends Name>(name: Chosen): TypedStore<Chosen> {
    return new TypedStore<Chosen>(this.stores(name), name, () => undefined);
  }
}

/**
 * `by hand` waits until the data is on the disk: for what only the user could enter again. With `write`, a crash of the
 * whole machine can lose the last moments, but only messages together with the cursors that passed them, so the next
 * catch-up brings them again.
 */
export type AccessMode = "read" | "write" | "by hand";

/** Aborts a transaction. If the browser closed the database, it has ended already, and `abort` would throw. */
function undo(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch (thrown) {
    if (!(thrown instanceof DOMException && thrown.name === "InvalidStateError")) throw thrown;
  }
}

/**
 * Runs `body` in one transaction and resolves to its value once everything is written. The body may await only this
 * transaction's reads: the browser ends it at the first idle moment. If the body throws, the whole transaction is
 * undone.
 */
export async function transact<Name extends StoreName, Value>(
  database: Database,
  names: readonly Name[],
  access: AccessMode,
  body: (transaction: Transaction<Name>) => Promise<Value> | Value,
): Promise<Value> {
  const mode = access === "read" ? "readonly" : "readwrite";
  // A write that may be visible removes the snapshots.
  const mayShow = mode === "readwrite" && names.some((name) => SHOWN_STORES.has(name));
  const scope: StoreName[] = mayShow ? [...new Set<StoreName>([...names, "snapshots"])] : [...names];
  let isShown = false;
  const raw = unwrap(database).transaction(scope, mode, { durability: access === "by hand" ? "strict" : "relaxed" });
  let isOver = false;
  const ended = new Promise<void>((resolve, reject) => {
    raw.addEventListener("complete", () => {
      isOver = true;
      resolve();
    });
    // Only this event names a full disk.
    raw.addEventListener("abort", () => {
      isOver = true;
      reject(raw.error ?? new DOMException("The transaction was undone.", "AbortError"));
    });
  });
  // A failed transaction is over as soon as it has an error; its event comes later.
  const isOpen = () => !isOver && !raw.error;
  try {
    const stores = (name: StoreName) => raw.objectStore(name);
    const value = await body(new Transaction<Name>(stores, () => (isShown = true)));
    if (isShown && isOpen()) stores("snapshots").clear();
    // Commits without waiting for an idle moment.
    if (mode === "readwrite" && isOpen()) raw.commit();
    await ended;
    return value;
  } catch (thrown) {
    if (isOpen()) undo(raw);
    // What was thrown says more than the abort that followed. The abort is still awaited, so that nothing is left
    // running.
    await ended.catch((end: unknown) => end);
    throw thrown;
  }
}

/** Functions that take the database first, on this one, without that parameter. `run` carries out each. */
export function onDatabase(
  database: Database,
  functions: object,
  run: (work: () => Promise<unknown>) => Promise<unknown>,
): unknown {
  const bound = Object.entries(functions).map(([name, work]: [string, (...args: unknown[]) => Promise<unknown>]) => [
    name,
    (...args: unknown[]) => run(() => work(database, ...args)),
  ]);
  return Object.fromEntries(bound);
}

/** A function that reads all records of a store. */
export function allOf<Name extends StoreName>(name: Name): (database: Database) => Promise<ValueOf<Name>[]> {
  return (database) => transact(database, [name], "read", (opened) => opened.store(name).getAll());
}

/** A function that reads one record of a store. */
export function oneOf<Name extends StoreName>(name: Name) {
  return (database: Database, key: KeyOf<Name>): Promise<ValueOf<Name> | undefined> =>
    transact(database, [name], "read", (opened) => opened.store(name).get(key as IDBValidKey));
}

/** A function that changes a record. It doesn't wait for the disk: most of this can be learnt again. */
export function patchOf<Name extends "servers" | "accounts", Change extends Patch<Partial<ValueOf<Name>>>>(name: Name) {
  return (database: Database, key: number, change: Change): Promise<ValueOf<Name> | undefined> =>
    transact(database, [name], "write", async (opened) => {
      const record = await opened.store(name).get(key);
      const after = record && patched<ValueOf<Name>>(record, change);
      if (after) opened.store(name).put(after);
      return after;
    });
}

/** A copy of the record with the changes, without the properties that were removed. */
export function patched<Whole extends object>(record: Whole, patch: Patch<Partial<Whole>>): Whole {
  const entries = Object.entries({ ...record, ...patch }).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(entries) as Whole;
}

/** The key of the counters in the `settings` store; no setting has this name. */
export const COUNTERS_KEY = "counters";

/** The counters are missing or damaged: everything must be counted before anything is written. */
export class DamagedCounters extends Error {}

/** The counters as they are stored; undefined if they are missing or damaged. */
export async function storedCounters(transaction: Transaction<"settings">): Promise<Counters | undefined> {
  const stored = await transaction.store("settings").get(COUNTERS_KEY);
  return stored !== undefined && isIntactSetting(COUNTERS_KEY, stored) ? (stored as Counters) : undefined;
}

/** Reads the counters, to continue from them. */
export async function readCounters(transaction: Transaction<"settings">): Promise<Counters> {
  const stored = await storedCounters(transaction);
  if (!stored) throw new DamagedCounters();
  return stored;
}

export function writeCounters(transaction: Transaction<"settings">, counters: Counters): void {
  transaction.unseen("settings").put(counters, COUNTERS_KEY);
}

/** Takes the next numbers for servers, accounts, topics or views; returns the first. None is given twice. */
export async function takeNumbers(transaction: Transaction<"settings">, count = 1): Promise<number> {
  const counters = await readCounters(transaction);
  writeCounters(transaction, { ...counters, nextNumber: counters.nextNumber + count });
  return counters.nextNumber;
}
