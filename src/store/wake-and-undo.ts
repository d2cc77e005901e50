import type { Changes } from "./changes";
import { transact, type Database } from "./database";
import { undoImport } from "./backup/undo";
import { joinChanges, wakeSnoozed } from "./marks";

/** What a round of waking and undoing came to. */
export interface WakeRound extends Changes {
  /** When to call again, device clock, ms; absent = nothing is waited for. */
  nextWakeMs?: number;
  /** An import was undone to its end, so that topics have gone or must be asked for again. */
  undone?: boolean;
}

/** Wakes messages whose snooze has ended, after a round of undoing an import that was cut. */
export async function wakeAndUndo(database: Database, nowMs: number): Promise<WakeRound> {
  // Most of the time there is no import, which a look into an empty store tells.
  const imports = await transact(database, ["imports"], { mode: "readonly" }, (transaction) =>
    transaction.store("imports").getAllKeys(),
  );
  const round = imports.length > 0 ? await undoImport(database, nowMs) : undefined;
  const { nextWakeMs, ...woken } = await wakeSnoozed(database, nowMs);
  if (!round) return { ...woken, ...(nextWakeMs !== undefined && { nextWakeMs }) };
  const nextMs = round.more ? nowMs : Math.min(nextWakeMs ?? Infinity, round.nextAtMs ?? Infinity);
  return { ...joinChanges(round, woken), undone: round.undone, ...(Number.isFinite(nextMs) && { nextWakeMs: nextMs }) };
}
