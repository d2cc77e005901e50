// Repeats in a row, and storms (docs/design.md §6, "Repeats").
import { bodyText, oneLine, repeatKey, rowKey, stripBidiControls, type StoredMessage } from "../../contract";
import { priorityOf, toMs } from "../../protocol";
import { dayOf } from "../strings";

/** This many similar messages become one row if they came within this time, s. */
const REPEATS = { fewest: 3, withinS: Infinity };
const STORM = { fewest: 10, withinS: 120 };

/** Messages of a topic that one row stands for, in the order of the list. */
export interface Fold {
  readonly run: readonly StoredMessage[];
  readonly isStorm: boolean;
}

/** Folds by the first row of each. */
export type Folds = ReadonlyMap<StoredMessage, Fold>;

/** What foldable messages have in common; undefined = it never folds. */
interface Keys {
  repeat?: string | undefined;
  storm?: string | undefined;
}

const NO_KEYS: Keys = {};
const known = new WeakMap<StoredMessage, Keys>();

/** Computed once per row. */
function keysOf(row: StoredMessage): Keys {
  const before = known.get(row);
  if (before) return before;
  const { event, subId, time } = row;
  const priority = priorityOf(event);
  const shared = [subId, priority, dayOf(toMs(time))];
  // A file is worth seeing and a button asks for something, whatever the text says.
  const texts = event.attachment || event.actions?.length ? undefined : repeatKey(event);
  const keys = {
    // Many senders report success or failure by a tag alone.
    repeat: texts && JSON.stringify([...shared, event.tags ?? [], texts]),
    storm: event.title && priority < 5 ? JSON.stringify([...shared, event.title]) : undefined,
  };
  known.set(row, keys);
  return keys;
}

/**
 * The folds of a list. Repeats fold if they are in a row, a storm whatever comes in between.
 * @param folds whether a topic's messages are folded
 */
export function findFolds(rows: readonly StoredMessage[], folds: (subId: number) => boolean): Folds {
  const found = new Map<StoredMessage, Fold>();
  const storms = new Set<StoredMessage>();
  const keys = (row: StoredMessage): Keys => (folds(row.subId) ? keysOf(row) : NO_KEYS);
  for (const run of runsBy(rows, (row) => keys(row).storm, STORM)) {
    if (run[0]) found.set(run[0], { run, isStorm: true });
    for (const row of run) storms.add(row);
  }
  let last: string | undefined;
  let turn = 0;
  const inARow = (row: StoredMessage): number | undefined => {
    const { repeat } = keys(row);
    if (repeat !== last) turn++;
    last = repeat;
    return repeat === undefined ? undefined : turn;
  };
  const others = rows.filter((row) => !storms.has(row));
  for (const run of runsBy(others, inARow, REPEATS)) if (run[0]) found.set(run[0], { run, isStorm: false });
  return found;
}

/** The stretches of rows with one key in which enough came in the time. */
function runsBy<Key>(
  rows: readonly StoredMessage[],
  keyOf: (row: StoredMessage) => Key | undefined,
  { fewest, withinS }: typeof STORM,
): StoredMessage[][] {
  const groups = new Map<Key, StoredMessage[]>();
  for (const row of rows) {
    const key = keyOf(row);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  const runs: StoredMessage[][] = [];
  for (const group of groups.values()) {
    let end = 0;
    for (const [at, row] of group.entries()) {
      const isFirst = at >= end;
      const last = group[at + fewest - 1];
      if (last && Math.abs(row.time - last.time) <= withinS) end = at + fewest;
      if (at >= end) continue;
      if (isFirst) runs.push([]);
      runs.at(-1)?.push(row);
    }
  }
  return runs;
}

/** The rows of folds that are hidden if none is open. */
export function hiddenBy(folds: Folds): Set<StoredMessage> {
  return new Set([...folds.values()].flatMap(({ run }) => run.slice(1)));
}

/** How many rows from the start of a list are within both limits. */
export function rowsWithin(
  rows: readonly StoredMessage[],
  hidden: ReadonlySet<StoredMessage>,
  most: { shown: number; behind: number },
): number {
  let [shown, behind] = [0, 0];
  const end = rows.findIndex((row) => (hidden.has(row) ? ++behind > most.behind : ++shown > most.shown));
  return end < 0 ? rows.length : end;
}

export interface ShownFold extends Fold {
  readonly isOpen: boolean;
  /** Its hidden rows; none if it is open. */
  readonly hidden: readonly StoredMessage[];
}

/**
 * The visible rows of a list, and its folds by their first row. A starred row is always visible.
 * @param opened keys of rows whose folds the user opened
 * @param kept keys of rows that are shown all the same, such as the selected one
 */
export function foldRows(
  rows: readonly StoredMessage[],
  folds: Folds,
  opened: ReadonlySet<string>,
  kept: readonly (string | undefined)[] = [],
): { rows: readonly StoredMessage[]; folds: ReadonlyMap<StoredMessage, ShownFold> } {
  const shown = new Map<StoredMessage, ShownFold>();
  for (const [first, fold] of folds) {
    const isOpen = opened.size > 0 && fold.run.some((row) => opened.has(rowKey(row)));
    const isHidden = (row: StoredMessage): boolean => !row.starred && !kept.includes(rowKey(row));
    const hidden = isOpen ? [] : fold.run.slice(1).filter(isHidden);
    if (hidden.length > 0 || isOpen) shown.set(first, { ...fold, isOpen, hidden });
  }
  const behind = new Set([...shown.values()].flatMap(({ hidden }) => hidden));
  return { rows: rows.filter((row) => !behind.has(row)), folds: shown };
}

/** When the first and last of some messages came, ms. */
export function spanOf(run: Fold["run"]): { first: number; last: number } {
  const times = run.map(({ time }) => toMs(time)).sort((a, b) => a - b);
  return { first: times[0] ?? 0, last: times.at(-1) ?? 0 };
}

const { compare } = new Intl.Collator(undefined, { numeric: true });

/** The first and last word, in order, where the texts of messages begin to differ; undefined if they don't. */
export function rangeOf(run: Fold["run"]): { from: string; to: string } | undefined {
  const texts = run.map(({ event }) => {
    const body = bodyText(event);
    return "text" in body ? stripBidiControls(oneLine(body.text.slice(0, 200))) : "";
  });
  const least = texts.reduce((a, b) => (compare(b, a) < 0 ? b : a)).split(" ");
  const most = texts.reduce((a, b) => (compare(b, a) > 0 ? b : a)).split(" ");
  const at = most.findIndex((word, at) => word !== least[at]);
  const [from, to] = [least, most].map((words) => words[at]?.replace(/[,:;.]$/, ""));
  return from && to ? { from, to } : undefined;
}
