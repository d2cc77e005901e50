import type { MessageKey } from "../contract";
import { startingWith, type Transaction } from "./database";
import { compareText, knownKeys } from "./known-keys";

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

/** Which of these names are those of sequences that are known. Most topics have no sequences. */
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
