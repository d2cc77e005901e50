// Keeps the streams to one server open: which ones there must be, replacing one without a gap when its topics change,
// and the transport they use. One try of one stream is in `stream-attempt.ts`. It stores nothing and decides nothing
// about retries: its owner is told what opened and what ended.
import type { Transport } from "../../contract";
import { type Failure, ERROR_CODES, splitTopicsByUrlLength } from "../../protocol";
import {
  StreamAttempt,
  type StreamedGroup,
  type StreamSpec,
  receiveByWebSocket,
  receiveByStream,
  type Receive,
} from "./stream-attempt";
import type { EventSink } from "../requests/receive-frames";
import type { ServerContext } from "../server/server-context";
import { sleep } from "../environment";
import { TransportChoice } from "./transport-choice";

export interface StreamPoolOwner {
  /** The topics of an account. */
  group(accountId: number): StreamedGroup | undefined;
  streamOpened(attempt: StreamAttempt): void;
  /** An attempt ended. `failure` is absent if another attempt replaces it at once, or it was closed on purpose. */
  streamEnded(accountId: number, failure?: Failure, hadWorked?: boolean): void;
  /** Whether requests would certainly fail, because a refused topic is being looked for; open streams continue. */
  pollsFail(accountId: number): boolean;
  /** The interval of polls that stand in for a stream, ms. */
  readonly pollEveryMs: number;
}

type Wanted = Map<string, StreamSpec & { transport: Transport }>;

/** The streams to one server: one for each account and each URL's worth of topics. */
export class StreamPool {
  readonly #attempts = new Map<string, StreamAttempt>();
  /** Attempts with old topics, or doubted ones, until new ones open; doubted ones also end if those fail. */
  readonly #retiring = new Set<StreamAttempt>();
  #wanted: Wanted = new Map();
  /** How many requests the polls that replace streams take. */
  polled = 0;
  #topics: StreamSpec[] = [];
  readonly #choice: TransportChoice;

  constructor(
    private readonly here: ServerContext,
    private readonly owner: StreamPoolOwner,
  ) {
    this.#choice = new TransportChoice(here.environment, here.facts, () => this.#again());
  }

  /** Whether nothing should be received. */
  get isIdle(): boolean {
    return this.#wanted.size === 0;
  }

  /** The transport by which everything that is wanted is received; undefined while something isn't. */
  get liveBy(): Transport | undefined {
    const carriers = [...this.#wanted].map(([key, spec]) => this.#carrier(key, spec));
    return carriers.every((attempt) => attempt) ? carriers[0]?.transport : undefined;
  }

  /** Whether only polls get through, so that the server never says what its clock shows. */
  get isPolled(): boolean {
    return this.liveBy === "poll";
  }

  /** How many topics don't fit into a stream and are polled in turn. */
  get inTurn(): number {
    if (this.#choice.current === "poll") return 0;
    return [...this.#wanted.values()].reduce(
      (sum, { transport, topics }) => sum + (transport === "poll" ? topics.length : 0),
      0,
    );
  }

  /** Whether all topics of an account are received. */
  isReceiving(accountId: number): boolean {
    const own = [...this.#wanted].filter(([, spec]) => spec.accountId === accountId);
    return own.length > 0 && own.every(([key, spec]) => this.#carrier(key, spec));
  }

  /** Sets the transport that must be used; undefined = whatever works. */
  choose(chosen: Transport | undefined): void {
    if (chosen === this.#choice.chosen) return;
    this.closeAll();
    this.#choice.choose(chosen);
  }

  /** Sets what should be received, and closes what no longer should be. `open` does the rest. */
  want(topics: StreamSpec[]): void {
    this.#topics = topics;
    this.#plan();
    for (const [key, attempt] of this.#attempts) {
      if (this.#wanted.has(key)) continue;
      this.#attempts.delete(key);
      // The old attempt continues until its successor is open, so that no message is lost between them.
      if (attempt.isOpen && topics.some(({ accountId }) => accountId === attempt.spec.accountId))
        this.#retiring.add(attempt);
      else attempt.close();
    }
    this.#letRetire();
  }

  /** Opens missing streams. */
  open(): void {
    for (const [key, { transport, ...spec }] of this.#wanted) {
      const isWanting = !this.#attempts.has(key) && !this.owner.pollsFail(spec.accountId);
      if (isWanting) this.#openAttempt(key, spec, transport);
    }
  }

  /**
   * Replaces streams that were silent for longer than this, ms, because they may be dead. The old ones continue beside
   * the new ones, because they may still bring something. Returns whether there were any.
   * @param besides leaves these out, because their silence means nothing
   */
  renew(forMs: number, besides?: Transport): boolean {
    const nowMs = this.here.environment.now();
    let isAny = false;
    for (const [key, attempt] of this.#attempts) {
      const { isOpen, transport, heardAtMs } = attempt;
      if (!isOpen || transport === "poll" || transport === besides || nowMs - heardAtMs <= forMs) continue;
      isAny = true;
      this.#attempts.delete(key);
      this.#retiring.add(attempt);
      attempt.isDoubted = true;
      this.owner.streamEnded(attempt.spec.accountId);
    }
    if (!isAny) return false;
    this.open();
    return true;
  }

  /** The attempts under way, open or not. */
  get attempts(): Iterable<StreamAttempt> {
    return this.#attempts.values();
  }

  /** Ends every stream as dead, because not even new requests get through. */
  fail(failure: Failure): void {
    for (const attempt of [...this.#attempts.values()]) attempt.end(failure);
    this.#dropDoubted();
  }

  /** Records that a poll failed while there were streams. */
  pollFailed(failure: Failure): void {
    this.#makeRoom(failure, true);
  }

  closeAll(): void {
    this.#choice.stop();
    for (const attempt of [...this.#attempts.values(), ...this.#retiring]) {
      attempt.close();
      this.owner.streamEnded(attempt.spec.accountId);
    }
    this.#attempts.clear();
    this.#retiring.clear();
  }

  /** The attempt that receives all the wanted topics: its own, or one that is about to be replaced. */
  #carrier(key: string, { accountId, topics }: StreamSpec): StreamAttempt | undefined {
    const own = this.#attempts.get(key);
    if (own?.isOpen) return own;
    return [...this.#attempts.values(), ...this.#retiring].find(
      (attempt) => attempt.isOpen && attempt.spec.accountId === accountId && attempt.carries(topics),
    );
  }

  #plan(): void {
    this.#wanted = new Map();
    this.polled = 0;
    const want = (accountId: number, topics: readonly string[], transport: Transport): void => {
      // A poll asks for all topics of an account, so it continues when other topics get streams.
      const key = transport === "poll" ? [accountId] : [accountId, transport, topics.join(",")];
      this.#wanted.set(key.join(" "), { accountId, topics, transport });
    };
    for (const { accountId, topics } of this.#topics) {
      const { requests, plan } = this.here;
      // In the order of subscribing, so that a new topic changes only the last part.
      const chunks = splitTopicsByUrlLength(requests.address, topics, plan.credentials(accountId));
      const rest: string[] = [];
      for (const chunk of chunks) {
        const transport = this.#choice.forPart(this.#wanted.size);
        if (transport === "poll") rest.push(...chunk);
        else want(accountId, chunk, transport);
      }
      if (rest.length === 0) continue;
      want(accountId, rest, "poll");
      this.polled += chunks.length;
    }
  }

  #again(): void {
    this.want(this.#topics);
    this.open();
  }

  #openAttempt(key: string, spec: StreamSpec, transport: Transport): void {
    const group = this.owner.group(spec.accountId);
    if (!group) return;
    const attempt: StreamAttempt = new StreamAttempt(this.here, group, {
      spec,
      transport,
      receive: this.#receiver(spec, transport, group),
      expectOpen: this.#choice.hasOther(transport),
      opened: () => this.#opened(key, attempt),
      ended: (end) => this.#ended(key, attempt, end),
    });
    this.#attempts.set(key, attempt);
  }

  #receiver({ accountId, topics }: StreamSpec, transport: Transport, group: StreamedGroup): Receive {
    const credentials = this.here.plan.credentials(accountId);
    const request = { topics, credentials };
    switch (transport) {
      case "json":
      case "sse":
        return receiveByStream(this.here.requests, transport, request);
      case "ws":
        return receiveByWebSocket(this.here.environment.connectWebSocket, this.here.requests, request);
      case "poll":
        return (sink, signal) => this.#receiveByPolls(group, sink, signal);
    }
  }

  /** Replaces a stream by polling the group again and again. */
  async #receiveByPolls(group: StreamedGroup, sink: EventSink, signal: AbortSignal): Promise<Failure> {
    while (!signal.aborted) {
      // A poll of many requests takes minutes itself.
      const isTime = sleep(this.here.environment, this.owner.pollEveryMs, signal);
      const { failure } = await group.pollInPlace();
      if (failure) return failure;
      sink.opened?.();
      await isTime;
    }
    return { kind: "ended" };
  }

  #opened(key: string, attempt: StreamAttempt): void {
    if (this.#attempts.get(key) !== attempt) return;
    this.#choice.worked(attempt.transport);
    this.#letRetire();
    this.owner.streamOpened(attempt);
  }

  #ended(key: string, attempt: StreamAttempt, end: Failure | "held-back"): void {
    const { spec, transport, isOpen } = attempt;
    if (end !== "held-back" && end.kind === "silent") this.here.facts.doubtKeepalive();
    if (!this.#forget(key, attempt)) return;
    if (end === "held-back") {
      this.owner.streamEnded(spec.accountId);
      this.#choice.heldBack(transport);
      this.#again();
      return;
    }
    if (this.#makeRoom(end, transport === "poll")) return;
    this.#dropDoubted(spec.accountId);
    const isTooOften = end.kind === "ended" && isOpen && this.#choice.hasEnded(transport, attempt.livedMs);
    // Neither streams nor polls get through, so this says nothing about streams.
    const isLost = transport === "poll" && this.#choice.current === "poll";
    if (isLost) this.#choice.reset();
    if (isLost || isTooOften) this.want(this.#topics);
    this.owner.streamEnded(spec.accountId, end, isOpen);
  }

  /** Forgets an attempt; returns whether it was a current one. */
  #forget(key: string, attempt: StreamAttempt): boolean {
    this.#retiring.delete(attempt);
    return this.#attempts.get(key) === attempt && this.#attempts.delete(key);
  }

  #letRetire(): void {
    for (const attempt of this.#retiring) {
      const { accountId } = attempt.spec;
      const successors = [...this.#wanted].filter(([, wanted]) => wanted.accountId === accountId);
      if (successors.some(([key]) => !this.#attempts.get(key)?.isOpen)) continue;
      attempt.close();
      this.#retiring.delete(attempt);
    }
  }

  /**
   * If the server takes no more streams, closes those about to be replaced; if there are none, polls replace some.
   * Returns whether that helps: a single stream has to wait.
   *
   * @param isPoll a poll was refused, because the server counts it like a stream
   */
  #makeRoom(failure: Failure, isPoll: boolean): boolean {
    if (failure.kind !== "busy" || failure.code !== ERROR_CODES.tooManyStreams) return false;
    const isStream = ({ transport }: StreamAttempt): boolean => transport !== "poll";
    const old = [...this.#retiring].filter(isStream);
    for (const attempt of old) {
      attempt.close();
      this.#forget("", attempt);
      this.owner.streamEnded(attempt.spec.accountId);
    }
    const left = [...this.#attempts.values()].filter(isStream).length - (isPoll ? 1 : 0);
    if (old.length === 0 && (this.#wanted.size < 2 || !this.#choice.crowded(left))) return false;
    this.#again();
    return true;
  }

  /** Closes doubted attempts that won't have a successor, so that nothing counts as open any more. */
  #dropDoubted(accountId?: number): void {
    for (const attempt of this.#retiring) {
      if (!attempt.isDoubted || (accountId !== undefined && attempt.spec.accountId !== accountId)) continue;
      attempt.close();
      this.#retiring.delete(attempt);
    }
  }
}
