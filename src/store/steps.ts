import { fail, ok, type Result } from "../protocol";
import type { Database } from "./database";
import { storeErrorOf, type StoreError } from "./store-error";

type Step<Function> = Function extends (database: Database, ...args: infer Args) => Promise<infer Value>
  ? (...args: Args) => Promise<Result<Value, StoreError>>
  : never;

/** Functions that take the database first, without it. */
export type Steps<Functions> = { [Name in keyof Functions]: Step<Functions[Name]> };

/** Makes steps on a database. What the database reports is a value, as for all methods of the store. */
export function stepsOn<Functions extends object>(database: Database, functions: Functions): Steps<Functions> {
  const steps = Object.entries(functions).map(([name, step]) => {
    const work = step as (database: Database, ...args: unknown[]) => Promise<unknown>;
    return [name, (...args: unknown[]) => work(database, ...args).then(ok, failure)];
  });
  return Object.fromEntries(steps) as Steps<Functions>;
}

function failure(thrown: unknown): Result<never, StoreError> {
  const error = storeErrorOf(thrown);
  if (error) return fail(error);
  throw thrown;
}
