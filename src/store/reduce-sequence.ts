// What the events of one sequence come to (protocol, section 17). All of them are ordered by (time, kind, arrival), and
// only the newest of each kind counts: so the same set gives the same end, in whatever order and however often it comes.
import type { SequenceMark, SequenceRecord, StoredMessage } from "./schema";
import { compareAge } from "./standing";

/** One event of a sequence. Within one second a clear follows the messages, and a delete everything. */
export type SequenceInput =
  | { kind: "message"; time: number; id: string; arrival: number }
  | { kind: "clear" | "delete"; time: number; id: string };

/** What has become of a sequence. */
export type SequenceState = Pick<SequenceRecord, "newest" | "deleted" | "cleared">;

/** What a version is, given the state of its sequence. */
export type VersionStanding = "gone" | "superseded" | "newest";

/** Adds events to a state; gives the same state back when they change nothing. */
export function reduceSequence(state: SequenceState, inputs: readonly SequenceInput[]): SequenceState {
  let { newest, deleted, cleared } = state;
  for (const input of inputs) {
    if (input.kind === "message") {
      if (!newest || compareAge(input, newest) > 0) newest = { time: input.time, id: input.id, arrival: input.arrival };
    } else if (input.kind === "delete") {
      deleted = later(deleted, input);
    } else {
      cleared = later(cleared, input);
    }
  }
  if (newest === state.newest && deleted === state.deleted && cleared === state.cleared) return state;
  return { ...(newest && { newest }), ...(deleted && { deleted }), ...(cleared && { cleared }) };
}

/** What a version is: everything up to a delete is gone, of the rest all but the newest are superseded. */
export function standingOf(version: Pick<StoredMessage, "time" | "id">, state: SequenceState): VersionStanding {
  if (state.deleted && version.time <= state.deleted.time) return "gone";
  return state.newest && state.newest.id !== version.id ? "superseded" : "newest";
}

/** Whether a clear marked the version read. */
export function isCleared(version: Pick<StoredMessage, "time">, state: SequenceState): boolean {
  return state.cleared !== undefined && version.time <= state.cleared.time;
}

/** The later of two marks; the greater id decides a tie, so that their order does not. */
function later(known: SequenceMark | undefined, { time, id }: SequenceMark): SequenceMark {
  return known && (known.time > time || (known.time === time && known.id >= id)) ? known : { time, id };
}
