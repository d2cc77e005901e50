/** The span over which requests are counted, ms: servers ration them (docs/protocol.md §11). */
const SPAN_MS = 300_000;

/** Counts the requests to one server. */
export class RequestCount {
  readonly #now: () => number;
  #times: number[] = [];
  /** All that were ever made. */
  total = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  add(): void {
    this.total += 1;
    this.#times = [...this.#recent(), this.#now()];
  }

  get recent(): number {
    return this.#recent().length;
  }

  #recent(): number[] {
    const since = this.#now() - SPAN_MS;
    return this.#times.filter((time) => time > since);
  }
}
