import { transact, type Database, startingWith } from "./database";
import type { GapRecord } from "./schema";

/** Adds a gap, a span in which messages may be missing; it is merged with gaps that it touches. */
export function addGap(database: Database, gap: GapRecord): Promise<null> {
  return transact(database, ["gaps"], { mode: "readwrite" }, async (transaction) => {
    const store = transaction.store("gaps");
    const merged = { ...gap };
    for (const known of await store.getAll(startingWith(gap.subId))) {
      if (known.from > merged.to || known.to < merged.from) continue;
      merged.from = Math.min(merged.from, known.from);
      merged.to = Math.max(merged.to, known.to);
      if (known.forgot) merged.forgot = 1;
      if (known.cut) merged.cut = 1;
      store.delete([known.subId, known.from]);
    }
    store.put(merged);
    return null;
  });
}
