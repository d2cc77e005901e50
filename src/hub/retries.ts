import { NO_TRIES, nextTry, type RetryEvent, type RetryState, type RetryStep } from "./retry-policy";

/** Clock and chance for `Retries`. */
export interface RetryEnvironment {
  now(): number;
  random(): number;
}

/** Keeps the retry state of one server. */
export class Retries {
  readonly #environment: RetryEnvironment;
  #state: RetryState = NO_TRIES;

  constructor(environment: RetryEnvironment) {
    this.#environment = environment;
  }

  /** How many tries failed in a row. */
  get failures(): number {
    return this.#state.failures;
  }

  /** Counts what happened and says what to do next. */
  after(event: RetryEvent): RetryStep {
    const { now, random } = this.#environment;
    const { state, step } = nextTry(this.#state, event, { nowMs: now(), chance: random() });
    this.#state = state;
    return step;
  }
}
