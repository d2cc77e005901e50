import type { Clock, Timer } from "../environment";

/** The interval between keepalives, ms, until one has been observed (docs/protocol.md §8). */
export const DEFAULT_KEEPALIVE_MS = 45_000;

/** An observed interval outside these bounds, ms, means that the server's clock was set. */
const MIN_KEEPALIVE_MS = 5_000;
const MAX_KEEPALIVE_MS = 600_000;

/** Added to two intervals, ms, for slow networks. */
const MARGIN_MS = 10_000;

/** How long a stream may be silent before it counts as dead, ms (docs/design.md §4). */
export function longestSilenceMs(keepaliveMs: number): number {
  return 2 * keepaliveMs + MARGIN_MS;
}

/** The interval, ms, or undefined if it can't be right. */
export function plausibleKeepalive(intervalMs: number): number | undefined {
  return intervalMs >= MIN_KEEPALIVE_MS && intervalMs <= MAX_KEEPALIVE_MS ? intervalMs : undefined;
}

/** Calls back once after too long a silence. One timer serves thousands of `feed` calls. */
export class Watchdog {
  #timer: Timer | undefined;
  #lastMs: number;

  constructor(
    private readonly clock: Clock,
    private readonly limitMs: () => number,
    private readonly bark: () => void,
  ) {
    this.#lastMs = clock.now();
    this.#arm(limitMs());
  }

  /** When the last sign of life came, device clock, ms. */
  get lastMs(): number {
    return this.#lastMs;
  }

  feed(): void {
    this.#lastMs = this.clock.now();
  }

  /** Starts again after it has called back. */
  restart(): void {
    this.feed();
    this.#arm(this.limitMs());
  }

  stop(): void {
    this.clock.clearTimer(this.#timer);
    this.#timer = undefined;
  }

  #arm(delayMs: number): void {
    this.#timer = this.clock.setTimer(() => {
      const limitMs = this.limitMs();
      const leftMs = this.#lastMs + limitMs - this.clock.now();
      // More time than the limit is left only if the clock was set back, which says nothing about the silence.
      if (leftMs > limitMs) this.feed();
      if (leftMs > 0) this.#arm(Math.min(leftMs, limitMs));
      else this.bark();
    }, delayMs);
  }
}
