import { newestFirst, type FilterTerm, type StoredMessage } from "../../contract";
import { FEWEST_FOLDED, RepeatRuns, type RunKeyOf } from "../message/repeat-runs";
import { priorityOf } from "../../protocol";

/** Unread messages of this priority or higher come first. */
const HIGH = 4;

/** The same as conditions of a filter. */
export const UNREAD_HIGH_TERMS: FilterTerm[] = [
  { not: false, kind: "is", what: "unread" },
  { not: false, kind: "priority", values: [4, 5] },
];

/** Unread and of high priority or above. */
export function isUnreadHigh(row: StoredMessage): boolean {
  return priorityOf(row.event) >= HIGH && row.readAtMs === undefined;
}

/** The rows of a wall: unread ones of high priority first, by priority, then all others; newest first among equals. */
export function wallRows(rows: readonly StoredMessage[]): StoredMessage[] {
  const rank = (row: StoredMessage) => (isUnreadHigh(row) ? priorityOf(row.event) : 0);
  return [...rows].sort((a, b) => rank(b) - rank(a) || newestFirst(a, b));
}

/** A line of a wall: a message, and of repeats in a row the newest. */
export interface WallLine {
  readonly row: StoredMessage;
  /** How many messages it stands for, and the server time of the first of them, s; absent = for itself alone. */
  readonly repeats?: { readonly count: number; readonly since: number };
}

/**
 * The rows of a wall with repeats in a row folded (docs/design.md §6, "Repeats"). Nobody opens a fold on a wall, so only the
 * newest message is left of it.
 * @param folds whether a topic's repeats are folded
 */
export function wallLines(
  rows: readonly StoredMessage[],
  keyOf: RunKeyOf,
  folds: (subId: number) => boolean,
): WallLine[] {
  return new RepeatRuns(keyOf, folds).take(rows).flatMap(({ rows: run }): WallLine[] => {
    const [row] = run;
    if (!row || run.length < FEWEST_FOLDED) return run.map((one) => ({ row: one }));
    return [{ row, repeats: { count: run.length, since: Math.min(...run.map(({ time }) => time)) } }];
  });
}
