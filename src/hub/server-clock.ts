import type { ServerFacts } from "./server-facts";
import type { Clock } from "./surroundings";

/** A message may be this much ahead of the expected time, seconds: rounding and a little drift. */
const TOLERANCE_S = 5;

/**
 * What a server's clock is known to have shown. Only what the server says live counts (`open`, `keepalive`, a live
 * message): never the device's clock, never a message that lies in the future (DESIGN, section 4).
 */
export class ServerClock {
  readonly #clock: Clock;
  readonly #facts: Pick<ServerFacts, "clockAheadS" | "learnClock">;
  #timeS: number | undefined;
  /** Device clock, ms, when `#timeS` was heard. */
  #heardMs = 0;
  #isDoubted = false;

  constructor(clock: Clock, facts: Pick<ServerFacts, "clockAheadS" | "learnClock">) {
    this.#clock = clock;
    this.#facts = facts;
  }

  /** Server time, seconds, that has passed for certain; the newest that was heard. */
  get known(): number | undefined {
    return this.#timeS;
  }

  /** What the server's clock shows now, seconds: what was heard and the time since. Not for cursors. */
  estimate(): number | undefined {
    if (this.#timeS === undefined || this.#isDoubted) return undefined;
    return this.#timeS + Math.max(0, Math.floor((this.#clock.now() - this.#heardMs) / 1_000));
  }

  /**
   * The same, and a guess where nothing was heard: the device's clock, corrected by what was heard of the server in
   * former times. The device's clock may have been set meanwhile, so nothing may be shown early, or gone, by this.
   */
  get nowS(): number {
    return this.estimate() ?? this.#deviceS() + this.#facts.clockAheadS;
  }

  /** The device slept, or its clock was set: what was heard before says nothing of now. */
  doubt(): void {
    this.#isDoubted = true;
  }

  /** `open` and `keepalive` are stamped when they are sent; they also take the clock back after it was set. */
  hearSignal(timeS: number): void {
    this.#set(timeS);
    this.#isDoubted = false;
    this.#facts.learnClock(timeS - this.#deviceS());
  }

  /** A live message only moves the clock forward, and not into the future. */
  hearMessage(timeS: number): void {
    const estimate = this.estimate();
    if (this.#timeS === undefined || estimate === undefined) return;
    if (timeS > this.#timeS && timeS <= estimate + TOLERANCE_S) this.#set(timeS);
  }

  #set(timeS: number): void {
    this.#timeS = timeS;
    this.#heardMs = this.#clock.now();
  }

  #deviceS(): number {
    return Math.floor(this.#clock.now() / 1_000);
  }
}
