import { sequenceOf, type SequenceEvent } from "../protocol";
import type { Transaction } from "./database";
import { startingWith } from "./database";
import type { Ledger } from "./ledger";
import { isCleared, reduceSequence, standingOf, type SequenceInput, type SequenceState } from "./reduce-sequence";
import { findKeysById } from "./row-source";
import type { SequenceRecord, StoredMessage } from "./schema";
import { handedOutUntil } from "./tombstones";

type SequenceTransaction = Transaction<"messages" | "sequences">;

/**
 * Keys searched for the message that a new sequence may be named after, whatever the name looks like: 2,000 take about
 * 10 ms. Further back only a name as long as the ids of that server is looked for, since publishers like to name each
 * job's sequence anew and a topic may hold 100,000 messages.
 */
const SEARCHED_FOR_ANY_NAME = 2_000;

/** A version that enters its sequence: new, or stored as scheduled before (`before`) and now due. */
export interface EnteringVersion {
  row: StoredMessage;
  before?: StoredMessage;
}

/** Everything that arrived for one sequence of one subscription. */
export interface SequenceArrivals {
  subId: number;
  sequence: string;
  versions: EnteringVersion[];
  controls: SequenceEvent[];
}

/** What came of the arrivals of a sequence; the rows are yet to be written. */
export interface SequenceOutcome {
  subId: number;
  sequence: string;
  /** Those that were stored, with what they are in their sequence. */
  stored: EnteringVersion[];
  /** Versions that a delete had taken away before they came. */
  gone: EnteringVersion[];
  /** Whether any event was new to the sequence, so that a still scheduled version was replaced or cancelled. */
  cancelsScheduled: boolean;
  /** Controls that changed nothing: they were known, or overtaken. */
  idleControls: number;
}

/** A sequence on its way through a transaction. */
interface OpenSequence extends SequenceArrivals {
  record: SequenceRecord | undefined;
  /** Stored versions that must be looked at although no record names them. */
  found: StoredMessage[];
}

/**
 * Brings sequences to the state that all their events come to: older versions are superseded, deleted ones go, cleared ones
 * are read. Entering versions get their marks here and are left for the caller to write.
 */
export async function applySequences(
  transaction: SequenceTransaction,
  ledger: Ledger,
  arrivals: readonly SequenceArrivals[],
  nowMs: number,
): Promise<SequenceOutcome[]> {
  const sequences = await Promise.all(arrivals.map((sequence) => openSequence(transaction, sequence)));
  await findNamesakes(transaction, ledger, sequences);
  return Promise.all(sequences.map((sequence) => applySequence(transaction, ledger, sequence, nowMs)));
}

async function openSequence(transaction: SequenceTransaction, arrivals: SequenceArrivals): Promise<OpenSequence> {
  const { subId, sequence } = arrivals;
  const record = await transaction.store("sequences").get([subId, sequence]);
  // Versions outlive their sequence's record, which goes once the server can't repeat any of its events.
  const found = record ? [] : await newestVersions(transaction, subId, sequence);
  return { ...arrivals, record, found };
}

function newestVersions(transaction: SequenceTransaction, subId: number, sequence: string): Promise<StoredMessage[]> {
  const range = startingWith("sequence", subId, sequence);
  return transaction.store("messages").index("listed").getLast(range, 1);
}

/** An update may name an older message's id as its sequence (protocol, section 17): that message is its first version. */
async function findNamesakes(
  transaction: SequenceTransaction,
  ledger: Ledger,
  sequences: readonly OpenSequence[],
): Promise<void> {
  const wanted = new Map<number, Map<string, OpenSequence>>();
  for (const open of sequences) {
    const { subId, sequence, record, found, versions } = open;
    const isStarted = record || found.length > 0 || versions.some(({ row }) => row.id === sequence);
    if (isStarted || !ledger.subscription(subId)?.total) continue;
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
      // One that is not due yet enters its sequence when it is; a version of another sequence starts none.
      if (row && !row.scheduled && sequenceOf(row.event) === row.id) byName.get(row.id)?.found.push(row);
    }
  }
}

async function applySequence(
  transaction: SequenceTransaction,
  ledger: Ledger,
  open: OpenSequence,
  nowMs: number,
): Promise<SequenceOutcome> {
  const { subId, sequence, record, found, versions } = open;
  const was: SequenceState = reduceSequence(record ?? {}, found.map(inputOf));
  const controls = open.controls.map(controlOf);
  const is = reduceSequence(was, [...versions.map(({ row }) => inputOf(row)), ...controls]);
  const until = Math.max(record?.until ?? 0, ...eventsOf(open).map((event) => handedOutUntil(event, nowMs)));
  if (!record || is !== was || until > record.until) {
    transaction.store("sequences").put({ subId, sequence, ...is, until });
  }

  const outcome: SequenceOutcome = {
    subId,
    sequence,
    stored: [],
    gone: [],
    cancelsScheduled: versions.length > 0 || is.deleted !== was.deleted,
    idleControls: controls.filter(({ kind, id }) => {
      const mark = kind === "delete" ? "deleted" : "cleared";
      return is[mark]?.id !== id || was[mark]?.id === id;
    }).length,
  };
  if (is.deleted !== was.deleted) await removeUpTo(transaction, ledger, open, is);
  const former = await formerNewest(transaction, open, was);
  const isUpdate = await tookPlace(transaction, open, { was, is, former });
  const isStarred = former !== undefined && settleFormer(ledger, former, sequence, { is, isUpdate, nowMs });

  for (const version of versions) {
    const { row } = version;
    const standing = standingOf(row, is);
    if (standing === "gone") {
      outcome.gone.push(version);
      continue;
    }
    row.sequence = sequence;
    if (standing === "superseded" && is.newest) row.supersededBy = is.newest.id;
    else {
      if (isStarred) row.starred = 1;
      if (isUpdate) row.updated = 1;
    }
    if (isCleared(row, is)) row.readAtMs ??= nowMs;
    outcome.stored.push(version);
  }
  return outcome;
}

/** The stored row that was the sequence's newest until now. */
async function formerNewest(
  transaction: SequenceTransaction,
  { subId, found }: OpenSequence,
  was: SequenceState,
): Promise<StoredMessage | undefined> {
  if (!was.newest) return undefined;
  const { time, id } = was.newest;
  return found.find((row) => row.id === id) ?? transaction.store("messages").get([subId, time, id]);
}

/** Whether the newest version took the place of an earlier one that no delete has taken away. */
async function tookPlace(
  transaction: SequenceTransaction,
  { subId, sequence, versions }: OpenSequence,
  { was, is, former }: { was: SequenceState; is: SequenceState; former: StoredMessage | undefined },
): Promise<boolean> {
  const known = [...versions.map(({ row }) => row), ...(was.newest ? [was.newest] : [])];
  if (known.some((version) => standingOf(version, is) === "superseded")) return true;
  if (!former?.updated || former.id !== is.newest?.id) return false;
  if (is.deleted === was.deleted) return true;
  // The delete came late, and may have left none of the earlier ones.
  const left = IDBKeyRange.bound(
    ["sequence", subId, sequence, is.deleted?.time ?? -Infinity],
    ["sequence", subId, sequence, former.time],
    true,
  );
  return (await transaction.store("messages").index("listed").getAllKeys(left, 2)).length > 1;
}

/** Gives the former newest version its new marks; whether its star goes over to the newest one. */
function settleFormer(
  ledger: Ledger,
  row: StoredMessage,
  sequence: string,
  { is, isUpdate, nowMs }: { is: SequenceState; isUpdate: boolean; nowMs: number },
): boolean {
  const standing = standingOf(row, is);
  // Taken away already, with everything else up to the delete.
  if (standing === "gone") return false;
  const after: StoredMessage = { ...row, sequence };
  if (isCleared(row, is)) after.readAtMs ??= nowMs;
  const newer = standing === "superseded" ? is.newest : undefined;
  if (newer) {
    after.supersededBy = newer.id;
    // The star is the item's: were it left on every version, none of them would ever be pruned.
    delete after.starred;
  }
  if (isUpdate && !newer) after.updated = 1;
  else delete after.updated;
  const isChanged = after.readAtMs !== row.readAtMs || after.updated !== row.updated || row.sequence !== sequence;
  if (newer || isChanged) ledger.update(row, after);
  return newer !== undefined && row.starred !== undefined;
}

/**
 * Takes away all stored versions up to a new delete. They leave no tombstones: the sequence's record knows what is gone for
 * as long as the server could repeat it.
 */
async function removeUpTo(
  transaction: SequenceTransaction,
  ledger: Ledger,
  { subId, sequence, found }: OpenSequence,
  is: SequenceState,
): Promise<void> {
  const range = IDBKeyRange.bound(
    ["sequence", subId, sequence],
    ["sequence", subId, sequence, is.deleted?.time ?? -Infinity],
  );
  const rows = await transaction.store("messages").index("listed").getAll(range);
  const stored = new Map([...rows, ...found].map((row) => [row.id, row]));
  for (const row of stored.values()) if (standingOf(row, is) === "gone") ledger.remove(row);
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

/**
 * Scheduled rows that a new event of their sequence replaced or cancelled on the server (protocol, section 17). What was
 * scheduled after that event after all, the next poll with `scheduled=1` brings back.
 */
export function replacedBy(outcomes: readonly SequenceOutcome[], scheduled: readonly StoredMessage[]): StoredMessage[] {
  const cancelled = new Set(
    outcomes.filter(({ cancelsScheduled }) => cancelsScheduled).map(({ subId, sequence }) => `${subId}/${sequence}`),
  );
  return scheduled.filter((row) => cancelled.has(`${row.subId}/${sequenceOf(row.event)}`));
}
