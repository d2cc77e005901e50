import type { Clock, Timer } from "../../src/hub";

interface Entry {
  atMs: number;
  order: number;
  run: () => void;
}

/** The world counts as quiet after so many rounds without anything pending; promise chains need no more than one. */
const QUIET_ROUNDS = 3;

/** More rounds than this mean that something never ends. */
const MAX_ROUNDS = 100_000;

let pendingImmediates = 0;
/** Those of them that other threads work on, however long a busy machine takes. */
let pendingOutside = 0;
const realSetImmediate = globalThis.setImmediate;

/** Counts work outside of JavaScript, so that `settle` waits for it. */
export function settleWaitsFor<Value>(work: Promise<Value>): Promise<Value> {
  pendingImmediates += 1;
  pendingOutside += 1;
  return work.finally(() => {
    pendingImmediates -= 1;
    pendingOutside -= 1;
  });
}

/** Counts what fake-indexeddb has scheduled, so that `settle` knows when everything is done. */
function countImmediates(): void {
  const counted = (run: (...args: unknown[]) => void, ...args: unknown[]) => {
    pendingImmediates += 1;
    return realSetImmediate(() => {
      pendingImmediates -= 1;
      run(...args);
    });
  };
  globalThis.setImmediate = counted as unknown as typeof setImmediate;
}

/** A clock that stands still until a test moves it; timers run in order of their times. */
export class VirtualTime implements Clock {
  #nowMs: number;
  #order = 0;
  readonly #entries = new Set<Entry>();
  /** How many timers have fired. */
  fired = 0;

  constructor(startMs = Date.UTC(2026, 10, 21, 10, 0, 0)) {
    this.#nowMs = startMs;
    if (globalThis.setImmediate === realSetImmediate) countImmediates();
  }

  readonly now = (): number => this.#nowMs;

  readonly setTimer = (run: () => void, delayMs: number): Timer => {
    const entry = { atMs: this.#nowMs + Math.max(0, delayMs), order: this.#order++, run };
    this.#entries.add(entry);
    return entry;
  };

  readonly clearTimer = (timer: Timer | undefined): void => {
    this.#entries.delete(timer as Entry);
  };

  /** Runs everything that can happen without time passing. */
  async settle(): Promise<void> {
    let quiet = 0;
    for (let round = 0; quiet < QUIET_ROUNDS; round++) {
      if (round > MAX_ROUNDS) throw new Error("the world never comes to rest");
      await new Promise<void>((resolve) => realSetImmediate(resolve));
      if (pendingOutside > 0) round = 0;
      quiet = pendingImmediates === 0 ? quiet + 1 : 0;
    }
  }

  /** Moves the clock, running timers at their times. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms;
    await this.settle();
    for (;;) {
      const next = this.#first();
      if (!next || next.atMs > untilMs) break;
      this.#entries.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      this.fired += 1;
      next.run();
      await this.settle();
    }
    this.#nowMs = untilMs;
  }

  /** The timer that is due first; of those due at the same time, the one that was set first. */
  #first(): Entry | undefined {
    let first: Entry | undefined;
    for (const entry of this.#entries) {
      if (!first || entry.atMs < first.atMs || (entry.atMs === first.atMs && entry.order < first.order)) first = entry;
    }
    return first;
  }

  /** Sets the device's clock forward, ms; timers still fire when they would have. */
  set(byMs: number): void {
    this.#nowMs += byMs;
    for (const entry of this.#entries) entry.atMs += byMs;
  }

  /** Simulates sleep: the clock jumps, and all timers that were due meanwhile fire at once, late. */
  async sleep(ms: number): Promise<void> {
    await this.settle();
    this.#nowMs += ms;
    await this.advance(0);
  }
}
