import { probeAfterMs } from "./poll-in-sight";
import type { Clock, Timer } from "./environment";

/** A probe without an answer for this long, ms, is given up; the next ones start meanwhile. */
const GIVE_UP_AFTER_MS = 5_000;

/** Where a probe runs. */
export interface ProbeEnvironment extends Clock {
  random(): number;
}

/**
 * Asks a server that is gone, every second or so, whether it is back, by `/v1/health`, which the server doesn't count.
 * Probes overlap, as one may hang for long if the host doesn't answer at all.
 */
export class ReturnProbe {
  readonly #environment: ProbeEnvironment;
  readonly #isHealthy: (signal: AbortSignal) => Promise<boolean>;
  readonly #answered: (wasAway: boolean) => void;
  #aborter: AbortController | undefined;
  #timer: Timer | undefined;
  #sinceMs = 0;
  #wasAway = false;
  #pending = 0;

  constructor(
    environment: ProbeEnvironment,
    isHealthy: (signal: AbortSignal) => Promise<boolean>,
    answered: (wasAway: boolean) => void,
  ) {
    this.#environment = environment;
    this.#isHealthy = isHealthy;
    this.#answered = answered;
  }

  get isRunning(): boolean {
    return this.#aborter !== undefined;
  }

  /** Probes until an answer comes or `stop` is called. */
  start(): void {
    if (this.#aborter) return;
    this.#aborter = new AbortController();
    this.#sinceMs = this.#environment.now();
    this.#wasAway = false;
    this.#pending = 0;
    this.#plan(this.#aborter);
  }

  stop(): void {
    this.#aborter?.abort();
    this.#aborter = undefined;
    this.#environment.clearTimer(this.#timer);
  }

  #plan(run: AbortController): void {
    const outageMs = Math.max(0, this.#environment.now() - this.#sinceMs);
    const delayMs = probeAfterMs(outageMs, this.#environment.random());
    this.#timer = this.#environment.setTimer(() => {
      // A probe that hangs counts as unanswered.
      if (this.#pending > 0) this.#wasAway = true;
      void this.#probe(run);
      this.#plan(run);
    }, delayMs);
  }

  async #probe(run: AbortController): Promise<void> {
    const aborter = new AbortController();
    const giveUp = (): void => aborter.abort();
    const timer = this.#environment.setTimer(giveUp, GIVE_UP_AFTER_MS);
    run.signal.addEventListener("abort", giveUp);
    this.#pending += 1;
    const isBack = await this.#isHealthy(aborter.signal);
    this.#environment.clearTimer(timer);
    run.signal.removeEventListener("abort", giveUp);
    if (run !== this.#aborter) return;
    this.#pending -= 1;
    if (!isBack) {
      this.#wasAway = true;
      return;
    }
    this.stop();
    this.#answered(this.#wasAway);
  }
}
