import type { Browser } from "@playwright/test";
import type { LoopbackServer } from "./loopback-server";

/** What a case is given. */
export interface BenchContext {
  browser: Browser;
  /** Serves bare pages, and whatever else a floor needs. */
  server: LoopbackServer;
  /** Runs fewer rounds and sizes, for a quick look; only the figures of a whole run count. */
  isQuick: boolean;
  /** Reports progress. */
  note(text: string): void;
}

/**
 * The most that a measurement may come to (docs/design.md §8): a multiple of its floor, an amount above it, or a value.
 */
export type Budget = { kind: "times" | "above" | "value"; atMost: number };

/** One measured quantity; if it has a floor, the values of each round have the same index in both. */
export interface Measurement {
  name: string;
  /** Unit of all its values; milliseconds if absent. */
  unit?: "ms" | "KB" | "MB" | "%" | "";
  /** One value for each round. */
  floor?: number[];
  measured: number[];
  /** If absent, the figure is only for information. */
  budget?: Budget;
  /**
   * Its point in the plot of cost against size, which counts messages, topics or tabs. Points of one `line` are joined.
   */
  at?: { line: string; size: number };
  /** Other informative figures, in the same unit, one value for each round. */
  beside?: Record<string, number[]>;
}

/** A case is a file in `cases/` that `main.ts` imports. */
export interface BenchCase {
  name: string;
  /** What is measured against which floor, in one sentence. */
  about: string;
  run(context: BenchContext): Promise<Measurement[]>;
}
