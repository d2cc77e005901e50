import { fail, ok, type Result } from "../../protocol";
import type { Database } from "../database";
import { storeErrorOf, type StoreError } from "../store-error";
import { beginImport, endReading, stagePart } from "./stage";
import { finishTaking, startTaking, takePart } from "./take";
import { undoImport } from "./undo";

/** The steps of an import by name, each without the database. */
const STEPS = {
  begin: beginImport,
  stage: stagePart,
  endReading,
  start: startTaking,
  takePart,
  finish: finishTaking,
  undo: undoImport,
};

type Step<Function> = Function extends (database: Database, ...args: infer Args) => Promise<infer Value>
  ? (...args: Args) => Promise<Result<Value, StoreError>>
  : never;

/**
 * The steps of an import (decision 0034): each is one transaction. First it is read (`begin`, `stage`, `endReading`), then
 * taken over (`start`, `takePart` until all are, `finish`). `undo` ends it at any moment.
 */
export type Importer = { [Name in keyof typeof STEPS]: Step<(typeof STEPS)[Name]> };

/** Makes the steps of imports into a database. What the database reports is a value, as for all methods of the store. */
export function importer(database: Database): Promise<Importer> {
  const steps = Object.entries(STEPS).map(([name, step]) => {
    const work = step as (database: Database, ...args: unknown[]) => Promise<unknown>;
    return [name, (...args: unknown[]) => work(database, ...args).then(ok, failure)];
  });
  return Promise.resolve(Object.fromEntries(steps) as Importer);
}

function failure(thrown: unknown): Result<never, StoreError> {
  const error = storeErrorOf(thrown);
  if (error) return fail(error);
  throw thrown;
}
