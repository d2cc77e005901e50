/** How many counts are kept to compute the rate: one per clean-up, the last ten (docs/protocol.md §2). */
const REMEMBERED = 10;

/** How many messages were published, in all and lately. */
export class Statistics {
  messages = 0;
  #history = [0];

  /** @param intervalS seconds between two calls of `remember` */
  constructor(private readonly intervalS: number) {}

  /** Goes on counting from an earlier run. */
  startFrom(messages: number): void {
    this.messages = messages;
    this.#history = [messages];
  }

  count(): void {
    this.messages++;
  }

  /** Called at each clean-up. */
  remember(): void {
    this.#history = [...this.#history, this.messages].slice(-REMEMBERED);
  }

  /** Messages a second. */
  get rate(): number {
    const [oldest = 0] = this.#history;
    const spans = this.#history.length - 1;
    return spans === 0 ? 0 : ((this.#history.at(-1) ?? 0) - oldest) / (spans * this.intervalS);
  }
}
