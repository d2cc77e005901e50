import type { Changes } from "./changes";
import { transact, type Database } from "./database";
import { loadSteps } from "./load-steps";
import { joinChanges, wakeSnoozed } from "./marks";

/** Wakes messages whose snooze has ended, after a round of undoing an import that was cut. */
export async function wakeAndUndo(database: Database, nowMs: number): Promise<Changes & { nextWakeMs?: number }> {
  // Most of the time there is no import, which a look into an empty store tells.
  const imports = await transact(database, ["imports"], { mode: "readonly" }, (transaction) =>
    transaction.store("imports").getAllKeys(),
  );
  const undone = imports.length > 0 ? await (await loadSteps()).undoImport(database, nowMs) : undefined;
  const { nextWakeMs, ...woken } = await wakeSnoozed(database, nowMs);
  if (!undone) return { ...woken, ...(nextWakeMs !== undefined && { nextWakeMs }) };
  const nextMs = undone.more ? nowMs : Math.min(nextWakeMs ?? Infinity, undone.nextAtMs ?? Infinity);
  return { ...joinChanges(undone, woken), ...(Number.isFinite(nextMs) && { nextWakeMs: nextMs }) };
}
