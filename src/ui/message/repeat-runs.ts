// Repeats in a row (docs/design.md §6, "Repeats").
import { foldText, repeatKey, rowKey, type Filter, type StoredMessage } from "../../contract";
import { messageText, priorityOf, toMs } from "../../protocol";
import { dayOf } from "../strings/dates";

/** Fewer repeats in a row are shown as they are. */
export const FEWEST_FOLDED = 3;

/** The most messages of a run, so it opens at once; a longer series is split. */
export const MAX_IN_RUN = 100;

/** Adjacent messages of one topic that repeat each other, in the order of the list; most runs hold one. Never empty. */
export type Run = readonly StoredMessage[];

/** What two messages must share to be in one run; undefined = never in a run with others. */
export type RunKeyOf = (row: StoredMessage) => string | undefined;

/**
 * The key of messages in a list with this filter. Besides the rule of repeats they share topic, priority, tags, day by
 * the device's clock, and where they match the filter's words. Computed once per row.
 */
export function runKeyFor(filter: Filter): RunKeyOf {
  const keys = new WeakMap<StoredMessage, string | null>();
  const words = filter.terms.flatMap((term) => ("text" in term && !term.not ? foldText(term.text) : []));
  return (row) => {
    let key = keys.get(row);
    if (key === undefined) keys.set(row, (key = runKey(row, words)));
    return key ?? undefined;
  };
}

function runKey(row: StoredMessage, words: readonly string[]): string | null {
  const { event } = row;
  // A file is worth seeing and a button asks for something, whatever the text says.
  const repeats = event.attachment || event.actions?.length ? undefined : repeatKey(event);
  if (repeats === undefined) return null;
  return JSON.stringify([
    row.subId,
    priorityOf(event),
    // Many senders report success or failure by a tag alone.
    event.tags ?? [],
    dayOf(toMs(row.time)),
    words.length > 0 ? foundIn(event, words) : "",
    repeats,
  ]);
}

/** Which of the words are in the title, and which in the text. */
function foundIn(event: StoredMessage["event"], words: readonly string[]): string {
  const content = messageText(event);
  const texts = [event.title ?? "", content.kind === "text" ? content.text : ""].map(foldText);
  return texts.map((text) => words.map((word) => (text.includes(word) ? "1" : "0")).join("")).join();
}

/**
 * The runs of a list.
 * @param folds whether a topic's repeats are folded
 */
export function runsOf(rows: readonly StoredMessage[], keyOf: RunKeyOf, folds: (subId: number) => boolean): Run[] {
  const runs: StoredMessage[][] = [];
  let last: string | undefined;
  for (const row of rows) {
    const key = keyOf(row);
    if (key !== undefined && key === last && folds(row.subId)) runs.at(-1)?.push(row);
    else runs.push([row]);
    last = key;
  }
  return runs.flatMap(split);
}

/** Splits a long run by numbers of its rows, so that its parts stay the same when rows come or go at its ends. */
function split(run: Run): Run[] {
  if (run.length <= MAX_IN_RUN) return [run];
  const parts: StoredMessage[][] = [];
  let last: number | undefined;
  for (const row of run) {
    const part = Math.floor(row.arrival / MAX_IN_RUN);
    if (part === last) parts.at(-1)?.push(row);
    else parts.push([row]);
    last = part;
  }
  return parts;
}

/** How many rows these runs show if none is open, and how many are hidden. */
export function countRuns(runs: readonly Run[]): { shown: number; behind: number } {
  let [shown, behind] = [0, 0];
  for (const { length } of runs) {
    const isFolded = length >= FEWEST_FOLDED;
    shown += isFolded ? 1 : length;
    behind += isFolded ? length - 1 : 0;
  }
  return { shown, behind };
}

/** How many rows at the beginning of a list are within both limits, in whole runs. */
export function rowsWithin(runs: readonly Run[], most: { shown: number; behind: number }): number {
  let [shown, behind] = [0, 0];
  for (const run of runs) {
    const more = countRuns([run]);
    if (shown + more.shown > most.shown || behind + more.behind > most.behind) break;
    shown += more.shown;
    behind += more.behind;
  }
  return shown + behind;
}

/** A run of which only the newest message is shown, or all once opened. */
export interface Fold {
  readonly run: Run;
  readonly isOpen: boolean;
  /** Its rows that aren't shown; none if it is open. */
  readonly hidden: readonly StoredMessage[];
}

/** Which rows of runs are shown, and the folds by their first row. */
export interface FoldedRows {
  readonly rows: readonly StoredMessage[];
  readonly folds: ReadonlyMap<StoredMessage, Fold>;
}

/**
 * The visible rows of runs. A starred one is always visible.
 * @param opened keys of rows whose runs the user opened
 * @param kept keys of rows that are shown all the same, such as the selected one
 */
export function foldRuns(
  runs: readonly Run[],
  opened: ReadonlySet<string>,
  kept: readonly (string | undefined)[] = [],
): FoldedRows {
  const rows: StoredMessage[] = [];
  const folds = new Map<StoredMessage, Fold>();
  for (const run of runs) {
    const [first, ...others] = run;
    if (!first) continue;
    const isLong = run.length >= FEWEST_FOLDED;
    const isOpen = isLong && run.some((row) => opened.has(rowKey(row)));
    const hidden = isLong && !isOpen ? others.filter((row) => !row.starred && !kept.includes(rowKey(row))) : [];
    if (hidden.length > 0 || isOpen) folds.set(first, { run, isOpen, hidden });
    rows.push(first, ...others.filter((row) => !hidden.includes(row)));
  }
  return { rows, folds };
}
