import { transact, type Database, startingWith } from "./database";
import type { GapRecord } from "./schema";

/** Adds a span in which messages may be missing, merged with those that it touches. */
export function addGap(database: Database, gap: GapRecord): Promise<null> {
  return transact(database, ["gaps"], { mode: "readwrite" }, async (transaction) => {
    const store = transaction.store("gaps");
    const merged = { ...gap };
    for (const known of await store.getAll(startingWith(gap.subId))) {
      if (known.from > merged.to || known.to < merged.from) continue;
      merged.from = Math.min(merged.from, known.from);
      merged.to = Math.max(merged.to, known.to);
      store.delete([known.subId, known.from]);
    }
    store.put(merged);
    return null;
  });
}

/** Takes a span away that turned out to be complete; what of a gap lies outside it stays. */
export function removeGaps(database: Database, subId: number, from: number, to: number): Promise<null> {
  return transact(database, ["gaps"], { mode: "readwrite" }, async (transaction) => {
    const store = transaction.store("gaps");
    for (const known of await store.getAll(startingWith(subId))) {
      if (known.from >= to || known.to <= from) continue;
      store.delete([subId, known.from]);
      if (known.from < from) store.put({ subId, from: known.from, to: from });
      if (known.to > to) store.put({ subId, from: to, to: known.to });
    }
    return null;
  });
}
