import {
  fail,
  isCached,
  isStorable,
  ok,
  splitTopicsByUrlLength,
  type ConnectionState,
  type Credentials,
  type Failure,
  type ProtocolEvent,
  type Result,
  type ServerAddress,
  type ServerStatus,
  type StorableEvent,
  type Transport,
} from "../protocol";
import type { AccountRecord, Arrival, ServerPatch, ServerRecord, StoredMessage, SubscriptionRecord } from "../store";
import { Backoff, STABLE_AFTER_MS } from "./backoff";
import { CatchUp, type CatchUpKind } from "./catch-up";
import { changesEvent, type Announce } from "./changes-event";
import { reactionTo } from "./classify";
import { findRefused } from "./find-refused";
import type { IngestQueue } from "./ingest-queue";
import { Lane, type LaneEvents, type LaneSpec } from "./lane";
import { Requests } from "./requests";
import { ServerClock } from "./server-clock";
import type { Surroundings, Timer } from "./surroundings";
import { receiveByStream, type Receive } from "./transport";
import { DEFAULT_KEEPALIVE_MS } from "./watchdog";

/** Streams to one server at a time: browsers allow six connections, and polls need some (DESIGN, section 4). */
export const MAX_STREAMS = 3;

/** The reconciling poll comes this long after `open`, ms: servers may store what they have sent a little later. */
export const RECONCILE_AFTER_MS = 10_000;
/** And then this often. */
export const RECONCILE_EVERY_MS = 300_000;

/** Where no stream gets through: often enough to be of use, rare enough for the server's ration of requests. */
export const POLL_EVERY_MS = 30_000;

/** After this long by polls, streams are tried again. */
const RETRY_STREAMS_AFTER_MS = 900_000;

/** A page that comes back polls, unless this hub has done so just now, ms: several events tell of one return. */
const JUST_NOW_MS = 5_000;

/** A live stream that was silent for longer than its keepalive and this, ms, is not trusted after a sleep. */
const DOUBT_AFTER_MS = 5_000;

/** Shorter absences are no gap, ms: times are in whole seconds. */
const MIN_GAP_MS = 2_000;

/** Timers are set no further ahead, ms: a device may sleep in between, and very long ones fire at once. */
const MAX_TIMER_MS = 3_600_000;

/** In the order in which they are tried; what worked last comes first. */
const STREAMS: readonly Transport[] = ["json", "sse"];

/** What a connection needs of its hub. */
export interface ConnectionHub {
  surroundings: Surroundings;
  ingest: IngestQueue;
  announce: Announce;
  alert(rows: StoredMessage[]): void;
  /** Servers, accounts or subscriptions changed in the store: everyone reads them anew, this connection too. */
  catalogueChanged(): Promise<void>;
}

/** What a server's connection is to receive. */
export interface ConnectionPlan {
  server: ServerRecord;
  /** Of this server. */
  accounts: AccountRecord[];
  /** Of this server, not removed. */
  subscriptions: SubscriptionRecord[];
}

/** Topics with the same credentials: polled together, and one cursor. */
interface Group {
  accountId: number;
  catchUp: CatchUp;
  /** A catch-up that failed and is to be made up for. */
  owed: CatchUpKind | undefined;
  reconcileTimer: Timer | undefined;
  /** Until then, device clock, nothing was missed that the server could hand out. */
  contactMs: number | undefined;
  /** A stream has been open since the last complete poll, so that every byte extends `contactMs`. */
  isCovered: boolean;
  polledAtMs: number;
}

/**
 * The connection to one server: streams for its topics, catch-up, one backoff (DESIGN, section 4). The state shown to
 * people is derived from what is going on, never kept beside it.
 */
export class ServerConnection {
  readonly #hub: ConnectionHub;
  readonly #surroundings: Surroundings;
  readonly #requests: Requests;
  readonly #serverClock: ServerClock;
  readonly #backoff: Backoff;
  readonly #aborter = new AbortController();
  #plan: ConnectionPlan;
  readonly #groups = new Map<number, Group>();
  readonly #lanes = new Map<string, Lane>();
  /** Lanes of an older topic list, kept until the new ones are open. */
  readonly #retiring = new Set<Lane>();
  /** Accounts whose refused topic is being looked for. */
  readonly #isolating = new Set<number>();
  #transport: Transport;
  #waiting: { timer: Timer; nextTryAtMs: number; why: Failure } | undefined;
  #stopped: Failure | undefined;
  #stableTimer: Timer | undefined;
  #dueTimer: Timer | undefined;
  #streamsTimer: Timer | undefined;
  #offlineSinceMs: number | undefined;
  #stateSinceMs: number;
  #stateKind: ConnectionState["kind"] = "idle";
  #keepaliveMs: number;
  #retentionS: number | undefined;
  #lastCompleteAtMs: number | undefined;
  #heardAtMs: number | undefined;
  #malformed = 0;
  #isOver = false;
  #isTelling = false;

  constructor(hub: ConnectionHub, plan: ConnectionPlan, isOnline: boolean) {
    const { surroundings } = hub;
    const { server } = plan;
    this.#hub = hub;
    this.#surroundings = surroundings;
    this.#plan = plan;
    this.#requests = new Requests(surroundings, server.address, server.credentialsBy);
    this.#requests.onCredentialsBy = (credentialsBy) => void this.#patchServer({ credentialsBy });
    this.#serverClock = new ServerClock(surroundings);
    this.#backoff = new Backoff(surroundings.random);
    this.#transport = this.#preferred();
    this.#stateSinceMs = surroundings.now();
    this.#keepaliveMs = server.keepaliveMs ?? DEFAULT_KEEPALIVE_MS;
    this.#retentionS = server.retentionS;
    this.#lastCompleteAtMs = server.lastCompleteAtMs;
    if (!isOnline) this.#offlineSinceMs = surroundings.now();
    this.sync(plan);
    void this.#settleDue();
  }

  get status(): ServerStatus {
    return {
      serverId: this.#plan.server.serverId,
      state: this.#state(),
      checking: [...this.#groups.values()].some((group) => group.catchUp.isBusy),
      ...(this.#lastCompleteAtMs !== undefined && { lastCompleteAtMs: this.#lastCompleteAtMs }),
      ...(this.#heardAtMs !== undefined && { lastContactAtMs: this.#heardAtMs }),
      malformed: this.#malformed,
      recentRequests: this.#requests.count.recent,
      cacheless: this.#retentionS === 0,
      refusedTopics: this.#refusedTopics(),
    };
  }

  get address(): ServerAddress {
    return this.#requests.address;
  }

  /** What the server's clock probably shows, Unix seconds; undefined = not heard yet. */
  get serverNowS(): number | undefined {
    return this.#serverClock.estimate();
  }

  /** Takes over a changed plan: topics, credentials, transport. */
  sync(plan: ConnectionPlan): void {
    const before = this.#plan;
    const known = new Set(this.#readable().map((subscription) => subscription.subId));
    this.#plan = plan;
    if (plan.server.chosenTransport !== before.server.chosenTransport) {
      this.#transport = this.#preferred();
      this.#closeLanes();
    }
    const accountIds = new Set(this.#readable().map((subscription) => subscription.accountId));
    for (const [accountId, group] of this.#groups) if (!accountIds.has(accountId)) this.#dropGroup(group);
    for (const accountId of accountIds) {
      const group = this.#groups.get(accountId);
      const hasNew = this.#readable().some(
        (one) => one.accountId === accountId && !one.joined && !known.has(one.subId),
      );
      if (!group) this.#addGroup(accountId);
      else if (hasNew) void this.#catchUp(group, "id");
    }
    this.#openLanes();
    this.#tell();
  }

  /** Ends everything. */
  stop(): void {
    this.#isOver = true;
    this.#aborter.abort();
    this.#closeLanes();
    for (const group of [...this.#groups.values()]) this.#dropGroup(group);
    this.#endWait();
    for (const timer of [this.#stableTimer, this.#dueTimer, this.#streamsTimer]) this.#surroundings.clearTimer(timer);
  }

  /** The user asks: no wait, and what was stopped or refused is tried again. */
  async tryNow(): Promise<void> {
    const { store } = this.#surroundings;
    this.#stopped = undefined;
    this.#backoff.reset();
    this.#endWait();
    const refused = this.#plan.subscriptions.filter((subscription) => subscription.refusedCode !== undefined);
    const accounts = this.#plan.accounts.filter((account) => account.refusedAtMs !== undefined);
    for (const { subId } of refused) await store.patchSubscription(subId, { refusedCode: null });
    for (const { accountId } of accounts) await store.patchAccount(accountId, { refusedAtMs: null });
    if (refused.length + accounts.length > 0) await this.#hub.catalogueChanged();
    this.#retry();
  }

  /** The device or the page came back: poll at once, without waiting for a stream. */
  resume(): void {
    this.#backoff.reset();
    const nowMs = this.#surroundings.now();
    for (const [key, lane] of this.#lanes) {
      if (lane.transport === "poll" || nowMs - lane.heardAtMs <= this.#keepaliveMs + DOUBT_AFTER_MS) continue;
      lane.close();
      this.#lanes.delete(key);
      this.#uncover(lane.spec.accountId);
    }
    this.#retry();
    for (const group of this.#groups.values()) {
      if (nowMs - group.polledAtMs > JUST_NOW_MS) void this.#catchUp(group, "id");
    }
  }

  setOnline(isOnline: boolean): void {
    if (!isOnline) this.#offlineSinceMs ??= this.#surroundings.now();
    else if (this.#offlineSinceMs !== undefined) {
      this.#offlineSinceMs = undefined;
      this.resume();
    }
    this.#tell();
  }

  /** Everything that the server still has, of all topics or of one. How many messages were missing. */
  async refresh(subId?: number): Promise<Result<{ missing: number }, Failure | { kind: "storage" }>> {
    let missing = 0;
    const groups = [...this.#groups.values()].filter(
      ({ accountId }) =>
        subId === undefined || this.#readable().some((one) => one.subId === subId && one.accountId === accountId),
    );
    if (groups.length === 0) return fail(this.#refusal() ?? { kind: "ended" });
    for (const group of groups) {
      const result = await this.#request(group, "all", subId === undefined ? undefined : [subId]);
      if (!result.ok) return fail(result.error.kind === "poll" ? result.error.why : result.error);
      missing += result.value.missing;
    }
    return ok({ missing });
  }

  // What is wanted

  #isReadable(subscription: SubscriptionRecord): boolean {
    return subscription.refusedCode === undefined && this.#account(subscription.accountId)?.refusedAtMs === undefined;
  }

  #readable(): SubscriptionRecord[] {
    return this.#plan.subscriptions.filter((subscription) => this.#isReadable(subscription));
  }

  #refusedTopics(): string[] {
    return this.#plan.subscriptions.filter((one) => !this.#isReadable(one)).map((one) => one.topic);
  }

  #account(accountId: number): AccountRecord | undefined {
    return this.#plan.accounts.find((account) => account.accountId === accountId);
  }

  #credentials(accountId: number): Credentials | undefined {
    return this.#account(accountId)?.credentials;
  }

  #preferred(): Transport {
    const { chosenTransport, learntTransport } = this.#plan.server;
    return chosenTransport ?? learntTransport ?? "json";
  }

  #wanted(): Map<string, LaneSpec & { transport: Transport }> {
    const wanted = new Map<string, LaneSpec & { transport: Transport }>();
    for (const { accountId } of this.#groups.values()) {
      if (this.#isolating.has(accountId)) continue;
      const own = this.#readable().filter((subscription) => subscription.accountId === accountId);
      const topics = own.map((subscription) => subscription.topic).sort();
      const { address } = this.#plan.server;
      for (const chunk of splitTopicsByUrlLength(address, topics, undefined, this.#credentials(accountId))) {
        const transport = wanted.size < MAX_STREAMS ? this.#transport : "poll";
        wanted.set(`${accountId} ${transport} ${chunk.join(",")}`, { accountId, topics: chunk, transport });
      }
    }
    return wanted;
  }

  // Streams

  /** Opens the lanes that are wanted and not there, unless a wait is on; lets go of those no longer wanted. */
  #openLanes(): void {
    if (this.#isOver || this.#stopped) return;
    const wanted = this.#wanted();
    for (const [key, lane] of this.#lanes) {
      if (wanted.has(key)) continue;
      this.#lanes.delete(key);
      // It goes on receiving until its successor is open, so that nothing falls between the two.
      if (lane.isOpen && this.#groups.has(lane.spec.accountId)) this.#retiring.add(lane);
      else lane.close();
    }
    if (!this.#waiting) {
      for (const [key, { transport, ...spec }] of wanted)
        if (!this.#lanes.has(key)) this.#openLane(key, spec, transport);
    }
    this.#letRetire();
    this.#tell();
  }

  #openLane(key: string, spec: LaneSpec, transport: Transport): void {
    const events: LaneEvents = {
      opened: () => this.#laneOpened(lane),
      heard: () => this.#heard(spec.accountId),
      events: (received) => this.#receive(received, spec),
      malformed: (count) => this.#countMalformed(count),
      keepalive: (intervalMs) => this.#learnKeepalive(intervalMs),
      buffered: () => {
        if (this.#forget(key, lane)) this.#nextTransport(lane.transport);
      },
      ended: (failure) => {
        if (this.#forget(key, lane)) this.#laneEnded(lane, failure);
      },
    };
    const receive = this.#receiver(spec, transport);
    const keepaliveMs = (): number => this.#keepaliveMs;
    const expectOpen = transport !== "poll" && this.#plan.server.chosenTransport === undefined;
    const lane: Lane = new Lane(this.#surroundings, { spec, transport, receive, keepaliveMs, expectOpen }, events);
    this.#lanes.set(key, lane);
  }

  #receiver(spec: LaneSpec, transport: Transport): Receive {
    const credentials = this.#credentials(spec.accountId);
    if (transport === "json" || transport === "sse") {
      return receiveByStream(this.#requests, transport, { topics: spec.topics, credentials });
    }
    return (sink, signal) => this.#receiveByPolls(spec.accountId, sink, signal);
  }

  /** In place of a stream: polls of the group, again and again. */
  async #receiveByPolls(accountId: number, sink: Parameters<Receive>[0], signal: AbortSignal): Promise<Failure> {
    while (!signal.aborted) {
      const group = this.#groups.get(accountId);
      if (!group) break;
      const result = await this.#request(group, "id");
      if (!result.ok && result.error.kind === "poll") return result.error.why;
      sink.opened();
      await this.#sleep(POLL_EVERY_MS, signal);
    }
    return { kind: "ended" };
  }

  #sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        this.#surroundings.clearTimer(timer);
        signal.removeEventListener("abort", end);
        resolve();
      };
      const timer = this.#surroundings.setTimer(end, ms);
      signal.addEventListener("abort", end);
    });
  }

  #laneOpened(lane: Lane): void {
    if (this.#retiring.has(lane)) return;
    this.#learnTransport(lane);
    this.#letRetire();
    const group = this.#groups.get(lane.spec.accountId);
    if (group) {
      // Polls in place of a stream have just done so.
      if (lane.transport !== "poll") void this.#catchUp(group, "id");
      this.#reconcileAfter(group, RECONCILE_AFTER_MS);
    }
    this.#surroundings.clearTimer(this.#stableTimer);
    this.#stableTimer = this.#surroundings.setTimer(() => this.#backoff.reset(), STABLE_AFTER_MS);
    this.#tell();
  }

  /** Whether the lane was one that counts, which it now no longer is. */
  #forget(key: string, lane: Lane): boolean {
    this.#retiring.delete(lane);
    if (this.#lanes.get(key) !== lane) return false;
    this.#lanes.delete(key);
    this.#uncover(lane.spec.accountId);
    return true;
  }

  #laneEnded(lane: Lane, failure: Failure): void {
    // Neither streams nor polls get through, so that nothing was learnt about streams.
    if (lane.transport === "poll") this.#transport = this.#preferred();
    this.#fail(failure, lane.spec.accountId);
  }

  /** A proxy holds this transport back: the next one, and polls at last. */
  #nextTransport(heldBack: Transport): void {
    if (this.#transport === heldBack) {
      const first = this.#preferred();
      const order = [first, ...STREAMS.filter((transport) => transport !== first)];
      this.#transport = order[order.indexOf(heldBack) + 1] ?? "poll";
    }
    this.#openLanes();
  }

  #learnTransport({ transport }: Lane): void {
    if (transport === "poll") {
      if (this.#plan.server.chosenTransport === "poll" || this.#transport !== "poll") return;
      this.#surroundings.clearTimer(this.#streamsTimer);
      this.#streamsTimer = this.#surroundings.setTimer(() => {
        this.#transport = this.#preferred();
        this.#openLanes();
      }, RETRY_STREAMS_AFTER_MS);
    } else if (this.#plan.server.learntTransport !== transport) {
      this.#plan.server = { ...this.#plan.server, learntTransport: transport };
      void this.#patchServer({ learntTransport: transport });
    }
  }

  #letRetire(): void {
    for (const lane of this.#retiring) {
      const successors = [...this.#lanes.values()].filter((other) => other.spec.accountId === lane.spec.accountId);
      const isNeeded = successors.length > 0 && successors.some((other) => !other.isOpen);
      if (isNeeded) continue;
      lane.close();
      this.#retiring.delete(lane);
    }
  }

  #closeLanes(): void {
    for (const lane of [...this.#lanes.values(), ...this.#retiring]) {
      lane.close();
      this.#uncover(lane.spec.accountId);
    }
    this.#lanes.clear();
    this.#retiring.clear();
  }

  // What comes in

  #receive(received: ProtocolEvent[], { accountId, topics }: LaneSpec): void {
    const arrivals: Arrival[] = [];
    let foreign = 0;
    for (const event of received) {
      if (event.event === "open" || event.event === "keepalive") this.#serverClock.hearSignal(event.time);
      if (event.event === "keepalive") this.#tell();
      if (!isStorable(event)) continue;
      this.#serverClock.hearMessage(event.time);
      const own = topics.includes(event.topic) ? this.#subscription(accountId, event.topic) : undefined;
      if (own) arrivals.push({ subId: own.subId, event, via: "stream" });
      else if (!topics.includes(event.topic)) foreign += 1;
    }
    if (foreign > 0) this.#countMalformed(foreign);
    if (arrivals.length === 0) return;
    this.#learnRetention(arrivals.map((arrival) => arrival.event));
    void this.#hub.ingest.addLive({
      serverId: this.#plan.server.serverId,
      arrivals,
      serverNowS: this.#nowS(),
      alerts: true,
    });
  }

  #subscription(accountId: number, topic: string): SubscriptionRecord | undefined {
    return this.#plan.subscriptions.find((one) => one.accountId === accountId && one.topic === topic);
  }

  #heard(accountId: number): void {
    const nowMs = this.#surroundings.now();
    this.#heardAtMs = nowMs;
    const group = this.#groups.get(accountId);
    if (group?.isCovered) group.contactMs = nowMs;
  }

  #countMalformed(count: number): void {
    this.#malformed += count;
    this.#tell();
  }

  #learnKeepalive(intervalMs: number): void {
    if (intervalMs === this.#keepaliveMs) return;
    this.#keepaliveMs = intervalMs;
    void this.#patchServer({ keepaliveMs: intervalMs });
  }

  #learnRetention(events: StorableEvent[]): void {
    const newest = events.findLast((event) => event.expires !== undefined);
    if (newest?.expires === undefined) return;
    const retentionS = isCached(newest) ? newest.expires - newest.time : 0;
    if (retentionS === this.#retentionS) return;
    this.#retentionS = retentionS;
    void this.#patchServer({ retentionS });
    this.#tell();
  }

  // Catch-up

  #addGroup(accountId: number): void {
    const { server } = this.#plan;
    const inGroup = (one: SubscriptionRecord): boolean =>
      one.serverId === server.serverId && one.accountId === accountId && this.#isReadable(one);
    const catchUp = new CatchUp(
      this.#surroundings,
      this.#hub.ingest,
      {
        serverId: server.serverId,
        accountId,
        requests: this.#requests,
        serverClock: this.#serverClock,
        credentials: () => this.#credentials(accountId),
        subscriptions: async () => {
          const stored = await this.#surroundings.store.subscriptions();
          return stored.ok ? stored.value.filter(inGroup) : this.#plan.subscriptions.filter(inGroup);
        },
        retentionS: () => this.#retentionS,
      },
      {
        busy: () => this.#tell(),
        malformed: (count) => this.#countMalformed(count),
        seen: (events) => this.#learnRetention(events),
        completed: (subscriptions) => this.#completed(accountId, subscriptions),
        joined: () => void this.#hub.catalogueChanged(),
      },
    );
    const group: Group = {
      accountId,
      catchUp,
      owed: undefined,
      reconcileTimer: undefined,
      contactMs: server.lastCompleteAtMs,
      isCovered: false,
      polledAtMs: 0,
    };
    this.#groups.set(accountId, group);
    void this.#catchUp(group, this.#isFirstToday() ? "all" : "id");
    this.#reconcileAfter(group, RECONCILE_EVERY_MS);
  }

  #dropGroup(group: Group): void {
    group.catchUp.stop();
    this.#surroundings.clearTimer(group.reconcileTimer);
    this.#groups.delete(group.accountId);
  }

  /** Nothing was asked of this server today: a wide poll finds what the narrow ones can't. */
  #isFirstToday(): boolean {
    if (this.#lastCompleteAtMs === undefined) return true;
    return new Date(this.#lastCompleteAtMs).toDateString() !== new Date(this.#surroundings.now()).toDateString();
  }

  #reconcileAfter(group: Group, delayMs: number): void {
    this.#surroundings.clearTimer(group.reconcileTimer);
    group.reconcileTimer = this.#surroundings.setTimer(() => {
      this.#reconcileAfter(group, RECONCILE_EVERY_MS);
      const isReceiving = [...this.#lanes.values()].some(
        (lane) => lane.isOpen && lane.spec.accountId === group.accountId,
      );
      if (isReceiving) void this.#catchUp(group, "time");
    }, delayMs);
  }

  #request(group: Group, kind: CatchUpKind, subIds?: number[]) {
    group.polledAtMs = this.#surroundings.now();
    return group.catchUp.request(kind, subIds);
  }

  /** A catch-up that is made up for when it fails. */
  async #catchUp(group: Group, kind: CatchUpKind): Promise<void> {
    if (this.#stopped || this.#isolating.has(group.accountId)) {
      group.owed = kind;
      return;
    }
    const result = await this.#request(group, kind);
    if (result.ok || this.#isOver || this.#groups.get(group.accountId) !== group) return;
    group.owed = kind;
    if (result.error.kind === "poll") this.#fail(result.error.why, group.accountId);
  }

  #completed(accountId: number, subscriptions: SubscriptionRecord[]): void {
    const group = this.#groups.get(accountId);
    const nowMs = this.#surroundings.now();
    this.#lastCompleteAtMs = nowMs;
    void this.#patchServer({ lastCompleteAtMs: nowMs });
    if (group) {
      if (!group.isCovered) void this.#noteGap(group, subscriptions);
      group.owed = undefined;
      group.contactMs = nowMs;
      group.isCovered = [...this.#lanes.values()].some((lane) => lane.isOpen && lane.spec.accountId === accountId);
    }
    void this.#settleDue();
    this.#tell();
  }

  #uncover(accountId: number): void {
    const group = this.#groups.get(accountId);
    if (group) group.isCovered = false;
  }

  /** Absent for longer than the server keeps messages: what went in between can't be had any more (DESIGN, section 4). */
  async #noteGap(group: Group, subscriptions: SubscriptionRecord[]): Promise<void> {
    const { contactMs } = group;
    if (contactMs === undefined || this.#retentionS === undefined) return;
    const nowMs = this.#surroundings.now();
    if (nowMs - contactMs <= Math.max(this.#retentionS * 1_000, MIN_GAP_MS)) return;
    const nowS = this.#nowS();
    const from = nowS - Math.ceil((nowMs - contactMs) / 1_000);
    for (const { subId, joined } of subscriptions) {
      if (!joined) continue;
      const added = await this.#surroundings.store.addGap({ subId, from, to: nowS - this.#retentionS });
      if (!added.ok) this.#surroundings.report(added.error);
    }
    this.#hub.announce({ kind: "catalogue" });
  }

  /** Lets scheduled messages enter the feed when they fall due. */
  async #settleDue(): Promise<void> {
    const { serverId } = this.#plan.server;
    const nowMs = this.#surroundings.now();
    const settled = await this.#surroundings.store.settleDue({
      serverId,
      serverNowS: this.#nowS(),
      nowMs,
      alerts: true,
    });
    if (this.#isOver || !settled.ok) return;
    const event = changesEvent(settled.value);
    if (event) this.#hub.announce(event);
    if (settled.value.alerts.length > 0) this.#hub.alert(settled.value.alerts);
    this.#surroundings.clearTimer(this.#dueTimer);
    if (settled.value.nextDueS === undefined) return;
    const delayMs = Math.min(Math.max((settled.value.nextDueS - this.#nowS()) * 1_000, 1_000), MAX_TIMER_MS);
    this.#dueTimer = this.#surroundings.setTimer(() => void this.#settleDue(), delayMs);
  }

  // When something fails

  #fail(failure: Failure, accountId: number): void {
    if (this.#isOver) return;
    this.#surroundings.clearTimer(this.#stableTimer);
    const reaction = reactionTo(failure);
    switch (reaction.kind) {
      case "stop":
        this.#stopped = failure;
        this.#closeLanes();
        this.#endWait();
        break;
      case "leave-out":
        void this.#leaveOut(failure, accountId);
        break;
      case "retry":
      case "forget-marker":
        this.#wait(failure, reaction.kind === "retry" ? reaction.afterMs : undefined);
    }
    this.#tell();
  }

  /** One wait for the whole server, however many streams and polls failed. */
  #wait(why: Failure, afterMs?: number): void {
    if (this.#waiting) return;
    const delayMs = this.#backoff.next(afterMs);
    const timer = this.#surroundings.setTimer(() => this.#retry(), delayMs);
    this.#waiting = { timer, nextTryAtMs: this.#surroundings.now() + delayMs, why };
  }

  #endWait(): void {
    this.#surroundings.clearTimer(this.#waiting?.timer);
    this.#waiting = undefined;
  }

  #retry(): void {
    this.#endWait();
    this.#openLanes();
    for (const group of this.#groups.values()) if (group.owed) void this.#catchUp(group, group.owed);
  }

  /** Finds what is refused and leaves it out; everything else goes on (protocol, section 19, trap 23). */
  async #leaveOut(failure: Failure, accountId: number): Promise<void> {
    if (this.#isolating.has(accountId)) return;
    this.#isolating.add(accountId);
    this.#openLanes();
    const isFound = await this.#findAndMark(failure, accountId);
    if (this.#isOver) return;
    this.#isolating.delete(accountId);
    if (isFound) await this.#hub.catalogueChanged();
    else this.#wait(failure);
    if (!this.#waiting) this.#retry();
    this.#tell();
  }

  async #findAndMark(failure: Failure, accountId: number): Promise<boolean> {
    const { store } = this.#surroundings;
    const refuseAccount = async (): Promise<boolean> => {
      const patched = await store.patchAccount(accountId, { refusedAtMs: this.#surroundings.now() });
      return patched.ok && patched.value !== undefined;
    };
    // Wrong credentials are wrong for every topic, and failed logins are rationed: not one more request with them.
    if (failure.kind === "unauthorized" && accountId !== 0) return refuseAccount();
    const own = this.#readable().filter((subscription) => subscription.accountId === accountId);
    const topics = own.map((subscription) => subscription.topic);
    const found = await findRefused(this.#requests, topics, this.#credentials(accountId), this.#aborter.signal);
    if (found.failure?.kind === "unauthorized" && accountId !== 0) return refuseAccount();
    const refused = own.filter((subscription) => found.refused.has(subscription.topic));
    for (const { subId, topic } of refused) {
      const refusedCode = found.refused.get(topic);
      if (refusedCode !== undefined) await store.patchSubscription(subId, { refusedCode });
    }
    // Left out of the group's polls from now on, so its cursor says nothing about them.
    if (refused.length > 0) await store.unjoin(refused.map((subscription) => subscription.subId));
    return refused.length > 0;
  }

  // What is told

  #refusal(): Failure | undefined {
    const refused = this.#plan.subscriptions.find((subscription) => !this.#isReadable(subscription));
    if (!refused) return undefined;
    if (this.#account(refused.accountId)?.refusedAtMs !== undefined) return { kind: "unauthorized", code: 40101 };
    return { kind: "forbidden", code: refused.refusedCode ?? 40301, topics: this.#refusedTopics() };
  }

  #state(): ConnectionState {
    if (this.#stopped) return { kind: "stopped", why: this.#stopped };
    const wanted = this.#wanted();
    const refusal = this.#refusal();
    if (wanted.size === 0 && this.#isolating.size === 0)
      return refusal ? { kind: "refused", why: refusal } : { kind: "idle" };
    const lanes = [...this.#lanes.values()];
    const [first] = lanes;
    const sinceMs = this.#stateSinceMs;
    if (first && lanes.length >= wanted.size && lanes.every((lane) => lane.isOpen)) {
      return { kind: "live", sinceMs, transport: first.transport };
    }
    if (this.#offlineSinceMs !== undefined) return { kind: "offline", sinceMs: this.#offlineSinceMs };
    const { attempt } = this.#backoff;
    if (!this.#waiting) return { kind: "connecting", attempt, sinceMs };
    const { nextTryAtMs, why } = this.#waiting;
    return { kind: "waiting", attempt, nextTryAtMs, why };
  }

  /** Announces the status; once for all changes of one turn. */
  #tell(): void {
    const { kind } = this.#state();
    if (kind !== this.#stateKind) {
      this.#stateKind = kind;
      this.#stateSinceMs = this.#surroundings.now();
    }
    if (this.#isTelling) return;
    this.#isTelling = true;
    void Promise.resolve().then(() => {
      this.#isTelling = false;
      if (!this.#isOver) this.#hub.announce({ kind: "status", status: this.status });
    });
  }

  /** The server's time, or the device's while the server's is not known; never for a cursor. */
  #nowS(): number {
    return this.#serverClock.estimate() ?? Math.floor(this.#surroundings.now() / 1_000);
  }

  async #patchServer(patch: ServerPatch): Promise<void> {
    const patched = await this.#surroundings.store.patchServer(this.#plan.server.serverId, patch);
    if (!patched.ok) this.#surroundings.report(patched.error);
  }
}
