// Stores the state of each server's pushes (docs/design.md §5).
import { transact, type Database } from "../database";
import type { PushRecord } from "../schema";

/** Lists the state of each server whose pushes were turned on. */
export function listPushes(database: Database): Promise<PushRecord[]> {
  return transact(database, ["push"], { mode: "readonly" }, (transaction) => transaction.store("push").getAll());
}

/**
 * Changes the record of a server's pushes.
 * @param edit gets the stored record and returns the new one; undefined deletes it
 * @returns the record as it was before
 */
export function editPush(
  database: Database,
  serverId: number,
  edit: (before: PushRecord | undefined) => PushRecord | undefined,
): Promise<PushRecord | undefined> {
  return transact(database, ["push"], { mode: "readwrite" }, async (transaction) => {
    const store = transaction.store("push");
    const before = await store.get(serverId);
    const after = edit(before);
    if (after) store.put(after);
    else if (before) store.delete(serverId);
    return before;
  });
}
