import type { Transaction } from "./database";
import { isIntactSetting } from "./intact";
import type { Counters } from "./schema";

/** The key of the counters in the `settings` store; no setting has this name. */
export const COUNTERS_KEY = "counters";

/** The counters are missing or damaged: everything must be counted before anything is written. */
export class DamagedCounters extends Error {}

/** The counters as they are stored; undefined if they are missing or damaged. */
export async function storedCounters(transaction: Transaction<"settings">): Promise<Counters | undefined> {
  const stored = await transaction.store("settings").get(COUNTERS_KEY);
  return stored !== undefined && isIntactSetting(COUNTERS_KEY, stored) ? (stored as Counters) : undefined;
}

/** Reads the counters, to continue from them. */
export async function readCounters(transaction: Transaction<"settings">): Promise<Counters> {
  const stored = await storedCounters(transaction);
  if (!stored) throw new DamagedCounters();
  return stored;
}

export function writeCounters(transaction: Transaction<"settings">, counters: Counters): void {
  transaction.store("settings").put(counters, COUNTERS_KEY);
}

/** Takes the next numbers for servers, accounts, topics or views; returns the first. None is given twice. */
export async function takeNumbers(transaction: Transaction<"settings">, count = 1): Promise<number> {
  const counters = await readCounters(transaction);
  writeCounters(transaction, { ...counters, nextNumber: counters.nextNumber + count });
  return counters.nextNumber;
}
