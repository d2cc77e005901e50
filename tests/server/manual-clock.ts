import type { HostClock } from "../../src/server";

/** A clock that a test moves. Jobs run when their time has passed. */
export class ManualClock implements HostClock {
  #nowMs: number;
  readonly #jobs = new Set<{ everyMs: number; nextMs: number; run: () => void }>();

  constructor(nowMs = Date.UTC(2026, 10, 21, 10, 0, 0)) {
    this.#nowMs = nowMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  /** Unix seconds. */
  get nowS(): number {
    return Math.floor(this.#nowMs / 1000);
  }

  every(seconds: number, run: () => void): () => void {
    const job = { everyMs: seconds * 1000, nextMs: this.#nowMs + seconds * 1000, run };
    this.#jobs.add(job);
    return () => this.#jobs.delete(job);
  }

  /** Lets time pass, and runs jobs in the order in which they fall due. */
  advance(seconds: number): void {
    const endMs = this.#nowMs + seconds * 1000;
    for (;;) {
      let [next] = this.#jobs;
      for (const job of this.#jobs) if (next && job.nextMs < next.nextMs) next = job;
      if (!next || next.nextMs > endMs) break;
      this.#nowMs = next.nextMs;
      next.nextMs += next.everyMs;
      next.run();
    }
    this.#nowMs = endMs;
  }
}
