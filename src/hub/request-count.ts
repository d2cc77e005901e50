/** The span over which requests are counted, ms: servers ration them (docs/protocol.md §11). */
const SPAN_MS = 300_000;

/** Counts the recent requests to one server. */
export class RequestCount {
  readonly #now: () => number;
  #times: number[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  add(): void {
    this.#times.push(this.#now());
    this.#forget();
  }

  get recent(): number {
    this.#forget();
    return this.#times.length;
  }

  #forget(): void {
    const since = this.#now() - SPAN_MS;
    const first = this.#times.findIndex((time) => time > since);
    this.#times = first === -1 ? [] : this.#times.slice(first);
  }
}
