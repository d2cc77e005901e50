// Makes one poll of some topics, in as many requests as needed: stores what comes, and moves the cursors once it is
// complete. What to poll is decided in `catch-up.ts`, from where in `poll-start.ts`; `poll.ts` talks to the server, and
// the store's `ingest` decides what is a duplicate.
import type { MessageKey } from "../../contract";
import { type Result, type Since, type StorableEvent, fail, ok, splitTopicsByUrlLength } from "../../protocol";
import type { Arrival, CursorMoves, CursorRecord, GapRecord, SubscriptionRecord } from "../../store";
import { readCacheProof, type CacheProof } from "./cache-proof";
import {
  type CatchUpFailure,
  type CatchUpKind,
  type CaughtUp,
  isAhead,
  nextMarker,
  OVERLAP_S,
  type PollOwner,
} from "./poll-start";
import { isOutage, isTrafficSpent } from "../requests/classify";
import { poll } from "../requests/poll";
import { longestSilenceMs } from "../requests/receive-frames";
import { PACED_FROM } from "../requests/requests";
import type { ServerContext } from "../server/server-context";

/** If there are more events than this, some are stored while the rest arrives, to bound memory. */
const MAX_COLLECTED = 20_000;

/** A message by a stream counts as replayed if it is this much older than the request, seconds: clocks differ. */
const MAY_BE_LIVE_S = 5;

/** From this fraction of what a server sends of a topic at once, it may have more that didn't fit. */
const NEAR = 0.9;

interface StoreOptions {
  /** The history of a new topic raises no alerts; what was missed while a topic was left out does. */
  alerts: boolean;
  /** In the server's order; answers for several topics are ordered by time alone (docs/protocol.md §4). */
  isOrdered: boolean;
  /** What the server's clock shows, Unix seconds; Infinity if every event that comes was already delivered. */
  nowS(): number;
}

/** What a poll brought, over all its requests. */
interface Polled {
  events: StorableEvent[];
  /** If a stream answered the last request: the marker of its replay. What came live may not be in the cache yet. */
  replayed?: { marker?: CursorRecord };
  ids: Set<string>;
  /** What was really new among the events stored so far. */
  added: MessageKey[];
  /** For each topic of which the server may have sent only the newest: the time of its oldest event, seconds. */
  cut: Map<string, number>;
  failure?: CatchUpFailure;
}

/** A group's rounds of polls, made one after the other (docs/design.md §4). */
export class PollRounds {
  /** When all but scheduled messages were asked for, device clock, ms; a poll by id completes it (decision 0007). */
  readonly #allButScheduledAtMs = new Map<number, number>();
  /** No poll by id has completed yet, or since one failed; until then a poll by time may not move the id cursor. */
  #isIdPending = true;
  /** The last time the server's clock was set forward (`ServerClock`) that a full poll has covered. */
  coveredSetOnAtMs: number | undefined;

  /** @param signal ends the running round */
  constructor(
    private readonly here: ServerContext,
    private readonly accountId: number,
    private readonly owner: PollOwner,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Makes one round: a poll of these topics, by which those that aren't in the group join it.
   * @param isWhole it includes all of the group's joined topics
   */
  async poll(
    subscriptions: SubscriptionRecord[],
    since: Since,
    { kind, isWhole }: { kind: CatchUpKind; isWhole: boolean },
  ): Promise<Result<CaughtUp, CatchUpFailure>> {
    if (kind === "id") this.#isIdPending = true;
    const proof = await this.#proof(subscriptions, kind);
    // The poll must reach back to the witness, which shows whether the server lost its cache. It starts 1 s earlier,
    // because some servers may leave out the second itself.
    if (since.kind === "time")
      since = { kind: "time", time: Math.max(0, Math.min(since.time, (proof?.fromS ?? Infinity) - 1)) };
    const { serverClock } = this.here;
    // All read before the first request: the poll may not cover what happens during it.
    const knownS = serverClock.known;
    const estimateS = serverClock.estimate();
    const { setOnAtMs } = serverClock;
    const startMs = this.here.environment.now();
    const askedS = serverClock.nowS;
    // If the device's clock is ahead, scheduled messages would look delivered. So until the server has told its time,
    // only delivered messages are asked for (decision 0007).
    const scheduled = estimateS !== undefined || this.here.isPolled();
    const joins = subscriptions.filter(({ joined }) => !joined).map(({ subId }) => subId);
    const options = {
      alerts: subscriptions.every(({ joined }) => joined !== undefined),
      isOrdered: subscriptions.length === 1,
      scheduled,
      askedS,
      nowS: () => (scheduled ? (serverClock.estimate() ?? estimateS ?? serverClock.nowS) : Infinity),
    };

    const chunks = listsOf(this.here, this.accountId, subscriptions);
    const polled: Polled = { events: [], ids: new Set(), added: [], cut: new Map() };
    let marker: CursorRecord | undefined;
    const isLong = chunks.length > PACED_FROM;
    for (const [index, chunk] of chunks.entries()) {
      await this.here.requests.pace(chunks.length, this.signal);
      await this.#pollChunk(chunk, since, subscriptions, options, polled, proof);
      if (polled.failure) break;
      // A later request may bring messages that came after an earlier one was answered. Everything before the marker
      // must be stored, so it is the first request's newest message, or one older than all of the requests.
      if (index === 0 || knownS !== undefined) {
        const untilS = (chunks.length > 1 ? knownS : undefined) ?? options.nowS();
        const candidate = polled.replayed
          ? polled.replayed.marker
          : nextMarker(this.here, this.accountId, polled.events, untilS);
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
    const lacking = polled.failure || heardS === undefined ? [] : (proof?.missing(heardS) ?? []);
    const missing = lacking.filter((topic) => !polled.cut.has(topic));
    if (missing.length > 0 && kind === "time") {
      // The other topics haven't been checked: all of them are polled for everything, and no cursor moves before that.
      const stored = await this.#store(polled.events, subscriptions, options, {});
      if (!stored.ok) return fail({ kind: "storage" });
      const all = await this.poll(subscriptions, { kind: "all" }, { kind: "all", isWhole });
      return all.ok ? ok(both({ found: [...polled.added, ...stored.value.added] }, all.value)) : all;
    }

    const forgotten = polled.failure ? [] : (proof?.gaps(subscriptions, missing, askedS) ?? []);
    const contact = { atMs: this.here.environment.now(), atS: this.here.serverClock.estimate() };
    const gaps = polled.failure
      ? []
      : [...this.#gapsOfCut(subscriptions, polled.cut), ...this.owner.absences(subscriptions, isWhole, contact)];
    // The worker may be ended in between: the cursors pass what is missing last, and what shows that the server forgot
    // something may not show it again. All else that came is on the screen before its gaps.
    if (!(await this.#addGaps(forgotten))) return fail({ kind: "storage" });
    if (gaps.length > 0) {
      const shown = await this.#store(polled.events.splice(0), subscriptions, options, {});
      if (!shown.ok || !(await this.#addGaps(gaps))) return fail({ kind: "storage" });
      polled.added.push(...shown.value.added);
    }
    const cursors: CursorMoves = {};
    if (!polled.failure) {
      // The id stands for the whole group, so only a poll of the whole group moves it.
      if (isWhole && marker && !(kind === "time" && this.#isIdPending)) cursors.group = marker;
      // A message that is overdue but not delivered may have any past time, so only a poll that includes scheduled
      // messages may move the time cursors past it. The poll must also be able to tell whether the server lost its
      // cache, because later polls can't.
      if (knownS !== undefined && scheduled && heardS !== undefined) {
        cursors.timeCursors = subscriptions.flatMap(({ subId }) => {
          if (kind !== "id") return { subId, time: knownS };
          const agoMs = startMs - (this.#allButScheduledAtMs.get(subId) ?? Infinity);
          return agoMs >= 0 ? { subId, time: knownS - Math.ceil(agoMs / 1_000) } : [];
        });
        if (since.kind === "all") cursors.isClockSetBack = subscriptions.some((one) => isAhead(one, estimateS));
      }
      if (joins.length > 0) cursors.joined = joins;
    }
    const stored = await this.#store(polled.events, subscriptions, options, cursors);
    if (!stored.ok) return fail({ kind: "storage" });
    if (polled.failure) return fail(polled.failure);
    for (const { subId, timeCursor } of subscriptions) {
      if (kind === "all" && timeCursor === undefined && !cursors.timeCursors)
        this.#allButScheduledAtMs.set(subId, startMs);
      else if (cursors.timeCursors) this.#allButScheduledAtMs.delete(subId);
    }
    if (isWhole && kind !== "time") this.#isIdPending = false;
    // It covers a clock set forward only if no upload from before can still be under way.
    if (isWhole && kind === "all" && setOnAtMs !== undefined && startMs >= setOnAtMs + OVERLAP_S * 1_000)
      this.coveredSetOnAtMs = setOnAtMs;
    // A poll by id doesn't bring what was delivered before that id, and after a clock was set such a message may still
    // look scheduled. So only other polls show which scheduled messages were cancelled.
    if (scheduled && kind !== "id") {
      const serverNowS = estimateS ?? serverClock.nowS;
      const gone = await this.here.environment.store.reconcileScheduled({
        subIds: subscriptions.map((subscription) => subscription.subId),
        presentIds: polled.ids,
        serverNowS: since.kind === "time" ? Math.max(serverNowS, since.time) : serverNowS,
        beforeMs: startMs,
      });
      if (gone.ok) this.here.hub.written(gone.value);
    }
    if (joins.length > 0) void this.here.hub.catalogueChanged();
    this.owner.completed(subscriptions, kind, isWhole, contact);
    const found = [...polled.added, ...stored.value.added];
    return ok({ found, ...(forgotten.length > 0 && { hasForgotten: true }) });
  }

  /** What is missing between what was known to be complete and the oldest event that the server sent. */
  #gapsOfCut(subscriptions: readonly SubscriptionRecord[], cut: ReadonlyMap<string, number>): GapRecord[] {
    const { facts, serverClock } = this.here;
    return subscriptions.flatMap(({ subId, topic, joined, fromTime = 0, timeCursor = 0 }) => {
      const to = cut.get(topic);
      if (to === undefined) return [];
      const keptFromS = serverClock.nowS - (facts.retentionOf(subId) ?? Infinity);
      // A message accepted late may lie before the cursor, but no further than a poll by time looks back.
      const from = Math.max(joined === undefined ? fromTime : timeCursor - OVERLAP_S, keptFromS, 0);
      // Even within one second, because a replay may be cut there.
      return from <= to ? [{ subId, from, to, cut: 1 as const }] : [];
    });
  }

  /** Stores gaps; resolves to whether all are stored. */
  async #addGaps(gaps: readonly GapRecord[]): Promise<boolean> {
    const { environment, hub } = this.here;
    for (const gap of gaps) {
      const added = await environment.store.addGap(gap);
      if (added.ok) continue;
      environment.report(added.error);
      return false;
    }
    if (gaps.length > 0) hub.announce({ kind: "catalogue" });
    return true;
  }

  /** What the server's clock shows, Unix seconds; undefined if never heard, so nothing counts as expired. */
  #serverNowS(): number | undefined {
    const { serverClock } = this.here;
    return serverClock.estimate() ?? (this.here.isPolled() ? serverClock.nowS : undefined);
  }

  /** The witnesses a poll must bring: all for a full one, else one. Undefined if nothing can be proven. */
  async #proof(subscriptions: readonly SubscriptionRecord[], kind: CatchUpKind): Promise<CacheProof | undefined> {
    const serverNowS = this.#serverNowS();
    // A server that lost everything answers a poll by id as if nothing were new.
    if (kind === "id" || serverNowS === undefined) return undefined;
    const known = subscriptions.filter(({ joined, total }) => joined !== undefined && total > 0);
    if (known.length === 0) return undefined;
    const isWhole = kind === "all";
    return readCacheProof(this.here.environment, subscriptions, { known, serverNowS, isWhole });
  }

  /** Makes one request, and adds its events and its failure to `polled`. */
  async #pollChunk(
    topics: string[],
    since: Since,
    subscriptions: SubscriptionRecord[],
    options: StoreOptions & { scheduled: boolean; askedS: number },
    polled: Polled,
    proof: CacheProof | undefined,
  ): Promise<void> {
    // Only one flush runs at a time: when the poll ends, its last events are stored next, and would otherwise queue
    // behind several.
    let flushing: Promise<void> | undefined;
    const flush = async (events: StorableEvent[]): Promise<void> => {
      const stored = await this.#store(events, subscriptions, options, {});
      if (stored.ok) polled.added.push(...stored.value.added);
      else polled.failure = { kind: "storage" };
    };
    // A stream takes until its keepalive to end, so what it brings is stored as it comes.
    const flushAll = async (): Promise<void> => {
      while (polled.events.length > 0) await flush(polled.events.splice(0));
    };
    const isFlushed = (): void => void (flushing = undefined);
    const { scheduled } = options;
    const { environment, requests, plan, facts, serverClock } = this.here;
    const subIds = new Map(subscriptions.map(({ topic, subId }) => [topic, subId]));
    const came = new Map<string, { bytes: number; oldestS: number }>();
    let isCut = false;
    const liveFromS = options.askedS - MAY_BE_LIVE_S;
    const ask = (untilKeepaliveMs?: number) =>
      poll(
        requests,
        {
          topics,
          since,
          scheduled,
          untilKeepaliveMs,
          credentials: plan.credentials(this.accountId),
          signal: this.signal,
        },
        {
          malformed: (count) => this.here.status.countMalformed(count),
          truncated: () => (isCut = true),
          events: (events, bytes = 0) => {
            for (const event of events) {
              polled.events.push(event);
              polled.ids.add(event.id);
            }
            const inChunk = new Set(events.map((event) => event.topic));
            for (const topic of inChunk) {
              const own = inChunk.size === 1 ? events : events.filter((event) => event.topic === topic);
              // Of several topics in a chunk, each one's are encoded together, as a call costs more than the bytes.
              const size = inChunk.size === 1 ? bytes : new TextEncoder().encode(JSON.stringify(own)).length;
              const { bytes: before, oldestS } = came.get(topic) ?? { bytes: 0, oldestS: Infinity };
              came.set(topic, {
                bytes: before + size,
                oldestS: own.reduce((oldest, { time }) => Math.min(oldest, time), oldestS),
              });
            }
            if (polled.replayed) {
              const marker = nextMarker(this.here, this.accountId, events, liveFromS);
              if (marker && marker.time >= (polled.replayed.marker?.time ?? 0)) polled.replayed = { marker };
            }
            proof?.see(events);
            facts.learnRetention(
              events.map((event) => ({ subId: subIds.get(event.topic), event })),
              serverClock.nowS,
            );
            if (polled.replayed) flushing ??= flushAll().finally(isFlushed);
            else if (polled.events.length > MAX_COLLECTED)
              flushing ??= flush(polled.events.splice(0, MAX_COLLECTED / 2)).finally(isFlushed);
          },
        },
      );
    const isSpent = facts.noPollsForMs > 0;
    delete polled.replayed;
    let failure = isSpent ? undefined : await ask();
    if (isSpent || isTrafficSpent(failure)) {
      if (!isSpent) facts.trafficSpentAtMs = environment.now();
      // Live messages may come between those of the replay.
      options.isOrdered = false;
      polled.replayed = {};
      const instead = await ask(longestSilenceMs(facts.keepaliveMs));
      // Streams may not get through where polls do.
      if (instead && isOutage(instead)) facts.trafficSpentAtMs = -Infinity;
      if (!failure || !instead || !isOutage(instead)) failure = instead;
    }
    await flushing;
    if (isCut) facts.replayBytes = Math.max(...Array.from(came.values(), ({ bytes }) => bytes), 0);
    for (const [topic, { bytes, oldestS }] of came)
      if (bytes > facts.replayBytes * NEAR) polled.cut.set(topic, oldestS);
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
    return this.here.ingest.addPolled({
      serverId: this.here.serverId,
      arrivals,
      serverNowS: nowS(),
      alerts,
      isOrdered,
      cursors,
    });
  }
}

/** Combines the results of two polls. */
export function both(one: CaughtUp, other: CaughtUp): CaughtUp {
  return { ...one, ...other, found: [...one.found, ...other.found] };
}

/** Splits topics, in order, into lists that fit one request each. */
export function listsOf(
  { requests, plan }: ServerContext,
  accountId: number,
  subscriptions: readonly SubscriptionRecord[],
): string[][] {
  const topics = subscriptions.map(({ topic }) => topic);
  return splitTopicsByUrlLength(requests.address, topics, plan.credentials(accountId));
}
