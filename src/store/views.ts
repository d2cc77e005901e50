import type { SavedView } from "../contract";
import { BY_HAND, transact, type Database } from "./database";
import { takeNumbers } from "./numbers";

/** Replaces all saved views, in their order. A view without a number is new; one that isn't listed is removed. */
export function setViews(database: Database, views: readonly SavedView[]): Promise<null> {
  return transact(database, ["views", "settings"], BY_HAND, async (transaction) => {
    const store = transaction.store("views");
    let next = await takeNumbers(transaction, views.filter(({ viewId }) => viewId === undefined).length);
    store.delete(IDBKeyRange.lowerBound(-Infinity));
    for (const [order, { name, link, viewId = next++ }] of views.entries()) store.put({ viewId, name, link, order });
    return null;
  });
}
