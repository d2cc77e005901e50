import type { Browser } from "@playwright/test";
import type { LoopbackServer } from "./loopback-server";

/** What a case works with. */
export interface BenchContext {
  browser: Browser;
  /** Bare pages, and whatever else a floor needs. */
  server: LoopbackServer;
  /** Fewer rounds and sizes, for a look; the figures that count come from a whole run. */
  isQuick: boolean;
  /** Says what is going on. */
  note(text: string): void;
}

/** What a measurement may come to (docs/design.md §8): so many times its floor, so much more than it, or a value. */
export type Budget = { kind: "times" | "above" | "value"; atMost: number };

/** One thing that was measured; where it has a floor, each round next to it. */
export interface Measurement {
  name: string;
  /** Of all its values; milliseconds unless it says else. */
  unit?: "ms" | "KB" | "MB" | "%" | "";
  /** One a round. */
  floor?: number[];
  measured: number[];
  /** Absent = a figure worth knowing. */
  budget?: Budget;
  /** Where it stands in the plot of cost against size: messages, topics or tabs. Points of one `line` are joined. */
  at?: { line: string; size: number };
  /** Other figures worth knowing, in the same unit, one a round. */
  beside?: Record<string, number[]>;
}

/** A case: a file in `cases/`, named in `main.ts`. */
export interface BenchCase {
  name: string;
  /** What is measured against which floor, in a sentence. */
  about: string;
  run(context: BenchContext): Promise<Measurement[]>;
}
