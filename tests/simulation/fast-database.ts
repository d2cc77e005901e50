// @ts-expect-error -- the package has types for its entry alone
import { cmpKeys } from "../../node_modules/fake-indexeddb/build/esm/lib/cmp.js";
// @ts-expect-error -- as above
import Tree from "../../node_modules/fake-indexeddb/build/esm/lib/binarySearchTree.js";
// @ts-expect-error -- as above
import Index from "../../node_modules/fake-indexeddb/build/esm/lib/Index.js";
// @ts-expect-error -- as above
import Records from "../../node_modules/fake-indexeddb/build/esm/lib/RecordStore.js";
import { IDBRequest, IDBTransaction } from "fake-indexeddb";

const real = globalThis.structuredClone;

/**
 * What the platform's `structuredClone` gives for plain data, at a tenth of its cost: the database copies every record it
 * takes and gives. All that is not plain goes the platform's way.
 */
function fastClone(value: unknown, options?: StructuredSerializeOptions): unknown {
  return options ? real(value, options) : cloned(value);
}

function cloned(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return isPrimitive(value) ? value : real(value);
  if (Array.isArray(value)) return value.map(cloned);
  if (Object.getPrototypeOf(value) !== Object.prototype) return real(value);
  // A copy made at once is several times as fast as one made field by field.
  const copy = { ...value } as Record<string, unknown>;
  for (const key in copy) {
    const field = copy[key];
    if (typeof field === "object" ? field !== null : !isPrimitive(field)) copy[key] = cloned(field);
  }
  return copy;
}

/** Functions and symbols can't be cloned, which the platform says in its own words. */
function isPrimitive(value: unknown): boolean {
  return typeof value !== "function" && typeof value !== "symbol";
}

globalThis.structuredClone = fastClone as typeof structuredClone;

type Key = number | string | Key[];

/** The order of keys; the package first finds out what each could be. */
function order(a: Key, b: Key): number {
  if (typeof a === typeof b && typeof a !== "object") return a < b ? -1 : a > b ? 1 : 0;
  if (!Array.isArray(a) || !Array.isArray(b)) return cmpKeys(a, b) as number;
  for (let at = 0; at < a.length && at < b.length; at++) {
    const part = order(a[at] as Key, b[at] as Key);
    if (part !== 0) return part;
  }
  return a.length - b.length;
}

interface Row {
  key: Key;
  value: unknown;
}

interface Node {
  record: Row;
  left?: Node;
  right?: Node;
  deleted: boolean;
}

Tree.prototype._compare = function (this: { _keysAreUnique: boolean }, a: Row, b: Row): number {
  return order(a.key, b.key) || (this._keysAreUnique ? 0 : order(a.value as Key, b.value as Key));
};

const isBelow = ({ record }: Node, { lower, lowerOpen }: IDBKeyRange): boolean =>
  lower !== undefined && order(lower as Key, record.key) >= (lowerOpen ? 0 : 1);
const isAbove = ({ record }: Node, { upper, upperOpen }: IDBKeyRange): boolean =>
  upper !== undefined && order(record.key, upper as Key) >= (upperOpen ? 0 : 1);
const FORWARDS = ["left", "right", isBelow, isAbove] as const;
const BACKWARDS = ["right", "left", isAbove, isBelow] as const;

/** The package's own walk makes a generator for each level of the tree that a record is below. */
class Walk implements IterableIterator<Row> {
  readonly #above: Node[] = [];
  readonly #range: IDBKeyRange;
  readonly #way: typeof FORWARDS | typeof BACKWARDS;

  constructor(root: Node | undefined, range: IDBKeyRange, isDescending = false) {
    this.#range = range;
    this.#way = isDescending ? BACKWARDS : FORWARDS;
    this.#descend(root);
  }

  #descend(node: Node | undefined): void {
    const [near, far, isBefore] = this.#way;
    while (node) {
      const isOut = isBefore(node, this.#range);
      if (!isOut) this.#above.push(node);
      node = node[isOut ? far : near];
    }
  }

  next(): IteratorResult<Row> {
    const [, far, , isAfter] = this.#way;
    for (;;) {
      const node = this.#above.pop();
      if (!node || isAfter(node, this.#range)) break;
      this.#descend(node[far]);
      if (!node.deleted) return { done: false, value: node.record };
    }
    this.#above.length = 0;
    return { done: true, value: undefined };
  }

  [Symbol.iterator](): this {
    return this;
  }
}

Tree.prototype.getRecords = function (this: { _root?: Node }, range: IDBKeyRange, isDescending?: boolean): Walk {
  return new Walk(this._root, range, isDescending);
};

const EVERYTHING = { lower: undefined, upper: undefined } as IDBKeyRange;

const values = Records.prototype.values as (range?: IDBKeyRange, direction?: IDBCursorDirection) => Iterable<Row>;

Records.prototype.values = function (
  this: { records: { _root?: Node } },
  range: IDBKeyRange = EVERYTHING,
  direction: IDBCursorDirection = "next",
): Iterable<Row> {
  if (direction.endsWith("unique")) return values.call(this, range, direction);
  return new Walk(this.records._root, range, direction === "prev");
};

const get = Records.prototype.get as (key: unknown) => unknown;

/** A record by its key, without a range and a walk. */
Records.prototype.get = function (this: { keysAreUnique: boolean; records: { _root?: Node } }, key: unknown): unknown {
  if (!this.keysAreUnique || key instanceof IDBKeyRange) return get.call(this, key);
  let node = this.records._root;
  while (node) {
    const side = order(key as Key, node.record.key);
    if (side === 0) return node.deleted ? undefined : node.record;
    node = side < 0 ? node.left : node.right;
  }
  return undefined;
};

const getIndexKey = Index.prototype.getIndexKey as (value: unknown) => unknown;

/** The package throws, and catches it, for each record that lacks a field of the index. */
Index.prototype.getIndexKey = function (this: { keyPath: string | string[] }, value: Record<string, unknown>): unknown {
  const fields = [this.keyPath].flat();
  return fields.some((field) => value[field] === undefined) ? undefined : getIndexKey.call(this, value);
};

/** What of requests and transactions is needed to tell of their end. */
interface Target {
  readonly listeners: readonly { type: string; callback: (event: Event) => void }[];
  onsuccess?: ((event: Event) => void) | null;
  oncomplete?: ((event: Event) => void) | null;
}

/** What of transactions is needed to end them. */
interface RawTransaction extends IDBTransaction {
  readonly db: IDBDatabase & { _rawDatabase: { transactions: RawTransaction[]; processTransactions(): void } };
  _started: boolean;
  _state: string;
  _markFinished(): void;
}

const rawTransaction = IDBTransaction.prototype as RawTransaction;
const markFinished = rawTransaction._markFinished;

/** A transaction that ends takes no tasks to be forgotten and to look for others, unless one waits. */
rawTransaction._markFinished = function (): void {
  if (this.mode === "versionchange") return markFinished.call(this);
  this._state = "finished";
  const raw = this.db._rawDatabase;
  raw.transactions = raw.transactions.filter((other) => other !== this);
  if (!this._started || raw.transactions.some(({ _started }) => !_started)) return;
  for (const type of ["complete", "abort"]) this.removeEventListener(type, raw.processTransactions);
};

/** Nobody listens to what went well but where it happened, and nobody there stops an event. */
for (const { prototype } of [IDBRequest, IDBTransaction]) {
  const dispatch = prototype.dispatchEvent;
  prototype.dispatchEvent = function (this: Target, event): boolean {
    if (event.type !== "success" && event.type !== "complete")
      return dispatch.call(this as unknown as IDBRequest, event);
    Object.assign(event, { target: this });
    for (const { type, callback } of [...this.listeners]) if (type === event.type) callback.call(this, event);
    this[`on${event.type}`]?.(event);
    return true;
  };
}
