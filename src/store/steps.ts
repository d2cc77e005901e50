import { fail, ok, type Result } from "../protocol";
import { isDamagedCounters } from "./counters";
import type { Database } from "./database";
import { repair } from "./repair";
import { storeErrorOf, type StoreError } from "./store-error";

type Step<Function> = Function extends (database: Database, ...args: infer Args) => Promise<infer Value>
  ? (...args: Args) => Promise<Result<Value, StoreError>>
  : never;

/** Functions that take the database first, without it. */
export type Steps<Functions> = { [Name in keyof Functions]: Step<Functions[Name]> };

/** Makes steps on a database. What the database reports is a value, as for all methods of the store. */
export function stepsOn<Functions extends object>(database: Database, functions: Functions): Steps<Functions> {
  const steps = Object.entries(functions).map(([name, work]) => [name, stepOn(database, () => work)]);
  return Object.fromEntries(steps) as Steps<Functions>;
}

/** Makes one step. @param find finds the function when the step is called; it may have to load it */
export function stepOn(database: Database, find: () => unknown): (...args: unknown[]) => Promise<unknown> {
  const run = async (args: unknown[]): Promise<unknown> => {
    const work = (await find()) as (database: Database, ...args: unknown[]) => Promise<unknown>;
    return work(database, ...args);
  };
  return (...args) => attempt(database, () => run(args));
}

/** Returns the database's errors as values; bugs are thrown on. Work that needs the counters waits until they can be used. */
export async function attempt<Value>(
  database: Database,
  work: () => Promise<Value>,
): Promise<Result<Value, StoreError>> {
  try {
    return ok(
      await work().catch(async (thrown: unknown) => {
        if (!isDamagedCounters(thrown)) throw thrown;
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
