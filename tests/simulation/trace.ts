/** Lines kept to be shown with a failure. */
const KEPT = 400;

/** What happened in a run, as a hash: two runs with the same hash did the same in the same order. */
export class Trace {
  #hash = 0x811c9dc5;
  readonly #lines: string[] = [];
  readonly #print: ((line: string) => void) | undefined;

  /** @param print shows each line as it comes */
  constructor(print?: (line: string) => void) {
    this.#print = print;
  }

  add(line: string): void {
    for (let at = 0; at < line.length; at++) this.#hash = Math.imul(this.#hash ^ line.charCodeAt(at), 0x01000193);
    this.#lines.push(line);
    if (this.#lines.length > 2 * KEPT) this.#lines.splice(0, KEPT);
    this.#print?.(line);
  }

  get hash(): string {
    return (this.#hash >>> 0).toString(16).padStart(8, "0");
  }

  get lastLines(): string[] {
    return this.#lines.slice(-KEPT);
  }
}
