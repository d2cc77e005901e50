import type { Transport } from "../contract";
import type { Failure, ProtocolEvent } from "../protocol";
import type { Clock, Timer } from "./environment";
import type { LiveSink, Receive } from "./transport";
import { longestSilenceMs, plausibleKeepalive, Watchdog } from "./watchdog";

/** Without `open` for this long, ms, a proxy is holding the stream back (docs/design.md §4). */
export const OPEN_WITHIN_MS = 5_000;

/** Which stream: topics of one account, short enough for one URL. */
export interface StreamSpec {
  accountId: number;
  topics: readonly string[];
}

/** What can happen to an attempt. After `ended` or `heldBack` nothing more comes. */
export interface AttemptEvents {
  opened(): void;
  heard(): void;
  events(events: ProtocolEvent[]): void;
  malformed(count: number): void;
  /** The observed interval between keepalives, ms. */
  keepalive(intervalMs: number): void;
  /** Nothing comes through by this transport. */
  heldBack(): void;
  ended(failure: Failure): void;
}

export interface AttemptOptions {
  spec: StreamSpec;
  transport: Transport;
  receive: Receive;
  keepaliveMs: () => number;
  /** Give up when no `open` comes in time, as there is another transport to try. */
  expectOpen: boolean;
  /** Finds out whether an open stream is dead, if its silence doesn't tell: resolves to why, or undefined. */
  check?: (() => Promise<Failure | undefined>) | undefined;
}

/** One attempt to receive the live messages of some topics: it opens, is watched, and ends. It never opens again. */
export class StreamAttempt implements LiveSink {
  readonly spec: StreamSpec;
  readonly transport: Transport;
  readonly #topics: ReadonlySet<string>;
  #isOpen = false;
  #isOver = false;
  readonly #clock: Clock;
  readonly #events: AttemptEvents;
  readonly #aborter = new AbortController();
  readonly #watchdog: Watchdog | undefined;
  readonly #expectOpen: boolean;
  readonly #check: AttemptOptions["check"];
  #openedAtMs = 0;
  #openTimer: Timer | undefined;
  /**
   * Server time of the last keepalive, Unix seconds. The interval is measured by the server's clock, as two keepalives
   * may arrive at once after a stall.
   */
  #keepaliveS: number | undefined;

  constructor(clock: Clock, options: AttemptOptions, events: AttemptEvents) {
    const { spec, transport, receive, keepaliveMs, expectOpen } = options;
    this.#clock = clock;
    this.#expectOpen = expectOpen;
    this.#check = options.check;
    this.spec = spec;
    this.#topics = new Set(spec.topics);
    this.transport = transport;
    this.#events = events;
    // Polls watch themselves, and are silent in between.
    if (transport !== "poll") {
      const limitMs = (): number => longestSilenceMs(keepaliveMs());
      this.#watchdog = new Watchdog(clock, limitMs, () => void this.#doubt());
    }
    if (expectOpen) this.#openTimer = clock.setTimer(() => this.#giveUp(), OPEN_WITHIN_MS);
    void this.#run(receive);
  }

  /** Whether something from the server has come through. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether it asks for all of these topics. */
  carries(topics: readonly string[]): boolean {
    return topics === this.spec.topics || topics.every((topic) => this.#topics.has(topic));
  }

  /** How long it has been open, ms. */
  get livedMs(): number {
    return this.#isOpen ? this.#clock.now() - this.#openedAtMs : 0;
  }

  /** When the last byte came, device clock, ms. */
  get heardAtMs(): number {
    return this.#watchdog?.lastMs ?? this.#clock.now();
  }

  /** Ends the attempt as dead. */
  fail(failure: Failure): void {
    this.#end(failure);
  }

  /** Ends the attempt without an event. */
  close(): void {
    this.#isOver = true;
    this.#watchdog?.stop();
    this.#clock.clearTimer(this.#openTimer);
    this.#aborter.abort();
  }

  // For what receives

  opened(): void {
    if (this.#isOpen || this.#isOver) return;
    this.#isOpen = true;
    this.#openedAtMs = this.#clock.now();
    this.#clock.clearTimer(this.#openTimer);
    this.#events.opened();
    this.#events.heard();
  }

  heard(): void {
    this.#watchdog?.feed();
    // Before it is open, anything may have answered.
    if (this.#isOpen && !this.#isOver) this.#events.heard();
  }

  events(events: ProtocolEvent[]): void {
    if (this.#isOver) return;
    // `open` may come late, or not at all (docs/protocol.md §18, C3): any event shows that nothing is held back.
    this.opened();
    for (const event of events) if (event.event === "keepalive") this.#measure(event.time);
    this.#events.events(events);
  }

  malformed(count: number): void {
    this.#events.malformed(count);
  }

  // Its course

  async #run(receive: Receive): Promise<void> {
    const end = await receive(this, this.#aborter.signal);
    if (end !== "held-back") this.#end(end);
    else if (this.#expectOpen) this.#giveUp();
    else this.#end({ kind: "network" });
  }

  /** Handles a silence that was too long. */
  async #doubt(): Promise<void> {
    const failure = this.#isOpen && this.#check ? await this.#check() : ({ kind: "silent" } as const);
    if (this.#isOver) return;
    if (failure) this.#end(failure);
    else this.#watchdog?.restart();
  }

  #measure(timeS: number): void {
    const intervalMs =
      this.#keepaliveS === undefined ? undefined : plausibleKeepalive((timeS - this.#keepaliveS) * 1_000);
    this.#keepaliveS = timeS;
    if (intervalMs !== undefined) this.#events.keepalive(intervalMs);
  }

  #giveUp(): void {
    if (this.#isOver) return;
    this.close();
    this.#events.heldBack();
  }

  #end(failure: Failure): void {
    if (this.#isOver) return;
    this.close();
    this.#events.ended(failure);
  }
}
