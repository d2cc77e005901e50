import "./fast-database";
import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import type { Random } from "./random";
import type { Schedule } from "./schedule";

/** What of fake-indexeddb's inside is needed to break it as a crash or a full disk would. */
interface RawTransaction extends IDBTransaction {
  readonly db: RawDatabase;
  _state: "active" | "inactive" | "committing" | "finished";
  _abort(errorName: string): void;
}

interface RawDatabase extends IDBDatabase {
  _rawDatabase: {
    transactions: RawTransaction[];
    rawObjectStores: Map<string, { records: { values(): Iterable<{ key: unknown; value: unknown }> } }>;
  };
}

/** The records of every store, as committed or about to be. */
export type ReadStore = <Value>(name: string) => Value[];

/** The database of one device: shared by all workers, full at times, and watched at every commit. */
export class SimDisk {
  readonly #factory = new IDBFactory();
  readonly #schedule: Schedule;
  readonly #random: Random;
  readonly #count: (fault: string) => void;
  readonly #connections = new Map<string, RawDatabase[]>();
  #any: RawDatabase | undefined;
  /** Probability that a write finds no room. */
  full = 0;
  /** Called at every commit that wrote. */
  onCommit: (stores: DOMStringList) => void = () => undefined;

  constructor(schedule: Schedule, random: Random, count: (fault: string) => void) {
    this.#schedule = schedule;
    this.#random = random;
    this.#count = count;
  }

  /** The factory as one worker sees it. */
  factoryFor(actor: string): IDBFactory {
    const open = (name: string, version?: number): IDBOpenDBRequest => {
      const request = this.#factory.open(name, version);
      request.addEventListener("success", () => this.#watch(actor, request.result as RawDatabase));
      return request;
    };
    return { open } as unknown as IDBFactory;
  }

  /** Everything in a store, read without a transaction. */
  readonly read: ReadStore = <Value>(name: string): Value[] => {
    const records = this.#any?._rawDatabase.rawObjectStores.get(name)?.records;
    return records ? Array.from(records.values(), ({ value }) => value as Value) : [];
  };

  /** The same with the keys. */
  entries(name: string): [key: unknown, value: unknown][] {
    const records = this.#any?._rawDatabase.rawObjectStores.get(name)?.records;
    return records ? Array.from(records.values(), ({ key, value }) => [key, value]) : [];
  }

  /** The worker died: what it was writing is undone, unless it had just asked for the commit and is lucky. */
  forget(actor: string): void {
    for (const connection of this.#connections.get(actor) ?? []) {
      for (const transaction of [...connection._rawDatabase.transactions]) {
        if (transaction.db !== connection || transaction._state === "finished") continue;
        if (transaction._state === "committing" && this.#random.chance(0.5)) continue;
        this.#count(transaction.mode === "readwrite" ? "write cut off by a crash" : "read cut off by a crash");
        this.#schedule.actor = "ghost";
        transaction._abort("AbortError");
      }
      connection.close();
    }
    this.#connections.delete(actor);
  }

  #watch(actor: string, database: RawDatabase): void {
    this.#any = database;
    const known = this.#connections.get(actor) ?? [];
    this.#connections.set(actor, [...known, database]);
    const begin = database.transaction.bind(database);
    database.transaction = (names, mode, options) => {
      const transaction = begin(names, mode, options) as RawTransaction;
      if (mode === "readwrite") {
        transaction.addEventListener("complete", () => this.onCommit(transaction.objectStoreNames));
        if (this.#random.chance(this.full)) this.#fill(transaction);
      }
      return transaction;
    };
  }

  /** The disk is full: told when the transaction is about to be written, and everything of it is undone. */
  #fill(transaction: RawTransaction): void {
    const commit = transaction.commit.bind(transaction);
    transaction.commit = () => {
      this.#count("write without room");
      transaction._abort("QuotaExceededError");
      void commit;
    };
  }
}
