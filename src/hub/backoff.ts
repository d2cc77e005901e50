/** Shortest and longest wait between tries, ms (DESIGN, section 4). */
export const MIN_DELAY_MS = 1_000;
export const MAX_DELAY_MS = 60_000;

/** After this long without a failure the next one starts small again. */
export const STABLE_AFTER_MS = 60_000;

/** The waits between tries at one server: exponential with full jitter, so that clients of a restarted server spread. */
export class Backoff {
  #attempt = 0;
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** How many tries failed in a row. */
  get attempt(): number {
    return this.#attempt;
  }

  /** Counts a failure and says how long to wait, ms; never less than `atLeastMs`. */
  next(atLeastMs = MIN_DELAY_MS): number {
    this.#attempt += 1;
    const ceiling = Math.min(MAX_DELAY_MS, MIN_DELAY_MS * 2 ** this.#attempt);
    const delay = MIN_DELAY_MS + this.#random() * (ceiling - MIN_DELAY_MS);
    return Math.max(delay, atLeastMs);
  }

  reset(): void {
    this.#attempt = 0;
  }
}
