import {
  type Credentials,
  fail,
  type Failure,
  isCached,
  isMessageId,
  type MessageKey,
  ok,
  type Result,
  type Since,
  splitTopicsByUrlLength,
  type StorableEvent,
} from "../protocol";
import type { Arrival, CursorMoves, CursorRecord, GapRecord, SubscriptionRecord } from "../store";
import type { CacheProof } from "./cache-proof";
import type { IngestQueue } from "./ingest-queue";
import { poll } from "./poll";
import { PACED_FROM, type Requests } from "./requests";
import type { ServerClock } from "./server-clock";
import type { Environment } from "./environment";

/**
 * The reconciling poll reaches this far behind the safe time, seconds: slow uploads, late deliveries
 * (docs/design.md §4).
 */
const OVERLAP_S = 900;

/** Of a longer backlog a piece is stored while the rest comes, so that memory stays bounded where the disk keeps up. */
const MAX_COLLECTED = 20_000;

/**
 * - `id`: from the safe id; the fast path
 * - `time`: from the safe time with overlap; what the ids' order hides
 * - `all`: everything that the server still has
 */
export type CatchUpKind = "id" | "time" | "all";

/** What a catch-up brought. */
export interface CaughtUp {
  /** Messages that were missing here. */
  found: MessageKey[];
  /** The server lacked what it should still have kept. */
  hasForgotten?: true;
}

/** A catch-up ended without being complete. `storage`: what came could not be stored. */
export type CatchUpFailure = { kind: "poll"; why: Failure } | { kind: "storage" };

/** What a group tells its catch-up, anew each time, as topics and credentials change. */
export interface CatchUpGroup {
  serverId: number;
  accountId: number;
  requests: Requests;
  serverClock: ServerClock;
  credentials(): Credentials | undefined;
  /** Readable and not left out; read anew, as each poll moves their cursors. */
  subscriptions(): Promise<SubscriptionRecord[]>;
  /** Nothing but polls gets through, so that the server never says what its clock shows. */
  isPolled(): boolean;
  /** How long the server keeps the messages of a subscription, seconds; undefined = not known yet. */
  retentionOf(subId: number): number | undefined;
}

/** What a catch-up tells its group. */
export interface CatchUpEvents {
  /** One began or ended. */
  busy(isBusy: boolean): void;
  malformed(count: number): void;
  /** Brought by a poll of these, before it is stored. */
  seen(events: StorableEvent[], subscriptions: readonly SubscriptionRecord[]): void;
  /**
   * A poll of these, as they were before it, was complete and is stored.
   * @param isWhole it left out none of the group's joined topics
   * @param forgotten what the server no longer has
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

interface Task {
  kind: CatchUpKind;
  /** Only these, as a poll of their own; absent = the group. */
  subIds?: number[];
  promise: Promise<Result<CaughtUp, CatchUpFailure>>;
  resolve(result: Result<CaughtUp, CatchUpFailure>): void;
}

/** Whether one finds everything that the other does. Those by id and by time each find what the other can't. */
export function covers(one: CatchUpKind, other: CatchUpKind): boolean {
  return one === "all" || one === other;
}

/** How what a poll brings is stored. */
interface StoreOptions {
  alerts: boolean;
  /**
   * What comes is in the server's order: answers for several topics are ordered by time alone (docs/protocol.md §4).
   */
  isOrdered: boolean;
  /** What the server's clock shows, seconds; Infinity where all that comes was delivered. */
  nowS(): number;
}

/** What a poll of several requests was. */
interface Polled {
  events: StorableEvent[];
  ids: Set<string>;
  /** What was truly new among those stored on the way. */
  added: MessageKey[];
  failure?: CatchUpFailure;
}

/**
 * Brings one group of topics (same server, same credentials) up to date by polls, one after the other, and moves its
 * safe cursors when they were complete (docs/design.md §4). New topics are caught up alone before they join.
 */
export class CatchUp {
  readonly #environment: Environment;
  readonly #ingest: IngestQueue;
  readonly #group: CatchUpGroup;
  readonly #events: CatchUpEvents;
  readonly #aborter = new AbortController();
  readonly #tasks: Task[] = [];
  #isRunning = false;
  /** No poll by id has been complete since one failed: until then one by time may not move the id. */
  #isIdOwed = true;
  /**
   * The last time that the server's clock was set on, as it tells it, of which nothing can be out of sight any more.
   */
  #coveredSetOnAtMs: number | undefined;

  constructor(environment: Environment, ingest: IngestQueue, group: CatchUpGroup, events: CatchUpEvents) {
    this.#environment = environment;
    this.#ingest = ingest;
    this.#group = group;
    this.#events = events;
  }

  get isBusy(): boolean {
    return this.#isRunning;
  }

  /** Asks for a catch-up. One that waits already serves as well, if it is as strong; one that runs began too early. */
  request(kind: CatchUpKind, subIds?: number[]): Promise<Result<CaughtUp, CatchUpFailure>> {
    const isAlike = (task: Task): boolean => covers(task.kind, kind) || covers(kind, task.kind);
    const waiting = subIds ? undefined : this.#tasks.find((task) => !task.subIds && isAlike(task));
    if (waiting) {
      if (covers(kind, waiting.kind)) waiting.kind = kind;
      return waiting.promise;
    }
    let resolve!: Task["resolve"];
    const promise = new Promise<Result<CaughtUp, CatchUpFailure>>((settle) => void (resolve = settle));
    this.#tasks.push({ kind, promise, resolve, ...(subIds && { subIds }) });
    if (!this.#isRunning) void this.#run();
    return promise;
  }

  /** Ends what is under way. */
  stop(): void {
    this.#aborter.abort();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    this.#events.busy(true);
    for (let task = this.#tasks.shift(); task; task = this.#tasks.shift()) task.resolve(await this.#carryOut(task));
    this.#isRunning = false;
    this.#events.busy(false);
  }

  async #carryOut({ kind, subIds }: Task): Promise<Result<CaughtUp, CatchUpFailure>> {
    const subscriptions = await this.#group.subscriptions();
    const joined = subscriptions.filter((subscription) => subscription.joined);
    if (subIds) {
      const chosen = subscriptions.filter((subscription) => subIds.includes(subscription.subId));
      return this.#pollAlone(chosen, joined, true);
    }
    // The history of a new topic does not alert; what one missed while it was left out does.
    const returning = subscriptions.filter(({ joined }) => joined === 0);
    const strangers = subscriptions.filter(({ joined }) => joined === undefined);
    let all: CaughtUp = { found: [] };
    const members = [...joined];
    for (const [chosen, alerts] of [
      [strangers, false],
      [returning, true],
    ] as const) {
      const alone = chosen.length > 0 ? await this.#pollAlone(chosen, members, alerts) : ok({ found: [] });
      if (!alone.ok) return alone;
      all = both(all, alone.value);
      members.push(...chosen);
    }
    // Those that have just joined need no second poll.
    const together = joined.length > 0 ? await this.#pollTogether(joined, kind) : ok({ found: [] });
    return together.ok ? ok(both(all, together.value)) : together;
  }

  /** Everything of some topics, as a poll of their own. */
  async #pollAlone(
    chosen: SubscriptionRecord[],
    joined: SubscriptionRecord[],
    alerts: boolean,
  ): Promise<Result<CaughtUp, CatchUpFailure>> {
    const fromTimes = chosen.map((subscription) => subscription.fromTime ?? 0);
    const from = Math.min(...fromTimes);
    const since: Since = from === 0 ? { kind: "all" } : { kind: "time", time: from };
    return this.#poll(chosen, since, {
      kind: "all",
      alerts,
      isWhole: joined.every(({ subId }) => chosen.some((one) => one.subId === subId)),
      joins: chosen.filter((subscription) => !subscription.joined).map((subscription) => subscription.subId),
    });
  }

  async #pollTogether(joined: SubscriptionRecord[], wanted: CatchUpKind): Promise<Result<CaughtUp, CatchUpFailure>> {
    const { kind, since } = await this.#start(joined, wanted);
    const result = await this.#poll(joined, since, { kind, alerts: true, isWhole: true, joins: [] });
    const isMarkerRefused =
      !result.ok && result.error.kind === "poll" && result.error.why.kind === "http" && result.error.why.code === 40008;
    if (!isMarkerRefused || kind === "all") return result;
    return this.#poll(joined, { kind: "all" }, { kind: "all", alerts: true, isWhole: true, joins: [] });
  }

  /** Where to start: a cursor that is missing, or too old to be of use, means everything. */
  async #start(joined: SubscriptionRecord[], wanted: CatchUpKind): Promise<{ kind: CatchUpKind; since: Since }> {
    const all = { kind: "all", since: { kind: "all" } } as const;
    const { nowS } = this.#group.serverClock;
    if (wanted === "id") {
      const cursor = await this.#environment.store.getCursor(this.#group.serverId, this.#group.accountId);
      if (!cursor.ok || !cursor.value || cursor.value.expires <= nowS) return all;
      return { kind: "id", since: { kind: "id", id: cursor.value.id } };
    }
    if (wanted === "all") return all;
    const safe = Math.min(...joined.map((subscription) => subscription.timeCursor ?? -Infinity));
    // It was set back: what was accepted since then may lie anywhere before the cursors.
    if (joined.some((subscription) => isAhead(subscription, this.#group.serverClock.estimate()))) return all;
    // It was set on: what was being uploaded then lies as much further back.
    if (this.#group.serverClock.setOnAtMs !== this.#coveredSetOnAtMs) return all;
    const isOutlived = ({ subId, timeCursor = -Infinity }: SubscriptionRecord): boolean =>
      timeCursor < nowS - (this.#group.retentionOf(subId) ?? Infinity);
    if (!Number.isFinite(safe) || joined.some(isOutlived)) return all;
    return { kind: "time", since: { kind: "time", time: Math.max(0, safe - OVERLAP_S) } };
  }

  async #poll(
    subscriptions: SubscriptionRecord[],
    since: Since,
    { kind, alerts, isWhole, joins }: { kind: CatchUpKind; alerts: boolean; isWhole: boolean; joins: number[] },
  ): Promise<Result<CaughtUp, CatchUpFailure>> {
    if (kind === "id") this.#isIdOwed = true;
    const proof = await this.#proof(subscriptions, kind);
    // It reaches back to what proves that the server has its cache still; some servers may leave out the second itself.
    if (since.kind === "time")
      since = { kind: "time", time: Math.max(0, Math.min(since.time, (proof?.fromS ?? Infinity) - 1)) };
    const { serverClock, isPolled } = this.#group;
    // All of these before the first request goes out: what happens meanwhile is not known to be covered.
    const knownS = serverClock.known;
    const estimateS = serverClock.estimate();
    const { setOnAtMs } = serverClock;
    const startMs = this.#environment.now();
    const askedS = serverClock.nowS;
    // By a device whose clock is ahead, what is still to come would look as if it were there: so long as the server did
    // not say what its clock shows, only what it has delivered is asked for (decision 0007).
    const scheduled = estimateS !== undefined || isPolled();
    const options = {
      alerts,
      isOrdered: subscriptions.length === 1,
      scheduled,
      nowS: () => (scheduled ? (serverClock.estimate() ?? estimateS ?? serverClock.nowS) : Infinity),
    };

    const topics = subscriptions.map((subscription) => subscription.topic);
    const credentials = this.#group.credentials();
    const chunks = splitTopicsByUrlLength(this.#group.requests.address, topics, undefined, credentials);
    const polled: Polled = { events: [], ids: new Set(), added: [] };
    let marker: CursorRecord | undefined;
    const isLong = chunks.length > PACED_FROM;
    for (const [index, chunk] of chunks.entries()) {
      await this.#group.requests.pace(chunks.length, this.#aborter.signal);
      await this.#pollChunk(chunk, since, subscriptions, options, polled, proof);
      if (polled.failure) break;
      // A later request may hold what an earlier one could not: only the first one's newest, or what is older than all
      // of them, has everything before it.
      if (index === 0 || knownS !== undefined) {
        const candidate = this.#marker(polled.events, (chunks.length > 1 ? knownS : undefined) ?? options.nowS());
        if (candidate && candidate.time >= (marker?.time ?? 0)) marker = candidate;
      }
      // The next one may be a while off.
      if (isLong && polled.events.length > 0) {
        const stored = await this.#store(polled.events.splice(0), subscriptions, options, {});
        if (!stored.ok) return fail({ kind: "storage" });
        polled.added.push(...stored.value.added);
      }
    }

    const heardS = this.#serverNowS();
    const missing = polled.failure || heardS === undefined ? [] : (proof?.missing(heardS) ?? []);
    if (missing.length > 0 && kind === "time") {
      // Of the others nothing is known yet: all of them are asked, and no cursor moves before that.
      const stored = await this.#store(polled.events, subscriptions, options, {});
      if (!stored.ok) return fail({ kind: "storage" });
      const all = await this.#poll(subscriptions, { kind: "all" }, { kind: "all", alerts, isWhole, joins });
      return all.ok ? ok(both({ found: [...polled.added, ...stored.value.added] }, all.value)) : all;
    }

    const cursors: CursorMoves = {};
    if (!polled.failure) {
      // The id stands for the whole group, so only a poll of the whole group sets it.
      if (isWhole && marker && !(kind === "time" && this.#isIdOwed)) cursors.group = marker;
      // What is overdue and not delivered lies behind any time: only a poll that was told of it may pass it. And only one that
      // could tell whether the server has what it kept: what came later does not.
      if (kind !== "id" && knownS !== undefined && scheduled && heardS !== undefined) {
        cursors.timeCursors = subscriptions.map(({ subId }) => ({ subId, time: knownS }));
        if (since.kind === "all") cursors.isClockSetBack = subscriptions.some((one) => isAhead(one, estimateS));
      }
      if (joins.length > 0) cursors.joined = joins;
    }
    const stored = await this.#store(polled.events, subscriptions, options, cursors);
    if (!stored.ok) return fail({ kind: "storage" });
    if (polled.failure) return fail(polled.failure);
    if (isWhole && kind !== "time") this.#isIdOwed = false;
    if (isWhole && kind === "all") this.#noteCovered(setOnAtMs, startMs);
    // A poll from an id does not bring what was delivered before it, and by a clock that was set that may still look
    // scheduled: only the others tell what was cancelled.
    if (scheduled && kind !== "id") {
      const serverNowS = estimateS ?? serverClock.nowS;
      await this.#environment.store.reconcileScheduled({
        subIds: subscriptions.map((subscription) => subscription.subId),
        presentIds: polled.ids,
        serverNowS: since.kind === "time" ? Math.max(serverNowS, since.time) : serverNowS,
        beforeMs: startMs,
      });
    }
    if (joins.length > 0) this.#events.joined(joins);
    const forgotten = proof?.gaps(subscriptions, missing, askedS) ?? [];
    this.#events.completed(subscriptions, kind, isWhole, forgotten);
    const found = [...polled.added, ...stored.value.added];
    return ok({ found, ...(forgotten.length > 0 && { hasForgotten: true }) });
  }

  /** What the server's clock shows, seconds; undefined where it was not heard, so that nothing can be said to have expired. */
  #serverNowS(): number | undefined {
    const { serverClock, isPolled } = this.#group;
    return serverClock.estimate() ?? (isPolled() ? serverClock.nowS : undefined);
  }

  /** What shows whether the server still has what it kept: of each topic that is asked for all of it, else of a few. */
  async #proof(subscriptions: readonly SubscriptionRecord[], kind: CatchUpKind): Promise<CacheProof | undefined> {
    const serverNowS = this.#serverNowS();
    // From an id on, a server that has lost everything answers as one to which nothing came.
    if (kind === "id" || serverNowS === undefined) return undefined;
    const known = subscriptions.filter(({ joined, total }) => joined !== undefined && total > 0);
    if (known.length === 0) return undefined;
    const { readCacheProof } = await import("./cache-proof");
    const isWhole = kind === "all";
    return readCacheProof(this.#environment, subscriptions, { known, serverNowS, isWhole });
  }

  /**
   * Everything was asked for: once no upload can still be under way that began before the clock was set, that is all of
   * it.
   */
  #noteCovered(setOnAtMs: number | undefined, askedAtMs: number): void {
    if (setOnAtMs !== undefined && askedAtMs >= setOnAtMs + OVERLAP_S * 1_000) this.#coveredSetOnAtMs = setOnAtMs;
  }

  /** One request; adds what came to `polled`, and its failure. */
  async #pollChunk(
    topics: string[],
    since: Since,
    subscriptions: SubscriptionRecord[],
    options: StoreOptions & { scheduled: boolean },
    polled: Polled,
    proof: CacheProof | undefined,
  ): Promise<void> {
    // One at a time: when the poll ends, what came last is stored next, and would wait behind the others.
    let flushing: Promise<void> | undefined;
    const flush = async (events: StorableEvent[]): Promise<void> => {
      const stored = await this.#store(events, subscriptions, options, {});
      if (stored.ok) polled.added.push(...stored.value.added);
      else polled.failure = { kind: "storage" };
      flushing = undefined;
    };
    const { scheduled } = options;
    const failure = await poll(
      this.#environment,
      this.#group.requests,
      { topics, since, scheduled, credentials: this.#group.credentials(), signal: this.#aborter.signal },
      {
        malformed: (count) => this.#events.malformed(count),
        events: (events) => {
          for (const event of events) {
            polled.events.push(event);
            polled.ids.add(event.id);
          }
          proof?.see(events);
          this.#events.seen(events, subscriptions);
          if (polled.events.length > MAX_COLLECTED) flushing ??= flush(polled.events.splice(0, MAX_COLLECTED / 2));
        },
      },
    );
    await flushing;
    if (failure) polled.failure ??= { kind: "poll", why: failure };
  }

  /**
   * The id that the next poll starts from: of the delivered message with the greatest time, if the server keeps it.
   * @param notAfterS leave out what is younger
   */
  #marker(events: StorableEvent[], notAfterS: number): CursorRecord | undefined {
    let newest: StorableEvent | undefined;
    for (const event of events) {
      const isUsable = isCached(event) && isMessageId(event.id) && event.time <= notAfterS;
      if (isUsable && (!newest || event.time >= newest.time)) newest = event;
    }
    if (newest?.expires === undefined) return undefined;
    const { serverId, accountId } = this.#group;
    return { serverId, accountId, id: newest.id, time: newest.time, expires: newest.expires };
  }

  #store(
    events: StorableEvent[],
    subscriptions: SubscriptionRecord[],
    { alerts, isOrdered, nowS }: StoreOptions,
    cursors: CursorMoves,
  ) {
    const subIds = new Map(subscriptions.map(({ topic, subId }) => [topic, subId]));
    const arrivals: Arrival[] = [];
    for (const event of events) {
      const subId = subIds.get(event.topic);
      if (subId !== undefined) arrivals.push({ subId, event, via: "poll" });
    }
    return this.#ingest.addPolled({
      serverId: this.#group.serverId,
      arrivals,
      serverNowS: nowS(),
      alerts,
      isOrdered,
      cursors,
    });
  }
}

/** Whether a time cursor lies in the server's future: its clock was set back. */
function isAhead({ timeCursor = -Infinity }: SubscriptionRecord, serverNowS: number | undefined): boolean {
  return serverNowS !== undefined && timeCursor > serverNowS;
}

/** What two polls brought. */
function both(one: CaughtUp, other: CaughtUp): CaughtUp {
  return { ...one, ...other, found: [...one.found, ...other.found] };
}
