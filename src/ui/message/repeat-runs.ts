// Repeats in a row (docs/design.md §6, "Repeats"): pure, so that tests can compare it with folding everything at once.
import { foldText, isUnread, repeatKey, rowKey, type Filter, type StoredMessage } from "../../contract";
import { messageText, priorityOf, toMs } from "../../protocol";
import { dayOf } from "../strings/dates";

/** Fewer repeats in a row than this are shown as they are. */
export const FEWEST_FOLDED = 3;

/** The most messages of a run, so that it can be opened at once; a longer series is cut into several. */
export const MAX_IN_RUN = 100;

/** Messages of one topic that stand together and repeat each other; most runs hold one message. */
export interface Run {
  /** Stays the same while messages join the run or leave it. */
  readonly id: number;
  /** In the order of the list; never empty. */
  readonly rows: readonly StoredMessage[];
}

/** What two messages must share to be in one run; undefined if a message is never in a run with another. */
export type RunKeyOf = (row: StoredMessage) => string | undefined;

/** Whether a message asks for something, or was picked out by the user, so that no fold hides it. */
export function isNeverHidden(row: StoredMessage): boolean {
  return row.starred !== undefined || (isUnread(row) && (row.event.actions?.length ?? 0) > 0);
}

/**
 * The key of messages in a list with this filter. Beside the rule of repeats they share topic, priority, tags, day by the
 * device's clock, and where they hold the words that the filter looks for. It is worked out once for each row.
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
  // A picture or file is something to look at, whatever the text says.
  const repeats = event.attachment ? undefined : repeatKey(event);
  if (repeats === undefined) return null;
  return JSON.stringify([
    row.subId,
    priorityOf(event),
    // Many senders say by a tag alone whether something went well.
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

/** A run by its size, as its rows follow from those of the runs before it. */
interface Piece {
  id: number;
  size: number;
  /** The run that it was or is part of. */
  run?: Run;
}

/**
 * The runs of a list that changes at its ends, or anywhere. Only what changed is looked at anew, and a run that the user
 * has seen isn't cut anew because of what came above or below it.
 */
export class RepeatRuns {
  readonly #keyOf: RunKeyOf;
  readonly #folds: (subId: number) => boolean;
  #rows: readonly StoredMessage[] = [];
  #runs: readonly Run[] = [];
  #lastId = 0;

  /** @param folds whether a topic's repeats are folded */
  constructor(keyOf: RunKeyOf, folds: (subId: number) => boolean) {
    this.#keyOf = keyOf;
    this.#folds = folds;
  }

  /** The runs of these rows, given those before. */
  take(rows: readonly StoredMessage[]): readonly Run[] {
    const before = this.#rows;
    const most = Math.min(before.length, rows.length);
    let head = 0;
    while (head < most && this.#isSame(before[head], rows[head])) head++;
    let tail = 0;
    while (tail < most - head && this.#isSame(before[before.length - 1 - tail], rows[rows.length - 1 - tail])) tail++;
    let at = 0;
    this.#runs = this.#splice(rows, head, tail).map(({ id, size, run }) => {
      const from = at;
      at += size;
      const isUntouched = run?.rows.length === size && run.rows.every((row, index) => row === rows[from + index]);
      return isUntouched ? run : { id, rows: rows.slice(from, at) };
    });
    this.#rows = rows;
    return this.#runs;
  }

  /** Folds everything anew, as a setting changed. */
  takeAnew(): readonly Run[] {
    const rows = this.#rows;
    this.#rows = [];
    this.#runs = [];
    return this.take(rows);
  }

  /** Whether both are the same message, with a text that repeats the same others. */
  #isSame(a: StoredMessage | undefined, b: StoredMessage | undefined): boolean {
    return a === b || (!!a && !!b && rowKey(a) === rowKey(b) && this.#keyOf(a) === this.#keyOf(b));
  }

  /** Pieces after all rows but the first `head` and the last `tail` were replaced. */
  #splice(rows: readonly StoredMessage[], head: number, tail: number): Piece[] {
    const kept = this.#rows.length - tail;
    const left: Piece[] = [];
    const right: Piece[] = [];
    let at = 0;
    for (const run of this.#runs) {
      const from = at;
      at += run.rows.length;
      const before = Math.min(at, head) - from;
      const behind = at - Math.max(from, kept);
      if (before > 0) left.push({ id: run.id, size: before, run });
      // A run that was split lives on as two.
      if (behind > 0) right.push({ id: before > 0 ? ++this.#lastId : run.id, size: behind, run });
    }
    // Only the runs beside what changed can grow or be joined.
    const pieces = left.splice(0, Math.max(0, left.length - 2));
    at = pieces.reduce((sum, { size }) => sum + size, 0);
    const add = (piece: Piece): void => {
      const last = pieces.at(-1);
      if (last && this.#joins(rows, at, last, piece)) {
        // The older one is what the user may have seen.
        last.id = Math.min(last.id, piece.id);
        last.size += piece.size;
      } else pieces.push({ ...piece });
      at += piece.size;
    };
    for (const piece of left) add(piece);
    for (let index = head; index < rows.length - tail; index++) add({ id: ++this.#lastId, size: 1 });
    for (const piece of right.slice(0, 2)) add(piece);
    pieces.push(...right.slice(2));
    return pieces;
  }

  /** Whether the piece that begins at `at` continues the one before it. */
  #joins(rows: readonly StoredMessage[], at: number, last: Piece, piece: Piece): boolean {
    if (last.size + piece.size > MAX_IN_RUN) return false;
    const [before, row] = [rows[at - 1], rows[at]];
    if (!before || !row || !this.#folds(row.subId) || isNeverHidden(before) || isNeverHidden(row)) return false;
    const key = this.#keyOf(row);
    return key !== undefined && key === this.#keyOf(before);
  }
}

/** How many rows these runs show if none is open, and how many stand behind those. */
export function countRuns(runs: readonly Run[]): { shown: number; behind: number } {
  let [shown, behind] = [0, 0];
  for (const { rows } of runs) {
    const isFolded = rows.length >= FEWEST_FOLDED;
    shown += isFolded ? 1 : rows.length;
    behind += isFolded ? rows.length - 1 : 0;
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

/** Which of these keys are of rows that a fold may hide. */
export function keysBehind(runs: readonly Run[], keys: readonly (string | undefined)[]): string[] {
  const asked = keys.flatMap((key) => (key ? { key, time: Number(key.split("/")[1]) } : []));
  if (asked.length === 0) return [];
  return runs.flatMap(({ rows }) => {
    if (rows.length < FEWEST_FOLDED) return [];
    return asked
      .filter(({ key, time }) => rows.some((row, index) => index > 0 && row.time === time && rowKey(row) === key))
      .map(({ key }) => key);
  });
}

/** A run of which only the newest message is shown, or all, once it was opened. */
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
 * The rows that are shown of runs.
 * @param opened ids of the runs that the user opened
 * @param isShown whether a row of a folded run is shown in spite of that, such as the selected one
 */
export function foldRuns(
  runs: readonly Run[],
  opened: ReadonlySet<number>,
  isShown: (row: StoredMessage) => boolean,
): FoldedRows {
  const rows: StoredMessage[] = [];
  const folds = new Map<StoredMessage, Fold>();
  for (const run of runs) {
    const [first, ...others] = run.rows;
    if (!first) continue;
    const isOpen = opened.has(run.id);
    const hidden = run.rows.length < FEWEST_FOLDED || isOpen ? [] : others.filter((row) => !isShown(row));
    if (hidden.length > 0 || (isOpen && run.rows.length >= FEWEST_FOLDED)) folds.set(first, { run, isOpen, hidden });
    rows.push(first);
    if (hidden.length < others.length) rows.push(...others.filter((row) => !hidden.includes(row)));
  }
  return { rows, folds };
}
