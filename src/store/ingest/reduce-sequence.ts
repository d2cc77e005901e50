// What the events of a sequence lead to (docs/protocol.md §17). Different seconds are ordered by time, one second by an
// answer for the topic alone. While that order is unknown, no event removes, marks read or silences another of its
// second (decision 0016).
import { compareAge, type StoredMessage } from "../../contract";
import { isCached, sequenceOf, type SequenceEvent } from "../../protocol";
import type { Arrival } from "../changes";
import type { ControlMark, SequenceRecord } from "../schema";

export type SequenceInput =
  | { kind: "message"; time: number; id: string; arrival: number }
  | { kind: "clear" | "delete"; time: number; id: string };

export type SequenceState = Pick<SequenceRecord, "newest" | "deleted" | "cleared">;

/** The events of a sequence that share a second, in the server's order. */
export type EventOrder = readonly Pick<SequenceInput, "kind" | "id">[];

/** How many deletes, or clears, of one sequence in one second are told apart, at most: no script comes near that. */
const MAX_CONTROLS = 50;

/**
 * Adds events to a state; the result doesn't depend on their order. Returns the same object if they change nothing. Of
 * several versions in one second, the last to arrive counts as the newest until `judgeSecond` knows better.
 */
export function reduceSequence(state: SequenceState, inputs: readonly SequenceInput[]): SequenceState {
  let { newest, deleted, cleared } = state;
  for (const input of inputs) {
    if (input.kind === "message") {
      if (!newest || compareAge(input, newest) > 0) newest = { time: input.time, id: input.id, arrival: input.arrival };
    } else if (input.kind === "delete") {
      deleted = withControl(deleted, input);
    } else {
      cleared = withControl(cleared, input);
    }
  }
  if (newest === state.newest && deleted === state.deleted && cleared === state.cleared) return state;
  return { ...(newest && { newest }), ...(deleted && { deleted }), ...(cleared && { cleared }) };
}

/** How far ahead of both clocks an event may be, s, and still override later ones. */
const MAX_AHEAD_S = 86_400;

/** A state without what a server with a wrong clock dated too far ahead, which would hide everything later. */
export function withoutFuture(state: SequenceState, nowS: number): SequenceState {
  const { newest, deleted, cleared } = state;
  const isKept = (mark?: { time: number }): boolean => mark !== undefined && mark.time <= nowS + MAX_AHEAD_S;
  if ([newest, deleted, cleared].every((mark) => !mark || isKept(mark))) return state;
  return {
    ...(newest && isKept(newest) && { newest }),
    ...(deleted && isKept(deleted) && { deleted }),
    ...(cleared && isKept(cleared) && { cleared }),
  };
}

/** Whether something is from an earlier second than a delete or clear, which then certainly applies to it. */
export function isBefore({ time }: { time: number }, mark: ControlMark | undefined): boolean {
  return mark !== undefined && time < mark.time;
}

/** The known deletes, or clears, of one second. */
export function controlsAt(time: number, mark: ControlMark | undefined): string[] {
  return mark?.time === time ? [mark.id, ...(mark.others ?? [])] : [];
}

function withControl(known: ControlMark | undefined, { time, id }: { time: number; id: string }): ControlMark {
  if (!known || known.time < time) return { time, id };
  const ids = controlsAt(time, known);
  if (known.time > time || ids.includes(id) || ids.length >= MAX_CONTROLS) return known;
  const [first = id, ...others] = [...ids, id].sort().reverse();
  return { time, id: first, others };
}

/** The versions of one second, and what is known about their order. */
export interface Second {
  time: number;
  /** Stored versions, and those that enter. */
  versions: readonly Pick<StoredMessage, "id" | "arrival" | "event" | "deletedAtMs">[];
  /** Ids of those that enter. */
  entering: ReadonlySet<string>;
  /** The order; empty = not known. */
  order: EventOrder;
}

/** What follows from the order within a second. */
export interface Verdict {
  /** Ids of versions that a delete followed. */
  gone: ReadonlySet<string>;
  /** Ids of versions that a clear followed. */
  cleared: ReadonlySet<string>;
  /** Id of the sequence's newest version if it is in this second; absent = none is left here. */
  newest?: string;
  /** Ids of versions that a newer one certainly followed. */
  overtaken: ReadonlySet<string>;
  /** Whether knowing more of the order would change nothing. */
  isSettled: boolean;
}

/** Judges the versions of a second with several updates. `state` includes all its events. */
export function judgeSecond({ time, versions, entering, order }: Second, state: SequenceState): Verdict {
  const places = new Map(order.map(({ id }, place) => [id, place]));
  const lastPlace = (kind: SequenceInput["kind"]): number => order.findLastIndex((event) => event.kind === kind);
  const deletedAt = lastPlace("delete");
  const clearedAt = lastPlace("clear");
  const isPlaced = ({ id }: { id: string }): boolean => places.has(id);
  const isGone = ({ id }: { id: string }): boolean => (places.get(id) ?? Infinity) < deletedAt;
  const left = versions.filter((version) => !isGone(version));
  const lastPlaced = order.findLast(({ kind }, place) => kind === "message" && place > deletedAt)?.id;

  const ofNewest = state.newest?.time === time ? state.newest : undefined;
  let newest = ofNewest?.id;
  if (ofNewest && isGone(ofNewest)) {
    newest = latest(left.filter((one) => !isPlaced(one) || one.id === lastPlaced)) ?? lastPlaced;
  } else if (ofNewest && isPlaced(ofNewest)) {
    newest = lastPlaced;
  } else if (ofNewest && !left.some(({ id, deletedAtMs }) => id === newest && deletedAtMs === undefined)) {
    // The user deleted it, along with the older ones; a version that comes now may be newer.
    newest = latest(left.filter((one) => entering.has(one.id) && (!isPlaced(one) || one.id === lastPlaced))) ?? newest;
  }

  const deletes = controlsAt(time, state.deleted);
  const clears = ofNewest ? controlsAt(time, state.cleared) : [];
  const isContested = deletes.length > 0 || clears.length > 0 || (ofNewest !== undefined && left.length > 1);
  const wanted = [...left.filter(({ event }) => isCached(event)).map(({ id }) => id), ...deletes, ...clears];
  return {
    gone: new Set(versions.filter(isGone).map(({ id }) => id)),
    cleared: new Set(left.filter(({ id }) => (places.get(id) ?? Infinity) < clearedAt).map(({ id }) => id)),
    ...(newest !== undefined && { newest }),
    overtaken: new Set(left.filter((one) => isPlaced(one) && one.id !== lastPlaced).map(({ id }) => id)),
    // The server never tells the order of messages that it doesn't keep.
    isSettled: left.length === 0 || !isContested || wanted.length < 2 || wanted.every((id) => places.has(id)),
  };
}

function latest(versions: readonly { id: string; arrival: number }[]): string | undefined {
  let last: { id: string; arrival: number } | undefined;
  for (const version of versions) if (!last || version.arrival > last.arrival) last = version;
  return last?.id;
}

/** Several events of one sequence in one second, in the server's order. */
export interface SecondOrder {
  subId: number;
  sequence: string;
  time: number;
  events: Pick<SequenceInput, "kind" | "id">[];
}

const KINDS = { message: "message", message_delete: "delete", message_clear: "clear" } as const;

/** Works out, from arrivals in the server's order, the order of seconds in which a sequence has several events. */
export function secondOrders(arrivals: readonly Arrival[]): SecondOrder[] {
  // Most topics have no sequences: each message stands alone.
  if (arrivals.every(({ event }) => sequenceOf(event) === event.id)) return [];
  const seconds = new Map<string, SecondOrder>();
  for (const { subId, event } of arrivals) {
    const { time, id } = event;
    const sequence = sequenceOf(event);
    const key = `${subId}/${time}/${sequence}`;
    const second = seconds.get(key) ?? { subId, sequence, time, events: [] };
    seconds.set(key, second);
    if (!second.events.some((other) => other.id === id)) second.events.push({ kind: KINDS[event.event], id });
  }
  return [...seconds.values()].filter(({ events }) => events.length > 1);
}

/** A version that enters its sequence: new, or stored as scheduled before (`before`) and now due. */
export interface EnteringVersion {
  row: StoredMessage;
  before?: StoredMessage;
  /** Whether another version of the second counts as newer without certainty, so that this one may alert too. */
  isUnsure?: true;
}

/** Everything that arrived for one sequence of one subscription. */
export interface SequenceArrivals {
  subId: number;
  sequence: string;
  versions: EnteringVersion[];
  controls: SequenceEvent[];
  /** The order within some seconds, as in an answer for the topic alone; it includes events known before. */
  orders: Map<number, EventOrder>;
}

/** A string that names a sequence of a subscription in maps and sets. */
export function sequenceText(subId: number, sequence: string): string {
  return `${subId}/${sequence}`;
}

/** What arrived for a sequence in a transaction; at first nothing. */
export function arrivalsOf(all: Map<string, SequenceArrivals>, subId: number, sequence: string): SequenceArrivals {
  const key = sequenceText(subId, sequence);
  const open = all.get(key) ?? { subId, sequence, versions: [], controls: [], orders: new Map() };
  all.set(key, open);
  return open;
}

/** The result for a sequence's arrivals; the rows are yet to be written. */
export interface SequenceOutcome {
  subId: number;
  sequence: string;
  /** Versions to be stored, with their marks set. */
  stored: EnteringVersion[];
  /** Whether any event was new to the sequence, so that a still scheduled version was replaced or cancelled. */
  cancelsScheduled: boolean;
  /** Whether an order within a second matters and isn't known. */
  isUnsettled: boolean;
}

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
  /** Whether something came, or the order wasn't known yet. */
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
  // A clear counts only once: what was marked unread after it stays unread.
  const isClearNew = is.cleared !== was.cleared || newest.supersededBy !== undefined;
  if (isClearNew && isBefore(newest, is.cleared)) newest.readAtMs ??= nowMs;
  delete newest.supersededBy;
  if (hasEarlier) newest.updated = 1;
  else delete newest.updated;
}

/** Marks the versions of a second by what is known about their order. */
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
  // A clear counts only once, and an incomplete answer says nothing new.
  if (!isOpen) return;
  const kept = verdict.isSettled ? [] : own.filter(({ event }) => isCached(event));
  // The mark goes on the newest one, which is read again when a version of another second follows.
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
