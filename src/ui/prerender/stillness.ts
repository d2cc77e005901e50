/** Scrolling that has moved nothing for so long, ms, is over. */
const SETTLED_MS = 100;

/** Rows give out by then, and the app is not to wait longer, ms. */
const LONGEST_FLING_MS = 2_000;

/**
 * Knows whether the user is scrolling or pressing: replacing the scrolled element then would stop a fling or lose the
 * press.
 */
export class Stillness {
  #movedAtMs = -Infinity;
  #isHeld = false;

  constructor(
    private readonly nowMs: () => number,
    private readonly wait: (ms: number) => Promise<void>,
  ) {}

  /** A finger or button went down on it, or up. */
  held(isHeld: boolean): void {
    this.#isHeld = isHeld;
    this.moved();
  }

  /** It moves, or a finger does that holds it. */
  moved(): void {
    this.#movedAtMs = this.nowMs();
  }

  /** Resolves once nobody does; not for ever. */
  async still(): Promise<void> {
    const untilMs = this.nowMs() + LONGEST_FLING_MS;
    for (let nowMs = this.nowMs(); nowMs < untilMs; nowMs = this.nowMs()) {
      const settledMs = (this.#isHeld ? nowMs : this.#movedAtMs) + SETTLED_MS;
      const leftMs = Math.min(settledMs, untilMs) - nowMs;
      if (leftMs <= 0) return;
      await this.wait(leftMs);
    }
  }
}
