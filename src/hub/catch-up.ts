// Fetches what was missed: it polls, stores what comes, and moves the cursors once a poll was complete. It doesn't decide
// when to poll (`polled-group.ts`) or from where (`poll-start.ts`), doesn't speak to the server (`poll.ts`), and doesn't
// decide what is a duplicate, which is the store's part (`ingest`).
import type { MessageKey } from "../contract";
import type { Result, Since, StorableEvent } from "../protocol";
import { fail, ok, splitTopicsByUrlLength } from "../protocol";
import type { Arrival, CursorMoves, CursorRecord, SubscriptionRecord } from "../store";
import type { CacheProof } from "./cache-proof";
import {
  covers,
  type CatchUpEvents,
  type CatchUpFailure,
  type CatchUpGroup,
  type CatchUpKind,
  type CaughtUp,
} from "./catch-up-group";
import type { IngestQueue } from "./ingest-queue";
import { loadWhenNeeded } from "./load-when-needed";
import { poll } from "./poll";
import { isAhead, nextMarker, OVERLAP_S, pollStart } from "./poll-start";
import { PACED_FROM } from "./requests";
import type { Environment } from "./environment";

/**
 * When more events than this have come, part of them is stored while the rest arrives, so that memory stays bounded as
 * long as the disk keeps up.
 */
const MAX_COLLECTED = 20_000;

interface Task {
  kind: CatchUpKind;
  /** Polls only these, on their own; absent = the whole group. */
  subIds?: number[];
  promise: Promise<Result<CaughtUp, CatchUpFailure>>;
  resolve(result: Result<CaughtUp, CatchUpFailure>): void;
}

/** How the events of a poll are stored. */
interface StoreOptions {
  alerts: boolean;
  /**
   * The events come in the server's order; answers for several topics are ordered by time alone (docs/protocol.md §4).
   */
  isOrdered: boolean;
  /** What the server's clock shows, Unix seconds; Infinity when every event that comes was already delivered. */
  nowS(): number;
}

/** What a poll brought, over all of its requests. */
interface Polled {
  events: StorableEvent[];
  ids: Set<string>;
  /** What was really new among the events stored so far. */
  added: MessageKey[];
  failure?: CatchUpFailure;
}

/**
 * Brings one group of topics (same server, same credentials) up to date by polls, one after the other. It moves the
 * group's safe cursors after each complete poll (docs/design.md §4). New topics are caught up alone before they join.
 */
export class CatchUp {
  readonly #environment: Environment;
  readonly #ingest: IngestQueue;
  readonly #group: CatchUpGroup;
  readonly #events: CatchUpEvents;
  readonly #aborter = new AbortController();
  readonly #tasks: Task[] = [];
  #isRunning = false;
  /**
   * No poll by id has completed yet, or since one failed; until one does, a poll by time may not move the id cursor.
   */
  #isIdOwed = true;
  /**
   * The last time the server's clock was set forward, as `ServerClock` tells it, for which everything has been polled
   * since.
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

  /**
   * Asks for a catch-up. A waiting one is reused if it is as strong or can be made so; a running one began too early to
   * count.
   */
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

  /** Aborts the running poll. */
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
    // The history of a new topic raises no alerts; what was missed while a topic was left out does.
    const returning = subscriptions.filter(({ joined }) => joined === 0);
    const strangers = subscriptions.filter(({ joined }) => joined === undefined);
    let all: CaughtUp = { found: [] };
    const members = [...joined];
    for (const [chosen, alerts] of [
      [strangers, false],
      [returning, true],
    ] as const) {
      // Each list of topics joins by itself, so that the next try goes on where this one failed.
      const lists = this.#lists(chosen);
      for (const { length } of lists) {
        const some = chosen.splice(0, length);
        await this.#group.requests.pace(lists.length, this.#aborter.signal);
        const alone = await this.#pollAlone(some, members, alerts);
        if (!alone.ok) return alone;
        all = both(all, alone.value);
        members.push(...some);
      }
    }
    // Topics that have just joined need no second poll.
    if (kind === "new" || joined.length === 0) return ok(all);
    const together = await this.#pollTogether(joined, kind);
    return together.ok ? ok(both(all, together.value)) : together;
  }

  /** Splits topics, in their order, into lists that fit one request each. */
  #lists(subscriptions: readonly SubscriptionRecord[]): string[][] {
    const { requests, credentials } = this.#group;
    const topics = subscriptions.map(({ topic }) => topic);
    return splitTopicsByUrlLength(requests.address, topics, undefined, credentials());
  }

  /** Polls everything of some topics, on their own. */
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
    const { kind, since } = await pollStart(this.#environment, this.#group, joined, wanted, this.#coveredSetOnAtMs);
    const result = await this.#poll(joined, since, { kind, alerts: true, isWhole: true, joins: [] });
    const isMarkerRefused =
      !result.ok && result.error.kind === "poll" && result.error.why.kind === "http" && result.error.why.code === 40008;
    if (!isMarkerRefused || kind === "all") return result;
    return this.#poll(joined, { kind: "all" }, { kind: "all", alerts: true, isWhole: true, joins: [] });
  }

  async #poll(
    subscriptions: SubscriptionRecord[],
    since: Since,
    { kind, alerts, isWhole, joins }: { kind: CatchUpKind; alerts: boolean; isWhole: boolean; joins: number[] },
  ): Promise<Result<CaughtUp, CatchUpFailure>> {
    if (kind === "id") this.#isIdOwed = true;
    const proof = await this.#proof(subscriptions, kind);
    // Without a proof the poll would move cursors past what a server lost; the host of this code may be gone with it.
    if (proof === "unloaded") return fail({ kind: "poll", why: { kind: "network" } });
    // The poll must reach back to the witness, which shows whether the server lost its cache. It starts 1 s earlier, as
    // some servers may leave out the second itself.
    if (since.kind === "time")
      since = { kind: "time", time: Math.max(0, Math.min(since.time, (proof?.fromS ?? Infinity) - 1)) };
    const { serverClock, isPolled } = this.#group;
    // All of these are read before the first request goes out: what happens during the poll may not be covered by it.
    const knownS = serverClock.known;
    const estimateS = serverClock.estimate();
    const { setOnAtMs } = serverClock;
    const startMs = this.#environment.now();
    const askedS = serverClock.nowS;
    // With a device clock that is ahead, scheduled messages would look delivered. So until the server has told its
    // time, only delivered messages are asked for (decision 0007).
    const scheduled = estimateS !== undefined || isPolled();
    const options = {
      alerts,
      isOrdered: subscriptions.length === 1,
      scheduled,
      nowS: () => (scheduled ? (serverClock.estimate() ?? estimateS ?? serverClock.nowS) : Infinity),
    };

    const chunks = this.#lists(subscriptions);
    const polled: Polled = { events: [], ids: new Set(), added: [] };
    let marker: CursorRecord | undefined;
    const isLong = chunks.length > PACED_FROM;
    for (const [index, chunk] of chunks.entries()) {
      await this.#group.requests.pace(chunks.length, this.#aborter.signal);
      await this.#pollChunk(chunk, since, subscriptions, options, polled, proof);
      if (polled.failure) break;
      // A later request may bring messages that came after an earlier one was answered. Everything before the marker
      // must be stored, so it is the first request's newest message, or one that is older than all of the requests.
      if (index === 0 || knownS !== undefined) {
        const candidate = nextMarker(
          this.#group,
          polled.events,
          (chunks.length > 1 ? knownS : undefined) ?? options.nowS(),
        );
        if (candidate && candidate.time >= (marker?.time ?? 0)) marker = candidate;
      }
      // The next request may take a while, so what has come is stored now.
      if (isLong && polled.events.length > 0) {
        const stored = await this.#store(polled.events.splice(0), subscriptions, options, {});
        if (!stored.ok) return fail({ kind: "storage" });
        polled.added.push(...stored.value.added);
      }
    }

    const heardS = this.#serverNowS();
    const missing = polled.failure || heardS === undefined ? [] : (proof?.missing(heardS) ?? []);
    if (missing.length > 0 && kind === "time") {
      // The other topics haven't been checked: all of them are polled for everything, and no cursor moves before that.
      const stored = await this.#store(polled.events, subscriptions, options, {});
      if (!stored.ok) return fail({ kind: "storage" });
      const all = await this.#poll(subscriptions, { kind: "all" }, { kind: "all", alerts, isWhole, joins });
      return all.ok ? ok(both({ found: [...polled.added, ...stored.value.added] }, all.value)) : all;
    }

    const cursors: CursorMoves = {};
    if (!polled.failure) {
      // The id stands for the whole group, so only a poll of the whole group moves it.
      if (isWhole && marker && !(kind === "time" && this.#isIdOwed)) cursors.group = marker;
      // A message that is overdue but not delivered may have any past time, so only a poll that includes scheduled
      // messages may move the time cursors past it. The poll must also be able to tell whether the server lost its
      // cache, as later polls can't.
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
    // A poll from an id doesn't bring what was delivered before that id, and if a clock was set, such a message may
    // still look scheduled here. So only the other kinds of poll show which scheduled messages were cancelled.
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

  /**
   * What the server's clock shows, Unix seconds; undefined if that was never heard, so that nothing counts as expired.
   */
  #serverNowS(): number | undefined {
    const { serverClock, isPolled } = this.#group;
    return serverClock.estimate() ?? (isPolled() ? serverClock.nowS : undefined);
  }

  /**
   * Reads the witnesses that the poll must bring: for a poll of everything those of all topics, else one. Undefined if
   * nothing can be proven.
   */
  async #proof(
    subscriptions: readonly SubscriptionRecord[],
    kind: CatchUpKind,
  ): Promise<CacheProof | "unloaded" | undefined> {
    const serverNowS = this.#serverNowS();
    // To a poll from an id, a server that has lost everything answers like one that has nothing new.
    if (kind === "id" || serverNowS === undefined) return undefined;
    const known = subscriptions.filter(({ joined, total }) => joined !== undefined && total > 0);
    if (known.length === 0) return undefined;
    const part = await loadWhenNeeded();
    if (!part) return "unloaded";
    const isWhole = kind === "all";
    return part.readCacheProof(this.#environment, subscriptions, { known, serverNowS, isWhole });
  }

  /**
   * Notes a complete poll of everything. It covers a clock set forward only if no upload from before that can still be
   * under way.
   */
  #noteCovered(setOnAtMs: number | undefined, askedAtMs: number): void {
    if (setOnAtMs !== undefined && askedAtMs >= setOnAtMs + OVERLAP_S * 1_000) this.#coveredSetOnAtMs = setOnAtMs;
  }

  /** Makes one request, and adds its events and its failure to `polled`. */
  async #pollChunk(
    topics: string[],
    since: Since,
    subscriptions: SubscriptionRecord[],
    options: StoreOptions & { scheduled: boolean },
    polled: Polled,
    proof: CacheProof | undefined,
  ): Promise<void> {
    // Only one flush runs at a time: when the poll ends, its last events are stored next, and would otherwise wait
    // behind several.
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

/** Joins what two polls brought. */
function both(one: CaughtUp, other: CaughtUp): CaughtUp {
  return { ...one, ...other, found: [...one.found, ...other.found] };
}
