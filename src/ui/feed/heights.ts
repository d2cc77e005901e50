/** Height of an item before any was measured, px: two lines of text and the line of the topic. */
const FIRST_GUESS = 92;

/** Beyond this number, heights of items that are long gone are forgotten. */
const MAX_KEPT = 4000;

/** Heights of a list's items by key, in px: measured, or guessed by the mean of those that were. */
export class Heights {
  #measured = new Map<string, number>();
  #sum = 0;

  /** Height of an item. */
  of(key: string): number {
    return this.#measured.get(key) ?? this.guess;
  }

  has(key: string): boolean {
    return this.#measured.has(key);
  }

  get guess(): number {
    return this.#measured.size > 0 ? this.#sum / this.#measured.size : FIRST_GUESS;
  }

  /** Takes a measurement; true when it changes what `of` answers. */
  set(key: string, height: number): boolean {
    const before = this.of(key);
    this.#sum += height - (this.#measured.get(key) ?? 0);
    this.#measured.set(key, height);
    if (this.#measured.size > MAX_KEPT) this.#forgetOldest();
    return Math.abs(height - before) >= 0.5;
  }

  /** Forgets all but the guess: the width changed, so that every text wraps anew. */
  clear(): void {
    const guess = this.guess;
    this.#measured.clear();
    this.#sum = 0;
    // Keep the guess as a measurement of an item that doesn't exist.
    this.set("", guess);
  }

  #forgetOldest(): void {
    const [key, height] = this.#measured.entries().next().value ?? ["", 0];
    this.#measured.delete(key);
    this.#sum -= height;
  }
}
