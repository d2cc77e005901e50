// Receives live messages of some topics, from the bytes of one try to the ingest: by an HTTP stream or a WebSocket;
// whether it opened, is alive, or has ended; and which subscription each message is for.
import type { Transport } from "../../contract";
import {
  type Failure,
  type ProtocolEvent,
  type Credentials,
  decodeLine,
  lineFraming,
  SseFraming,
  authCheckUrl,
  frameOfText,
  isStorable,
  MALFORMED,
  subscribeUrl,
  withCredentials,
} from "../../protocol";
import type { Arrival } from "../../store";
import type { Timer, ConnectWebSocket } from "../environment";
import {
  type EventSink,
  longestSilenceMs,
  Watchdog,
  EventReading,
  MAX_STRANGE_LINES,
  NO_EVENTS,
  receiveFrames,
} from "../requests/receive-frames";
import type { ServerContext } from "../server/server-context";
import { type Requests, TOO_MANY_ERRORS } from "../requests/requests";

/** What a stream is for: only live messages of these topics. */
export interface StreamRequest {
  topics: readonly string[];
  credentials?: Credentials | undefined;
}

/** One attempt to receive live, until it ends or is aborted. Never throws. `held-back`: this transport is blocked. */
export type Receive = (sink: EventSink, signal: AbortSignal) => Promise<Failure | "held-back">;

/** Receives by an HTTP stream, live only (docs/protocol.md §8). `EventSource` gives up on errors, so SSE is fetched. */
export function receiveByStream(requests: Requests, format: "json" | "sse", request: StreamRequest): Receive {
  return async (sink, signal) => {
    const reading = new EventReading(sink, MAX_STRANGE_LINES);
    const end = await receiveFrames(requests, {
      ...request,
      format,
      framing: format === "json" ? lineFraming(decodeLine) : new SseFraming(),
      take: (frames) => reading.take(frames),
      signal,
      onTurn: () => sink.asked?.(),
    });
    if (reading.isStrange()) return NO_EVENTS;
    if (reading.failure) return requests.counted(reading.failure);
    return end === "whole" ? { kind: "ended" } : end;
  };
}

/** Receives by a WebSocket (docs/protocol.md §7 and 8). It has no headers, so credentials go into its address. */
export function receiveByWebSocket(connect: ConnectWebSocket, requests: Requests, request: StreamRequest): Receive {
  const { topics, credentials } = request;
  const { address } = requests;
  return async (sink, signal) => {
    if (requests.isBounded) await requests.count.turn(signal);
    if (signal.aborted) return { kind: "ended" };
    sink.asked?.();
    if (requests.isBounded && requests.count.room("receiving") < 1) {
      requests.count.refused(requests.environment.now());
      return TOO_MANY_ERRORS;
    }
    requests.count.add();
    const madeAtMs = requests.environment.now();
    let isServed = false;
    const reading = new EventReading(sink, MAX_STRANGE_LINES);
    await new Promise<void>((resolve) => {
      const url = subscribeUrl({ address, topics, format: "ws" });
      const line = connect(credentials ? withCredentials(url, credentials) : url, {
        data(data) {
          if (signal.aborted) return;
          if (!isServed) requests.count.served(madeAtMs);
          isServed = true;
          // Binary data isn't a frame of the protocol; it counts as a line that can't be read.
          if (reading.take([typeof data === "string" ? frameOfText(data) : MALFORMED]) !== "enough") return;
          line.close();
          resolve();
        },
        closed: () => resolve(),
      });
      signal.addEventListener("abort", () => {
        line.close();
        resolve();
      });
    });
    if (reading.isStrange()) return NO_EVENTS;
    if (reading.failure) return requests.counted(reading.failure);
    if (isServed || signal.aborted) return { kind: "ended" };
    // It may have been refused; its status is hidden.
    requests.count.answered(400);
    return whyRefused(requests, request, signal);
  };
}

/** A refused handshake tells a script nothing (docs/protocol.md §10), so a plain request has to find out why. */
async function whyRefused(
  requests: Requests,
  { topics, credentials }: StreamRequest,
  signal: AbortSignal,
): Promise<Failure | "held-back"> {
  const failure = await requests.failure({
    url: authCheckUrl(requests.address, topics),
    credentials,
    signal,
    isOnce: true,
  });
  // If the server answers and lets us read, something in between blocks the upgrade.
  return failure ?? "held-back";
}

/** Without `open` for this long, ms, a proxy is holding the stream back (docs/design.md §4). */
export const OPEN_WITHIN_MS = 5_000;

/** A message this much older than its arrival, seconds, isn't new. */
const HISTORY_AFTER_S = 60;

/** An observed interval outside these bounds, ms, means that the server's clock was set. */
const MIN_KEEPALIVE_MS = 5_000;
const MAX_KEEPALIVE_MS = 600_000;

/** Which stream: topics of one account, few enough for one URL. */
export interface StreamSpec {
  accountId: number;
  topics: readonly string[];
}

interface AttemptOptions {
  spec: StreamSpec;
  transport: Transport;
  receive: Receive;
  /** Whether to give up if no `open` comes in time, because there is another transport to try. */
  expectOpen: boolean;
  opened(): void;
  /** Called once, as the last event. `held-back`: nothing gets through by this transport. */
  ended(end: Failure | "held-back"): void;
}

/** The topics that a stream carries, as it sees them. */
export interface StreamedGroup {
  /** Bytes came. */
  heard(): void;
  /** An order within a second is now unknown and matters. */
  askOrder(): void;
  /** Polls in place of a stream. Resolves to why that failed, if it did, and how many messages were missing. */
  pollInPlace(): Promise<{ failure?: Failure; missing: number }>;
  /** Polls to find out whether a stream that may be silent for long is dead: resolves to why, or undefined. */
  checkSilence(): Promise<Failure | undefined>;
}

/** One attempt to receive the live messages of some topics: it opens, is watched, and ends. It never reopens. */
export class StreamAttempt implements EventSink {
  readonly spec: StreamSpec;
  readonly transport: Transport;
  /**
   * Whether it may be dead, and continues only until another one has opened in its place. What it brings may have been
   * buffered while the device slept, so it says nothing about the time.
   */
  isDoubted = false;
  readonly #topics: ReadonlySet<string>;
  /** Whether anything from the server has come through. */
  isOpen = false;
  #isOver = false;
  readonly #aborter = new AbortController();
  /** Polls have none: they watch themselves, and are silent in between. */
  #watchdog: Watchdog | undefined;
  #openedAtMs = 0;
  #openTimer: Timer | undefined;
  /** Server time of the last keepalive, Unix seconds: after a stall, two may arrive at once. */
  #keepaliveS: number | undefined;

  constructor(
    private readonly here: ServerContext,
    private readonly group: StreamedGroup,
    private readonly options: AttemptOptions,
  ) {
    const { spec, transport, receive } = options;
    this.spec = spec;
    this.#topics = new Set(spec.topics);
    this.transport = transport;
    void this.#run(receive);
  }

  /** Whether it asks for all of these topics. */
  carries(topics: readonly string[]): boolean {
    return topics === this.spec.topics || topics.every((topic) => this.#topics.has(topic));
  }

  /** How long it has been open, ms. */
  get livedMs(): number {
    return this.isOpen ? this.here.environment.now() - this.#openedAtMs : 0;
  }

  /** When the last byte came, device clock, ms. */
  get heardAtMs(): number {
    return this.#watchdog?.lastMs ?? this.here.environment.now();
  }

  /** Ends the attempt: as dead, or because nothing gets through. */
  end(end: Failure | "held-back"): void {
    if (this.#isOver) return;
    this.close();
    this.options.ended(end);
  }

  /** Ends the attempt without an event. */
  close(): void {
    this.#isOver = true;
    this.#watchdog?.stop();
    this.here.environment.clearTimer(this.#openTimer);
    this.#aborter.abort();
  }

  // From the receiver

  asked(): void {
    const { environment, facts } = this.here;
    const limitMs = (): number => longestSilenceMs(facts.keepaliveMs);
    this.#watchdog = new Watchdog(environment, limitMs, () => void this.#doubt());
    if (this.options.expectOpen) this.#openTimer = environment.setTimer(() => this.end("held-back"), OPEN_WITHIN_MS);
  }

  opened(): void {
    if (this.isOpen || this.#isOver) return;
    this.isOpen = true;
    this.#openedAtMs = this.here.environment.now();
    this.here.environment.clearTimer(this.#openTimer);
    this.options.opened();
    this.#inContact();
  }

  heard(): void {
    this.#watchdog?.feed();
    // Before it is open, the answer may have come from anything.
    if (this.isOpen && !this.#isOver) this.#inContact();
  }

  events(events: ProtocolEvent[]): void {
    if (this.#isOver) return;
    // `open` may come late, or not at all (docs/protocol.md §18, C3): any event shows that nothing is held back.
    this.opened();
    for (const event of events) if (event.event === "keepalive") this.#measure(event.time);
    void this.#take(events).then((isUnsettled) => isUnsettled && this.group.askOrder());
  }

  malformed(count: number): void {
    this.here.status.countMalformed(count);
  }

  // Its course

  async #run(receive: Receive): Promise<void> {
    const end = await receive(this, this.#aborter.signal);
    this.end(end === "held-back" && !this.options.expectOpen ? { kind: "network" } : end);
  }

  #inContact(): void {
    this.here.status.heard();
    this.group.heard();
  }

  /** Handles a silence that was too long. */
  async #doubt(): Promise<void> {
    // The browser hides the pings of a WebSocket (docs/protocol.md §18, C4).
    const isHidden = this.isOpen && this.transport === "ws";
    const failure = isHidden ? await this.group.checkSilence() : ({ kind: "silent" } as const);
    if (this.#isOver) return;
    if (failure) this.end(failure);
    else this.#watchdog?.restart();
  }

  #measure(timeS: number): void {
    const intervalMs = (timeS - (this.#keepaliveS ?? timeS)) * 1_000;
    this.#keepaliveS = timeS;
    if (intervalMs >= MIN_KEEPALIVE_MS && intervalMs <= MAX_KEEPALIVE_MS) this.here.facts.learnKeepalive(intervalMs);
  }

  /**
   * Learns the server's time from events and stores messages, which may alert. Resolves to whether an order within a
   * second is now unknown and matters.
   */
  async #take(events: ProtocolEvent[]): Promise<boolean> {
    const { here, isDoubted } = this;
    const { accountId, topics } = this.spec;
    const { serverId, plan, serverClock, facts, ingest, status, due } = here;
    const arrivals: Arrival[] = [];
    let foreign = 0;
    for (const event of events) {
      if (!isDoubted && (event.event === "open" || event.event === "keepalive")) {
        const isFirst = serverClock.estimate() === undefined;
        if (event.event === "open") serverClock.hearOpen(event.time);
        else serverClock.hearKeepalive(event.time);
        if (isFirst) void due.settle();
      }
      if (event.event === "keepalive") status.changed();
      else here.broughtAtMs = here.environment.now();
      if (!isStorable(event)) continue;
      if (!isDoubted) serverClock.hearMessage(event.time);
      const isAsked = topics.includes(event.topic);
      const own = isAsked && plan.subscriptions.find((one) => one.accountId === accountId && one.topic === event.topic);
      if (!isAsked) foreign += 1;
      // Servers in a cluster may send old messages again. A new topic's history is left to its poll, or it would alert.
      const isHistory = own && own.joined === undefined && event.time < (serverClock.estimate() ?? 0) - HISTORY_AFTER_S;
      if (own && !isHistory) arrivals.push({ subId: own.subId, event, via: "stream" });
    }
    if (foreign > 0) status.countMalformed(foreign);
    if (arrivals.length === 0) return false;
    const { nowS } = serverClock;
    if (facts.learnRetention(arrivals, nowS)) status.changed();
    return ingest.addLive({ serverId, arrivals, serverNowS: nowS, alerts: true });
  }
}
