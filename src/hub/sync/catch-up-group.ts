// What a catch-up and its group of topics say to each other.
import type { MessageKey } from "../../contract";
import type { Failure } from "../../protocol";
import type { GapRecord, SubscriptionRecord } from "../../store";

/**
 * - `id`: from the safe id; the fast path
 * - `time`: from the safe time with overlap; finds what the order of ids hides
 * - `all`: everything that the server still has
 * - `new`: only topics that haven't joined, everything of them; each of the other kinds polls these as well
 */
export type CatchUpKind = "id" | "time" | "all" | "new";

/** What a catch-up brought. */
export interface CaughtUp {
  /** Messages that were missing here. */
  found: MessageKey[];
  /** The server lacked something it should still have kept. */
  hasForgotten?: true;
}

/** Why a catch-up ended without being complete. `storage`: what came could not be stored. */
export type CatchUpFailure = { kind: "poll"; why: Failure } | { kind: "storage" };

/** The group of topics that is caught up. Everything is read anew each time, because topics change. */
export interface CatchUpGroup {
  readonly accountId: number;
  /** Only polls get through, so the server never says what its clock shows. */
  readonly isPolled: boolean;
  /** The group's readable subscriptions that aren't left out. Read anew, because each poll moves their cursors. */
  subscriptions(): Promise<SubscriptionRecord[]>;
  /**
   * A poll of these subscriptions (as they were before it) was complete and is stored.
   * @param isWhole it included all of the group's joined topics
   * @param forgotten gaps for what the server no longer has
   */
  completed(
    subscriptions: SubscriptionRecord[],
    kind: CatchUpKind,
    isWhole: boolean,
    forgotten: readonly GapRecord[],
  ): void;
}

/**
 * Whether one kind of poll finds everything that the other does. Polls by id and by time each find what the other
 * can't.
 */
export function covers(one: CatchUpKind, other: CatchUpKind): boolean {
  return one === "all" || other === "new" || one === other;
}
