import {
  type ConnectionState,
  fail,
  type Failure,
  isStorable,
  type MessageKey,
  ok,
  type ProtocolEvent,
  type Result,
  type ServerAddress,
  type ServerStatus,
  type StoredMessage,
} from "../protocol";
import type { Arrival, SubscriptionRecord } from "../store";
import type { Notice } from "./alerts";
import type { CaughtUp } from "./catch-up";
import type { Announce } from "./changes-event";
import { isOutage, reactionTo } from "./classify";
import { DueMessages } from "./due-messages";
import type { InSight } from "./in-sight";
import type { IngestQueue } from "./ingest-queue";
import type { StreamSpec } from "./stream-attempt";
import { StreamPool } from "./stream-pool";
import type { RequestCount } from "./request-count";
import { Requests, signInPatch } from "./requests";
import { Retries } from "./retries";
import { AT_ONCE_MS, POLL_EVERY_MS, STABLE_AFTER_MS, type RetryEvent } from "./retry-policy";
import { ServerClock } from "./server-clock";
import { keepFacts, ServerFacts } from "./server-facts";
import { ServerPlan, type ConnectionPlan } from "./server-plan";
import type { Environment, Timer } from "./environment";
import { TopicGroup } from "./topic-group";

/** A live stream that was silent for longer than its keepalive interval plus this, ms, is no longer trusted. */
const DOUBT_AFTER_MS = 5_000;

/**
 * When a try brings no stream within this, ms, a poll is made as well, which may get through where a stream doesn't.
 */
const POLL_BESIDE_AFTER_MS = 1_000;

/** Code for a page in sight is loaded this long after the start, ms, as messages come first. */
const LOAD_IN_SIGHT_AFTER_MS = 2_000;

/** A wait for the next try. */
interface Waiting {
  timer: Timer;
  /** Device clock, ms. */
  nextTryAtMs: number;
  /** The wait is so short that it isn't shown. */
  isAtOnce: boolean;
  why: Failure;
}

/** What a connection needs of its hub. */
export interface ConnectionHub {
  environment: Environment;
  ingest: IngestQueue;
  /** Counts the requests to this server, including those of the user's commands. */
  count: RequestCount;
  announce: Announce;
  alert(rows: StoredMessage[]): void;
  /** Tells the user that receiving stopped, which they could take for silence otherwise. */
  notice(notice: Notice): void;
  /** Servers, accounts or subscriptions changed in the store: everyone reads them again, including this connection. */
  catalogueChanged(): Promise<void>;
}

/**
 * The connection to one server: streams for its topics, catch-up, one backoff, and what to do when something fails
 * (docs/design.md §4). The state shown to users is derived from what is going on, never stored separately.
 */
export class ServerConnection {
  readonly #hub: ConnectionHub;
  readonly #environment: Environment;
  readonly #requests: Requests;
  readonly #serverClock: ServerClock;
  readonly #facts: ServerFacts;
  readonly #retries: Retries;
  /** Loaded after the start. */
  #inSight: InSight | undefined;
  #loadTimer: Timer | undefined;
  readonly #streams: StreamPool;
  readonly #due: DueMessages;
  readonly #groups = new Map<number, TopicGroup>();
  readonly #aborter = new AbortController();
  /** Accounts for which the refused topic is being looked for. */
  readonly #isolating = new Set<number>();
  #plan: ServerPlan;
  #waiting: Waiting | undefined;
  /** Why the last try ended; undefined once one got through. */
  #lastWhy: Failure | undefined;
  #stopped: Failure | undefined;
  #stableTimer: Timer | undefined;
  #pollBesideTimer: Timer | undefined;
  /** Somebody looks at a page. */
  #isInSight = false;
  /** When the server last answered that there were too many requests, device clock, ms. */
  #busyAtMs = -Infinity;
  #offlineSinceMs: number | undefined;
  /** When the kind of the state last changed. */
  #stateSinceMs: number;
  #stateKind: ConnectionState["kind"] = "idle";
  #heardAtMs: number | undefined;
  #malformed = 0;
  #isOver = false;
  #isTelling = false;
  /** The stop that the user was last told about. */
  #notified = "";

  constructor(hub: ConnectionHub, plan: ConnectionPlan, isOnline: boolean) {
    const { environment } = hub;
    const { serverId, address, credentialsBy, chosenTransport } = plan.server;
    this.#hub = hub;
    this.#environment = environment;
    this.#plan = new ServerPlan({ ...plan, subscriptions: [] });
    this.#facts = new ServerFacts(environment, plan.server);
    // The date is left out, so that each start tries the header again.
    this.#requests = new Requests(environment, address, credentialsBy && { credentialsBy }, hub.count);
    this.#requests.onSignIn = (refusedAtMs) => keepFacts(environment, serverId, signInPatch(refusedAtMs));
    this.#serverClock = new ServerClock(environment, this.#facts);
    this.#retries = new Retries(environment);
    this.#stateSinceMs = environment.now();
    if (!isOnline) this.#offlineSinceMs = environment.now();
    this.#streams = new StreamPool(
      {
        environment,
        address,
        requests: this.#requests,
        facts: this.#facts,
        credentials: (accountId) => this.#plan.credentials(accountId),
        poll: async (accountId) => (await this.#pollInPlaceOfStream(accountId)).failure,
        check: (accountId) => this.#checkByPoll(accountId),
        pollEveryMs: () => this.#pollEveryMs,
      },
      chosenTransport,
      {
        opened: ({ spec, transport }) => this.#opened(spec.accountId, transport === "poll"),
        heard: (accountId) => this.#heard(accountId),
        received: (events, spec, isDoubted) => this.#receive(events, spec, isDoubted),
        malformed: (count) => this.#countMalformed(count),
        ended: (accountId, failure, hadWorked) => {
          this.#groups.get(accountId)?.uncover();
          if (failure) this.#fail(failure, accountId, hadWorked);
        },
      },
    );
    this.#due = new DueMessages({
      ...hub,
      serverId,
      serverClock: this.#serverClock,
      isPolled: () => this.#streams.liveBy === "poll",
    });
    this.sync(plan);
    void this.#due.settle();
    // Refused topics may be allowed by now.
    if (this.#plan.refusedTopics.length > 0) void this.#loadInSight().then(() => this.#inSight?.recheck());
  }

  get address(): ServerAddress {
    return this.#requests.address;
  }

  get status(): ServerStatus {
    const { lastCompleteAtMs, retentionS } = this.#facts;
    return {
      serverId: this.#plan.serverId,
      state: this.#state(),
      checking: [...this.#groups.values()].some((group) => group.isBusy),
      ...(lastCompleteAtMs !== undefined && { lastCompleteAtMs }),
      ...(this.#heardAtMs !== undefined && { lastContactAtMs: this.#heardAtMs }),
      ...(this.#facts.clockAheadS !== undefined && { clockAheadS: this.#facts.clockAheadS }),
      malformed: this.#malformed,
      recentRequests: this.#hub.count.recent,
      cacheless: retentionS === 0,
      refusedTopics: this.#plan.refusedTopics,
    };
  }

  /** Notes a request that wasn't made by this connection. */
  counted(): void {
    this.#tell();
  }

  /** Takes over a changed plan: topics, credentials, transport. */
  sync(plan: ConnectionPlan): void {
    const known = new Set(this.#plan.readable.map((subscription) => subscription.subId));
    this.#plan = new ServerPlan(plan);
    this.#facts.sync(plan.subscriptions);
    this.#streams.choose(plan.server.chosenTransport);
    const readable = this.#plan.readable;
    const accountIds = new Set(readable.map((subscription) => subscription.accountId));
    for (const [accountId, group] of this.#groups) {
      if (accountIds.has(accountId)) continue;
      group.stop();
      this.#groups.delete(accountId);
    }
    for (const accountId of accountIds) {
      const group = this.#groups.get(accountId);
      const isNew = (one: SubscriptionRecord): boolean => !one.joined && !known.has(one.subId);
      if (!group) this.#groups.set(accountId, this.#makeGroup(accountId));
      else if (readable.some((one) => one.accountId === accountId && isNew(one))) group.catchUp("id");
    }
    this.#openStreams();
  }

  /** Ends everything. */
  stop(): void {
    this.#isOver = true;
    this.#aborter.abort();
    this.#streams.closeAll();
    for (const group of this.#groups.values()) group.stop();
    this.#endWait();
    this.#inSight?.probe.stop();
    this.#due.stop();
    for (const timer of [this.#stableTimer, this.#pollBesideTimer, this.#loadTimer])
      this.#environment.clearTimer(timer);
  }

  /** Tries now, as the user asked: nothing is waited for, and what was stopped or refused is tried again. */
  async tryNow(): Promise<void> {
    const { store } = this.#environment;
    this.#stopped = undefined;
    this.#retries.after({ kind: "asked" });
    this.#endWait();
    const refused = this.#plan.subscriptions.filter((subscription) => subscription.refusedCode !== undefined);
    const accounts = this.#plan.accounts.filter((account) => account.refusedAtMs !== undefined);
    for (const { subId } of refused) await store.patchSubscription(subId, { refusedCode: null });
    for (const { accountId } of accounts) await store.patchAccount(accountId, { refusedAtMs: null });
    if (refused.length + accounts.length > 0) await this.#hub.catalogueChanged();
    this.#retry();
  }

  /**
   * Call when the device or the page came back: polls at once, without waiting for a stream.
   * @param jumped the device slept, or its clock was set
   */
  resume(jumped = false): void {
    if (jumped) this.#serverClock.doubt();
    this.#retries.after({ kind: "asked" });
    // After a sleep, what an open stream still brings was sent before or during it, so only a new stream tells the
    // time.
    this.#streams.renew(jumped ? -Infinity : this.#facts.keepaliveMs + DOUBT_AFTER_MS);
    this.#retry();
    this.#catchUpOnReturn();
    if (jumped) this.#inSight?.woke();
  }

  /** Sets whether somebody looks at a page; while they do, a server that is gone is often asked whether it is back. */
  setInSight(isInSight: boolean): void {
    if (isInSight === this.#isInSight) return;
    this.#isInSight = isInSight;
    // The interval of polls that stand in for a stream depends on this.
    this.#tell();
    if (!isInSight) this.#inSight?.probe.stop();
    else if (this.#inSight) this.#probeIfAway();
    else this.#loadTimer = this.#environment.setTimer(() => void this.#loadInSight(), LOAD_IN_SIGHT_AFTER_MS);
  }

  /** Called about every second while somebody looks. */
  look(): void {
    if (!this.#waiting && !this.#stopped) this.#inSight?.look();
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
    this.#tell();
  }

  /**
   * Polls for everything that the server still has, of all topics or of one. Resolves to what was missing here, and
   * whether more is lost.
   */
  async refresh(subId?: number): Promise<Result<CaughtUp, Failure | { kind: "storage" }>> {
    const chosen = this.#plan.readable.filter((subscription) => subId === undefined || subscription.subId === subId);
    const accountIds = new Set(chosen.map((subscription) => subscription.accountId));
    if (accountIds.size === 0) return fail(this.#plan.refusal ?? { kind: "ended" });
    let found: MessageKey[] = [];
    let hasForgotten = await this.#hasForgotten(chosen);
    for (const accountId of accountIds) {
      const result = await this.#groups.get(accountId)?.poll("all", subId === undefined ? undefined : [subId]);
      if (!result) continue;
      if (!result.ok) return fail(result.error.kind === "poll" ? result.error.why : result.error);
      found = [...found, ...result.value.found];
      hasForgotten ||= result.value.hasForgotten === true;
    }
    return ok({ found, ...(hasForgotten && { hasForgotten }) });
  }

  /** Whether an earlier poll found that the server lost messages it should still have. */
  async #hasForgotten(subscriptions: readonly SubscriptionRecord[]): Promise<boolean> {
    const gaps = await this.#environment.store.gaps(subscriptions.map(({ subId }) => subId));
    if (!gaps.ok) return false;
    const { nowS } = this.#serverClock;
    return gaps.value.some(({ subId, to, forgot }) => forgot && to > nowS - (this.#facts.retentionOf(subId) ?? 0));
  }

  // What is wanted

  #makeGroup(accountId: number): TopicGroup {
    const { serverId } = this.#plan.server;
    return new TopicGroup(
      {
        ...this.#hub,
        requests: this.#requests,
        serverClock: this.#serverClock,
        facts: this.#facts,
        serverId,
        accountId,
        accountIds: () => [...this.#groups.keys()],
        credentials: () => this.#plan.credentials(accountId),
        includes: (one) => one.serverId === serverId && one.accountId === accountId && this.#plan.isReadable(one),
        isReceiving: () => this.#streams.isReceiving(accountId),
        isPolled: () => this.#streams.liveBy === "poll",
        isHeld: () => this.#stopped !== undefined || this.#isolating.has(accountId),
      },
      {
        changed: () => this.#tell(),
        malformed: (count) => this.#countMalformed(count),
        failed: (failure) => this.#fail(failure, accountId),
        completed: () => {
          this.#heardAtMs = this.#environment.now();
          void this.#due.settle();
          this.#tell();
        },
        joined: () => void this.#hub.catalogueChanged(),
      },
    );
  }

  /** Opens wanted streams that aren't there, unless a wait is on, and lets go of those no longer wanted. */
  #openStreams(): void {
    if (this.#isOver || this.#stopped) return;
    const accountIds = [...this.#groups.keys()].filter((accountId) => !this.#isolating.has(accountId));
    const readable = this.#plan.readable;
    this.#streams.want(
      accountIds.map((accountId) => {
        const own = readable.filter((subscription) => subscription.accountId === accountId);
        return { accountId, topics: own.map((subscription) => subscription.topic) };
      }),
    );
    if (!this.#waiting) this.#streams.open();
    this.#tell();
  }

  // What comes in

  #opened(accountId: number, isPolled: boolean): void {
    this.#groups.get(accountId)?.opened(isPolled);
    if (this.#plan.refusedTopics.length === 0) this.#notified = "";
    if (this.#streams.liveBy) {
      this.#inSight?.probe.stop();
      this.#lastWhy = undefined;
    }
    this.#environment.clearTimer(this.#stableTimer);
    this.#stableTimer = this.#environment.setTimer(() => this.#retries.after({ kind: "held" }), STABLE_AFTER_MS);
    this.#tell();
  }

  #heard(accountId: number): void {
    this.#heardAtMs = this.#environment.now();
    this.#groups.get(accountId)?.heard();
  }

  #receive(received: ProtocolEvent[], { accountId, topics }: StreamSpec, isDoubted: boolean): void {
    const arrivals: Arrival[] = [];
    let foreign = 0;
    for (const event of received) {
      if (!isDoubted && (event.event === "open" || event.event === "keepalive")) {
        const isFirst = this.#serverClock.estimate() === undefined;
        if (event.event === "open") this.#serverClock.hearOpen(event.time);
        else this.#serverClock.hearKeepalive(event.time);
        if (isFirst) void this.#due.settle();
      }
      if (event.event === "keepalive") this.#tell();
      if (!isStorable(event)) continue;
      if (!isDoubted) this.#serverClock.hearMessage(event.time);
      const isAsked = topics.includes(event.topic);
      const own =
        isAsked && this.#plan.subscriptions.find((one) => one.accountId === accountId && one.topic === event.topic);
      if (own) arrivals.push({ subId: own.subId, event, via: "stream" });
      else if (!isAsked) foreign += 1;
    }
    if (foreign > 0) this.#countMalformed(foreign);
    if (arrivals.length === 0) return;
    const { nowS } = this.#serverClock;
    const subIdOf = (topic: string) => arrivals.find((arrival) => arrival.event.topic === topic)?.subId;
    const isNews = this.#facts.learnRetention(
      arrivals.map((arrival) => arrival.event),
      subIdOf,
      nowS,
    );
    if (isNews) this.#tell();
    const { serverId } = this.#plan.server;
    const stored = this.#hub.ingest.addLive({ serverId, arrivals, serverNowS: nowS, alerts: true });
    void stored.then((result) => {
      if (result.ok && result.value.isUnsettled) this.#groups.get(accountId)?.askOrder();
    });
  }

  #countMalformed(count: number): void {
    this.#malformed += count;
    this.#tell();
  }

  async #pollInPlaceOfStream(accountId: number): Promise<{ failure?: Failure; missing: number }> {
    const result = await this.#groups.get(accountId)?.poll("id");
    if (result?.ok) return { missing: result.value.found.length };
    return { missing: 0, ...(result?.error.kind === "poll" && { failure: result.error.why }) };
  }

  /** Checks whether a silent stream is still alive: if a poll brings what the stream should have brought, it isn't. */
  async #checkByPoll(accountId: number): Promise<Failure | undefined> {
    // If the server has no cache, no poll can tell, and lost messages are lost for good.
    if (this.#facts.retentionS === 0) return { kind: "silent" };
    const { failure, missing } = await this.#pollInPlaceOfStream(accountId);
    return failure ?? (missing > 0 ? { kind: "silent" } : undefined);
  }

  // When something fails

  #fail(failure: Failure, accountId: number, hadWorked = false): void {
    if (this.#isOver) return;
    this.#environment.clearTimer(this.#stableTimer);
    if (failure.kind === "busy") this.#busyAtMs = this.#environment.now();
    const reaction = reactionTo(failure);
    switch (reaction.kind) {
      case "stop":
        this.#stopped = failure;
        this.#streams.closeAll();
        this.#endWait();
        this.#inSight?.probe.stop();
        this.#notify(
          failure,
          this.#plan.readable.map(({ topic }) => topic),
        );
        break;
      case "leave-out":
        void this.#leaveOut(failure, accountId);
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
    this.#tell();
  }

  /** Starts one wait for the whole server, however many streams and polls failed. */
  #wait(why: Failure, event: RetryEvent = { kind: "try-failed" }): void {
    if (this.#waiting) return;
    const step = this.#retries.after(event);
    if (step.kind === "try") this.#tryAfter(step.afterMs, why);
  }

  #tryAfter(delayMs: number, why: Failure): void {
    this.#endWait();
    const timer = this.#environment.setTimer(() => this.#retry(), delayMs);
    const nextTryAtMs = this.#environment.now() + delayMs;
    this.#lastWhy = why;
    this.#waiting = { timer, nextTryAtMs, isAtOnce: delayMs <= AT_ONCE_MS, why };
    if (!isOutage(why)) this.#inSight?.probe.stop();
    else if (!this.#waiting.isAtOnce) this.#probeIfAway();
  }

  #endWait(): void {
    this.#environment.clearTimer(this.#waiting?.timer);
    this.#waiting = undefined;
  }

  #retry(): void {
    this.#endWait();
    this.#openStreams();
    for (const group of this.#groups.values()) group.catchUpOwed();
    this.#environment.clearTimer(this.#pollBesideTimer);
    this.#pollBesideTimer = this.#environment.setTimer(() => this.#pollBeside(), POLL_BESIDE_AFTER_MS);
  }

  /** Polls while a stream doesn't open: it may be held back where a poll gets through, or the server may be gone. */
  #pollBeside(): void {
    if (this.#waiting) return;
    this.#probeIfAway();
    for (const [accountId, group] of this.#groups) {
      if (!group.isBusy && !this.#streams.isReceiving(accountId)) group.catchUp("id");
    }
  }

  // While somebody looks

  /** Loads the code ahead of its use and keeps it: a server that is gone may be the one that serves this code. */
  async #loadInSight(): Promise<void> {
    const part = await import("./in-sight").catch(() => undefined);
    if (this.#isOver || !part || this.#inSight) return;
    this.#inSight = new part.InSight({
      environment: this.#environment,
      requests: this.#requests,
      streams: this.#streams,
      facts: this.#facts,
      signal: this.#aborter.signal,
      plan: () => this.#plan,
      doubtAfterMs: () => this.#facts.keepaliveMs + DOUBT_AFTER_MS,
      probeAnswered: (wasAway) => this.#probeAnswered(wasAway),
      renewed: () => this.#catchUpOnReturn(),
      catalogueChanged: () => this.#hub.catalogueChanged(),
    });
    this.#probeIfAway();
  }

  #catchUpOnReturn(): void {
    for (const group of this.#groups.values()) group.catchUpOnReturn();
  }

  #probeIfAway(): void {
    const isAway = !this.#stopped && !this.#streams.isIdle && !this.#streams.liveBy;
    if (this.#isInSight && isAway && (!this.#waiting || isOutage(this.#waiting.why))) this.#inSight?.probe.start();
  }

  #probeAnswered(wasAway: boolean): void {
    this.#requests.endHanging("again");
    if (!this.#waiting) return;
    const step = this.#retries.after({ kind: "probe-answered", wasAway });
    if (step.kind === "try") this.#tryAfter(step.afterMs, this.#waiting.why);
    this.#tell();
  }

  /** Tells the user of a stop: once until receiving works again, or until the stop is about something else. */
  #notify(why: Failure, topics: string[]): void {
    const notified = [why.kind, ...topics].join(" ");
    if (notified === this.#notified) return;
    this.#notified = notified;
    this.#hub.notice({ serverId: this.#plan.serverId, why, topics });
  }

  /** Finds out what is refused and leaves it out; everything else goes on (docs/protocol.md §19, trap 23). */
  async #leaveOut(failure: Failure, accountId: number): Promise<void> {
    if (this.#isolating.has(accountId)) return;
    this.#isolating.add(accountId);
    this.#openStreams();
    const before = new Set(this.#plan.refusedTopics);
    const { signal } = this.#aborter;
    const refusal = { failure, accountId, signal };
    // When the code can't be loaded, this is tried again after a wait, like any failure.
    const isFound = await import("./mark-refused").then(
      ({ markRefused }) => markRefused(this.#environment, this.#requests, this.#plan, refusal),
      () => false,
    );
    if (this.#isOver) return;
    this.#isolating.delete(accountId);
    if (isFound) {
      await this.#hub.catalogueChanged();
      const topics = this.#plan.refusedTopics.filter((topic) => !before.has(topic));
      const isSignedIn = this.#plan.credentials(accountId) !== undefined;
      const forbidden = failure.kind === "forbidden" && { ...failure, topics, ...(isSignedIn && { isSignedIn }) };
      this.#notify(forbidden || failure, topics);
    } else this.#wait(failure);
    if (!this.#waiting) this.#retry();
    this.#tell();
  }

  /** The interval of polls that stand in for a stream, ms. */
  get #pollEveryMs(): number {
    const inSight = this.#isInSight ? this.#inSight : undefined;
    return inSight?.pollEveryMs(this.#busyAtMs, this.#hub.count.recent) ?? POLL_EVERY_MS;
  }

  // What is told

  #state(): ConnectionState {
    if (this.#stopped) return { kind: "stopped", why: this.#stopped };
    if (this.#streams.isIdle && this.#isolating.size === 0) {
      const why = this.#plan.refusal;
      return why ? { kind: "refused", why } : { kind: "idle" };
    }
    const sinceMs = this.#stateSinceMs;
    const transport = this.#streams.liveBy;
    const { inTurn } = this.#streams;
    if (transport) {
      const everyMs = transport === "poll" && { everyMs: this.#pollEveryMs };
      return { kind: "live", sinceMs, transport, ...(inTurn > 0 && { inTurn }), ...everyMs };
    }
    if (this.#offlineSinceMs !== undefined) return { kind: "offline", sinceMs: this.#offlineSinceMs };
    const attempt = this.#retries.failures;
    // Such a wait is too short to be shown.
    if (!this.#waiting || this.#waiting.isAtOnce) {
      return { kind: "connecting", attempt, sinceMs, ...(this.#lastWhy && { why: this.#lastWhy }) };
    }
    const { nextTryAtMs, why } = this.#waiting;
    return { kind: "waiting", attempt, nextTryAtMs, why };
  }

  /** Announces the status, once for all changes made in the same turn of the event loop. */
  #tell(): void {
    const { kind } = this.#state();
    if (kind !== this.#stateKind) {
      this.#stateKind = kind;
      this.#stateSinceMs = this.#environment.now();
    }
    if (this.#isTelling) return;
    this.#isTelling = true;
    void Promise.resolve().then(() => {
      this.#isTelling = false;
      if (!this.#isOver) this.#hub.announce({ kind: "status", status: this.status });
    });
  }
}
