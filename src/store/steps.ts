import { fail, ok, type Result } from "../protocol";
import { DamagedCounters } from "./counters";
import type { Database } from "./database";
import { repair } from "./tidy/repair";
import { storeErrorOf, type StoreError } from "./store-error";

type Step<Function> = Function extends (database: Database, ...args: infer Args) => Promise<infer Value>
  ? (...args: Args) => Promise<Result<Value, StoreError>>
  : never;

/** Functions that take the database first, without it. */
export type Steps<Functions> = { [Name in keyof Functions]: Step<Functions[Name]> };

/** Makes steps on a database. What the database reports is a value, as for all methods of the store. */
export function stepsOn<Functions extends object>(database: Database, functions: Functions): Steps<Functions> {
  const steps = Object.entries(functions).map(([name, work]: [string, (...args: unknown[]) => Promise<unknown>]) => [
    name,
    (...args: unknown[]) => attempt(database, () => work(database, ...args)),
  ]);
  return Object.fromEntries(steps) as Steps<Functions>;
}

/** Returns the database's errors as values; bugs are thrown on. Work that needs the counters waits until they can be used. */
export async function attempt<Value>(
  database: Database,
  work: () => Promise<Value>,
): Promise<Result<Value, StoreError>> {
  try {
    return ok(
      await work().catch(async (thrown: unknown) => {
        if (!(thrown instanceof DamagedCounters)) throw thrown;
        await repair(database, false);
        return work();
      }),
    );
  } catch (thrown) {
    const error = storeErrorOf(thrown);
    if (!error) throw thrown;
    return fail(error);
  }
}
