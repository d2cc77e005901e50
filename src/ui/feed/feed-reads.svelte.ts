type ReadKind = "above" | "below" | "top" | "place";

/**
 * A feed's reads, one at a time, and how they end. When the window restarts, a new turn begins, and results of earlier
 * turns are ignored.
 */
export class FeedReads {
  phase = $state<"reading" | "ready" | "failed">("reading");
  isReading = $state(false);
  /** Technical text of the error, if a read failed. */
  failure = $state<string>();
  /** Set during a search: how far back it has come, server time, seconds. */
  searchedTo = $state<number>();
  /** The read that is under way. */
  current: ReadKind | undefined;
  #turn = 0;

  beginTurn(): void {
    this.#turn++;
  }

  endAll(): void {
    this.#turn++;
    this.current = undefined;
    this.isReading = false;
  }

  /** Returns a function that tells whether this turn is still current. */
  watchTurn(): () => boolean {
    const turn = this.#turn;
    return () => turn === this.#turn;
  }

  /** Runs a read, and records its failure. */
  async run(kind: ReadKind, read: () => Promise<void>): Promise<void> {
    const isCurrent = this.watchTurn();
    this.current = kind;
    this.isReading = true;
    try {
      await read();
      if (isCurrent()) this.phase = "ready";
    } catch (error) {
      if (!isCurrent()) return;
      this.phase = "failed";
      this.failure = readFailureText(error);
    } finally {
      if (isCurrent()) {
        this.current = undefined;
        this.isReading = false;
        this.searchedTo = undefined;
      }
    }
  }
}

/** The technical line of a failed read. */
export function readFailureText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
