// What the hub says of a topic's raw stream.
import type { Failure } from "../protocol";

/** One line of a raw stream, as it came. */
export interface TailLine {
  /** Device clock, ms. */
  atMs: number;
  text: string;
}

/** State of a raw stream. Times are device clock, ms. */
export type TailState =
  | { kind: "connecting" }
  | { kind: "open"; heardAtMs: number }
  | { kind: "waiting"; nextTryAtMs: number; why: Failure }
  | { kind: "stopped"; why: Failure };
