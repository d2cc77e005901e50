import type { SavedView } from "../contract";
import { COUNTERS_KEY, takeNumbers } from "./counters";
import { BY_HAND, transact, type Database } from "./database";
import { isIntactSetting } from "./intact";
import type { Settings } from "./schema";

export const DEFAULT_SETTINGS: Readonly<Settings> = {
  keepDays: 30,
  keepMessages: 100_000,
  theme: "system",
  density: "auto",
  language: "system",
  markRead: "open",
  historyRead: false,
  alerts: true,
  alertRules: {},
  sounds: {},
  swipeLeft: "snooze",
  swipeRight: "done",
  singleKeys: true,
  allowedRemote: [],
  allowedRequests: [],
  groups: [],
  columns: [],
};

/** The stored settings over the defaults, which take the place of damaged ones too. */
export function settingsOf(keys: readonly string[], values: readonly unknown[]): Settings {
  const set = keys
    .map((key, at): [string, unknown] => [key, values[at]])
    .filter(([key, value]) => key !== COUNTERS_KEY && isIntactSetting(key, value));
  return { ...DEFAULT_SETTINGS, ...(Object.fromEntries(set) as Partial<Settings>) };
}

export function setSetting<Name extends keyof Settings>(
  database: Database,
  name: Name,
  value: Settings[Name],
): Promise<null> {
  return transact(database, ["settings"], BY_HAND, (transaction) => {
    transaction.store("settings").put(value, name);
    return null;
  });
}

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
