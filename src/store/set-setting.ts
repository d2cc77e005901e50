import { BY_HAND, transact, type Database } from "./database";
import type { Settings } from "./schema";

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
