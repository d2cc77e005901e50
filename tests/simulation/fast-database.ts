// @ts-expect-error -- the package has types for its entry alone
import { cmpKeys } from "../../node_modules/fake-indexeddb/build/esm/lib/cmp.js";
// @ts-expect-error -- as above
import Tree from "../../node_modules/fake-indexeddb/build/esm/lib/binarySearchTree.js";

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
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) copy[key] = cloned((value as Record<string, unknown>)[key]);
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
