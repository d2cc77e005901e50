import type { StoredMessage } from "../../contract";
import type { SequenceEvent } from "../../protocol";
import type { EventOrder } from "./reduce-sequence";

/** A version that enters its sequence: new, or stored as scheduled before (`before`) and now due. */
export interface EnteringVersion {
  row: StoredMessage;
  before?: StoredMessage;
  /**
   * Another version of the same second is treated as the newest, but their order isn't known, so this one may alert
   * too.
   */
  isUnsure?: true;
}

/** Everything that arrived for one sequence of one subscription. */
export interface SequenceArrivals {
  subId: number;
  sequence: string;
  versions: EnteringVersion[];
  controls: SequenceEvent[];
  /** The order of some seconds, as in an answer for the topic alone; it includes events that were known before. */
  orders: Map<number, EventOrder>;
}

/** A string that names a sequence of a subscription in maps and sets. */
export function sequenceText(subId: number, sequence: string): string {
  return `${subId}/${sequence}`;
}

/** An empty `SequenceArrivals`. */
export function noArrivals(subId: number, sequence: string): SequenceArrivals {
  return { subId, sequence, versions: [], controls: [], orders: new Map() };
}

/** What became of the arrivals of a sequence; the rows are yet to be written. */
export interface SequenceOutcome {
  subId: number;
  sequence: string;
  /** Versions to be stored, with their marks set. */
  stored: EnteringVersion[];
  /** Versions that a delete had removed before they came. */
  gone: EnteringVersion[];
  /** Whether any event was new to the sequence, so that a still scheduled version was replaced or cancelled. */
  cancelsScheduled: boolean;
  /** How many deletes and clears changed nothing, as they were known or out of date. */
  idleControls: number;
  /** The order within a second makes a difference and isn't known. */
  isUnsettled: boolean;
}
