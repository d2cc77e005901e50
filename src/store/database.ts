// A thin typed way to IndexedDB: requests as promises, a transaction as one function. The database is handed in, so
// that the same code runs on the browser's, on one in memory and in Node.
import type { EarshotSchema } from "./schema";

export type StoreName = keyof EarshotSchema;
type KeyOf<Name extends StoreName> = EarshotSchema[Name]["key"];
type ValueOf<Name extends StoreName> = EarshotSchema[Name]["value"];
type IndexOf<Name extends StoreName> = keyof EarshotSchema[Name]["indexes"] & string;

/** An open database and the class of key ranges that belongs to it. */
export interface Database {
  readonly raw: IDBDatabase;
  readonly range: typeof IDBKeyRange;
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
    return settled<Value | undefined>(this.source.get(key));
  }
  getAll(query?: IDBValidKey | IDBKeyRange, count?: number): Promise<Value[]> {
    return settled<Value[]>(this.source.getAll(query, count));
  }
  /** Primary keys, in the order of this store or index. */
  getAllKeys(query?: IDBValidKey | IDBKeyRange, count?: number): Promise<Key[]> {
    return settled<Key[]>(this.source.getAllKeys(query, count));
  }
  /** Primary key of the first match. */
  getKey(query: IDBValidKey | IDBKeyRange): Promise<Key | undefined> {
    return settled<Key | undefined>(this.source.getKey(query));
  }
  /**
   * The last `count` records of a range, last first; more where the browser can't count backwards and several share the
   * key at the cut.
   */
  async getLast(query: IDBKeyRange, count: number, range: typeof IDBKeyRange): Promise<Value[]> {
    if ("getAllRecords" in this.source) {
      const source = this.source as unknown as RecordSource;
      const records = await settled<{ value: unknown }[]>(source.getAllRecords({ query, count, direction: "prev" }));
      return records.map((record) => record.value as Value);
    }
    const first = await this.keyFromEnd(query, count - 1);
    const rest = first === undefined ? query : range.bound(first, query.upper, false, query.upperOpen);
    return (await this.getAll(rest)).reverse();
  }
  /** Key of this store or index `steps` before the end of a range; `undefined` where the range has fewer. */
  keyFromEnd(query: IDBKeyRange, steps: number): Promise<IDBValidKey | undefined> {
    return new Promise((resolve, reject) => {
      const request = this.source.openKeyCursor(query, "prev");
      let moved = steps === 0;
      request.onsuccess = () => {
        const cursor = request.result;
        if (!cursor || moved) return resolve(cursor?.key);
        moved = true;
        cursor.advance(steps);
      };
      request.onerror = () => reject(request.error ?? new Error("cursor failed"));
    });
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

/** What a transaction's body works with. */
export class Transaction<Names extends StoreName> {
  constructor(
    private readonly raw: IDBTransaction,
    readonly range: typeof IDBKeyRange,
  ) {}
  store<Name extends Names>(name: Name): TypedStore<Name> {
    return new TypedStore<Name>(this.raw.objectStore(name));
  }
  /** Every key of a compound key that begins with these parts. */
  startingWith(...parts: (number | string)[]): IDBKeyRange {
    // Arrays sort behind numbers and texts, so an empty one is above whatever can follow.
    return this.range.bound(parts, [...parts, []]);
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
  const raw = database.raw.transaction(names as readonly string[] as string[], mode, { durability });
  let isOver = false;
  const ended = new Promise<void>((resolve, reject) => {
    raw.oncomplete = () => {
      isOver = true;
      resolve();
    };
    raw.onabort = () => {
      isOver = true;
      reject(raw.error ?? new DOMException("The transaction was undone.", "AbortError"));
    };
  });
  // One that failed is over as soon as it has an error; its event comes later.
  const isOpen = () => !isOver && !raw.error;
  try {
    const value = await body(new Transaction<Name>(raw, database.range));
    // Ends it without waiting for an idle moment.
    if (mode === "readwrite" && isOpen()) raw.commit();
    await ended;
    return value;
  } catch (thrown) {
    if (isOpen()) raw.abort();
    // The reason is more telling than the end it led to; that end is awaited, so that nothing is left running.
    await ended.catch((end: unknown) => end);
    throw thrown;
  }
}

function settled<Value>(request: IDBRequest): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result as Value);
    request.onerror = () => reject(request.error ?? new Error("request failed"));
  });
}
