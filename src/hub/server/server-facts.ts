// What is learnt about a server, and stored for its next connection: its keepalives, for how long it keeps messages, what
// its clock shows.
import { topicRetentionS, type Transport } from "../../contract";
import { DAY_S, isCached, type Result, type StorableEvent } from "../../protocol";
import type { KeptFor, ServerPatch, ServerRecord, StoreError, SubscriptionRecord } from "../../store";
import { isRecent, type Environment } from "../environment";
import { DEFAULT_KEEPALIVE_MS } from "../requests/receive-frames";

/** A shortest time not seen for this many days, while other messages came, is out of date (decision 0017). */
const OUTLIVED_AFTER_DAYS = 30;

/**
 * Learns from one more message how long the server keeps a topic's messages. The result is the shortest time seen,
 * until all messages of a month (or two, if there are steps between) were kept longer. The sender chooses how long a
 * message is kept, so one that is kept longer says nothing about the others. Returns `known` itself if nothing new was
 * learnt.
 *
 * @param keptS the message's `expires − time`
 * @param timeS its time, Unix seconds, not in the server's future
 */
export function learnKeptFor(known: KeptFor | undefined, keptS: number, timeS: number): KeptFor {
  const day = Math.floor(timeS / DAY_S);
  if (!known) return { leastS: keptS, day };
  const { leastS, nextS = Infinity } = known;
  if (keptS < leastS) return { leastS: keptS, day, ...(known.day > day && { nextS: leastS }) };
  if (day <= known.day) return known;
  if (keptS === leastS) return { leastS, day };
  const laterS = Math.min(nextS, keptS);
  if (day - known.day > OUTLIVED_AFTER_DAYS) return { leastS: laterS, day };
  return laterS === nextS ? known : { ...known, nextS: laterS };
}

/** A live stream that was silent for longer than its keepalive interval plus this, ms, is no longer trusted. */
const DOUBT_MARGIN_MS = 5_000;

/** After the day's traffic is used up, streams replace polls for this long, ms, because they cost nothing. */
const NO_POLLS_FOR_MS = 600_000;

/** Servers since 2.28 send at most this many bytes of each topic at once, the newest (docs/protocol.md §4). */
const MAX_REPLAY_BYTES = 10_000_000;

/** What was learnt about a server. It is stored for the next start. */
export class ServerFacts {
  /** Interval between keepalives, ms. */
  keepaliveMs: number;
  /** Whether the interval was observed, rather than assumed. */
  isKeepaliveLearnt: boolean;
  /** How long the server keeps messages at least, seconds; 0 = not at all; undefined = no message has shown it yet. */
  retentionS: number | undefined;
  /** How long messages are kept, by subscription. */
  readonly #keptFor = new Map<number, KeptFor>();
  /** When the last complete catch-up was, device clock, ms. */
  lastCompleteAtMs: number | undefined;
  /** Each account's last complete catch-up, as seen by this hub; before that, as stored. */
  readonly #completeAtMs = new Map<number, number>();
  readonly #completeBeforeMs: number | undefined;
  /** When the server last said that this visitor's daily traffic is used up, device clock, ms. */
  trafficSpentAtMs = -Infinity;
  /** How much of a topic the server sends at once, bytes. */
  replayBytes = MAX_REPLAY_BYTES;
  /** The transport that last worked. */
  transport: Transport | undefined;
  readonly #serverId: number;

  constructor(
    private readonly environment: Environment,
    server: ServerRecord,
  ) {
    this.#serverId = server.serverId;
    this.keepaliveMs = server.keepaliveMs ?? DEFAULT_KEEPALIVE_MS;
    this.isKeepaliveLearnt = server.keepaliveMs !== undefined;
    this.retentionS = server.retentionS;
    this.lastCompleteAtMs = server.lastCompleteAtMs;
    this.#completeBeforeMs = server.lastCompleteAtMs;
    this.transport = server.learntTransport;
  }

  /** For how long no poll may be made because the day's traffic is used up, ms; 0 = polls are allowed. */
  get noPollsForMs(): number {
    const spentForMs = this.environment.now() - this.trafficSpentAtMs;
    return spentForMs < 0 ? 0 : Math.max(0, NO_POLLS_FOR_MS - spentForMs);
  }

  /** How long a live stream may be silent, ms, before it is no longer trusted. */
  get doubtAfterMs(): number {
    return this.keepaliveMs + DOUBT_MARGIN_MS;
  }

  learnKeepalive(keepaliveMs: number): void {
    this.isKeepaliveLearnt = true;
    if (keepaliveMs === this.keepaliveMs) return;
    this.keepaliveMs = keepaliveMs;
    this.#keep({ keepaliveMs });
  }

  /**
   * Call this if a stream was silent for longer than the interval allows. The interval may have been learnt while the
   * server's clock was being set; one that is too short would end every stream before a second keepalive could correct
   * it.
   */
  doubtKeepalive(): void {
    if (this.keepaliveMs < DEFAULT_KEEPALIVE_MS) this.learnKeepalive(DEFAULT_KEEPALIVE_MS);
    this.isKeepaliveLearnt = false;
  }

  /** Adopts what is stored about topics that are new here. */
  sync(subscriptions: readonly SubscriptionRecord[]): void {
    const subIds = new Set(subscriptions.map(({ subId }) => subId));
    for (const subId of this.#keptFor.keys()) if (!subIds.has(subId)) this.#keptFor.delete(subId);
    for (const { subId, keptFor } of subscriptions) {
      if (keptFor && !this.#keptFor.has(subId)) this.#keptFor.set(subId, keptFor);
    }
  }

  /** How long a topic's messages are kept at least, seconds, by its own or by other topics' messages. */
  retentionOf(subId: number): number | undefined {
    return topicRetentionS(this.retentionS, this.#keptFor.get(subId));
  }

  /** The longest of the topics' retention times, seconds. */
  get longestS(): number | undefined {
    if (this.retentionS === 0 || this.#keptFor.size === 0) return this.retentionS;
    return Math.max(...Array.from(this.#keptFor.values(), ({ leastS }) => leastS));
  }

  /**
   * Learns from messages how long each topic's are kept (docs/design.md §4, "Proof"), and from the newest whether the
   * server has a cache at all. Returns whether the server's retention changed.
   * @param nowS what the server's clock shows, Unix seconds
   */
  learnRetention(arrivals: readonly { subId: number | undefined; event: StorableEvent }[], nowS: number): boolean {
    const news = new Map<number, KeptFor>();
    let isCacheless: boolean | undefined;
    for (const { subId, event } of arrivals) {
      const { time, expires } = event;
      if (expires === undefined) continue;
      isCacheless = !isCached(event);
      if (isCacheless || subId === undefined) continue;
      const known = this.#keptFor.get(subId);
      const learnt = learnKeptFor(known, expires - time, Math.min(time, nowS));
      if (learnt === known) continue;
      this.#keptFor.set(subId, learnt);
      news.set(subId, learnt);
    }
    if (news.size > 0) reportFailure(this.environment, this.environment.store.noteKeptFor(news));
    if (isCacheless === undefined || (news.size === 0 && isCacheless === (this.retentionS === 0))) return false;
    const retentionS = isCacheless ? 0 : Math.min(...Array.from(this.#keptFor.values(), ({ leastS }) => leastS));
    if (retentionS === this.retentionS || retentionS === Infinity) return false;
    this.retentionS = retentionS;
    this.#keep({ retentionS });
    return true;
  }

  learnTransport(transport: Transport): void {
    if (transport === this.transport) return;
    this.transport = transport;
    this.#keep({ learntTransport: transport });
  }

  /**
   * Records that an account's topics are complete; the server counts as complete as of the account furthest behind.
   * @param accountIds all accounts received now
   */
  completedAt(nowMs: number, accountId: number, accountIds: readonly number[]): void {
    this.#completeAtMs.set(accountId, nowMs);
    const times = accountIds.map((one) => this.#completeAtMs.get(one) ?? this.#completeBeforeMs);
    if (times.includes(undefined)) return;
    const lastCompleteAtMs = Math.min(...times.filter((time) => time !== undefined));
    if (lastCompleteAtMs === this.lastCompleteAtMs) return;
    this.lastCompleteAtMs = lastCompleteAtMs;
    this.#keep({ lastCompleteAtMs });
  }

  /** Whether this is today's first catch-up: it polls everything, which finds what narrower polls can't. */
  isFirstToday(nowMs: number): boolean {
    const day = (ms = nowMs): string => new Date(ms).toDateString();
    return day(this.lastCompleteAtMs) !== day();
  }

  #keep(patch: ServerPatch): void {
    keepFacts(this.environment, this.#serverId, patch);
  }
}

/** How far a heard time may be from the expected one, seconds: rounding, a slow network, a little drift. */
const TOLERANCE_S = 5;

/** Two keepalives heard closer together than this, ms, came from a buffer, and agree by chance. */
const APART_MS = 10_000;

/** A time heard this far ahead, seconds, means that a clock was set forward: buffers account for less. */
const SET_ON_S = 60;

/** Smaller changes, seconds, aren't stored: clocks are read in whole seconds, and lines take time to arrive. */
const MIN_CHANGE_S = 3;

/** How often the server's time is stored, seconds: this is enough, because retention is a matter of days. */
const HEARD_EVERY_S = 3_600;

/** A clock set forward longer ago than this, ms, no longer affects any upload. */
const SET_ON_MATTERS_MS = 3_600_000;

/**
 * What a server's clock is known to have shown. Only what the server says live counts (`open`, `keepalive`, a live
 * message), never the device's clock or messages with a future time (docs/design.md §4).
 */
export class ServerClock {
  /** The latest server time heard, Unix seconds, which has certainly passed. */
  known: number | undefined;
  /** What the clock was heard to show, seconds, and when, device clock, ms: the estimate counts from here. */
  #shownS: number | undefined;
  #heardMs = 0;
  #isDoubted = false;
  /** The last keepalive with an earlier time than expected, and when it was heard, device clock, ms. */
  #late: { timeS: number; heardMs: number } | undefined;
  /** How far it was ahead of the device's clock when last heard, seconds; undefined = never heard. */
  aheadS: number | undefined;
  /** What is stored of what it showed, seconds. */
  #storedS: number | undefined;
  /**
   * When it was last heard to be further ahead than elapsed time explains, device clock, ms: one of the clocks was set.
   * A message stamped before that and accepted after it lies that much further back.
   */
  setOnAtMs: number | undefined;
  readonly #serverId: number;

  constructor(
    private readonly environment: Pick<Environment, "now" | "store" | "report">,
    { serverId, clockAheadS, heardS, clockSetOnAtMs = -Infinity }: ServerRecord,
  ) {
    this.#serverId = serverId;
    this.aheadS = clockAheadS;
    this.#storedS = heardS;
    if (isRecent(environment, clockSetOnAtMs, SET_ON_MATTERS_MS)) this.setOnAtMs = clockSetOnAtMs;
  }

  /** What the server's clock shows now, Unix seconds: what was heard plus the time since. Not for cursors. */
  estimate(): number | undefined {
    if (this.#shownS === undefined || this.#isDoubted) return undefined;
    return this.#shownS + Math.max(0, Math.floor((this.environment.now() - this.#heardMs) / 1_000));
  }

  /**
   * The estimate, or a guess if nothing was heard: the device's clock, corrected by what an earlier hub heard of the
   * server. The device's clock may have been set since, so nothing may be shown early, or count as expired, by this.
   */
  get nowS(): number {
    return this.estimate() ?? this.#deviceS() + (this.aheadS ?? 0);
  }

  /** Call this when the device slept or its clock was set: what was heard before says nothing about now. */
  doubt(): void {
    this.#isDoubted = true;
  }

  /** An `open` is stamped as the stream begins, so it may also move the clock back. */
  hearOpen(timeS: number): void {
    this.#believe(timeS);
  }

  /**
   * Takes the time of a keepalive, stamped when it is sent. One with an earlier time than expected may have been
   * buffered while the device slept. Only a second one shows that the clock was set back: it must come some seconds
   * later, and its time must be as much later.
   */
  hearKeepalive(timeS: number): void {
    const expectedS = this.estimate();
    const heardMs = this.environment.now();
    if (expectedS !== undefined && timeS < expectedS - TOLERANCE_S) {
      const before = this.#late;
      if (before && heardMs - before.heardMs < APART_MS) return;
      this.#late = { timeS, heardMs };
      if (!before) return;
      if (Math.abs(timeS - before.timeS - (heardMs - before.heardMs) / 1_000) > TOLERANCE_S) return;
    }
    this.#believe(timeS);
  }

  /**
   * A live message only moves the clock forward, and not into the future: it may have been buffered. Over a WebSocket
   * nothing else tells the time.
   */
  hearMessage(timeS: number): void {
    const estimate = this.estimate();
    if (this.known === undefined || estimate === undefined) return;
    if (timeS <= this.known || timeS > estimate + TOLERANCE_S) return;
    if (timeS > estimate) this.#set(timeS);
    else this.known = timeS;
  }

  #believe(timeS: number): void {
    const isAlmostNow = timeS >= (this.estimate() ?? Infinity) - TOLERANCE_S;
    // Of two streams, the slower may bring the older line.
    if (isAlmostNow && timeS < (this.known ?? -Infinity)) return;
    const wasHeard = this.#shownS !== undefined || this.aheadS !== undefined;
    const isSetOn = wasHeard && timeS > this.nowS + SET_ON_S;
    this.#set(timeS);
    this.#late = undefined;
    this.#isDoubted = false;
    this.#learn(timeS, isSetOn);
  }

  #learn(timeS: number, isSetOn: boolean): void {
    const patch: ServerPatch = {};
    if (isSetOn) patch.clockSetOnAtMs = this.setOnAtMs = this.environment.now();
    if (Math.abs(timeS - (this.#storedS ?? -Infinity)) >= HEARD_EVERY_S) patch.heardS = this.#storedS = timeS;
    const aheadS = timeS - this.#deviceS();
    if (Math.abs(aheadS - (this.aheadS ?? Infinity)) >= MIN_CHANGE_S) patch.clockAheadS = this.aheadS = aheadS;
    if (Object.keys(patch).length > 0) keepFacts(this.environment, this.#serverId, patch);
  }

  #set(timeS: number): void {
    this.known = timeS;
    this.#shownS = timeS;
    this.#heardMs = this.environment.now();
  }

  #deviceS(): number {
    return Math.floor(this.environment.now() / 1_000);
  }
}

type Kept = Pick<Environment, "store" | "report">;

/** Stores what was learnt about a server. */
export function keepFacts(environment: Kept, serverId: number, patch: ServerPatch): void {
  reportFailure(environment, environment.store.patchServer(serverId, patch));
}

function reportFailure(environment: Kept, keeping: Promise<Result<unknown, StoreError>>): void {
  void keeping.then((kept) => {
    if (!kept.ok) environment.report(kept.error);
  });
}
