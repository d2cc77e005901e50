// What the store does with IndexedDB: reads as promises, writes without, a transaction as one function.
import type { EarshotSchema } from "./schema";

export type StoreName = keyof EarshotSchema & string;
type KeyOf<Name extends StoreName> = EarshotSchema[Name]["key"];
type ValueOf<Name extends StoreName> = EarshotSchema[Name]["value"];
type IndexOf<Name extends StoreName> = EarshotSchema[Name] extends { indexes: infer Indexes }
  ? keyof Indexes & string
  : never;

/** The open database. */
export type Database = IDBDatabase;

/** What a request brings. It may be asked again of a cursor that was moved on. */
function answerTo<Answer>(request: IDBRequest<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new DOMException("The request was undone.", "AbortError"));
  });
}

/** A page of records with their keys, where the browser reads them in either direction at once. */
interface RecordSource {
  getAllRecords(options: {
    query?: IDBKeyRange | null;
    count?: number;
    direction?: IDBCursorDirection;
  }): IDBRequest<{ value: unknown }[]>;
}

/** Reads by key or range: what stores and indexes have in common. */
export class Readable<Key, Value> {
  constructor(protected readonly source: IDBObjectStore | IDBIndex) {}

  get(key: IDBValidKey | IDBKeyRange): Promise<Value | undefined> {
    return answerTo(this.source.get(key) as IDBRequest<Value | undefined>);
  }
  getAll(query?: IDBValidKey | IDBKeyRange, count?: number): Promise<Value[]> {
    return answerTo(this.source.getAll(query, count) as IDBRequest<Value[]>);
  }
  /** Primary keys, in the order of this store or index. */
  getAllKeys(query?: IDBValidKey | IDBKeyRange, count?: number): Promise<Key[]> {
    return answerTo(this.source.getAllKeys(query, count) as IDBRequest<unknown> as IDBRequest<Key[]>);
  }
  /** Primary key of the first match. */
  getKey(query: IDBValidKey | IDBKeyRange): Promise<Key | undefined> {
    return answerTo(this.source.getKey(query) as IDBRequest<unknown> as IDBRequest<Key | undefined>);
  }
  /**
   * The last `count` records of a range, last first; more where the browser can't count backwards and several share the
   * key at the cut.
   */
  async getLast(query: IDBKeyRange, count: number): Promise<Value[]> {
    const { source } = this;
    if ("getAllRecords" in source) {
      const records = await answerTo((source as RecordSource).getAllRecords({ query, count, direction: "prev" }));
      return records.map((record) => record.value as Value);
    }
    const first = await this.keyFromEnd(query, count - 1);
    const rest = first === undefined ? query : IDBKeyRange.bound(first, query.upper, false, query.upperOpen);
    return (await this.getAll(rest)).reverse();
  }
  /** Key of this store or index `steps` before the end of a range; `undefined` where the range has fewer. */
  async keyFromEnd(query: IDBKeyRange, steps: number): Promise<IDBValidKey | undefined> {
    const request = this.source.openKeyCursor(query, "prev");
    const cursor = await answerTo(request);
    if (!cursor || steps === 0) return cursor?.key;
    cursor.advance(steps);
    return (await answerTo(request))?.key;
  }
}

/** One store within a transaction. Writes give no promise: a failed one ends the transaction, which reports it. */
export class TypedStore<Name extends StoreName> extends Readable<KeyOf<Name>, ValueOf<Name>> {
  constructor(private readonly store: IDBObjectStore) {
    super(store);
  }
  put(value: ValueOf<Name>, key?: KeyOf<Name>): void {
    this.store.put(value, key as IDBValidKey | undefined);
  }
  delete(key: KeyOf<Name> | IDBKeyRange): void {
    this.store.delete(key as IDBValidKey | IDBKeyRange);
  }
  index(name: IndexOf<Name>): Readable<KeyOf<Name>, ValueOf<Name>> {
    return new Readable(this.store.index(name));
  }
}

/** Every key of a compound key that begins with these parts. */
export function startingWith(...parts: (number | string)[]): IDBKeyRange {
  // Arrays sort behind numbers and texts, so an empty one is above whatever can follow.
  return IDBKeyRange.bound(parts, [...parts, []]);
}

/** What a transaction's body works with. */
export class Transaction<Name extends StoreName> {
  constructor(private readonly stores: (name: Name) => IDBObjectStore) {}
  store<Chosen extends Name>(name: Chosen): TypedStore<Chosen> {
    return new TypedStore<Chosen>(this.stores(name));
  }
}

/** How a transaction runs. */
export interface TransactionOptions {
  mode: IDBTransactionMode;
  /**
   * `strict` waits until the disk has it: for what only the user could give again. Default `relaxed`: a crash of the
   * whole machine can lose the last moments, but always messages together with the cursors that passed them, so that
   * the next catch-up brings them again.
   */
  durability?: "relaxed" | "strict";
}

/** For what only the user could give again: it waits for the disk. */
export const BY_HAND = { mode: "readwrite", durability: "strict" } as const;

/** Undoes a transaction. One that the browser ends with its database is over before its event says so, and can't be. */
function undo(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch (thrown) {
    if (!(thrown instanceof DOMException && thrown.name === "InvalidStateError")) throw thrown;
  }
}

/**
 * Runs `body` in one transaction and gives its value once everything is written. The body may await nothing but this
 * transaction's reads: the browser ends it at the first idle moment. Whatever it throws undoes the whole.
 */
export async function transact<Name extends StoreName, Value>(
  database: Database,
  names: readonly Name[],
  { mode, durability = "relaxed" }: TransactionOptions,
  body: (transaction: Transaction<Name>) => Promise<Value> | Value,
): Promise<Value> {
  const raw = database.transaction([...names], mode, { durability });
  let isOver = false;
  const ended = new Promise<void>((resolve, reject) => {
    raw.addEventListener("complete", () => {
      isOver = true;
      resolve();
    });
    raw.addEventListener("abort", () => {
      isOver = true;
      reject(raw.error ?? new DOMException("The transaction was undone.", "AbortError"));
    });
  });
  // One that failed is over as soon as it has an error; its event comes later.
  const isOpen = () => !isOver && !raw.error;
  try {
    const value = await body(new Transaction<Name>((name) => raw.objectStore(name)));
    // Ends it without waiting for an idle moment.
    if (mode === "readwrite" && isOpen()) raw.commit();
    await ended;
    return value;
  } catch (thrown) {
    if (isOpen()) undo(raw);
    // The reason is more telling than the end it led to; that end is awaited, so that nothing is left running.
    await ended.catch((end: unknown) => end);
    throw thrown;
  }
}
