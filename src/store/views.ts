import { BY_HAND, transact, type Database } from "./database";
import { takeNumbers } from "./numbers";
import type { ViewRecord } from "./schema";

/** Saves a view behind those that there are. */
export function addView(database: Database, view: Omit<ViewRecord, "viewId" | "order">): Promise<ViewRecord> {
  return transact(database, ["views", "settings"], BY_HAND, async (transaction) => {
    const store = transaction.store("views");
    const [views, viewId] = await Promise.all([store.getAll(), takeNumbers(transaction)]);
    const record: ViewRecord = { ...view, viewId, order: Math.max(0, ...views.map(({ order }) => order + 1)) };
    store.put(record);
    return record;
  });
}

export function patchView(
  database: Database,
  viewId: number,
  patch: Partial<Omit<ViewRecord, "viewId">>,
): Promise<ViewRecord | undefined> {
  return transact(database, ["views"], BY_HAND, async (transaction) => {
    const store = transaction.store("views");
    const view = await store.get(viewId);
    if (!view) return undefined;
    const after = { ...view, ...patch };
    store.put(after);
    return after;
  });
}

export function removeView(database: Database, viewId: number): Promise<null> {
  return transact(database, ["views"], BY_HAND, (transaction) => {
    transaction.store("views").delete(viewId);
    return null;
  });
}
