// What commands say about messages: which ones, in which list, and what changes.
import type { ListQuery } from "./filter/hides";
import type { MessageKey } from "./stored-message";

/** Marks that triage sets on messages. The optional ones only come with an undo: times as they were before. */
export type Mark =
  | { kind: "starred"; on: boolean }
  /** What is deleted is hidden until it is purged, after the undo time. */
  | { kind: "read" | "done" | "deleted"; on: boolean; atMs?: number }
  | { kind: "snooze"; untilMs: number | null; wokenAtMs?: number; readAtMs?: number };

/** How long an Undo is offered, ms: enough to read what it says and reach the button. */
export const UNDO_OFFER_MS = 10_000;

/**
 * How long the key for undo works, and the longest a notice can be held, ms. Less than the minute for which the store
 * keeps what was removed.
 */
export const MAX_UNDO_MS = 45_000;

/** A filtered list as it was when it was counted. */
export interface CountedList extends ListQuery {
  /** The newest arrival number at that time. What came later wasn't seen and isn't meant. */
  upTo: number;
  /** Device clock then, ms, for filters like `before:1h`; absent = now. */
  atMs?: number;
}

/** The messages to change: named one by one, all that is stored of some topics, or everything that a list shows. */
export type Chosen =
  | { keys: MessageKey[] }
  /** Includes those that no list shows: earlier versions, and messages that aren't due yet. */
  | { stored: { subIds: number[] } }
  | {
      every: CountedList;
      /** Messages of the list to leave out. */
      except: MessageKey[];
    };
