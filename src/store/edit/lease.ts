// A lease that replaces a Web Lock on pages opened over plain http (docs/design.md §3). It only decides who holds the
// streams.
import { transact, type Database } from "../database";

/** Takes or renews a lease, unless another holder has it. Resolves to whether `holder` has it now. */
export function takeLease(
  database: Database,
  name: string,
  holder: string,
  nowMs: number,
  untilMs: number,
): Promise<boolean> {
  return transact(database, ["leases"], { mode: "readwrite" }, async (transaction) => {
    const store = transaction.store("leases");
    const held = await store.get(name);
    // A lease that ends later than the one asked for was written by a wrong clock: it must not last for years.
    const isSane = held && held.untilMs <= untilMs;
    if (held && held.holder !== holder && held.untilMs > nowMs && isSane) return false;
    store.put({ name, holder, untilMs });
    return true;
  });
}

/** Gives a lease back if `holder` has it. */
export function releaseLease(database: Database, name: string, holder: string): Promise<null> {
  return transact(database, ["leases"], { mode: "readwrite" }, async (transaction) => {
    const store = transaction.store("leases");
    if ((await store.get(name))?.holder === holder) store.delete(name);
    return null;
  });
}
