/** An allowance that is used up by taking and fills again with time, never beyond its size. */
export class TokenBucket {
  #tokens: number;
  #filledAtMs: number;

  /**
   * @param size tokens when full
   * @param refillS seconds in which one token comes back; Infinity = never
   */
  constructor(
    readonly size: number,
    readonly refillS: number,
    nowMs: number,
  ) {
    this.#tokens = size;
    this.#filledAtMs = nowMs;
  }

  /** Tokens left, fractions included. */
  left(nowMs: number): number {
    // A clock that was set back must not take tokens away.
    const passedMs = Math.max(0, nowMs - this.#filledAtMs);
    this.#tokens = Math.min(this.size, this.#tokens + passedMs / 1000 / this.refillS);
    this.#filledAtMs = nowMs;
    return this.#tokens;
  }

  /** Takes tokens if there are enough. */
  take(count: number, nowMs: number): boolean {
    if (this.left(nowMs) < count) return false;
    this.#tokens -= count;
    return true;
  }
}
