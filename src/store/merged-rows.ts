import type { Direction, RowSource } from "./row-source";
import type { StoredMessage } from "./schema";
import { compareAge } from "./standing";

/** A source and what was read of it. */
interface Lane {
  source: RowSource;
  rows: StoredMessage[];
  at: number;
}

/** Several sources read as one, in order of (time, arrival). */
export class MergedRows {
  readonly #lanes: Lane[];
  readonly #sign: number;

  constructor(sources: readonly RowSource[], direction: Direction) {
    this.#lanes = sources.map((source) => ({ source, rows: [], at: 0 }));
    this.#sign = direction === "older" ? -1 : 1;
  }

  /** Reads on, about `count` rows from each source that has none in hand, so that `take` can give the next ones. */
  async fill(count: number): Promise<void> {
    await Promise.all(
      this.#lanes.map(async (lane) => {
        if (lane.at < lane.rows.length || lane.source.isExhausted) return;
        lane.rows = await lane.source.next(count);
        lane.at = 0;
      }),
    );
  }

  /** The next row; `undefined` when a source must be filled first, or nothing is left. */
  take(): StoredMessage | undefined {
    let first: Lane | undefined;
    for (const lane of this.#lanes) {
      const row = lane.rows[lane.at];
      if (!row) {
        if (!lane.source.isExhausted) return undefined;
        continue;
      }
      const best = first?.rows[first.at];
      if (!best || this.#sign * compareAge(row, best) < 0) first = lane;
    }
    return first?.rows[first.at++];
  }

  /** How many sources there are. */
  get width(): number {
    return this.#lanes.length;
  }

  /** Nothing in hand and nothing left to read. */
  get isExhausted(): boolean {
    return this.#lanes.every((lane) => lane.source.isExhausted && lane.at >= lane.rows.length);
  }
}
