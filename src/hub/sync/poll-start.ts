// Decides where polls start: at the cursors that earlier ones left, or at the beginning (docs/design.md §4).
import { isCached, isMessageId, type Since, type StorableEvent, type Failure } from "../../protocol";
import type { CursorRecord, GapRecord, SubscriptionRecord } from "../../store";
import type { ServerContext } from "../server/server-context";
import type { MessageKey } from "../../contract";

/** How far back the reconciling poll reaches, seconds: slow uploads, late deliveries (docs/design.md §4). */
export const OVERLAP_S = 900;

/**
 * Decides where a poll of a whole group starts. If a cursor is missing or too old, everything is polled.
 * @param wanted the kind of poll that was asked for
 * @param coveredSetOnAtMs the last time that the server's clock was set forward and everything was polled afterwards
 */
export async function pollStart(
  { environment, serverId, serverClock, facts }: ServerContext,
  accountId: number,
  joined: readonly SubscriptionRecord[],
  wanted: CatchUpKind,
  coveredSetOnAtMs: number | undefined,
): Promise<{ kind: CatchUpKind; since: Since }> {
  const all = { kind: "all", since: { kind: "all" } } as const;
  const { nowS } = serverClock;
  if (wanted === "id") {
    const cursor = await environment.store.cursor([serverId, accountId]);
    if (!cursor.ok || !cursor.value || cursor.value.expires <= nowS) return all;
    return { kind: "id", since: { kind: "id", id: cursor.value.id } };
  }
  if (wanted === "all") return all;
  const safe = Math.min(...joined.map((subscription) => subscription.timeCursor ?? -Infinity));
  // The server's clock was set back: what it has accepted since may lie anywhere before the cursors.
  if (joined.some((subscription) => isAhead(subscription, serverClock.estimate()))) return all;
  // The clock was set forward: a message being uploaded then lies that much further back.
  if (serverClock.setOnAtMs !== coveredSetOnAtMs) return all;
  const isOutlived = ({ subId, timeCursor = -Infinity }: SubscriptionRecord): boolean =>
    timeCursor < nowS - (facts.retentionOf(subId) ?? Infinity);
  if (!Number.isFinite(safe) || joined.some(isOutlived)) return all;
  return { kind: "time", since: { kind: "time", time: Math.max(0, safe - OVERLAP_S) } };
}

/** The id to poll from next: the newest delivered message that is kept, up to `notAfterS`, Unix seconds. */
export function nextMarker(
  { serverId }: Pick<ServerContext, "serverId">,
  accountId: number,
  events: readonly StorableEvent[],
  notAfterS: number,
): CursorRecord | undefined {
  let newest: StorableEvent | undefined;
  for (const event of events) {
    const isUsable = isCached(event) && isMessageId(event.id) && event.time <= notAfterS;
    if (isUsable && (!newest || event.time >= newest.time)) newest = event;
  }
  if (newest?.expires === undefined) return undefined;
  return { serverId, accountId, id: newest.id, time: newest.time, expires: newest.expires };
}

/** Where there are no locks, another hub that leads may have moved the cursor by a clock it heard a little sooner, seconds. */
const OTHER_CLOCK_S = 5;

/** Whether the time cursor lies in the server's future, which means that its clock was set back. */
export function isAhead({ timeCursor = -Infinity }: SubscriptionRecord, serverNowS: number | undefined): boolean {
  return serverNowS !== undefined && timeCursor > serverNowS + OTHER_CLOCK_S;
}

/**
 * - `id`: from the safe id; the fast path
 * - `time`: from the safe time with overlap; finds what the order of ids hides
 * - `all`: everything that the server still has
 * - `new`: only topics that haven't joined, everything of them; each of the other kinds polls these too
 */
export type CatchUpKind = "id" | "time" | "all" | "new";

export interface CaughtUp {
  /** Messages that were missing here. */
  found: MessageKey[];
  /** The server lacked something it should still have kept. */
  hasForgotten?: true;
}

/** Why a catch-up ended incomplete. `storage`: what came couldn't be stored. */
export type CatchUpFailure = { kind: "poll"; why: Failure } | { kind: "storage" };

/** When a server was heard: device clock, ms, and by its own clock, Unix seconds, if that is known. */
export interface Contact {
  atMs: number;
  atS: number | undefined;
}

/** The topics that are polled, as their polls see them. Subscriptions are as they were before a poll. */
export interface PollOwner {
  /** What is missing because topics were away for longer than messages are kept; it is stored before the cursors move. */
  absences(subscriptions: readonly SubscriptionRecord[], isWhole: boolean, contact: Contact): GapRecord[];
  /** A poll was complete and is stored. @param isWhole it included all of the group's joined topics */
  completed(subscriptions: readonly SubscriptionRecord[], kind: CatchUpKind, isWhole: boolean, contact: Contact): void;
}

/** An account's readable subscriptions that aren't left out. Read again, because each poll moves their cursors. */
export async function readGroup(
  { environment, serverId, plan }: ServerContext,
  accountId: number,
): Promise<SubscriptionRecord[]> {
  const stored = await environment.store.subscriptions();
  // Without a database there is no point in polling, because nothing could be stored.
  if (!stored.ok) return [];
  return stored.value.filter((one) => one.serverId === serverId && one.accountId === accountId && plan.isReadable(one));
}

/** Whether one kind of poll finds everything the other does. Polls by id and by time each find what the other can't. */
export function covers(one: CatchUpKind, other: CatchUpKind): boolean {
  return one === "all" || other === "new" || one === other;
}
