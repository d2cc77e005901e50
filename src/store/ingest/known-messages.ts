import type { MessageKey } from "../../contract";
import { startingWith, type Transaction, type Readable } from "../database";

/** Up to this many keys are looked up one by one (0.04 ms each), so a live message never reads a range. */
const ONE_BY_ONE = 16;

/** When a range passes a smaller part of the keys, the rest is looked up singly: the keys lie far apart. */
const WORTHWHILE_PART = 1 / 4;

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
  while (wanted.length - next > ONE_BY_ONE) {
    const left = wanted.length - next;
    const limit = 2 * left + SLACK;
    const keys = await store.getAllKeys(IDBKeyRange.bound(wanted[next], wanted.at(-1)), limit);
    for (const key of keys) known.push(key);
    const last = keys.at(-1);
    if (last === undefined || keys.length < limit) return known;
    const from = next;
    while (next < wanted.length && compare(wanted[next] as Key, last) <= 0) next++;
    if (next - from < left * WORTHWHILE_PART) break;
  }
  const rest = await Promise.all(wanted.slice(next).map((key) => store.getKey(key)));
  for (const key of rest) if (key !== undefined) known.push(key);
  return known;
}

/** Compares strings as IndexedDB does: by UTF-16 code unit. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Ids of a topic's messages that are stored, or were deleted here. They are looked up by time and id. */
export async function knownMessages(
  transaction: Transaction<"messages" | "tombstones">,
  keys: readonly MessageKey[],
): Promise<{ stored: ReadonlySet<string>; buried: ReadonlySet<string> }> {
  const compare = (a: MessageKey, b: MessageKey): number => a[1] - b[1] || compareText(a[2], b[2]);
  const wanted = [...keys].sort(compare);
  const idsAmong = async (store: "messages" | "tombstones"): Promise<ReadonlySet<string>> => {
    const known = await knownKeys(transaction.store(store), wanted, compare);
    return new Set(known.map(([, , id]) => id));
  };
  const [stored, buried] = await Promise.all([idsAmong("messages"), idsAmong("tombstones")]);
  return { stored, buried };
}

/** Which of these names are known sequences. Most topics have none. */
export async function knownSequences(
  transaction: Transaction<"sequences">,
  subId: number,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const store = transaction.store("sequences");
  if ((await store.getKey(startingWith(subId))) === undefined) return new Set();
  const wanted = [...new Set(names)].sort(compareText).map((name): [number, string] => [subId, name]);
  const known = await knownKeys(store, wanted, (a, b) => compareText(a[1], b[1]));
  return new Set(known.map(([, name]) => name));
}
