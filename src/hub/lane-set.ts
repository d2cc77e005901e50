import type { Credentials, Failure, ProtocolEvent, ServerAddress, Transport } from "../protocol";
import { splitTopicsByUrlLength } from "../protocol";
import { Lane, type LaneEvents, type LaneSpec } from "./lane";
import type { Requests } from "./requests";
import type { ServerFacts } from "./server-facts";
import { sleep } from "./sleep";
import type { Environment } from "./environment";
import { receiveByStream, type LiveSink, type Receive } from "./transport";
import { TransportChoice } from "./transport-choice";

/** Topics with the same credentials. */
export interface LaneTopics {
  accountId: number;
  topics: readonly string[];
}

/** What the lanes share with their connection. */
export interface LaneSetContext {
  environment: Environment;
  address: ServerAddress;
  requests: Requests;
  facts: ServerFacts;
  credentials(accountId: number): Credentials | undefined;
  /** Polls a group once, in place of a stream. Why it failed, or undefined. */
  poll(accountId: number): Promise<Failure | undefined>;
  /** Polls to find out whether a stream that may well be silent is dead: why it is, or undefined. */
  check(accountId: number): Promise<Failure | undefined>;
  /** How often polls may stand in for a stream, ms. */
  pollEveryMs(): number;
}

export interface LaneSetEvents {
  opened(lane: Lane): void;
  heard(accountId: number): void;
  /** @param isDoubted it may have lain in a buffer while the device slept, so that it tells nothing of the time */
  received(events: ProtocolEvent[], spec: LaneSpec, isDoubted: boolean): void;
  malformed(count: number): void;
  /** It ended, for whatever reason; `failure` unless it is replaced at once by another transport. */
  ended(accountId: number, failure?: Failure, hadWorked?: boolean): void;
}

type Wanted = Map<string, LaneSpec & { transport: Transport }>;

/** The streams to one server, one for each account and URL's length of topics. */
export class LaneSet {
  readonly #here: LaneSetContext;
  readonly #events: LaneSetEvents;
  readonly #lanes = new Map<string, Lane>();
  /** Lanes of an older topic list, kept until the new ones are open. */
  readonly #retiring = new Set<Lane>();
  /** Of these, those that may be dead: they are let go of as soon as their successors fail. */
  readonly #doubted = new Set<Lane>();
  #wanted: Wanted = new Map();
  #topics: LaneTopics[] = [];
  readonly #choice: TransportChoice;

  constructor(here: LaneSetContext, chosen: Transport | undefined, events: LaneSetEvents) {
    this.#here = here;
    this.#events = events;
    this.#choice = new TransportChoice(here.environment, here.facts, chosen, () => {
      this.want(this.#topics);
      this.open();
    });
  }

  /** Nothing is to be received. */
  get isIdle(): boolean {
    return this.#wanted.size === 0;
  }

  /** The transport by which everything that is wanted is received; undefined while something is missing. */
  get liveBy(): Transport | undefined {
    const carriers = [...this.#wanted.values()].map((spec) => this.#carrier(spec));
    return carriers.every((lane) => lane) ? carriers[0]?.transport : undefined;
  }

  /** How many polls stand in for streams. */
  get polled(): number {
    return [...this.#wanted.values()].filter(({ transport }) => transport === "poll").length;
  }

  /** How many topics find no room in a stream, and are polled in turn. */
  get inTurn(): number {
    const specs = [...this.#wanted.values()];
    if (specs.every(({ transport }) => transport === "poll")) return 0;
    return specs.reduce((sum, { transport, topics }) => sum + (transport === "poll" ? topics.length : 0), 0);
  }

  /** Whether all topics of an account are received. */
  isReceiving(accountId: number): boolean {
    const own = [...this.#wanted.values()].filter((spec) => spec.accountId === accountId);
    return own.length > 0 && own.every((spec) => this.#carrier(spec));
  }

  /** Sets the transport by hand; undefined = by what works. */
  choose(chosen: Transport | undefined): void {
    if (chosen === this.#choice.chosen) return;
    this.closeAll();
    this.#choice.choose(chosen);
  }

  /** Says what is to be received; lets go of what no longer is. `open` does the rest. */
  want(topics: LaneTopics[]): void {
    this.#topics = topics;
    this.#plan();
    for (const [key, lane] of this.#lanes) {
      if (this.#wanted.has(key)) continue;
      this.#lanes.delete(key);
      // It goes on receiving until its successor is open, so that nothing falls between the two.
      if (lane.isOpen && topics.some(({ accountId }) => accountId === lane.spec.accountId)) this.#retiring.add(lane);
      else lane.close();
    }
    this.#letRetire();
  }

  /** Opens what is wanted and not there. */
  open(): void {
    for (const [key, { transport, ...spec }] of this.#wanted) {
      if (!this.#lanes.has(key)) this.#openLane(key, spec, transport);
    }
  }

  /**
   * Replaces the streams that were silent for longer than this, ms, as they may be dead: beside them, never cutting one
   * that may still bring something. Whether there were any.
   */
  renew(forMs: number): boolean {
    const nowMs = this.#here.environment.now();
    let isAny = false;
    for (const [key, lane] of this.#lanes) {
      if (!lane.isOpen || lane.transport === "poll" || nowMs - lane.heardAtMs <= forMs) continue;
      isAny = true;
      this.#lanes.delete(key);
      this.#retiring.add(lane);
      this.#doubted.add(lane);
      this.#events.ended(lane.spec.accountId);
    }
    if (isAny) this.open();
    return isAny;
  }

  /** How long nothing was heard of the stream that was silent for longest, ms; 0 where none is open. */
  get silentMs(): number {
    const nowMs = this.#here.environment.now();
    const open = [...this.#lanes.values()].filter((lane) => lane.isOpen && lane.transport !== "poll");
    return Math.max(0, ...open.map((lane) => nowMs - lane.heardAtMs));
  }

  /** Ends every stream as dead: nothing gets through, not even new requests. */
  fail(failure: Failure): void {
    for (const lane of [...this.#lanes.values()]) lane.fail(failure);
    this.#dropDoubted();
  }

  closeAll(): void {
    this.#choice.stop();
    for (const lane of [...this.#lanes.values(), ...this.#retiring]) {
      lane.close();
      this.#events.ended(lane.spec.accountId);
    }
    this.#lanes.clear();
    this.#retiring.clear();
    this.#doubted.clear();
  }

  /** What receives all of these topics: their own lane, or one that is about to be replaced. */
  #carrier({ accountId, topics }: LaneSpec): Lane | undefined {
    return [...this.#lanes.values(), ...this.#retiring].find(
      (lane) => lane.isOpen && lane.spec.accountId === accountId && lane.carries(topics),
    );
  }

  #plan(): void {
    this.#wanted = new Map();
    const want = (accountId: number, topics: readonly string[], transport: Transport): void => {
      this.#wanted.set(`${accountId} ${transport} ${topics.join(",")}`, { accountId, topics, transport });
    };
    for (const { accountId, topics } of this.#topics) {
      const { address, credentials } = this.#here;
      const sorted = [...topics].sort();
      const inTurn: string[] = [];
      for (const chunk of splitTopicsByUrlLength(address, sorted, undefined, credentials(accountId))) {
        const transport = this.#choice.forPart(this.#wanted.size);
        if (transport === "poll") inTurn.push(...chunk);
        else want(accountId, chunk, transport);
      }
      if (inTurn.length > 0) want(accountId, inTurn, "poll");
    }
  }

  #openLane(key: string, spec: LaneSpec, transport: Transport): void {
    const events: LaneEvents = {
      opened: () => this.#opened(key, lane),
      heard: () => this.#events.heard(spec.accountId),
      events: (events) => this.#events.received(events, spec, this.#doubted.has(lane)),
      malformed: (count) => this.#events.malformed(count),
      keepalive: (intervalMs) => this.#here.facts.learnKeepalive(intervalMs),
      heldBack: () => {
        if (!this.#forget(key, lane)) return;
        this.#events.ended(spec.accountId);
        this.#choice.heldBack(transport);
        this.want(this.#topics);
        this.open();
      },
      ended: (failure) => {
        if (failure.kind === "silent") this.#here.facts.doubtKeepalive();
        if (!this.#forget(key, lane)) return;
        this.#dropDoubted(spec.accountId);
        const isTooOften = failure.kind === "ended" && lane.isOpen && this.#choice.hasEnded(transport, lane.livedMs);
        // Neither streams nor polls get through, so that nothing was learnt about streams.
        const isLost = transport === "poll" && this.#choice.current === "poll";
        if (isLost) this.#choice.reset();
        if (isLost || isTooOften) this.want(this.#topics);
        this.#events.ended(spec.accountId, failure, lane.isOpen);
      },
    };
    const lane: Lane = new Lane(
      this.#here.environment,
      {
        spec,
        transport,
        receive: this.#receiver(spec, transport),
        keepaliveMs: () => this.#here.facts.keepaliveMs,
        expectOpen: this.#choice.hasOther(transport),
        // Its signs of life can't be seen (docs/protocol.md §19, trap 18).
        check: transport === "ws" ? () => this.#here.check(spec.accountId) : undefined,
      },
      events,
    );
    this.#lanes.set(key, lane);
  }

  #receiver({ accountId, topics }: LaneSpec, transport: Transport): Receive {
    const credentials = this.#here.credentials(accountId);
    if (transport === "json" || transport === "sse") {
      return receiveByStream(this.#here.requests, transport, { topics, credentials });
    }
    if (transport === "ws") {
      return async (sink, signal) => {
        const { connectWebSocket } = this.#here.environment;
        const loaded = await import("./receive-by-web-socket").catch(() => undefined);
        // Its code can't be had just now: an attempt that failed, like any other.
        if (!loaded) return { kind: "network" };
        return loaded.receiveByWebSocket(connectWebSocket, this.#here.requests, { topics, credentials })(sink, signal);
      };
    }
    return (sink, signal) => this.#receiveByPolls(accountId, sink, signal);
  }

  /** In place of a stream: polls of the group, again and again. */
  async #receiveByPolls(accountId: number, sink: LiveSink, signal: AbortSignal): Promise<Failure> {
    while (!signal.aborted) {
      const failure = await this.#here.poll(accountId);
      if (failure) return failure;
      sink.opened();
      await sleep(this.#here.environment, this.#here.pollEveryMs(), signal);
    }
    return { kind: "ended" };
  }

  #opened(key: string, lane: Lane): void {
    if (this.#lanes.get(key) !== lane) return;
    this.#choice.worked(lane.transport);
    this.#letRetire();
    this.#events.opened(lane);
  }

  /** Whether the lane was one that counts, which it now no longer is. */
  #forget(key: string, lane: Lane): boolean {
    this.#retiring.delete(lane);
    this.#doubted.delete(lane);
    return this.#lanes.get(key) === lane && this.#lanes.delete(key);
  }

  #letRetire(): void {
    for (const lane of this.#retiring) {
      const { accountId } = lane.spec;
      const successors = [...this.#wanted].filter(([, wanted]) => wanted.accountId === accountId);
      if (successors.some(([key]) => !this.#lanes.get(key)?.isOpen)) continue;
      lane.close();
      this.#retiring.delete(lane);
      this.#doubted.delete(lane);
    }
  }

  /** What was doubted has no successor after all, so that nothing is known to be open. */
  #dropDoubted(accountId?: number): void {
    for (const lane of this.#doubted) {
      if (accountId !== undefined && lane.spec.accountId !== accountId) continue;
      lane.close();
      this.#retiring.delete(lane);
      this.#doubted.delete(lane);
    }
  }
}
