import type { Changes } from "../changes";
import { transact, type Database } from "../database";
import { undoImport } from "./undo";
import { wakeSnoozed } from "../edit/marks";

/** What a round of waking and undoing came to. */
export interface WakeRound extends Changes {
  /** When to call again, device clock, ms; absent = not needed. */
  nextWakeMs?: number;
  /** An import was completely undone, so topics have gone or must be asked for again. */
  undone?: boolean;
}

/** Undoes part of an import that was cut off, then wakes messages whose snooze has ended. */
export async function wakeAndUndo(database: Database, nowMs: number): Promise<WakeRound> {
  // Usually there is no import, which a look into an empty store shows.
  const imports = await transact(database, ["imports"], { mode: "readonly" }, (transaction) =>
    transaction.store("imports").getAllKeys(),
  );
  const round = imports.length > 0 ? await undoImport(database, nowMs) : undefined;
  const { nextWakeMs, ...woken } = await wakeSnoozed(database, nowMs);
  if (!round) return { ...woken, ...(nextWakeMs !== undefined && { nextWakeMs }) };
  const nextMs = round.more ? nowMs : Math.min(nextWakeMs ?? Infinity, round.nextAtMs ?? Infinity);
  return { ...joinChanges(round, woken), undone: round.undone, ...(Number.isFinite(nextMs) && { nextWakeMs: nextMs }) };
}

/** Joins two successive changes; the later counters hold. */
function joinChanges(first: Changes, second: Changes): Changes {
  const counts = new Map([...first.counts, ...second.counts].map((count) => [count.subId, count]));
  return {
    changed: [...first.changed, ...second.changed],
    removed: [...first.removed, ...second.removed],
    counts: [...counts.values()],
    total: second.total,
    lastArrival: second.lastArrival,
  };
}
