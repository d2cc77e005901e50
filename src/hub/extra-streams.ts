import type { Failure, ProtocolEvent, Since } from "../protocol";
import { isStorable, splitTopicsByUrlLength } from "../protocol";
import { reactionTo } from "./classify";
import type { Timer } from "./environment";
import { receiveByWebSocket } from "./receive-by-web-socket";
import { PACED_FROM } from "./requests";
import { Retries } from "./retries";
import { STABLE_AFTER_MS } from "./retry-policy";
import type { ServerContext } from "./server-context";
import { StreamAttempt, type StreamSpec } from "./stream-attempt";
import type { StreamPoolOwner, StreamTopics } from "./stream-pool";
import { MAX_STREAMS, RETRY_FROM_POLLS_AFTER_MS, type TransportChoice } from "./transport-choice";

/**
 * At most this many go to one server. With three HTTP streams that makes 20 of the 30 that a server allows a household
 * (docs/protocol.md §11).
 */
export const MAX_EXTRA_STREAMS = 17;

/**
 * The longest address of a WebSocket, characters. Its handshake is HTTP/1.1, of which nginx and Apache take a first line
 * of 8,190; the shorter limit of other requests is for HTTP/2, of which older releases of nginx take half.
 */
export const MAX_HANDSHAKE_LENGTH = 8_000;

/** The most topics in one list: some servers take no more (docs/server.md). */
const MAX_TOPICS = 1_400;

/**
 * A refused handshake doesn't say why. Where more was asked for in five minutes than a server gives back in that time
 * (docs/protocol.md §11), it is taken to be rationed: the next try follows as soon as a request may have been given back,
 * ms, but only so many times in a row, as a proxy may refuse every handshake.
 */
const GIVEN_BACK_IN_FIVE_MINUTES = 60;
const GIVEN_BACK_AFTER_MS = 5_000;
const MAX_RATIONED_TRIES = 6;

/**
 * Half the silence after which a stream is checked, ms. A check polls everything, so it is rare, and it comes between two
 * of the reconciling polls, which would otherwise find the missing messages first.
 */
const HALF_SILENCE_MS = 200_000;

/**
 * A stream asks for what came while its topics had none, but no further back than this, seconds: two rounds of polls
 * take less.
 */
const MAX_REPLAYED_S = 600;

/**
 * WebSockets for topics that have no room in the HTTP streams, as browsers don't count them among the six connections
 * to a host. Loaded when there are such topics. They are opened one after the other, by paced requests. Topics whose
 * stream isn't open are polled in turn, so nothing waits for these streams (docs/decisions/0022). As their turn takes
 * minutes, each stream also brings what came since it was first wanted. That moves no cursor, and polls bring it too.
 */
export class ExtraStreams {
  readonly #here: ServerContext;
  readonly #owner: StreamPoolOwner;
  readonly #changed: () => void;
  /** The attempts of the pool. */
  readonly #others: ReadonlyMap<string, StreamAttempt>;
  readonly #choice: TransportChoice;
  readonly #retries: Retries;
  /** What should be received, by key. */
  #parts = new Map<string, StreamSpec>();
  /** Since when each topic without a stream has had none, server clock, Unix seconds, by `topicKey`. */
  #missedSince: ReadonlyMap<string, number> = new Map();
  /** Lists of topics whose stream was open before. */
  readonly #opened = new WeakSet<readonly string[]>();
  readonly #attempts = new Map<string, StreamAttempt>();
  /** Attempts for older topic lists, or doubted ones, kept until others receive their topics. */
  readonly #retiring = new Set<StreamAttempt>();
  /** Retiring attempts that may be dead. */
  readonly #doubted = new Set<StreamAttempt>();
  readonly #checks = new Map<number, Promise<Failure | undefined>>();
  /** How many the server takes, as far as is known. */
  #most = MAX_EXTRA_STREAMS;
  #aborter = new AbortController();
  #isOpening = false;
  /** Goes on after the stream that is being opened. */
  #settle: () => void = () => undefined;
  #waitTimer: Timer | undefined;
  /** Handshakes in a row that were taken to be rationed. */
  #rationed = 0;
  #roomTimer: Timer | undefined;
  #stableTimer: Timer | undefined;

  /**
   * @param others the attempts of the pool; as long as none of its streams is open, nothing is tried
   * @param changed called when other topics are received than before
   */
  constructor(
    here: ServerContext,
    owner: StreamPoolOwner,
    others: ReadonlyMap<string, StreamAttempt>,
    choice: TransportChoice,
    changed: () => void,
  ) {
    this.#here = here;
    this.#owner = owner;
    this.#others = others;
    this.#choice = choice;
    this.#changed = changed;
    this.#retries = new Retries(here.environment);
  }

  /**
   * Sets the topics that have no room elsewhere, and returns those that aren't received here either. @param subscribed
   * all topics; a stream may go on carrying any of them, as nothing comes twice
   */
  want<Surplus extends StreamTopics>(surplus: readonly Surplus[], subscribed: readonly StreamTopics[]): Surplus[] {
    // A server that takes not even the HTTP streams has no room for more.
    const hasRoom = this.#choice.forPart(MAX_STREAMS - 1) !== "poll";
    this.#divide(hasRoom ? surplus : [], subscribed);
    return surplus.flatMap((one) => {
      const received = this.#received(one.accountId);
      const topics = one.topics.filter((topic) => !received.has(topic));
      return topics.length > 0 ? [{ ...one, topics }] : [];
    });
  }

  #divide(surplus: readonly StreamTopics[], subscribed: readonly StreamTopics[]): void {
    const { requests, plan } = this.#here;
    const parts = surplus.flatMap(({ accountId, topics }) => {
      const before = [...this.#parts.values()].filter((part) => part.accountId === accountId);
      const all = subscribed.find((one) => one.accountId === accountId)?.topics ?? topics;
      const credentials = plan.credentials(accountId);
      const split = (some: readonly string[]): string[][] =>
        splitTopicsByUrlLength(requests.address, some, MAX_HANDSHAKE_LENGTH, credentials).flatMap((list) =>
          list.length > MAX_TOPICS ? [list.slice(0, MAX_TOPICS), list.slice(MAX_TOPICS)] : [list],
        );
      const lists = partition(
        before.map((part) => part.topics),
        topics,
        all,
        split,
      );
      return lists.map((list) => ({ accountId, topics: list }));
    });
    this.#parts = new Map(parts.map((part) => [`${part.accountId} ${part.topics.join(",")}`, part]));
    for (const [key, attempt] of this.#attempts) {
      if (this.#parts.has(key)) continue;
      this.#attempts.delete(key);
      if (attempt.isOpen) this.#retiring.add(attempt);
      else this.#drop(attempt);
    }
    this.#letRetire();
    this.#noteMissed();
  }

  /** Notes since when topics have had no stream; without the server's time, nothing is noted. */
  #noteMissed(): void {
    const nowS = this.#here.serverClock.estimate();
    const missed = new Map<string, number>();
    const received = new Map<number, Set<string>>();
    for (const { accountId, topics } of this.#parts.values()) {
      const own = received.get(accountId) ?? this.#received(accountId);
      received.set(accountId, own);
      for (const topic of topics) {
        const key = topicKey(accountId, topic);
        const sinceS = this.#missedSince.get(key) ?? nowS;
        if (!own.has(topic) && sinceS !== undefined) missed.set(key, sinceS);
      }
    }
    this.#missedSince = missed;
  }

  /** From when on a stream should bring what its topics missed; undefined: they missed nothing, or it isn't known. */
  #since({ accountId, topics }: StreamSpec): Since | undefined {
    const earliestS = topics.reduce(
      (sinceS, topic) => Math.min(sinceS, this.#missedSince.get(topicKey(accountId, topic)) ?? Infinity),
      Infinity,
    );
    const nowS = this.#here.serverClock.estimate();
    if (earliestS === Infinity || nowS === undefined) return undefined;
    return { kind: "time", time: Math.max(earliestS, nowS - MAX_REPLAYED_S) };
  }

  /**
   * Leaves out the history of topics that were just added: other topics of the stream may have missed something
   * earlier. The first poll of the new ones brings it, without alerts.
   */
  #withoutHistory(
    events: ProtocolEvent[],
    accountId: number,
    missedSince: ReadonlyMap<string, number>,
  ): ProtocolEvent[] {
    const isHistory = (event: ProtocolEvent): boolean =>
      isStorable(event) &&
      event.time < (missedSince.get(topicKey(accountId, event.topic)) ?? -Infinity) &&
      this.#here.plan.subscriptions.some(
        (one) => one.accountId === accountId && one.topic === event.topic && one.joined === undefined,
      );
    return events.filter((event) => !isHistory(event));
  }

  /** The topics of an account that are received. */
  #received(accountId: number): Set<string> {
    const open = [...this.#attempts.values(), ...this.#retiring].filter(
      (attempt) => attempt.isOpen && attempt.spec.accountId === accountId,
    );
    return new Set(open.flatMap((attempt) => attempt.spec.topics));
  }

  /** Opens what isn't open, if it is time. */
  open(): void {
    if (!this.#isOpening) void this.#openAll();
  }

  /** Replaces all streams, as they may be dead; the old ones may still bring something. */
  renew(): void {
    for (const [key, attempt] of this.#attempts) {
      this.#attempts.delete(key);
      if (attempt.isOpen) {
        this.#retiring.add(attempt);
        this.#doubted.add(attempt);
      } else this.#drop(attempt);
      this.#owner.streamEnded(attempt.spec.accountId);
    }
  }

  /** Gives up one stream, as the server takes no more of any kind. Returns whether there was one. */
  giveUpOne(): boolean {
    const last = [...this.#retiring, ...this.#attempts.values()].at(-1);
    if (!last) return false;
    this.#leaveRoom();
    return true;
  }

  /** Ends all streams. */
  close(): void {
    this.#aborter.abort();
    this.#aborter = new AbortController();
    const { environment } = this.#here;
    for (const timer of [this.#waitTimer, this.#roomTimer, this.#stableTimer]) environment.clearTimer(timer);
    this.#waitTimer = undefined;
    this.#most = MAX_EXTRA_STREAMS;
    for (const attempt of [...this.#attempts.values(), ...this.#retiring]) {
      this.#drop(attempt);
      this.#owner.streamEnded(attempt.spec.accountId);
    }
    this.#parts.clear();
    this.#attempts.clear();
  }

  get #isServed(): boolean {
    return [...this.#others.values()].some((attempt) => attempt.isOpen && attempt.transport !== "poll");
  }

  /** What to open next; undefined if nothing may be opened now. */
  get #next(): [key: string, part: StreamSpec] | undefined {
    if (this.#waitTimer || this.#attempts.size >= this.#most || !this.#isServed) return undefined;
    return [...this.#parts].find(([key]) => !this.#attempts.has(key));
  }

  async #openAll(): Promise<void> {
    this.#isOpening = true;
    for (let due = this.#next; due; due = this.#next) {
      // There may be many, so they are paced together with the polls. One that was never open goes first, as its topics
      // have had nothing else. One that opens again doesn't: streams that are cut often would leave the polls no turn.
      const isFirst = !this.#opened.has(due[1].topics);
      await this.#here.requests.pace(PACED_FROM + 1, this.#aborter.signal, isFirst);
      const next = this.#next;
      // One at a time, as browsers make one handshake at a time with a host.
      if (next) await this.#open(...next);
    }
    this.#isOpening = false;
  }

  /** Opens one stream; resolves once it is open or has ended. */
  #open(key: string, spec: StreamSpec): Promise<void> {
    const { environment, requests, plan, facts } = this.#here;
    const credentials = plan.credentials(spec.accountId);
    const since = this.#since(spec);
    const missedSince = this.#missedSince;
    return new Promise((resolve) => {
      /** Forgets the attempt; returns whether it was wanted. */
      const forget = (): boolean => {
        this.#retiring.delete(attempt);
        this.#doubted.delete(attempt);
        return this.#attempts.get(key) === attempt && this.#attempts.delete(key);
      };
      const end = (): void => {
        this.#owner.streamEnded(spec.accountId);
        this.#changed();
        resolve();
      };
      this.#settle = resolve;
      const attempt: StreamAttempt = new StreamAttempt(
        environment,
        {
          spec,
          transport: "ws",
          receive: receiveByWebSocket(environment.connectWebSocket, requests, {
            topics: spec.topics,
            credentials,
            ...(since && { since }),
          }),
          keepaliveMs: () => HALF_SILENCE_MS,
          expectOpen: true,
          check: () => this.#checkSilence(spec.accountId),
        },
        {
          opened: () => {
            this.#opened.add(spec.topics);
            this.#rationed = 0;
            environment.clearTimer(this.#stableTimer);
            this.#stableTimer = environment.setTimer(() => this.#retries.after({ kind: "stable" }), STABLE_AFTER_MS);
            this.#letRetire();
            this.#owner.streamOpened(attempt);
            this.#changed();
            resolve();
          },
          heard: () => this.#owner.streamHeard(spec.accountId),
          events: (events) => {
            const news = this.#withoutHistory(events, spec.accountId, missedSince);
            this.#owner.streamReceived(news, spec, this.#doubted.has(attempt));
          },
          malformed: (count) => this.#owner.countMalformed(count),
          keepalive: (intervalMs) => facts.learnKeepalive(intervalMs),
          heldBack: () => {
            if (forget()) {
              this.#leaveRoom();
              this.#wait();
            }
            end();
          },
          ended: (failure) => {
            if (forget()) this.#wait(failure, attempt.isOpen);
            end();
          },
        },
      );
      this.#attempts.set(key, attempt);
    });
  }

  /** One poll tells of all streams of an account that have been silent for long. */
  #checkSilence(accountId: number): Promise<Failure | undefined> {
    const check =
      this.#checks.get(accountId) ?? this.#owner.checkSilence(accountId).finally(() => this.#checks.delete(accountId));
    this.#checks.set(accountId, check);
    return check;
  }

  /** Waits before the next try, for all streams at once. */
  #wait(failure?: Failure, hadWorked = false): void {
    if (this.#waitTimer) return;
    const { environment, count } = this.#here;
    const open = (): void => {
      this.#waitTimer = undefined;
      this.open();
    };
    const isRationed = failure && !hadWorked && count.recent > GIVEN_BACK_IN_FIVE_MINUTES;
    if (isRationed && ++this.#rationed <= MAX_RATIONED_TRIES) {
      this.#waitTimer = environment.setTimer(open, GIVEN_BACK_AFTER_MS);
      return;
    }
    const reaction = failure && reactionTo(failure);
    const step = this.#retries.after(
      hadWorked
        ? { kind: "stream-ended" }
        : { kind: "try-failed", ...(reaction?.kind === "retry" && { atLeastMs: reaction.afterMs }) },
    );
    this.#waitTimer = environment.setTimer(open, step.kind === "try" ? step.afterMs : 0);
  }

  /** The server takes no more streams: one is left for polls, which it counts as well, and more are tried later. */
  #leaveRoom(): void {
    const { environment } = this.#here;
    const retiring = [...this.#retiring];
    this.#most = Math.max(0, this.#attempts.size - (retiring.length > 0 ? 0 : 1));
    const spare = retiring.length > 0 ? retiring : [...this.#attempts].slice(this.#most).map(([, attempt]) => attempt);
    for (const attempt of spare) {
      this.#drop(attempt);
      for (const [key, own] of this.#attempts) if (own === attempt) this.#attempts.delete(key);
      this.#owner.streamEnded(attempt.spec.accountId);
    }
    environment.clearTimer(this.#roomTimer);
    this.#roomTimer = environment.setTimer(() => {
      this.#most = MAX_EXTRA_STREAMS;
      this.open();
    }, RETRY_FROM_POLLS_AFTER_MS);
  }

  #letRetire(): void {
    for (const attempt of this.#retiring) {
      const { accountId, topics } = attempt.spec;
      const own = [...this.#parts].filter(([, part]) => part.accountId === accountId);
      const carried = new Set(topics);
      const isNeeded = own.some(
        ([key, part]) => !this.#attempts.get(key)?.isOpen && part.topics.some((topic) => carried.has(topic)),
      );
      if (!isNeeded) this.#drop(attempt);
    }
  }

  /** Closes an attempt, which tells nothing more. */
  #drop(attempt: StreamAttempt): void {
    attempt.close();
    this.#retiring.delete(attempt);
    this.#doubted.delete(attempt);
    if (!attempt.isOpen) this.#settle();
  }
}

function topicKey(accountId: number, topic: string): string {
  return `${accountId} ${topic}`;
}

/**
 * Divides topics so that as few lists as possible differ from those before: a list that differs costs a new stream.
 *
 * @param before the lists so far
 * @param wanted the topics to divide
 * @param subscribed lists may hold any of these
 * @param split divides by length, in the given order
 */
export function partition(
  before: readonly (readonly string[])[],
  wanted: readonly string[],
  subscribed: readonly string[],
  split: (topics: readonly string[]) => string[][],
): (readonly string[])[] {
  const isWanted = new Set(wanted);
  const isSubscribed = new Set(subscribed);
  const kept = before.filter(
    (list) => list.every((topic) => isSubscribed.has(topic)) && list.some((topic) => isWanted.has(topic)),
  );
  const held = new Set(kept.flat());
  const rest = wanted.filter((topic) => !held.has(topic));
  if (rest.length === 0) return kept;
  const last = kept.pop()?.filter((topic) => isWanted.has(topic)) ?? [];
  const lists = [...kept, ...split([...last, ...rest])];
  const anew = split(wanted);
  // After many removals the lists are short.
  return lists.length > anew.length + 1 ? anew : lists;
}
