/** After how long without movement, ms, scrolling counts as over. */
const SETTLED_MS = 100;

/** The longest the app waits for that, ms; by then the snapshot's rows run out. */
const LONGEST_FLING_MS = 2_000;

/**
 * Knows whether the user is scrolling or pressing: replacing the scrolled element then would stop a fling or lose the
 * press.
 */
export class Stillness {
  #movedAtMs = -Infinity;
  #isPressed = false;

  constructor(
    private readonly nowMs: () => number,
    private readonly wait: (ms: number) => Promise<void>,
  ) {}

  /** A finger or button went down on it, or up. */
  press(isDown: boolean): void {
    this.#isPressed = isDown;
    this.moved();
  }

  /** The page has scrolled, or a finger on it has moved. */
  moved(): void {
    this.#movedAtMs = this.nowMs();
  }

  /** Resolves once the user does neither, or after the longest wait. */
  async still(): Promise<void> {
    const untilMs = this.nowMs() + LONGEST_FLING_MS;
    for (let nowMs = this.nowMs(); nowMs < untilMs; nowMs = this.nowMs()) {
      const settledMs = (this.#isPressed ? nowMs : this.#movedAtMs) + SETTLED_MS;
      const leftMs = Math.min(settledMs, untilMs) - nowMs;
      if (leftMs <= 0) return;
      await this.wait(leftMs);
    }
  }
}
