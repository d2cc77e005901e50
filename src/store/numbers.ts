import type { Transaction } from "./database";
import { readCounters, writeCounters } from "./counters";

/** The next number for a server, an account, a subscription or a view. Never given twice, even after a removal. */
export async function takeNumbers(transaction: Transaction<"settings">, count = 1): Promise<number> {
  const counters = await readCounters(transaction);
  writeCounters(transaction, { ...counters, nextNumber: counters.nextNumber + count });
  return counters.nextNumber;
}
