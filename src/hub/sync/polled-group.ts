// Decides when the topics of a server that share credentials are polled, and records how long nothing was heard of
// them. `catch-up.ts` makes the polls, `stream-pool.ts` holds the streams. These are not the groups of topics that
// users make.
import type { MessageKey } from "../../contract";
import { ERROR_CODES, type Failure, type Result, fail, ok } from "../../protocol";
import type { GapRecord, SubscriptionRecord } from "../../store";
import { isRecent, SAME_RETURN_MS, type Timer } from "../environment";
import type { StreamedGroup } from "../live/stream-attempt";
import type { StreamPool } from "../live/stream-pool";
import { longestSilenceMs } from "../requests/receive-frames";
import type { ServerContext } from "../server/server-context";
import { CatchUp } from "./catch-up";
import {
  covers,
  type CatchUpFailure,
  type CatchUpKind,
  type CaughtUp,
  type Contact,
  type PollOwner,
} from "./poll-start";
import { OrderQuestions } from "./order-questions";

/** The reconciling poll comes this long after `open`, ms, because servers may store a little later than they send. */
export const RECONCILE_AFTER_MS = 10_000;
/** After that, reconciling polls come this often, ms. */
export const RECONCILE_EVERY_MS = 300_000;

/** An unknown order is asked about this much later, ms, because servers may store a little later than they send. */
const ASK_ORDER_AFTER_MS = 1_000;

/** Returns cause at most one poll in this time, ms, however often the user switches away and back. */
const RETURNS_EVERY_MS = 5_000;

/** Without a complete poll for this long, ms, a stream doesn't count as covering its topics: it may be half open. */
const COVERS_FOR_MS = 2 * RECONCILE_EVERY_MS;

/** Shorter absences, seconds, are no gap, because times are in whole seconds. */
const MIN_GAP_S = 2;

export interface GroupOwner {
  /** The accounts of all the server's groups. */
  readonly accountIds: number[];
  /** Whether polls would certainly fail: the server is stopped, or a refused topic is being looked for. */
  pollsFail(accountId: number): boolean;
  pollFailed(failure: Failure, accountId: number): void;
  /** A poll was complete, and is stored along with the gaps it found. */
  pollCompleted(): void;
}

/**
 * The topics of one server with the same credentials: they are polled together and share one id cursor. Decides when to
 * poll, makes up for polls that failed, and notices absences that were too long (docs/design.md §4).
 */
export class PolledGroup implements StreamedGroup, PollOwner {
  readonly #catchUp: CatchUp;
  /** Kinds of poll still to make: they failed, or are due. */
  readonly #pendingPolls = new Set<CatchUpKind>();
  #reconcileTimer: Timer | undefined;
  #reconcileAtMs = 0;
  /** Up to this time, device clock, ms, nothing was missed that the server could have sent. */
  #contactMs: number | undefined;
  /** The same time by the server's clock, Unix seconds, if that was heard. */
  #contactS: number | undefined;
  /** Topics polled alone since the group's last poll, and when (device, ms; server, s): a running poll ignores them. */
  readonly #alone = new Map<number, Contact>();
  /** Whether a stream has been open since the last complete poll, so that every byte extends `#contactMs`. */
  #isCovered = false;
  readonly #aborter = new AbortController();
  #orderTimer: Timer | undefined;
  readonly #orderQuestions: OrderQuestions;
  #returnTimer: Timer | undefined;
  #returnedAtMs = -Infinity;
  #polledAtMs = -Infinity;
  #isOver = false;

  constructor(
    private readonly here: ServerContext,
    private readonly accountId: number,
    private readonly streams: StreamPool,
    private readonly owner: GroupOwner,
  ) {
    const { environment, facts } = here;
    this.#contactMs = facts.lastCompleteAtMs;
    this.#catchUp = new CatchUp(here, accountId, this);
    this.#orderQuestions = new OrderQuestions(here, accountId, this.#aborter.signal);
    this.catchUp(facts.isFirstToday(environment.now()) ? "all" : "id");
    this.#reconcileAfter(RECONCILE_EVERY_MS);
  }

  get isBusy(): boolean {
    return this.#catchUp.isBusy;
  }

  /** Polls, and leaves the result to the caller. */
  poll(kind: CatchUpKind, subIds?: number[]): Promise<Result<CaughtUp, CatchUpFailure>> {
    this.#polledAtMs = this.here.environment.now();
    return this.#catchUp.request(kind, subIds);
  }

  /** Polls; a failure is reported and made up for by `pollPending`. */
  catchUp(kind: CatchUpKind): void {
    if (this.owner.pollsFail(this.accountId)) {
      this.#pendingPolls.add(kind);
      return;
    }
    void this.poll(kind).then((result) => {
      if (result.ok || this.#isOver) return;
      this.#pendingPolls.add(kind);
      if (result.error.kind === "poll") this.owner.pollFailed(result.error.why, this.accountId);
    });
  }

  async pollInPlace(): Promise<{ failure?: Failure; missing: number }> {
    const result = await this.poll("id");
    if (result.ok) return { missing: result.value.found.length };
    return { missing: 0, ...(result.error.kind === "poll" && { failure: result.error.why }) };
  }

  async checkSilence(): Promise<Failure | undefined> {
    // If the server has no cache, no poll can tell, and lost messages are gone for good.
    if (this.here.facts.retentionS === 0) return { kind: "silent" };
    const { failure, missing } = await this.pollInPlace();
    return failure ?? (missing > 0 ? { kind: "silent" } : undefined);
  }

  /** Makes the polls that are still pending. */
  pollPending(): void {
    for (const kind of this.#pendingPolls.has("all") ? (["all"] as const) : [...this.#pendingPolls]) this.catchUp(kind);
  }

  /** Asks for what couldn't be stored: soon, but not at once, because a little room comes and goes. */
  roomAgain(): void {
    const dueInMs = this.#reconcileAtMs - this.here.environment.now();
    // Negative after a sleep, in which timers stand still.
    if (dueInMs < 0 || dueInMs > RECONCILE_AFTER_MS) this.#reconcileAfter(RECONCILE_AFTER_MS);
  }

  /** Asks soon for the order of events within a second, if it is unknown and makes a difference (decision 0016). */
  askOrder(afterMs = ASK_ORDER_AFTER_MS): void {
    this.#orderTimer ??= this.here.environment.setTimer(() => void this.#askOrder(), afterMs);
  }

  async #askOrder(): Promise<void> {
    // What isn't asked now follows the next complete poll.
    const againAfterMs = this.owner.pollsFail(this.accountId) ? undefined : await this.#orderQuestions.ask();
    this.#orderTimer = undefined;
    if (againAfterMs !== undefined && !this.#isOver) this.askOrder(againAfterMs);
  }

  /** Polls at once, or after a moment if it polled just before the return. */
  catchUpOnReturn(): void {
    const { environment } = this.here;
    const nowMs = environment.now();
    if (isRecent(environment, this.#returnedAtMs, SAME_RETURN_MS)) return;
    this.#returnedAtMs = nowMs;
    environment.clearTimer(this.#returnTimer);
    if (!isRecent(environment, this.#polledAtMs, RETURNS_EVERY_MS)) this.catchUp("id");
    else {
      const delayMs = this.#polledAtMs + RETURNS_EVERY_MS - nowMs;
      this.#returnTimer = environment.setTimer(() => this.catchUp("id"), delayMs);
    }
  }

  /** A stream opened. `isPolled`: polls replace it, and one has just been made. */
  opened(isPolled: boolean): void {
    if (!isPolled) this.catchUp("id");
    this.#reconcileAfter(RECONCILE_AFTER_MS);
  }

  heard(): void {
    // Bytes after a longer silence were buffered while the device slept, and later ones may never be read. A message
    // that can't be stored may be gone from the server before there is room.
    if (this.here.ingest.isFailing || this.#wasSilent) this.#isCovered = false;
    if (this.#isCovered && this.#isHardlyKept) this.#inContact();
  }

  /** Call this when a stream ended. */
  uncover(): void {
    this.#isCovered = false;
  }

  stop(): void {
    this.#isOver = true;
    this.#catchUp.stop();
    this.#aborter.abort();
    for (const timer of [this.#reconcileTimer, this.#returnTimer, this.#orderTimer])
      this.here.environment.clearTimer(timer);
  }

  // Its course

  completed(subscriptions: readonly SubscriptionRecord[], kind: CatchUpKind, isWhole: boolean, contact: Contact): void {
    if (this.#isOver) return;
    // A poll of some topics says nothing about the others.
    if (!isWhole) {
      for (const { subId } of subscriptions) this.#alone.set(subId, contact);
    } else {
      this.#alone.clear();
      for (const pending of this.#pendingPolls) if (covers(kind, pending)) this.#pendingPolls.delete(pending);
      this.#contactMs = contact.atMs;
      this.#contactS = contact.atS;
      this.#isCovered = this.streams.isReceiving(this.accountId);
      this.here.facts.completedAt(contact.atMs, this.accountId, this.owner.accountIds);
    }
    this.askOrder();
    this.owner.pollCompleted();
  }

  absences(subscriptions: readonly SubscriptionRecord[], isWhole: boolean, { atMs }: Contact): GapRecord[] {
    const gaps = this.#gapsOf(subscriptions, isWhole && (!this.#isCovered || this.#wasSilent), atMs);
    return isWhole ? [...gaps, ...this.#gapsOfOthers(subscriptions, atMs)] : gaps;
  }

  /** A stream may skip a message. Polls find it, but not often enough if the server hardly keeps anything. */
  get #isHardlyKept(): boolean {
    return (this.here.facts.longestS ?? 0) * 1_000 <= COVERS_FOR_MS;
  }

  /** Whether there was no contact for so long that the stream can't be relied on. */
  get #wasSilent(): boolean {
    const nowMs = this.here.environment.now();
    const limitMs = this.#isHardlyKept ? longestSilenceMs(this.here.facts.keepaliveMs) : COVERS_FOR_MS;
    return nowMs - (this.#contactMs ?? nowMs) > limitMs;
  }

  #inContact(): void {
    const { environment, serverClock } = this.here;
    this.#contactMs = environment.now();
    this.#contactS = serverClock.estimate();
  }

  #reconcileAfter(delayMs: number): void {
    const { environment } = this.here;
    environment.clearTimer(this.#reconcileTimer);
    this.#reconcileAtMs = environment.now() + delayMs;
    this.#reconcileTimer = environment.setTimer(() => {
      this.#reconcileAfter(RECONCILE_EVERY_MS);
      if (!this.streams.isReceiving(this.accountId)) return;
      this.#pendingPolls.add("time");
      this.pollPending();
    }, delayMs);
  }

  /** Gaps of topics away for longer than messages are kept. @param wasAway the whole group was away */
  #gapsOf(subscriptions: readonly SubscriptionRecord[], wasAway: boolean, nowMs: number): GapRecord[] {
    const { serverClock } = this.here;
    const groupFrom = wasAway ? this.#awayFrom(serverClock.nowS, nowMs) : undefined;
    // A last contact that an earlier hub stored is known by the device's clock alone; if a clock was set forward, the
    // time cursors count as well.
    const isSetOn = groupFrom !== undefined && this.#contactS === undefined && serverClock.setOnAtMs !== undefined;
    const beforeSetOn = (timeCursor = Infinity): number => (isSetOn ? timeCursor : Infinity);
    return subscriptions.flatMap(({ subId, joined, timeCursor }) => {
      // A topic that was left out of the group has been away since its own cursor.
      const from = joined ? Math.min(groupFrom ?? Infinity, beforeSetOn(timeCursor)) : timeCursor;
      return from === undefined ? [] : this.#gapSince(subId, from);
    });
  }

  /** The gap of a topic that was away since this server time, if messages aren't kept for as long. */
  #gapSince(subId: number, from: number): GapRecord[] {
    const { facts, serverClock } = this.here;
    const { nowS } = serverClock;
    const retentionS = facts.retentionOf(subId);
    if (retentionS === undefined || nowS - from <= Math.max(retentionS, MIN_GAP_S)) return [];
    return [{ subId, from, to: nowS - retentionS }];
  }

  /** Gaps of topics that joined during a poll of the group: the device may have slept before it ended. */
  #gapsOfOthers(polled: readonly SubscriptionRecord[], nowMs: number): GapRecord[] {
    const { serverClock } = this.here;
    return [...this.#alone].flatMap(([subId, { atMs, atS }]) => {
      const from = Math.min(atS ?? Infinity, serverClock.nowS - Math.ceil((nowMs - atMs) / 1_000));
      return polled.some((one) => one.subId === subId) ? [] : this.#gapSince(subId, from);
    });
  }

  /** Server time of the last contact, Unix seconds. Either clock may be wrong, so the longer absence counts. */
  #awayFrom(nowS: number, nowMs: number): number | undefined {
    if (this.#contactMs === undefined) return this.#contactS;
    return Math.min(this.#contactS ?? Infinity, nowS - Math.ceil((nowMs - this.#contactMs) / 1_000));
  }
}

/** Polls for everything, of all topics or one. Resolves to what was missing, and whether more is lost. */
export async function refresh(
  here: ServerContext,
  groups: ReadonlyMap<number, PolledGroup>,
  subId?: number,
): Promise<Result<CaughtUp, Failure | { kind: "storage" }>> {
  const chosen = here.plan.readable.filter((subscription) => subId === undefined || subscription.subId === subId);
  const accountIds = new Set(chosen.map((subscription) => subscription.accountId));
  const waits = here.plan.subscriptions.find((one) => one.subId === subId)?.topic;
  const isWaiting = waits !== undefined && here.plan.waitingTopics.includes(waits);
  if (accountIds.size === 0)
    return fail((!isWaiting && here.plan.refusal) || { kind: "busy", code: ERROR_CODES.tooManyNewTopics });
  let found: MessageKey[] = [];
  let isForgetful = await hasForgotten(here, chosen);
  for (const accountId of accountIds) {
    const result = await groups.get(accountId)?.poll("all", subId === undefined ? undefined : [subId]);
    if (!result) continue;
    if (!result.ok) return fail(result.error.kind === "poll" ? result.error.why : result.error);
    found = [...found, ...result.value.found];
    isForgetful ||= result.value.hasForgotten === true;
  }
  return ok({ found, ...(isForgetful && { hasForgotten: true }) });
}

/** Whether an earlier poll found that the server lost messages it should still have. */
async function hasForgotten(
  { environment, serverClock, facts }: ServerContext,
  subscriptions: readonly SubscriptionRecord[],
): Promise<boolean> {
  const gaps = await environment.store.gaps(subscriptions.map(({ subId }) => subId));
  if (!gaps.ok) return false;
  const { nowS } = serverClock;
  return gaps.value.some(({ subId, to, forgot }) => forgot && to > nowS - (facts.retentionOf(subId) ?? 0));
}
