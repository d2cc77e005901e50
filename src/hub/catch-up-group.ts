// What a catch-up and its group of topics say to each other.
import type { MessageKey } from "../contract";
import type { Credentials, Failure, StorableEvent } from "../protocol";
import type { GapRecord, SubscriptionRecord } from "../store";
import type { Requests } from "./requests";
import type { ServerClock } from "./server-clock";

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
  /** The server lacked something that it should still have kept. */
  hasForgotten?: true;
}

/** Why a catch-up ended without being complete. `storage`: what came could not be stored. */
export type CatchUpFailure = { kind: "poll"; why: Failure } | { kind: "storage" };

/** What a group gives its catch-up. Everything is asked anew each time, as topics and credentials change. */
export interface CatchUpGroup {
  serverId: number;
  accountId: number;
  requests: Requests;
  serverClock: ServerClock;
  credentials(): Credentials | undefined;
  /** The group's readable subscriptions that aren't left out. They are read anew, as each poll moves their cursors. */
  subscriptions(): Promise<SubscriptionRecord[]>;
  /** Only polls get through, so the server never says what its clock shows. */
  isPolled(): boolean;
  /** How long the server keeps the messages of a subscription, seconds; undefined = not known yet. */
  retentionOf(subId: number): number | undefined;
}

/** What a catch-up tells its group. */
export interface CatchUpEvents {
  /** A catch-up began or ended. */
  busy(isBusy: boolean): void;
  malformed(count: number): void;
  /** Events that a poll of these subscriptions brought, before they are stored. */
  seen(events: StorableEvent[], subscriptions: readonly SubscriptionRecord[]): void;
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
  /** New topics joined: the catalogue changed. */
  joined(subIds: number[]): void;
}

/**
 * Whether one kind of poll finds everything that the other does. Polls by id and by time each find what the other
 * can't.
 */
export function covers(one: CatchUpKind, other: CatchUpKind): boolean {
  return one === "all" || other === "new" || one === other;
}
