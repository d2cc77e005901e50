import type { MessageKey } from "../../contract";
import { startingWith, type Transaction, type Readable } from "../database";

/** Up to this many keys are looked up one by one (0.04 ms each), so a live message never reads a range. */
const ONE_BY_ONE = 16;

/** A range is read as long as it has at most this many keys for each that was asked for; else they lie far apart. */
const MOST_FOR_EACH = 4;

/**
 * Which of these keys a store has, and perhaps others between them: 10,000 lookups cost seven times as much as one range
 * of 10,000.
 * @param wanted sorted as the store sorts them
 */
export async function knownKeys<Key extends IDBValidKey, Value>(
  store: Readable<Key, Value>,
  wanted: readonly Key[],
): Promise<Key[]> {
  if (wanted.length > ONE_BY_ONE) {
    const limit = MOST_FOR_EACH * wanted.length;
    const keys = await store.getAllKeys(IDBKeyRange.bound(wanted[0], wanted.at(-1)), limit);
    if (keys.length < limit) return keys;
  }
  const keys = await Promise.all(wanted.map((key) => store.getKey(key)));
  return keys.filter((key) => key !== undefined);
}

/** Compares strings as IndexedDB does: by UTF-16 code unit. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Ids of a topic's messages that are stored, or were deleted here. They are looked up by time and id. */
export async function knownMessages(
  transaction: Transaction<"messages" | "tombstones">,
  keys: readonly MessageKey[],
): Promise<{ stored: ReadonlySet<string>; buried: ReadonlySet<string> }> {
  const wanted = [...keys].sort((a, b) => a[1] - b[1] || compareText(a[2], b[2]));
  const idsAmong = async (store: "messages" | "tombstones"): Promise<ReadonlySet<string>> => {
    const known = await knownKeys(transaction.store(store), wanted);
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
  const known = await knownKeys(store, wanted);
  return new Set(known.map(([, name]) => name));
}
