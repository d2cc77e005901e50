import type { ServerFacts } from "./server-facts";
import type { Clock } from "../environment";

/** How far a heard time may be from the expected one, seconds: rounding, a slow network, a little drift. */
const TOLERANCE_S = 5;

/** Two keepalives heard closer together than this, ms, came from a buffer, and agree by chance. */
const APART_MS = 10_000;

/** A time heard this far ahead, seconds, means that a clock was set forward: buffers account for less. */
const SET_ON_S = 60;

/** What the next hub is told about the clock. */
type ClockFacts = Pick<ServerFacts, "clockAheadS" | "clockSetOnAtMs" | "learnClock" | "learnSetOn">;

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

  constructor(
    private readonly clock: Clock,
    private readonly facts: ClockFacts,
  ) {}

  /** What the server's clock shows now, Unix seconds: what was heard plus the time since. Not for cursors. */
  estimate(): number | undefined {
    if (this.#shownS === undefined || this.#isDoubted) return undefined;
    return this.#shownS + Math.max(0, Math.floor((this.clock.now() - this.#heardMs) / 1_000));
  }

  /**
   * When the server's clock was last heard to be further ahead than elapsed time explains, device clock, ms: one of the
   * clocks was set. A message stamped before that and accepted after it lies that much further back.
   */
  get setOnAtMs(): number | undefined {
    return this.facts.clockSetOnAtMs;
  }

  /**
   * The estimate, or a guess if nothing was heard: the device's clock, corrected by what an earlier hub heard of the
   * server. The device's clock may have been set since, so nothing may be shown early, or count as expired, by this.
   */
  get nowS(): number {
    return this.estimate() ?? this.#deviceS() + (this.facts.clockAheadS ?? 0);
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
    const heardMs = this.clock.now();
    if (expectedS !== undefined && timeS < expectedS - TOLERANCE_S) {
      const before = this.#late;
      if (before && heardMs - before.heardMs < APART_MS) return;
      this.#late = { timeS, heardMs };
      if (!before) return;
      if (Math.abs(timeS - before.timeS - (heardMs - before.heardMs) / 1_000) > TOLERANCE_S) return;
    }
    this.#believe(timeS);
  }

  /** A live message only moves the clock forward, and not into the future: it may have been buffered. */
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
    const wasHeard = this.#shownS !== undefined || this.facts.clockAheadS !== undefined;
    if (wasHeard && timeS > this.nowS + SET_ON_S) this.facts.learnSetOn(this.clock.now());
    this.#set(timeS);
    this.#late = undefined;
    this.#isDoubted = false;
    this.facts.learnClock(timeS - this.#deviceS());
  }

  #set(timeS: number): void {
    this.known = timeS;
    this.#shownS = timeS;
    this.#heardMs = this.clock.now();
  }

  #deviceS(): number {
    return Math.floor(this.clock.now() / 1_000);
  }
}
