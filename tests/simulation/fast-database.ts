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

interface Node {
  record: { key: unknown };
  left?: Node;
  right?: Node;
  deleted: boolean;
}

/** The package's own walk makes a generator for each level of the tree that a record is below. */
function* records(
  this: { _root?: Node },
  { lower, upper, lowerOpen, upperOpen }: IDBKeyRange,
  isDescending = false,
): Generator<Node["record"]> {
  const isBelow = ({ record }: Node): boolean =>
    lower !== undefined && cmpKeys(lower, record.key) >= (lowerOpen ? 0 : 1);
  const isAbove = ({ record }: Node): boolean =>
    upper !== undefined && cmpKeys(record.key, upper) >= (upperOpen ? 0 : 1);
  const [near, far, isBefore, isAfter] = isDescending
    ? (["right", "left", isAbove, isBelow] as const)
    : (["left", "right", isBelow, isAbove] as const);
  const above: Node[] = [];
  let node = this._root;
  for (;;) {
    while (node) {
      const isOut = isBefore(node);
      if (!isOut) above.push(node);
      node = node[isOut ? far : near];
    }
    node = above.pop();
    if (!node || isAfter(node)) return;
    if (!node.deleted) yield node.record;
    node = node[far];
  }
}

Tree.prototype.getRecords = records;

const get = Records.prototype.get as (key: unknown) => unknown;

/** A record by its key, without a range and a walk. */
Records.prototype.get = function (this: { keysAreUnique: boolean; records: { _root?: Node } }, key: unknown): unknown {
  if (!this.keysAreUnique || key instanceof IDBKeyRange) return get.call(this, key);
  let node = this.records._root;
  while (node) {
    const order: number = cmpKeys(key, node.record.key);
    if (order === 0) return node.deleted ? undefined : node.record;
    node = order < 0 ? node.left : node.right;
  }
  return undefined;
};

const getIndexKey = Index.prototype.getIndexKey as (value: unknown) => unknown;

/** The package throws, and catches it, for each record that lacks a field of the index. */
Index.prototype.getIndexKey = function (this: { keyPath: string | string[] }, value: Record<string, unknown>): unknown {
  const fields = [this.keyPath].flat();
  return fields.some((field) => value[field] === undefined) ? undefined : getIndexKey.call(this, value);
};

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

const dispatch = IDBRequest.prototype.dispatchEvent;

/** Nobody listens to requests that succeed but at the request. */
IDBRequest.prototype.dispatchEvent = function (event): boolean {
  if (event.type === "success") Object.assign(event, { eventPath: [] });
  return dispatch.call(this, event);
};
