import type { Transport } from "../../contract";
import type { ServerFacts } from "../server/server-facts";
import type { Clock, Timer } from "../environment";

/** How many HTTP streams to one server: browsers allow six connections, and polls need some (docs/design.md §4). */
const MAX_STREAMS = 3;

/** After polling for this long, ms, streams are tried again: a stalled server holds back all. Each time it is doubled. */
const RETRY_FROM_POLLS_AFTER_MS = 60_000;
const MAX_POLLING_MS = 900_000;

/** After a lesser transport has worked for this long, ms, better ones are tried again, which costs a request. */
const RETRY_FROM_STREAM_AFTER_MS = 3_600_000;

/** If a server limits the number of streams, one more is tried after this long, ms, which costs some requests. */
const ONE_MORE_AFTER_MS = 300_000;

/** After this many streams in a row shorter than this, ms, something can't carry them; cuts every 20 s are normal. */
const SHORT_LIFE_MS = 10_000;
const SHORT_LIVES = 4;

/** Best first. A dead WebSocket is noticed late, because its pings are hidden (docs/protocol.md §18, C4). */
const STREAMS: readonly Transport[] = ["json", "sse", "ws"];

/**
 * Chooses how to receive from a server (docs/design.md §4, "Transports"): by what worked last, else by JSON lines, and
 * by the next transport if nothing gets through. A lesser one continues to receive while better ones are tried now and
 * then.
 */
export class TransportChoice {
  /** The transport that must be used; undefined = whatever works. */
  chosen: Transport | undefined;
  #order: readonly Transport[] = [];
  #at = 0;
  #shortLives = 0;
  #pollForMs = RETRY_FROM_POLLS_AFTER_MS;
  /** How many streams the server takes, as far as it has said. */
  #room = MAX_STREAMS;
  #timer: Timer | undefined;
  #roomTimer: Timer | undefined;

  /** @param retry called when `current` has changed by itself, because it is time to try better ones */
  constructor(
    private readonly clock: Clock,
    private readonly facts: ServerFacts,
    private readonly retry: () => void,
  ) {
    this.reset();
  }

  get current(): Transport {
    return this.#order[this.#at] ?? "poll";
  }

  choose(chosen: Transport | undefined): void {
    this.chosen = chosen;
    this.reset();
  }

  /** Forgets everything except what worked last. */
  reset(): void {
    this.stop();
    const first = this.chosen ?? this.facts.transport ?? "json";
    this.#start(this.chosen ? [first] : [first, ...STREAMS.filter((transport) => transport !== first)]);
  }

  stop(): void {
    this.clock.clearTimer(this.#timer);
    this.clock.clearTimer(this.#roomTimer);
  }

  /** The transport for part of the topics: streams for the first three, as far as the server allows, else polls. */
  forPart(index: number): Transport {
    return index < this.#room ? this.current : "poll";
  }

  /** Whether another transport would be tried instead of this one. */
  hasOther(transport: Transport): boolean {
    return transport !== "poll" && (this.chosen === undefined || transport !== this.chosen);
  }

  /** Records that a transport brought something. */
  worked(transport: Transport): void {
    // A choice by hand doesn't show what else would have worked.
    if (this.chosen !== undefined || transport !== this.current) return;
    const polls = transport === "poll";
    if (!polls) {
      this.#pollForMs = RETRY_FROM_POLLS_AFTER_MS;
      this.facts.learnTransport(transport);
    }
    if (transport === STREAMS[0]) return;
    const afterMs = polls ? this.#pollForMs : RETRY_FROM_STREAM_AFTER_MS;
    this.clock.clearTimer(this.#timer);
    this.#timer = this.clock.setTimer(() => {
      if (polls) this.#pollForMs = Math.min(2 * afterMs, MAX_POLLING_MS);
      this.#start(STREAMS);
      this.retry();
    }, afterMs);
  }

  /** Records that nothing came through by a transport. */
  heldBack(transport: Transport): void {
    if (transport === this.current) {
      this.#at += 1;
      this.#shortLives = 0;
    }
  }

  /** Records that an open stream ended after this long, ms. Returns whether this has happened too often. */
  hasEnded(transport: Transport, livedMs: number): boolean {
    if (this.chosen !== undefined || transport !== this.current || transport === "poll") return false;
    this.#shortLives = livedMs < SHORT_LIFE_MS ? this.#shortLives + 1 : 0;
    if (this.#shortLives < SHORT_LIVES) return false;
    // What cuts streams is no stall, and will cut those that are tried next.
    this.#pollForMs = MAX_POLLING_MS;
    this.heldBack(transport);
    return true;
  }

  /** Records that the server takes no more than these streams. Returns whether that is news. */
  crowded(streams: number): boolean {
    if (streams < 0 || streams >= this.#room) return false;
    this.#room = streams;
    this.#tryOneMore();
    return true;
  }

  #tryOneMore(): void {
    this.clock.clearTimer(this.#roomTimer);
    this.#roomTimer = this.clock.setTimer(() => {
      this.#room += 1;
      if (this.#room < MAX_STREAMS) this.#tryOneMore();
      this.retry();
    }, ONE_MORE_AFTER_MS);
  }

  #start(order: readonly Transport[]): void {
    this.#order = order;
    this.#at = 0;
    this.#shortLives = 0;
    this.#room = MAX_STREAMS;
  }
}
