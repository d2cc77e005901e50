import type { Database } from "../database";
import { stepsOn, type Steps } from "../steps";
import { beginImport, endReading, stagePart } from "./stage";
import { finishTaking, startTaking, takePart } from "./take";
import { takeUndone, undoImport } from "./undo";

/** The steps of an import by name, each without the database. */
const STEPS = {
  begin: beginImport,
  stage: stagePart,
  endReading,
  start: startTaking,
  takePart,
  finish: finishTaking,
  undo: undoImport,
  takeUndone,
};

/**
 * The steps of an import (decision 0034): each is one transaction. First it is read (`begin`, `stage`, `endReading`), then
 * taken over (`start`, `takePart` until all are, `finish`). `undo` ends it at any moment.
 */
export type Importer = Steps<typeof STEPS>;

/** Makes the steps of imports into a database. */
export function importer(database: Database): Importer {
  return stepsOn(database, STEPS);
}
