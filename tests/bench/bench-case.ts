import type { Browser } from "@playwright/test";
import type { LoopbackServer } from "./loopback-server";

/** What a case works with. */
export interface BenchContext {
  browser: Browser;
  server: LoopbackServer;
  /** Fewer rounds, for a look; the figures that count come from a whole run. */
  isQuick: boolean;
  /** Says what is going on. */
  note(text: string): void;
}

/** One thing that was measured, in each round next to its floor. */
export interface Measurement {
  name: string;
  /** Milliseconds, one a round. */
  floorMs: number[];
  measuredMs: number[];
  /** The budget: measured at most so many times the floor (DESIGN, section 8). */
  atMost: number;
  /** Other figures worth knowing, milliseconds, one a round. */
  beside?: Record<string, number[]>;
}

/** A case: a file in `cases/`, named in `main.ts`. */
export interface BenchCase {
  name: string;
  /** What is measured against which floor, in a sentence. */
  about: string;
  run(context: BenchContext): Promise<Measurement[]>;
}
