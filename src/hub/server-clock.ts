import type { ServerFacts } from "./server-facts";
import type { Clock } from "./environment";

/** What is heard may be this far from the expected time, seconds: rounding, a slow network, a little drift. */
const TOLERANCE_S = 5;

/** Two keepalives that come closer together than this, ms, lay in buffers, and agree by chance. */
const APART_MS = 10_000;

/**
 * More than a line may lie in a buffer before a sleep is noticed, seconds: by so much only a clock that is set moves
 * on.
 */
const SET_ON_S = 60;

/** What is remembered of it when the hub is another one. */
type ClockFacts = Pick<ServerFacts, "clockAheadS" | "clockSetOnAtMs" | "learnClock" | "learnSetOn">;

/**
 * What a server's clock is known to have shown. Only what the server says live counts (`open`, `keepalive`, a live
 * message): never the device's clock, never a message that lies in the future (docs/design.md §4).
 */
export class ServerClock {
  readonly #clock: Clock;
  readonly #facts: ClockFacts;
  #knownS: number | undefined;
  /** What the clock was heard to show, seconds, and when, device clock, ms: the estimate counts from here. */
  #shownS: number | undefined;
  #heardMs = 0;
  #isDoubted = false;
  /** The last keepalive that told an earlier time than expected, and when it was heard, device clock, ms. */
  #late: { timeS: number; heardMs: number } | undefined;

  constructor(clock: Clock, facts: ClockFacts) {
    this.#clock = clock;
    this.#facts = facts;
  }

  /** Server time, seconds, that has passed for certain; the newest that was heard. */
  get known(): number | undefined {
    return this.#knownS;
  }

  /** What the server's clock shows now, seconds: what was heard and the time since. Not for cursors. */
  estimate(): number | undefined {
    if (this.#shownS === undefined || this.#isDoubted) return undefined;
    return this.#shownS + Math.max(0, Math.floor((this.#clock.now() - this.#heardMs) / 1_000));
  }

  /**
   * Device clock, ms, when it was last heard to be further on than time alone could have taken it: one of the clocks
   * was set. What was stamped before that, and accepted after, lies as much further back as well.
   */
  get setOnAtMs(): number | undefined {
    return this.#facts.clockSetOnAtMs;
  }

  /**
   * The same, and a guess where nothing was heard: the device's clock, corrected by what was heard of the server in
   * former times. The device's clock may have been set meanwhile, so nothing may be shown early, or gone, by this.
   */
  get nowS(): number {
    return this.estimate() ?? this.#deviceS() + (this.#facts.clockAheadS ?? 0);
  }

  /** The device slept, or its clock was set: what was heard before says nothing of now. */
  doubt(): void {
    this.#isDoubted = true;
  }

  /** Stamped as the stream begins: also takes the clock back after it was set. */
  hearOpen(timeS: number): void {
    this.#believe(timeS);
  }

  /**
   * Stamped when it is sent. One that tells an earlier time than expected may have lain in a buffer while the device
   * slept; only a second one, later by some seconds and as much later as it says, shows that the clock was set back.
   */
  hearKeepalive(timeS: number): void {
    const expectedS = this.estimate();
    const heardMs = this.#clock.now();
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
   * A live message only moves the clock forward, and not into the future: it too may have lain in a buffer for hours.
   */
  hearMessage(timeS: number): void {
    const estimate = this.estimate();
    if (this.#knownS === undefined || estimate === undefined) return;
    if (timeS <= this.#knownS || timeS > estimate + TOLERANCE_S) return;
    if (timeS > estimate) this.#set(timeS);
    else this.#knownS = timeS;
  }

  #believe(timeS: number): void {
    const isAlmostNow = timeS >= (this.estimate() ?? Infinity) - TOLERANCE_S;
    // Of two streams the one that is later may bring the older line.
    if (isAlmostNow && timeS < (this.#knownS ?? -Infinity)) return;
    const wasHeard = this.#shownS !== undefined || this.#facts.clockAheadS !== undefined;
    if (wasHeard && timeS > this.nowS + SET_ON_S) this.#facts.learnSetOn(this.#clock.now());
    this.#set(timeS);
    this.#late = undefined;
    this.#isDoubted = false;
    this.#facts.learnClock(timeS - this.#deviceS());
  }

  #set(timeS: number): void {
    this.#knownS = timeS;
    this.#shownS = timeS;
    this.#heardMs = this.#clock.now();
  }

  #deviceS(): number {
    return Math.floor(this.#clock.now() / 1_000);
  }
}
