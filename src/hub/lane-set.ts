import type { Credentials, Failure, ProtocolEvent, ServerAddress, Transport } from "../protocol";
import { splitTopicsByUrlLength } from "../protocol";
import { Lane, type LaneEvents, type LaneSpec } from "./lane";
import type { Requests } from "./requests";
import type { ServerFacts } from "./server-facts";
import type { Surroundings, Timer } from "./surroundings";
import { receiveByStream, type LiveSink, type Receive } from "./transport";

/** Streams to one server at a time: browsers allow six connections, and polls need some (DESIGN, section 4). */
export const MAX_STREAMS = 3;

/** Where no stream gets through: often enough to be of use, rare enough for the server's ration of requests. */
export const POLL_EVERY_MS = 30_000;

/** After this long by polls, streams are tried again. */
const RETRY_STREAMS_AFTER_MS = 900_000;

/** In the order in which they are tried; what worked last comes first. */
const STREAMS: readonly Transport[] = ["json", "sse"];

/** Topics with the same credentials. */
export interface LaneTopics {
  accountId: number;
  topics: readonly string[];
}

/** What the lanes share with their connection. */
export interface LaneSetSurroundings {
  surroundings: Surroundings;
  address: ServerAddress;
  requests: Requests;
  facts: ServerFacts;
  credentials(accountId: number): Credentials | undefined;
  /** Polls a group once, in place of a stream. Why it failed, or undefined. */
  poll(accountId: number): Promise<Failure | undefined>;
}

export interface LaneSetEvents {
  opened(lane: Lane): void;
  heard(accountId: number): void;
  received(events: ProtocolEvent[], spec: LaneSpec): void;
  malformed(count: number): void;
  /** It ended, for whatever reason; `failure` unless it is replaced at once by another transport. */
  ended(accountId: number, failure?: Failure): void;
}

type Wanted = Map<string, LaneSpec & { transport: Transport }>;

/** The streams to one server, one for each account and URL's length of topics, and the choice of their transport. */
export class LaneSet {
  readonly #here: LaneSetSurroundings;
  readonly #events: LaneSetEvents;
  readonly #lanes = new Map<string, Lane>();
  /** Lanes of an older topic list, kept until the new ones are open. */
  readonly #retiring = new Set<Lane>();
  #wanted: Wanted = new Map();
  #topics: LaneTopics[] = [];
  #chosen: Transport | undefined;
  #transport: Transport;
  #streamsTimer: Timer | undefined;

  constructor(here: LaneSetSurroundings, chosen: Transport | undefined, events: LaneSetEvents) {
    this.#here = here;
    this.#events = events;
    this.#chosen = chosen;
    this.#transport = this.#preferred();
  }

  /** Nothing is to be received. */
  get isIdle(): boolean {
    return this.#wanted.size === 0;
  }

  /** The transport by which everything that is wanted is received; undefined while something is missing. */
  get liveBy(): Transport | undefined {
    const lanes = [...this.#wanted.keys()].map((key) => this.#lanes.get(key));
    return lanes.every((lane) => lane?.isOpen) ? lanes[0]?.transport : undefined;
  }

  isReceiving(accountId: number): boolean {
    return [...this.#lanes.values()].some((lane) => lane.isOpen && lane.spec.accountId === accountId);
  }

  /** Sets the transport by hand; undefined = by what works. */
  choose(chosen: Transport | undefined): void {
    if (chosen === this.#chosen) return;
    this.#chosen = chosen;
    this.#transport = this.#preferred();
    this.closeAll();
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

  /** Ends the streams that were silent for longer than this, ms; they may be dead. */
  closeSilent(forMs: number): void {
    const nowMs = this.#here.surroundings.now();
    for (const [key, lane] of this.#lanes) {
      if (nowMs - lane.heardAtMs <= forMs) continue;
      lane.close();
      this.#forget(key, lane);
      this.#events.ended(lane.spec.accountId);
    }
  }

  closeAll(): void {
    this.#here.surroundings.clearTimer(this.#streamsTimer);
    for (const lane of [...this.#lanes.values(), ...this.#retiring]) {
      lane.close();
      this.#events.ended(lane.spec.accountId);
    }
    this.#lanes.clear();
    this.#retiring.clear();
  }

  #preferred(): Transport {
    return this.#chosen ?? this.#here.facts.transport ?? "json";
  }

  #plan(): void {
    this.#wanted = new Map();
    for (const { accountId, topics } of this.#topics) {
      const { address, credentials } = this.#here;
      const sorted = [...topics].sort();
      for (const chunk of splitTopicsByUrlLength(address, sorted, undefined, credentials(accountId))) {
        const transport = this.#wanted.size < MAX_STREAMS ? this.#transport : "poll";
        this.#wanted.set(`${accountId} ${transport} ${chunk.join(",")}`, { accountId, topics: chunk, transport });
      }
    }
  }

  #openLane(key: string, spec: LaneSpec, transport: Transport): void {
    const events: LaneEvents = {
      opened: () => this.#opened(key, lane),
      heard: () => this.#events.heard(spec.accountId),
      events: (events) => this.#events.received(events, spec),
      malformed: (count) => this.#events.malformed(count),
      keepalive: (intervalMs) => this.#here.facts.learnKeepalive(intervalMs),
      buffered: () => {
        if (!this.#forget(key, lane)) return;
        this.#events.ended(spec.accountId);
        this.#switchFrom(transport);
      },
      ended: (failure) => {
        if (!this.#forget(key, lane)) return;
        // Neither streams nor polls get through, so that nothing was learnt about streams.
        if (transport === "poll" && this.#transport === "poll") this.#switchTo(this.#preferred());
        this.#events.ended(spec.accountId, failure);
      },
    };
    const lane: Lane = new Lane(
      this.#here.surroundings,
      {
        spec,
        transport,
        receive: this.#receiver(spec, transport),
        keepaliveMs: () => this.#here.facts.keepaliveMs,
        expectOpen: transport !== "poll" && this.#chosen === undefined,
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
    return (sink, signal) => this.#receiveByPolls(accountId, sink, signal);
  }

  /** In place of a stream: polls of the group, again and again. */
  async #receiveByPolls(accountId: number, sink: LiveSink, signal: AbortSignal): Promise<Failure> {
    while (!signal.aborted) {
      const failure = await this.#here.poll(accountId);
      if (failure) return failure;
      sink.opened();
      await this.#sleep(POLL_EVERY_MS, signal);
    }
    return { kind: "ended" };
  }

  #sleep(ms: number, signal: AbortSignal): Promise<void> {
    const { surroundings } = this.#here;
    return new Promise((resolve) => {
      const end = (): void => {
        surroundings.clearTimer(timer);
        signal.removeEventListener("abort", end);
        resolve();
      };
      const timer = surroundings.setTimer(end, ms);
      signal.addEventListener("abort", end);
    });
  }

  #opened(key: string, lane: Lane): void {
    if (this.#lanes.get(key) !== lane) return;
    // A choice by hand tells nothing of what would have worked.
    if (this.#chosen === undefined) {
      if (lane.transport !== "poll") this.#here.facts.learnTransport(lane.transport);
      else if (this.#transport === "poll") this.#retryStreams();
    }
    this.#letRetire();
    this.#events.opened(lane);
  }

  #retryStreams(): void {
    const { surroundings } = this.#here;
    surroundings.clearTimer(this.#streamsTimer);
    this.#streamsTimer = surroundings.setTimer(() => {
      this.#switchTo(this.#preferred());
      this.open();
    }, RETRY_STREAMS_AFTER_MS);
  }

  /** Whether the lane was one that counts, which it now no longer is. */
  #forget(key: string, lane: Lane): boolean {
    this.#retiring.delete(lane);
    return this.#lanes.get(key) === lane && this.#lanes.delete(key);
  }

  /** A proxy holds this transport back: the next one, and polls at last. */
  #switchFrom(heldBack: Transport): void {
    if (this.#transport === heldBack) {
      const first = this.#preferred();
      const order = [first, ...STREAMS.filter((transport) => transport !== first)];
      this.#switchTo(order[order.indexOf(heldBack) + 1] ?? "poll");
    }
    this.open();
  }

  #switchTo(transport: Transport): void {
    this.#transport = transport;
    this.want(this.#topics);
  }

  #letRetire(): void {
    for (const lane of this.#retiring) {
      const { accountId } = lane.spec;
      const successors = [...this.#wanted].filter(([, wanted]) => wanted.accountId === accountId);
      if (successors.some(([key]) => !this.#lanes.get(key)?.isOpen)) continue;
      lane.close();
      this.#retiring.delete(lane);
    }
  }
}
