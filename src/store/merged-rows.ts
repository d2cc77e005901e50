import { type StoredMessage, compareAge } from "../contract";
import type { Direction, RowSource } from "./row-source";

/** A source, and what was read from it. */
interface SourceRun {
  source: RowSource;
  rows: StoredMessage[];
  at: number;
}

/** Reads several sources as one, in order of (time, arrival). */
export class MergedRows {
  readonly #runs: SourceRun[];
  readonly #sign: number;

  constructor(sources: readonly RowSource[], direction: Direction) {
    this.#runs = sources.map((source) => ({ source, rows: [], at: 0 }));
    this.#sign = direction === "older" ? -1 : 1;
  }

  /** Reads on, about `count` rows from each source that has none waiting, so that `take` can return the next ones. */
  async fill(count: number): Promise<void> {
    await Promise.all(
      this.#runs.map(async (run) => {
        if (run.at < run.rows.length || run.source.isExhausted) return;
        run.rows = await run.source.next(count);
        run.at = 0;
      }),
    );
  }

  /** The next row; `undefined` when a source must be filled first, or nothing is left. */
  take(): StoredMessage | undefined {
    let first: SourceRun | undefined;
    for (const run of this.#runs) {
      const row = run.rows[run.at];
      if (!row) {
        if (!run.source.isExhausted) return undefined;
        continue;
      }
      const best = first?.rows[first.at];
      if (!best || this.#sign * compareAge(row, best) < 0) first = run;
    }
    return first?.rows[first.at++];
  }

  /** How many sources there are. */
  get width(): number {
    return this.#runs.length;
  }

  /** Whether nothing is waiting and nothing is left to read. */
  get isExhausted(): boolean {
    return this.#runs.every((run) => run.source.isExhausted && run.at >= run.rows.length);
  }
}
