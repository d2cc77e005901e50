import type { Readable } from "./database";

/** Up to this many keys are looked up one by one (0.04 ms each), so a live message never reads a range. */
const ONE_BY_ONE = 16;

/**
 * At most this many ranges are read before the rest is looked up one by one: then the keys lie far apart among many
 * others.
 */
const MAX_RANGES = 8;

/** How many keys that weren't asked for a range may return before it is cut. */
const SLACK = 64;

/**
 * Which of these keys a store has. It reads ranges, since 10,000 lookups cost seven times as much as one range of
 * 10,000 (docs/design.md §8). A range that turns out to hold far more than was asked for is cut, and reading goes on
 * from the next wanted key. Resolves to every key seen, including some that weren't wanted.
 *
 * @param wanted sorted as the store sorts them
 */
export async function knownKeys<Key extends IDBValidKey, Value>(
  store: Readable<Key, Value>,
  wanted: readonly Key[],
  compare: (a: Key, b: Key) => number,
): Promise<Key[]> {
  const known: Key[] = [];
  let next = 0;
  for (let ranges = 0; ranges < MAX_RANGES && wanted.length - next > ONE_BY_ONE; ranges++) {
    const limit = 2 * (wanted.length - next) + SLACK;
    const keys = await store.getAllKeys(IDBKeyRange.bound(wanted[next], wanted.at(-1)), limit);
    for (const key of keys) known.push(key);
    const last = keys.at(-1);
    if (last === undefined || keys.length < limit) return known;
    while (next < wanted.length && compare(wanted[next] as Key, last) <= 0) next++;
  }
  const rest = await Promise.all(wanted.slice(next).map((key) => store.getKey(key)));
  for (const key of rest) if (key !== undefined) known.push(key);
  return known;
}

/** Compares strings as IndexedDB does: by UTF-16 code unit. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
