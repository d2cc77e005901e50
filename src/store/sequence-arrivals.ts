import type { SequenceEvent, StoredMessage } from "../protocol";
import type { ToldOrder } from "./reduce-sequence";

/** A version that enters its sequence: new, or stored as scheduled before (`before`) and now due. */
export interface EnteringVersion {
  row: StoredMessage;
  before?: StoredMessage;
  /** Another version of its second is taken for the newest, but nobody has told their order: it alerts all the same. */
  isUnsure?: true;
}

/** Everything that arrived for one sequence of one subscription. */
export interface SequenceArrivals {
  subId: number;
  sequence: string;
  versions: EnteringVersion[];
  controls: SequenceEvent[];
  /** The order of some seconds, as an answer for the topic alone had it; known events are named too. */
  told: Map<number, ToldOrder>;
}

/** Nothing for a sequence yet. */
export function noArrivals(subId: number, sequence: string): SequenceArrivals {
  return { subId, sequence, versions: [], controls: [], told: new Map() };
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
  /** The order within a second makes a difference, and nobody has told it. */
  isUnsettled: boolean;
}
