import type { Transport } from "../protocol";
import type { ServerFacts } from "./server-facts";
import type { Clock, Timer } from "./environment";

/** HTTP streams to one server at a time: browsers allow six connections, and polls need some (docs/design.md §4). */
export const MAX_STREAMS = 3;

/** After this long by polls, ms, streams are tried again. */
const RETRY_FROM_POLLS_AFTER_MS = 900_000;

/** A stream of a lesser kind works, so that a better one is worth one request now and then, ms. */
const RETRY_FROM_STREAM_AFTER_MS = 3_600_000;

/**
 * Streams that end so soon, ms, and so often in a row are cut by something that bears no stream. Proxies that cut every
 * 20 s or so are normal life: a stream is replaced at once.
 */
const SHORT_LIFE_MS = 10_000;
const SHORT_LIVES = 4;

/**
 * Best first: a WebSocket's signs of life can't be seen, so that a dead one is found later (docs/protocol.md §19,
 * trap 18).
 */
const STREAMS: readonly Transport[] = ["json", "sse", "ws"];

/**
 * Chooses how a server is received (docs/design.md §4, "Transports"): what worked last, else JSON lines, and the next
 * one where nothing gets through. A lesser one that works is given up for a try of the better ones now and then, while
 * it goes on receiving.
 */
export class TransportChoice {
  readonly #clock: Clock;
  readonly #facts: ServerFacts;
  readonly #retry: () => void;
  #chosen: Transport | undefined;
  #order: readonly Transport[] = [];
  #at = 0;
  #shortLives = 0;
  /** A WebSocket beside HTTP streams, for topics that find no room in them, does not get through. */
  #isExtraBlocked = false;
  #timer: Timer | undefined;

  /** @param retry what is current has changed by itself, as it is time to try better ones */
  constructor(clock: Clock, facts: ServerFacts, chosen: Transport | undefined, retry: () => void) {
    this.#clock = clock;
    this.#facts = facts;
    this.#retry = retry;
    this.#chosen = chosen;
    this.reset();
  }

  /** Chosen by hand; undefined = by what works. */
  get chosen(): Transport | undefined {
    return this.#chosen;
  }

  get current(): Transport {
    return this.#order[this.#at] ?? "poll";
  }

  choose(chosen: Transport | undefined): void {
    this.#chosen = chosen;
    this.reset();
  }

  /** Nothing is known any more but what worked last. */
  reset(): void {
    this.stop();
    const first = this.#chosen ?? this.#facts.transport ?? "json";
    this.#start(this.#chosen ? [first] : [first, ...STREAMS.filter((transport) => transport !== first)]);
  }

  stop(): void {
    this.#clock.clearTimer(this.#timer);
  }

  /** For one part of the topics, of which each has a URL: three streams, a WebSocket, and polls for all the rest. */
  forPart(index: number): Transport {
    if (this.current === "poll" || index < MAX_STREAMS) return this.current;
    return index === MAX_STREAMS && !this.#isExtraBlocked ? "ws" : "poll";
  }

  /** Whether another would be tried in place of this one. */
  hasOther(transport: Transport): boolean {
    return transport !== "poll" && (this.#chosen === undefined || transport !== this.#chosen);
  }

  /** It brought something. */
  worked(transport: Transport): void {
    // A choice by hand tells nothing of what would have worked; nor does a device that only polls for now.
    if (this.#chosen !== undefined || transport !== this.current) return;
    if (transport !== "poll") this.#facts.learnTransport(transport);
    if (transport === STREAMS[0]) return;
    this.stop();
    const afterMs = transport === "poll" ? RETRY_FROM_POLLS_AFTER_MS : RETRY_FROM_STREAM_AFTER_MS;
    this.#timer = this.#clock.setTimer(() => {
      this.#start(STREAMS);
      this.#retry();
    }, afterMs);
  }

  /** Nothing came through. */
  heldBack(transport: Transport): void {
    if (transport === this.current) {
      this.#at += 1;
      this.#shortLives = 0;
    } else if (transport === "ws") this.#isExtraBlocked = true;
  }

  /** A stream that was open has ended after so long, ms. Whether that was once too often. */
  hasEnded(transport: Transport, livedMs: number): boolean {
    if (this.#chosen !== undefined || transport !== this.current || transport === "poll") return false;
    this.#shortLives = livedMs < SHORT_LIFE_MS ? this.#shortLives + 1 : 0;
    if (this.#shortLives < SHORT_LIVES) return false;
    this.heldBack(transport);
    return true;
  }

  #start(order: readonly Transport[]): void {
    this.#order = order;
    this.#at = 0;
    this.#shortLives = 0;
    this.#isExtraBlocked = false;
  }
}
