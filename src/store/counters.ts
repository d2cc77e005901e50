import type { Transaction } from "./database";
import type { Counters } from "./schema";

/** The key of the counters in the `settings` store; no setting has this name. */
export const COUNTERS_KEY = "counters";

/** The counters of a new database. */
export const FIRST_COUNTERS: Readonly<Counters> = { nextArrival: 1, total: 0, nextNumber: 1, unindexed: [] };

/** Reads the counters. */
export async function readCounters(transaction: Transaction<"settings">): Promise<Counters> {
  const stored = (await transaction.store("settings").get(COUNTERS_KEY)) as Counters | undefined;
  return stored ?? { ...FIRST_COUNTERS };
}

/** Writes the counters back. */
export function writeCounters(transaction: Transaction<"settings">, counters: Counters): void {
  transaction.store("settings").put(counters, COUNTERS_KEY);
}
