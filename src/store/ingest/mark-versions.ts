// How the events of a sequence change its stored versions.
import type { StoredMessage } from "../../contract";
import { isCached } from "../../protocol";
import { isBefore, type SequenceState, type EventOrder, type Verdict } from "./reduce-sequence";

/** The state of a sequence before the arrivals, and with them. */
export interface Course {
  was: SequenceState;
  is: SequenceState;
}

/** A second of a sequence in which more than one update happened. */
export interface OpenSecond {
  time: number;
  /** Its stored versions. */
  stored: StoredMessage[];
  order: EventOrder;
  verdict: Verdict;
  /** Something came, or the order wasn't known yet. */
  isOpen: boolean;
}

/** The fields that these functions change. */
export const VERSION_MARKS = [
  "sequence",
  "supersededBy",
  "updated",
  "starred",
  "readAtMs",
  "unsettled",
  "rank",
] as const;

/** Marks versions as the newest one and as earlier ones. */
export function markVersions(
  rows: readonly StoredMessage[],
  newest: StoredMessage | undefined,
  { sequence, was, is, hasEarlier, nowMs }: Course & { sequence: string; hasEarlier: boolean; nowMs: number },
): void {
  for (const row of rows) {
    row.sequence = sequence;
    if (row === newest || !is.newest) continue;
    row.supersededBy ??= is.newest.id;
    delete row.updated;
    // The star belongs to the sequence: if every version kept it, none would ever be pruned.
    if (newest && row.starred) {
      newest.starred = 1;
      delete row.starred;
    }
    // The order within this second no longer matters.
    if (row.time !== is.newest.time && row.time !== is.deleted?.time) delete row.unsettled;
  }
  if (!newest) return;
  // A clear counts once: what was marked unread after it stays unread.
  const isClearNew = is.cleared !== was.cleared || newest.supersededBy !== undefined;
  if (isClearNew && isBefore(newest, is.cleared)) newest.readAtMs ??= nowMs;
  delete newest.supersededBy;
  if (hasEarlier) newest.updated = 1;
  else delete newest.updated;
}

/** Marks the versions of a second by what is known of their order. */
export function markSecond(
  { time, order, verdict, isOpen }: OpenSecond,
  rows: readonly StoredMessage[],
  nowMs: number,
): void {
  const own = rows.filter((row) => row.time === time);
  if (verdict.isSettled && own.length > 1) {
    for (const [rank, { id }] of order.entries()) {
      const row = own.find((one) => one.id === id);
      if (row) row.rank = rank;
    }
  }
  // A clear counts once, and an incomplete answer says nothing new.
  if (!isOpen) return;
  const kept = verdict.isSettled ? [] : own.filter(({ event }) => isCached(event));
  // The mark goes on the newest one, as that is read again when a version of another second follows.
  const holder = kept.find(({ id }) => id === verdict.newest) ?? kept[0];
  for (const row of own) {
    if (verdict.cleared.has(row.id)) row.readAtMs ??= nowMs;
    if (row === holder) row.unsettled = 1;
    else delete row.unsettled;
  }
}

/** Whether an entering version is treated as an earlier one although the server hasn't confirmed the order. */
export function isUnsure(
  { time, id, supersededBy }: StoredMessage,
  is: SequenceState,
  seconds: readonly OpenSecond[],
): boolean {
  if (supersededBy === undefined || time !== is.newest?.time) return false;
  return !seconds.some(({ verdict }) => verdict.overtaken.has(id));
}
