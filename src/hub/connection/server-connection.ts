// The connection to one server: starts its streams and polls, reacts to failures, and reports the state that pages
// show. Bytes come in through `stream-attempt.ts` and `poll.ts`; `connection-machine.ts` says when the server is tried,
// `polled-group.ts` when topics are polled.
import type { ConnectionState, ServerStatus } from "../../contract";
import type { Failure, Result, ServerAddress } from "../../protocol";
import type { SubscriptionRecord } from "../../store";
import type { CaughtUp } from "../sync/poll-start";
import { isOutage, isRationed, reactionTo } from "../requests/classify";
import { ConnectionCheck, probeReturn } from "./connection-check";
import { connectionState, step, type MachineEvent, type MachineState, type MachineTimer } from "./connection-machine";
import { isRecent, type Environment, type Timer } from "../environment";
import { refresh, PolledGroup, type GroupOwner } from "../sync/polled-group";
import { Refusals } from "./refusals";
import { BUSY_FOR_MS, NO_TRIES, pollEveryMs } from "../requests/retry-policy";
import type { ServerContext } from "../server/server-context";
import { ServerPlan } from "../server/server-plan";
import type { StoredServer } from "../read-servers";
import type { StreamAttempt } from "../live/stream-attempt";
import { StreamPool, type StreamPoolOwner } from "../live/stream-pool";

/** A refused topic is asked about again at a start, at a return, and while a page is in sight after this long, ms. */
const RECHECK_EVERY_MS = 60_000;

/** A server's streams, catch-up, backoff, and reactions to failures (docs/design.md §4). */
export class ServerConnection implements StreamPoolOwner, GroupOwner {
  readonly #environment: Environment;
  readonly #streams: StreamPool;
  readonly #refusals: Refusals;
  readonly #groups = new Map<number, PolledGroup>();
  readonly #aborter = new AbortController();
  #machine: MachineState = { kind: "trying", tries: NO_TRIES };
  readonly #timers = new Map<MachineTimer, Timer>();
  readonly #check: ConnectionCheck;
  /** Ends the probes for whether the server is back; undefined = none are under way. */
  #probing: AbortController | undefined;
  /** Whether a page is in sight. */
  #isInSight = false;
  #offlineSinceMs: number | undefined;

  constructor(
    private readonly here: ServerContext,
    plan: StoredServer,
    isOnline: boolean,
  ) {
    this.#environment = here.environment;
    here.described = () => ({ state: this.#state, checking: [...this.#groups.values()].some((group) => group.isBusy) });
    here.isPolled = () => this.#streams.isPolled;
    this.#refusals = new Refusals(here, this.#aborter.signal, this);
    if (!isOnline) this.#offlineSinceMs = here.environment.now();
    this.#streams = new StreamPool(here, this);
    this.#check = new ConnectionCheck(here, this.#streams, this.#groups, this.#aborter.signal);
    this.sync(plan);
    void this.here.due.settle();
    // Refused topics may be allowed by now.
    void this.#refusals.recheck(here.plan.refusedAlone);
  }

  get address(): ServerAddress {
    return this.here.requests.address;
  }

  get status(): ServerStatus {
    return this.here.status.current;
  }

  /** Adopts a changed plan: topics, credentials, transport. */
  sync(plan: StoredServer): void {
    const here = this.here;
    // A topic that has left its group since then is caught up like a new one.
    const known = new Set(here.plan.readable.flatMap(({ subId, joined }) => (joined ? [] : [subId])));
    here.plan = new ServerPlan(plan, this.#refusals.forPlan(plan));
    here.facts.sync(plan.subscriptions);
    const { headers, chosenTransport } = plan.server;
    here.requests.headers = headers;
    // Browsers send no extra headers with a WebSocket.
    this.#streams.choose(headers ? "json" : chosenTransport);
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
        this.#groups.set(accountId, new PolledGroup(here, accountId, this.#streams, this));
      } else if (readable.some((one) => one.accountId === accountId && isNew(one))) group.catchUp("new");
    }
    this.#openStreams();
  }

  /** Ends everything. */
  stop(): void {
    this.here.status.stop();
    this.here.count.onErrors = this.here.count.onRefused = undefined;
    this.#aborter.abort();
    this.#streams.closeAll();
    for (const group of this.#groups.values()) group.stop();
    this.#probing?.abort();
    this.here.due.stop();
    for (const timer of this.#timers.values()) this.#environment.clearTimer(timer);
  }

  /** Tries now, because the user asked: waits for nothing, and tries again what was stopped or refused. */
  async tryNow(): Promise<void> {
    await this.#refusals.letBackIn();
    this.#happened({ kind: "asked" });
  }

  /** The device or page came back: polls at once. @param jumped the device slept, or its clock was set */
  resume(jumped = false): void {
    const { serverClock, facts } = this.here;
    if (jumped) serverClock.doubt();
    // After a sleep, what an open stream still brings was sent before or during it, so only a new stream tells the
    // time.
    this.#streams.renew(jumped ? -Infinity : facts.doubtAfterMs);
    this.#happened({ kind: "asked" });
    // What may have been sent to the old streams is lost.
    for (const group of this.#groups.values()) group.catchUpOnReturn();
    this.#check.returned();
    void this.#refusals.recheck(this.here.plan.askedAgain);
  }

  /** Sets whether a page is in sight; while it is, a server that is gone is often asked whether it is back. */
  setInSight(isInSight: boolean): void {
    if (isInSight === this.#isInSight) return;
    this.#isInSight = isInSight;
    this.#happened({ kind: "sight-changed" });
  }

  /** Call this about every second while a page is in sight. */
  look(): void {
    if (this.#machine.kind === "trying") this.#check.look();
    if (!isRecent(this.#environment, this.#refusals.recheckedAtMs, RECHECK_EVERY_MS))
      void this.#refusals.recheck(this.here.plan.askedAgain);
  }

  /** Polls again for what couldn't be stored, because there may be room now. */
  roomAgain(): void {
    for (const group of this.#groups.values()) group.roomAgain();
  }

  setOnline(isOnline: boolean): void {
    if (!isOnline) this.#offlineSinceMs ??= this.#environment.now();
    else if (this.#offlineSinceMs !== undefined) {
      this.#offlineSinceMs = undefined;
      this.resume();
    }
    this.here.status.changed();
  }

  /** Polls for everything, of all topics or one. Resolves to what was missing, and whether more is lost. */
  async refresh(subId?: number): Promise<Result<CaughtUp, Failure | { kind: "storage" }>> {
    return refresh(this.here, this.#groups, subId);
  }

  // From its streams

  streamOpened({ spec, transport }: StreamAttempt): void {
    this.#groups.get(spec.accountId)?.opened(transport === "poll");
    this.#check.opened();
    if (this.here.plan.refusedTopics.length === 0) this.#refusals.receivedAll();
    this.#happened({ kind: "stream-opened" });
  }

  streamEnded(accountId: number, failure?: Failure, hadWorked = false): void {
    this.#groups.get(accountId)?.uncover();
    if (failure) this.#fail(failure, accountId, hadWorked);
  }

  group(accountId: number): PolledGroup | undefined {
    return this.#groups.get(accountId);
  }

  get pollEveryMs(): number {
    const isBusy = isRecent(this.#environment, this.here.count.busyAtMs, BUSY_FOR_MS);
    return pollEveryMs(this.#streams.polled, isBusy || !this.#isInSight);
  }

  // From its groups and streams

  get accountIds(): number[] {
    return [...this.#groups.keys()];
  }

  pollsFail(accountId: number): boolean {
    return this.#refusals.isLookingFor(accountId);
  }

  pollFailed(failure: Failure, accountId: number): void {
    this.#streams.pollFailed(failure);
    this.#fail(failure, accountId);
  }

  pollCompleted(): void {
    this.here.status.heard();
    void this.here.due.settle();
    this.here.status.changed();
  }

  // From its refusals

  searchEnded(isFound: boolean, failure: Failure): void {
    const reaction = reactionTo(failure);
    const atLeastMs = reaction.kind === "retry" ? reaction.afterMs : undefined;
    this.#happened(isFound ? { kind: "left-out" } : { kind: "try-failed", why: failure, atLeastMs });
  }

  // For its status

  get #state(): ConnectionState {
    const { liveBy, isIdle, inTurn } = this.#streams;
    const { count } = this.here;
    return connectionState({
      machine: this.#machine,
      isIdle: isIdle && !this.#refusals.isLooking,
      plan: this.here.plan,
      askAtMs: this.#refusals.askAtMs,
      live: liveBy && {
        transport: liveBy,
        ...(inTurn > 0 && { inTurn: { topics: inTurn, everyMs: this.pollEveryMs } }),
        ...(liveBy === "poll" && { everyMs: this.pollEveryMs }),
      },
      busyUntilMs: count.isBusy ? count.nextTurnAtMs : undefined,
      offlineSinceMs: this.#offlineSinceMs,
      sinceMs: this.here.status.sinceMs,
    });
  }

  #happened(event: MachineEvent): void {
    if (this.#aborter.signal.aborted) return;
    if (event.kind === "asked") this.here.count.endWait();
    const { now, random, clearTimer, setTimer } = this.#environment;
    const isLive = this.#streams.liveBy !== undefined;
    // A busy server isn't gone.
    const isMissed = this.#isInSight && !isLive && !this.#streams.isIdle && !this.here.count.isBusy;
    const { state, effects } = step(this.#machine, event, { nowMs: now(), chance: random(), isLive, isMissed });
    this.#machine = state;
    for (const effect of effects) {
      switch (effect.kind) {
        case "try":
          this.#openStreams();
          for (const group of this.#groups.values()) group.pollPending();
          break;
        case "poll-beside":
          for (const [accountId, group] of this.#groups)
            if (!group.isBusy && !this.#streams.isReceiving(accountId)) group.catchUp("id");
          break;
        case "probe":
          this.#probe(effect.isOn);
          break;
        case "timer": {
          const { timer, afterMs } = effect;
          clearTimer(this.#timers.get(timer));
          const due = (): void => this.#happened({ kind: "timer", timer });
          if (afterMs !== undefined) this.#timers.set(timer, setTimer(due, afterMs));
        }
      }
    }
    this.here.status.changed();
  }

  #probe(isOn: boolean): void {
    if (isOn && this.#probing) return;
    this.#probing?.abort();
    this.#probing = isOn ? new AbortController() : undefined;
    if (!this.#probing) return;
    void probeReturn(this.here, this.#probing.signal, (wasAway) => {
      this.#probe(false);
      this.here.requests.endHanging("again");
      this.#happened({ kind: "probe-answered", wasAway });
    });
  }

  // When something fails

  #fail(failure: Failure, accountId: number, hadWorked = false): void {
    if (this.#aborter.signal.aborted) return;
    // Streams wait their turn.
    if (isRationed(failure)) return this.#openStreams();
    const reaction = reactionTo(failure);
    if (reaction.kind !== "leave-out") {
      const { afterMs: atLeastMs } = reaction;
      const isCut = hadWorked && isOutage(failure);
      this.#happened(isCut ? { kind: "stream-cut", why: failure } : { kind: "try-failed", why: failure, atLeastMs });
      return;
    }
    if (!this.#refusals.isLookingFor(accountId)) void this.#refusals.leaveOut(failure, accountId);
    this.#openStreams();
  }

  /** Opens missing streams, unless a wait is on, and closes those no longer wanted. */
  #openStreams(): void {
    if (this.#aborter.signal.aborted) return;
    const readable = this.here.plan.readable;
    this.#streams.want(
      this.accountIds.map((accountId) => {
        const own = readable.filter((subscription) => subscription.accountId === accountId);
        return { accountId, topics: own.map((subscription) => subscription.topic) };
      }),
    );
    if (this.#machine.kind === "trying") this.#streams.open();
    this.here.status.changed();
  }
}
