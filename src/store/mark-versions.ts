// What the events of a sequence change of its stored versions.
import { isCached, type StoredMessage } from "../protocol";
import { isBefore, type SequenceState, type ToldOrder, type Verdict } from "./reduce-sequence";

/** What a sequence was before the arrivals, and what it is with them. */
export interface Course {
  was: SequenceState;
  is: SequenceState;
}

/** A second of a sequence in which more happened than one update. */
export interface OpenSecond {
  time: number;
  /** Its stored versions. */
  stored: StoredMessage[];
  told: ToldOrder;
  verdict: Verdict;
  /** Something came, or the order was not known yet. */
  isOpen: boolean;
}

/** Fields that they change. */
export const MARKS = ["sequence", "supersededBy", "updated", "starred", "readAtMs", "unsettled", "rank"] as const;

/** Marks versions as the newest and as earlier ones. */
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
    // The star is the item's: were it left on every version, none of them would ever be pruned.
    if (newest && row.starred) {
      newest.starred = 1;
      delete row.starred;
    }
    // An order that no longer makes a difference.
    if (row.time !== is.newest.time && row.time !== is.deleted?.time) delete row.unsettled;
  }
  if (!newest) return;
  // A clear counts once: what was marked unread after it stays so.
  const isClearNew = is.cleared !== was.cleared || newest.supersededBy !== undefined;
  if (isClearNew && isBefore(newest, is.cleared)) newest.readAtMs ??= nowMs;
  delete newest.supersededBy;
  if (hasEarlier) newest.updated = 1;
  else delete newest.updated;
}

/** Marks the versions of a second by what is known of its order. */
export function markSecond(
  { time, told, verdict, isOpen }: OpenSecond,
  rows: readonly StoredMessage[],
  nowMs: number,
): void {
  const own = rows.filter((row) => row.time === time);
  if (verdict.isSettled && own.length > 1) {
    for (const [rank, { id }] of told.entries()) {
      const row = own.find((one) => one.id === id);
      if (row) row.rank = rank;
    }
  }
  // A clear counts once, and an answer that lacks some of what was known says nothing new.
  if (!isOpen) return;
  const kept = verdict.isSettled ? [] : own.filter(({ event }) => isCached(event));
  // The newest, as it is looked at again when another second's version follows.
  const holder = kept.find(({ id }) => id === verdict.newest) ?? kept[0];
  for (const row of own) {
    if (verdict.cleared.has(row.id)) row.readAtMs ??= nowMs;
    if (row === holder) row.unsettled = 1;
    else delete row.unsettled;
  }
}

/** Whether an entering version is taken for an earlier one although nobody has told that it is. */
export function isUnsure(
  { time, id, supersededBy }: StoredMessage,
  is: SequenceState,
  seconds: readonly OpenSecond[],
): boolean {
  if (supersededBy === undefined || time !== is.newest?.time) return false;
  return !seconds.some(({ verdict }) => verdict.overtaken.has(id));
}
