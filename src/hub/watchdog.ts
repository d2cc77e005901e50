import type { Clock, Timer } from "./environment";

/** Interval between keepalives until one has been observed (docs/protocol.md §8). */
export const DEFAULT_KEEPALIVE_MS = 45_000;

/** Learnt intervals outside these are a server's clock being set, not an interval. */
const MIN_KEEPALIVE_MS = 5_000;
const MAX_KEEPALIVE_MS = 600_000;

/** On top of two intervals, for slow networks. */
const MARGIN_MS = 10_000;

/** How long a stream may be silent before it counts as dead (docs/design.md §4). */
export function longestSilenceMs(keepaliveMs: number): number {
  return 2 * keepaliveMs + MARGIN_MS;
}

/** Bounds an observed interval. Undefined when it is none. */
export function plausibleKeepalive(intervalMs: number): number | undefined {
  return intervalMs >= MIN_KEEPALIVE_MS && intervalMs <= MAX_KEEPALIVE_MS ? intervalMs : undefined;
}

/**
 * Calls back once when nothing was heard for too long. One timer for many calls of `feed`, as bytes come by the
 * thousand; it is set again for the rest when it fires early.
 */
export class Watchdog {
  readonly #clock: Clock;
  readonly #limitMs: () => number;
  readonly #bark: () => void;
  #timer: Timer | undefined;
  #lastMs: number;

  constructor(clock: Clock, limitMs: () => number, bark: () => void) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    this.#bark = bark;
    this.#lastMs = clock.now();
    this.#arm(limitMs());
  }

  /** Device clock, ms, of the last sign of life. */
  get lastMs(): number {
    return this.#lastMs;
  }

  feed(): void {
    this.#lastMs = this.#clock.now();
  }

  /** Starts anew after it has called back. */
  restart(): void {
    this.feed();
    this.#arm(this.#limitMs());
  }

  stop(): void {
    this.#clock.clearTimer(this.#timer);
    this.#timer = undefined;
  }

  #arm(delayMs: number): void {
    this.#timer = this.#clock.setTimer(() => {
      const limitMs = this.#limitMs();
      const leftMs = this.#lastMs + limitMs - this.#clock.now();
      // More than the limit means that the clock was set back, and says nothing of the silence.
      if (leftMs > limitMs) this.feed();
      if (leftMs > 0) this.#arm(Math.min(leftMs, limitMs));
      else this.#bark();
    }, delayMs);
  }
}
