import { keyOf, type StoredMessage } from "../../contract";
import { type SequenceEvent, sequenceOf } from "../../protocol";
import type { UnsettledSecond } from "../changes";
import { type Transaction, startingWith, transact, type Database } from "../database";
import {
  isUnsure,
  markSecond,
  markVersions,
  VERSION_MARKS,
  type Course,
  type OpenSecond,
  controlsAt,
  isBefore,
  judgeSecond,
  reduceSequence,
  withoutFuture,
  type SequenceInput,
  type SequenceState,
  sequenceText,
  type SequenceArrivals,
  type SequenceOutcome,
} from "./reduce-sequence";
import { type MessageWriter, handedOutUntil, leaveTombstone } from "./message-writer";
import { findKeysById } from "../read/row-source";
import type { ControlMark, SequenceMark, SequenceRecord } from "../schema";

type SequenceTransaction = Transaction<"messages" | "sequences" | "tombstones">;

/**
 * How many keys are searched for the message after which a new sequence may be named, whatever the name looks like:
 * 2,000 take about 10 ms. Beyond that, only names as long as the server's ids are searched for, because many publishers
 * name each job's sequence afresh, and a topic may hold 100,000 messages.
 */
const SEARCHED_FOR_ANY_NAME = 2_000;

/** Device clock, ms, and server time, if known, Unix seconds. */
interface Now {
  nowMs: number;
  serverNowS?: number;
  clockS?: number;
}

/** Called with the rows of a topic that a clear marks read, before they are written. */
export type OnCleared = (subId: number, rows: StoredMessage[], clear: ControlMark) => Promise<void>;

/** A sequence while a transaction works on it. */
interface OpenSequence extends SequenceArrivals {
  record: SequenceRecord | undefined;
  /** Stored versions that must be looked at although no sequence record names them. */
  found: StoredMessage[];
}

/**
 * Brings sequences to the state that all their events lead to: older versions are superseded, deleted ones removed,
 * cleared ones marked read. Versions that are entering get their marks here; the caller writes them.
 */
export async function applySequences(
  transaction: SequenceTransaction,
  writer: MessageWriter,
  arrivals: readonly SequenceArrivals[],
  now: Now,
  onCleared?: OnCleared,
): Promise<SequenceOutcome[]> {
  const sequences = await Promise.all(arrivals.map((sequence) => openSequence(transaction, sequence)));
  await findNamesakes(transaction, sequences);
  return Promise.all(sequences.map((sequence) => applySequence(transaction, writer, sequence, now, onCleared)));
}

async function openSequence(transaction: SequenceTransaction, arrivals: SequenceArrivals): Promise<OpenSequence> {
  const { subId, sequence } = arrivals;
  const record = await transaction.store("sequences").get([subId, sequence]);
  // Versions outlive their sequence's record, which is removed once the server can't repeat any of its events.
  const found = record ? [] : await newestVersion(transaction, subId, sequence);
  return { ...arrivals, record, found };
}

async function newestVersion(
  transaction: SequenceTransaction,
  subId: number,
  sequence: string,
): Promise<StoredMessage[]> {
  const range = startingWith("sequence", subId, sequence);
  const [last] = await transaction.store("messages").index("listed").getLast(range, 1);
  if (!last) return [];
  // Within one second, the last by key need not be the newest.
  const newest = last.supersededBy ? await versionsAt(transaction, last.time, { subId, sequence }) : [];
  return [newest.find((row) => row.supersededBy === undefined) ?? last];
}

function versionsAt(
  transaction: SequenceTransaction,
  time: number,
  { subId, sequence }: { subId: number; sequence: string },
): Promise<StoredMessage[]> {
  return transaction
    .store("messages")
    .index("listed")
    .getAll(IDBKeyRange.only(["sequence", subId, sequence, time]));
}

/** An update may name an older message's id as its sequence: that is the first version (docs/protocol.md §17). */
async function findNamesakes(transaction: SequenceTransaction, sequences: readonly OpenSequence[]): Promise<void> {
  const wanted = new Map<number, Map<string, OpenSequence>>();
  for (const open of sequences) {
    const { subId, sequence, record, found, versions } = open;
    const isStarted = record || found.length > 0 || versions.some(({ row }) => row.id === sequence);
    if (isStarted) continue;
    wanted.set(subId, (wanted.get(subId) ?? new Map<string, OpenSequence>()).set(sequence, open));
  }
  const messages = transaction.store("messages");
  for (const [subId, byName] of wanted) {
    const idLengths = new Set([...byName.values()].flatMap((open) => eventsOf(open).map((event) => event.id.length)));
    const keys = await findKeysById(
      transaction,
      subId,
      new Set(byName.keys()),
      (keysRead, missing) =>
        keysRead < SEARCHED_FOR_ANY_NAME || [...missing].some((name) => idLengths.has(name.length)),
    );
    const rows = await Promise.all([...keys.values()].map((key) => messages.get(key)));
    for (const row of rows) {
      // A message that isn't due yet enters its sequence when it is; a version of another sequence doesn't start one.
      if (row && !row.scheduled && sequenceOf(row.event) === row.id) byName.get(row.id)?.found.push(row);
    }
  }
}

async function applySequence(
  transaction: SequenceTransaction,
  writer: MessageWriter,
  open: OpenSequence,
  { nowMs, serverNowS = 0, clockS = serverNowS }: Now,
  onCleared?: OnCleared,
): Promise<SequenceOutcome> {
  const { subId, sequence, record, found, versions, controls } = open;
  const was: SequenceState = reduceSequence(record ?? {}, found.map(inputOf));
  const holding = withoutFuture(was, Math.max(clockS, nowMs / 1_000));
  const reduced = reduceSequence(holding, [...versions.map(({ row }) => inputOf(row)), ...controls.map(controlOf)]);
  const seconds = await openSeconds(transaction, open, { was, is: reduced });
  const is = withNewest(reduced, seconds);
  const until = Math.max(record?.until ?? 0, ...eventsOf(open).map((event) => handedOutUntil(event, nowMs)));
  if (!record || is !== was || until > record.until) {
    transaction.store("sequences").put({ subId, sequence, ...is, until });
  }

  const goneInTime = new Set(seconds.flatMap(({ verdict }) => [...verdict.gone]));
  const isGone = (row: SequenceMark): boolean => isBefore(row, is.deleted) || goneInTime.has(row.id);
  const known = new Map([...found, ...seconds.flatMap(({ stored }) => stored)].map((row) => [row.id, row]));
  const former = await formerNewest(transaction, open, was, known);
  if (former) known.set(former.id, former);
  for (const row of await readBefore(transaction, open, { was, is })) known.set(row.id, row);

  const stored = versions.filter(({ row }) => !isGone(row));
  const gone = versions.filter(({ row }) => isGone(row));
  const removed = [...known.values()].filter(isGone);
  for (const row of [...removed, ...gone.flatMap(({ before }) => before ?? [])]) writer.remove(row);
  // If one of these came again, nothing else would show that a delete followed it in the same second.
  for (const row of [...removed, ...gone.map((version) => version.row)]) {
    if (goneInTime.has(row.id)) leaveTombstone(transaction, row, Math.min(nowMs, clockS * 1_000));
  }

  const left = [...known.values()].filter((row) => !isGone(row));
  const after = left.map((row) => ({ ...row }));
  const rows = [...after, ...stored.map(({ row }) => row)];
  const newest = rows.find(({ id }) => id === is.newest?.id);
  // A version that is no longer stored counts too: it was seen.
  const isFormerLeft = was.newest !== undefined && !isGone(was.newest) && was.newest.id !== is.newest?.id;
  const hasEarlier =
    rows.length > 1 || isFormerLeft || (await hasEarlierYet(transaction, open, newest, is, removed.length > 0));
  markVersions(rows, newest, { sequence, was, is, hasEarlier, nowMs });
  for (const second of seconds) markSecond(second, rows, nowMs);
  for (const version of stored) {
    const { row } = version;
    if (isBefore(row, is.cleared)) row.readAtMs ??= nowMs;
    if (isUnsure(row, is, seconds)) version.isUnsure = true;
  }
  if (onCleared && is.cleared) {
    const isCleared = (row: StoredMessage): boolean =>
      isBefore(row, is.cleared) || seconds.some(({ verdict }) => verdict.cleared.has(row.id));
    await onCleared(subId, rows.filter(isCleared), is.cleared);
  }
  for (const [at, row] of left.entries()) {
    const marked = after[at];
    if (marked && VERSION_MARKS.some((mark) => marked[mark] !== row[mark])) writer.update(row, marked);
  }
  return {
    subId,
    sequence,
    stored,
    cancelsScheduled: versions.length > 0 || is.deleted !== was.deleted,
    isUnsettled: seconds.some(({ isOpen, verdict }) => isOpen && !verdict.isSettled),
  };
}

/** The seconds whose order matters: that of the newest version, and that of the newest delete. */
async function openSeconds(
  transaction: SequenceTransaction,
  open: OpenSequence,
  { was, is }: Course,
): Promise<OpenSecond[]> {
  const { found, versions, controls } = open;
  const times = new Set([is.newest?.time, is.deleted?.time]);
  const seconds = [...times].map(async (time): Promise<OpenSecond[]> => {
    if (time === undefined || isBefore({ time }, is.deleted)) return [];
    const entering = versions.flatMap(({ row }) => (row.time === time ? [row] : []));
    const news = entering.length + controls.filter((event) => event.time === time && isNews(event, was)).length;
    const order = open.orders.get(time) ?? [];
    const isOneUpdate =
      entering.length < 2 && [was.newest, is.deleted, is.cleared].every((mark) => mark?.time !== time);
    if (order.length === 0 && (news === 0 || isOneUpdate)) return [];
    const listed = await versionsAt(transaction, time, open);
    const stored = [...new Map([...found, ...listed].map((row) => [row.id, row])).values()].filter(
      (row) => row.time === time,
    );
    const verdict = judgeSecond(
      { time, versions: [...stored, ...entering], entering: new Set(entering.map(({ id }) => id)), order },
      is,
    );
    return [{ time, stored, order, verdict, isOpen: news > 0 || stored.some((row) => row.unsettled) }];
  });
  return (await Promise.all(seconds)).flat();
}

/** The state, with the newest version that follows from the order of its second. */
function withNewest(state: SequenceState, seconds: readonly OpenSecond[]): SequenceState {
  const { newest, ...rest } = state;
  const second = seconds.find(({ time }) => time === newest?.time);
  if (!newest || !second || second.verdict.newest === newest.id) return state;
  const id = second.verdict.newest;
  // The last one keeps its arrival number: anything that arrives later counts as newer still.
  return id === undefined ? rest : { ...rest, newest: { ...newest, id } };
}

/** Whether a control event is unknown to a state, and not older than what the state knows. */
function isNews(event: SequenceEvent, { deleted, cleared }: SequenceState): boolean {
  const mark = event.event === "message_delete" ? deleted : cleared;
  return !isBefore(event, mark) && !controlsAt(event.time, mark).includes(event.id);
}

/** The stored row that has been the sequence's newest so far. */
async function formerNewest(
  transaction: SequenceTransaction,
  { subId }: OpenSequence,
  { newest }: SequenceState,
  known: ReadonlyMap<string, StoredMessage>,
): Promise<StoredMessage | undefined> {
  if (!newest) return undefined;
  const row = known.get(newest.id) ?? (await transaction.store("messages").get(keyOf({ subId, ...newest })));
  // After a clock was set back, it may have come again as scheduled: then it is among those that enter, or will be.
  return row?.scheduled ? undefined : row;
}

/** Reads all stored versions in the seconds before a new delete. */
function readBefore(
  transaction: SequenceTransaction,
  { subId, sequence }: OpenSequence,
  { was, is }: Course,
): Promise<StoredMessage[]> | StoredMessage[] {
  if (!is.deleted || is.deleted.time === was.deleted?.time) return [];
  const range = IDBKeyRange.bound(
    ["sequence", subId, sequence],
    ["sequence", subId, sequence, is.deleted.time],
    false,
    true,
  );
  return transaction.store("messages").index("listed").getAll(range);
}

/** Whether the newest version has an earlier one besides those that were read. */
async function hasEarlierYet(
  transaction: SequenceTransaction,
  { subId, sequence }: OpenSequence,
  newest: StoredMessage | undefined,
  { deleted }: SequenceState,
  isLess: boolean,
): Promise<boolean> {
  if (!newest?.updated || !isLess) return newest?.updated !== undefined;
  // The delete came late, and may have left none of the earlier ones.
  const range = IDBKeyRange.bound(
    ["sequence", subId, sequence, deleted?.time ?? -Infinity],
    ["sequence", subId, sequence, newest.time],
  );
  const keys = await transaction.store("messages").index("listed").getAllKeys(range, 2);
  return keys.some(([, , id]) => id !== newest.id);
}

function inputOf({ time, id, arrival }: StoredMessage): SequenceInput {
  return { kind: "message", time, id, arrival };
}

function controlOf({ event, time, id }: SequenceEvent): SequenceInput {
  return { kind: event === "message_delete" ? "delete" : "clear", time, id };
}

function eventsOf({ versions, found, controls }: OpenSequence) {
  return [...versions.map(({ row }) => row.event), ...found.map((row) => row.event), ...controls];
}

/** Scheduled rows replaced or cancelled on the server (docs/protocol.md §17). Later ones return with the next poll. */
export function replacedBy(outcomes: readonly SequenceOutcome[], scheduled: readonly StoredMessage[]): StoredMessage[] {
  const cancelled = new Set(
    outcomes
      .filter(({ cancelsScheduled }) => cancelsScheduled)
      .map(({ subId, sequence }) => sequenceText(subId, sequence)),
  );
  return scheduled.filter((row) => cancelled.has(sequenceText(row.subId, sequenceOf(row.event))));
}

/** This many seconds at a time, newest first: it will soon be too late to ask about older ones. */
const MAX_UNSETTLED = 100;

/** Seconds of sequences whose order matters and isn't known, newest first. */
export function readUnsettled(database: Database): Promise<UnsettledSecond[]> {
  return transact(database, ["messages"], "read", async (transaction) => {
    const rows = await transaction.store("messages").index("listed").getLast(startingWith("unsettled"), MAX_UNSETTLED);
    return rows.flatMap(({ subId, sequence, time, event }) =>
      sequence === undefined ? [] : [{ subId, sequence, time, expires: event.expires ?? time }],
    );
  });
}
