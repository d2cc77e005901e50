// The connection to one server: it has the streams and polls begun, reacts to what fails, and reports the state that
// pages show. It is no socket: bytes come in through `stream-attempt.ts` and `poll.ts`. How long to wait before the
// next try is worked out in `retry-policy.ts`, and when topics are polled in `polled-group.ts`.
import type { ConnectionState, ServerStatus } from "../contract";
import type { Failure, ProtocolEvent, Result, ServerAddress } from "../protocol";
import type { SubscriptionRecord } from "../store";
import type { CaughtUp } from "./catch-up-group";
import { isOutage, reactionTo } from "./classify";
import { connectionState, type Phase } from "./connection-state";
import { ConnectionStatus, type StatusOwner } from "./connection-status";
import { DueMessages } from "./due-messages";
import type { Environment, Timer } from "./environment";
import { InSight, type InSightOwner } from "./in-sight";
import { receiveLive } from "./live-messages";
import { refresh } from "./refresh";
import { Refusals, type RefusalsOwner } from "./refusals";
import { Retries } from "./retries";
import { AT_ONCE_MS, POLL_EVERY_MS, STABLE_AFTER_MS, type RetryEvent } from "./retry-policy";
import { PACED_EVERY_MS } from "./requests";
import type { ServerContext } from "./server-context";
import { ServerPlan, type ConnectionPlan } from "./server-plan";
import type { StreamAttempt, StreamSpec } from "./stream-attempt";
import { StreamPool, type StreamPoolOwner } from "./stream-pool";
import { PolledGroup, type GroupOwner } from "./polled-group";

/**
 * When a try brings no stream within this, ms, a poll is made as well, which may get through where a stream doesn't.
 */
const POLL_BESIDE_AFTER_MS = 1_000;

/**
 * The connection to one server: streams for its topics, catch-up, one backoff, and what to do when something fails
 * (docs/design.md §4).
 */
export class ServerConnection implements StreamPoolOwner, GroupOwner, RefusalsOwner, InSightOwner, StatusOwner {
  readonly #here: ServerContext;
  readonly #environment: Environment;
  readonly #status: ConnectionStatus;
  readonly #retries: Retries;
  readonly #streams: StreamPool;
  readonly #due: DueMessages;
  readonly #refusals: Refusals;
  readonly #groups = new Map<number, PolledGroup>();
  readonly #aborter = new AbortController();
  #phase: Phase = { kind: "trying" };
  readonly #inSight: InSight;
  #stableTimer: Timer | undefined;
  #pollBesideTimer: Timer | undefined;
  /** Somebody looks at a page. */
  #isInSight = false;
  /** When the server last answered that there were too many requests, device clock, ms. */
  #busyAtMs = -Infinity;
  #offlineSinceMs: number | undefined;

  constructor(here: ServerContext, plan: ConnectionPlan, isOnline: boolean) {
    this.#here = here;
    this.#environment = here.environment;
    this.#retries = new Retries(here.environment);
    this.#status = new ConnectionStatus(here, this);
    this.#refusals = new Refusals(here, this.#aborter.signal, this);
    if (!isOnline) this.#offlineSinceMs = here.environment.now();
    this.#streams = new StreamPool(here, plan.server.chosenTransport, this);
    this.#inSight = new InSight(here, this.#streams, this.#aborter.signal, this);
    this.#due = new DueMessages(here, this.#streams);
    this.sync(plan);
    void this.#due.settle();
    // Refused topics may be allowed by now.
    if (here.plan.refusedTopics.length > 0) this.#inSight.recheck();
  }

  get address(): ServerAddress {
    return this.#here.requests.address;
  }

  get status(): ServerStatus {
    return this.#status.current;
  }

  /** Notes a request that wasn't made by this connection. */
  counted(): void {
    this.#status.changed();
  }

  /** Takes over a changed plan: topics, credentials, transport. */
  sync(plan: ConnectionPlan): void {
    const here = this.#here;
    // One that has left its group since, as an undone import wants it, is caught up like a new one.
    const known = new Set(here.plan.readable.flatMap(({ subId, joined }) => (joined ? [] : [subId])));
    here.plan = new ServerPlan(plan, this.#refusals.forPlan(plan));
    here.facts.sync(plan.subscriptions);
    here.requests.headers = plan.server.headers;
    this.#streams.choose(plan.server.chosenTransport);
    const readable = here.plan.readable;
    const accountIds = new Set(readable.map((subscription) => subscription.accountId));
    for (const [accountId, group] of this.#groups) {
      if (accountIds.has(accountId)) continue;
      group.stop();
      this.#groups.delete(accountId);
    }
    for (const accountId of accountIds) {
      const group = this.#groups.get(accountId);
      const isNew = (one: SubscriptionRecord): boolean => !one.joined && !known.has(one.subId);
      if (!group) {
        this.#groups.set(accountId, new PolledGroup(here, accountId, this.#streams, this.#status, this));
      } else if (readable.some((one) => one.accountId === accountId && isNew(one))) group.catchUp("new");
    }
    this.#openStreams();
  }

  /** Ends everything. */
  stop(): void {
    this.#endWait();
    this.#phase = { kind: "over" };
    this.#status.stop();
    this.#aborter.abort();
    this.#streams.closeAll();
    for (const group of this.#groups.values()) group.stop();
    this.#inSight.probe.stop();
    this.#due.stop();
    for (const timer of [this.#stableTimer, this.#pollBesideTimer]) this.#environment.clearTimer(timer);
  }

  /** Tries now, as the user asked: nothing is waited for, and what was stopped or refused is tried again. */
  async tryNow(): Promise<void> {
    if (this.#phase.kind === "stopped") this.#phase = { kind: "trying" };
    this.#retries.after({ kind: "asked" });
    this.#endWait();
    await this.#refusals.letBackIn();
    this.#retry();
  }

  /**
   * Call when the device or the page came back: polls at once, without waiting for a stream.
   * @param jumped the device slept, or its clock was set
   */
  resume(jumped = false): void {
    const { serverClock, facts } = this.#here;
    if (jumped) serverClock.doubt();
    this.#retries.after({ kind: "asked" });
    // After a sleep, what an open stream still brings was sent before or during it, so only a new stream tells the
    // time.
    this.#streams.renew(jumped ? -Infinity : facts.doubtAfterMs);
    this.#retry();
    this.streamsRenewed();
    if (jumped) this.#inSight.woke();
  }

  /** Sets whether somebody looks at a page; while they do, a server that is gone is often asked whether it is back. */
  setInSight(isInSight: boolean): void {
    if (isInSight === this.#isInSight) return;
    this.#isInSight = isInSight;
    // The interval of polls that stand in for a stream depends on this.
    this.#status.changed();
    if (isInSight) this.#probeIfAway();
    else this.#inSight.probe.stop();
  }

  /** Called about every second while somebody looks; see `InSight.look`. */
  look(saidAtMs: readonly number[], servers: number): void {
    if (this.#phase.kind === "trying") this.#inSight.look(saidAtMs, servers);
  }

  /** Polls again for what couldn't be stored, as there may be room now. */
  roomAgain(): void {
    for (const group of this.#groups.values()) group.roomAgain();
  }

  setOnline(isOnline: boolean): void {
    if (!isOnline) this.#offlineSinceMs ??= this.#environment.now();
    else if (this.#offlineSinceMs !== undefined) {
      this.#offlineSinceMs = undefined;
      this.resume();
    }
    this.#status.changed();
  }

  /**
   * Polls for everything that the server still has, of all topics or of one. Resolves to what was missing here, and
   * whether more is lost.
   */
  async refresh(subId?: number): Promise<Result<CaughtUp, Failure | { kind: "storage" }>> {
    return refresh(this.#here, this.#groups, subId);
  }

  // For its streams

  streamOpened({ spec, transport }: StreamAttempt): void {
    this.#groups.get(spec.accountId)?.opened(transport === "poll");
    if (this.#here.plan.refusedTopics.length === 0) this.#refusals.receivedAll();
    if (this.#streams.liveBy) {
      this.#inSight.probe.stop();
      if (this.#phase.kind === "trying") this.#phase = { kind: "trying" };
    }
    this.#environment.clearTimer(this.#stableTimer);
    this.#stableTimer = this.#environment.setTimer(() => this.#retries.after({ kind: "stable" }), STABLE_AFTER_MS);
    this.#status.changed();
  }

  streamHeard(accountId: number): void {
    this.#status.heard();
    this.#groups.get(accountId)?.heard();
  }

  streamReceived(events: ProtocolEvent[], spec: StreamSpec, isDoubted: boolean): void {
    this.#inSight.received(events);
    void receiveLive(this.#here, this.#status, this.#due, events, spec, isDoubted).then((isUnsettled) => {
      if (isUnsettled) this.#groups.get(spec.accountId)?.askOrder();
    });
  }

  countMalformed(count: number): void {
    this.#status.countMalformed(count);
  }

  streamEnded(accountId: number, failure?: Failure, hadWorked = false): void {
    this.#groups.get(accountId)?.uncover();
    if (failure) this.#fail(failure, accountId, hadWorked);
  }

  async pollInPlaceOfStream(accountId: number): Promise<{ failure?: Failure; missing: number }> {
    const result = await this.#groups.get(accountId)?.poll("id");
    if (result?.ok) return { missing: result.value.found.length };
    return { missing: 0, ...(result?.error.kind === "poll" && { failure: result.error.why }) };
  }

  async checkSilence(accountId: number): Promise<Failure | undefined> {
    // If the server has no cache, no poll can tell, and lost messages are lost for good.
    if (this.#here.facts.retentionS === 0) return { kind: "silent" };
    const { failure, missing } = await this.pollInPlaceOfStream(accountId);
    return failure ?? (missing > 0 ? { kind: "silent" } : undefined);
  }

  get pollEveryMs(): number {
    if (!this.#isInSight) return POLL_EVERY_MS;
    return this.#inSight.pollEveryMs(this.#busyAtMs, this.#here.count.recent);
  }

  /** How long it takes to poll all topics that have no room in a stream, ms. */
  get #turnMs(): number {
    return Math.max(this.pollEveryMs, this.#streams.polled * PACED_EVERY_MS);
  }

  // For its groups

  get accountIds(): number[] {
    return [...this.#groups.keys()];
  }

  pollsFail(accountId: number): boolean {
    return this.#phase.kind === "stopped" || this.#refusals.isLookingFor(accountId);
  }

  pollFailed(failure: Failure, accountId: number): void {
    this.#streams.pollFailed(failure);
    this.#fail(failure, accountId);
  }

  pollCompleted(): void {
    this.#status.heard();
    void this.#due.settle();
    this.#status.changed();
  }

  // For its refusals

  searchEnded(isFound: boolean, failure: Failure): void {
    if (this.#phase.kind === "over") return;
    if (!isFound) this.#wait(failure);
    if (this.#phase.kind !== "waiting") this.#retry();
    this.#status.changed();
  }

  // For its status

  get isChecking(): boolean {
    return [...this.#groups.values()].some((group) => group.isBusy);
  }

  get state(): ConnectionState {
    const { liveBy, isIdle, inTurn } = this.#streams;
    return connectionState({
      phase: this.#phase,
      isIdle: isIdle && !this.#refusals.isLooking,
      plan: this.#here.plan,
      askAtMs: this.#refusals.askAtMs,
      live: liveBy && {
        transport: liveBy,
        ...(inTurn > 0 && { inTurn: { topics: inTurn, everyMs: this.#turnMs } }),
        ...(liveBy === "poll" && { everyMs: this.pollEveryMs }),
      },
      offlineSinceMs: this.#offlineSinceMs,
      failures: this.#retries.failures,
      sinceMs: this.#status.sinceMs,
    });
  }

  // While somebody looks

  probeAnswered(wasAway: boolean): void {
    if (this.#phase.kind !== "waiting") return;
    const step = this.#retries.after({ kind: "probe-answered", wasAway });
    if (step.kind === "try") this.#tryAfter(step.afterMs, this.#phase.why);
    this.#status.changed();
  }

  streamsRenewed(): void {
    for (const group of this.#groups.values()) group.catchUpOnReturn();
  }

  #probeIfAway(): void {
    if (this.#isInSight) this.#inSight.probeIfAway(this.#phase);
  }

  // When something fails

  #fail(failure: Failure, accountId: number, hadWorked = false): void {
    if (this.#phase.kind === "over") return;
    this.#environment.clearTimer(this.#stableTimer);
    if (failure.kind === "busy") this.#busyAtMs = this.#environment.now();
    const reaction = reactionTo(failure);
    switch (reaction.kind) {
      case "stop":
        this.#endWait();
        this.#phase = { kind: "stopped", why: failure };
        this.#streams.closeAll();
        this.#inSight.probe.stop();
        this.#refusals.notice(
          failure,
          this.#here.plan.readable.map(({ topic }) => topic),
        );
        break;
      case "leave-out":
        if (this.#refusals.isLookingFor(accountId)) break;
        void this.#refusals.leaveOut(failure, accountId);
        this.#openStreams();
        break;
      case "retry":
        if (hadWorked && isOutage(failure)) this.#wait(failure, { kind: "stream-ended" });
        else this.#wait(failure, { kind: "try-failed", atLeastMs: reaction.afterMs });
        break;
      case "forget-marker":
        // Streams carry no marker, and the catch-up has already asked for everything instead: a server that refuses
        // even that is broken.
        this.#wait(failure);
    }
    this.#status.changed();
  }

  /** Starts one wait for the whole server, however many streams and polls failed. */
  #wait(why: Failure, event: RetryEvent = { kind: "try-failed" }): void {
    if (this.#phase.kind !== "trying") return;
    const step = this.#retries.after(event);
    if (step.kind === "try") this.#tryAfter(step.afterMs, why);
  }

  #tryAfter(delayMs: number, why: Failure): void {
    this.#endWait();
    const timer = this.#environment.setTimer(() => this.#retry(), delayMs);
    const isAtOnce = delayMs <= AT_ONCE_MS;
    this.#phase = { kind: "waiting", timer, nextTryAtMs: this.#environment.now() + delayMs, isAtOnce, why };
    if (!isOutage(why)) this.#inSight.probe.stop();
    else if (!isAtOnce) this.#probeIfAway();
  }

  #endWait(): void {
    if (this.#phase.kind !== "waiting") return;
    const { timer, why } = this.#phase;
    this.#environment.clearTimer(timer);
    this.#phase = { kind: "trying", ...(!this.#streams.liveBy && { why }) };
  }

  #retry(): void {
    this.#endWait();
    this.#openStreams();
    for (const group of this.#groups.values()) group.catchUpOwed();
    this.#environment.clearTimer(this.#pollBesideTimer);
    this.#pollBesideTimer = this.#environment.setTimer(() => this.#pollBeside(), POLL_BESIDE_AFTER_MS);
  }

  /** Opens wanted streams that aren't there, unless a wait is on, and lets go of those no longer wanted. */
  #openStreams(): void {
    const { kind } = this.#phase;
    if (kind === "stopped" || kind === "over") return;
    const accountIds = this.accountIds.filter((accountId) => !this.#refusals.isLookingFor(accountId));
    const readable = this.#here.plan.readable;
    this.#streams.want(
      accountIds.map((accountId) => {
        const own = readable.filter((subscription) => subscription.accountId === accountId);
        return { accountId, topics: own.map((subscription) => subscription.topic) };
      }),
    );
    if (kind === "trying") this.#streams.open();
    this.#status.changed();
  }

  /** Polls while a stream doesn't open: it may be held back where a poll gets through, or the server may be gone. */
  #pollBeside(): void {
    if (this.#phase.kind === "waiting") return;
    this.#probeIfAway();
    for (const [accountId, group] of this.#groups) {
      if (!group.isBusy && !this.#streams.isReceiving(accountId)) group.catchUp("id");
    }
  }
}
