import { NO_TRIES, nextTry, type RetryEvent, type RetryState, type RetryStep } from "./retry-policy";

/** Where tries are counted. */
export interface RetrySurroundings {
  now(): number;
  random(): number;
}

/** Keeps what the policy remembers of one server. */
export class Retries {
  readonly #surroundings: RetrySurroundings;
  #state: RetryState = NO_TRIES;

  constructor(surroundings: RetrySurroundings) {
    this.#surroundings = surroundings;
  }

  /** Tries that failed one after the other. */
  get failures(): number {
    return this.#state.failures;
  }

  /** Counts what happened and says what to do next. */
  after(event: RetryEvent): RetryStep {
    const { now, random } = this.#surroundings;
    const { state, step } = nextTry(this.#state, event, { nowMs: now(), chance: random() });
    this.#state = state;
    return step;
  }
}
