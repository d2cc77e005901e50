import type { Transaction } from "./database";
import { readCounters, writeCounters } from "./counters";

/**
 * Takes the next number or numbers for a server, an account, a subscription or a view; returns the first. None is ever
 * given twice, even after a removal.
 */
export async function takeNumbers(transaction: Transaction<"settings">, count = 1): Promise<number> {
  const counters = await readCounters(transaction);
  writeCounters(transaction, { ...counters, nextNumber: counters.nextNumber + count });
  return counters.nextNumber;
}
