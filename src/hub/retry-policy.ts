// When a server is tried again (docs/design.md §4). These functions take what happened and what is known, and return
// what to do next. All waits are random within bounds, so that the clients of a restarted server don't come all at
// once.

/** Shortest and longest wait between tries that fail in a row, ms. */
export const MIN_DELAY_MS = 1_000;
export const MAX_DELAY_MS = 60_000;

/** A stream that had worked is replaced within this, ms; so is one whose server a probe found to be back. */
export const AT_ONCE_MS = 250;

/** Once a stream holds for this long, ms, the waits start small again. */
export const STABLE_AFTER_MS = 60_000;

/**
 * How many tries in a row may come at once, and after how long one more may, ms. A proxy that cuts every 20 s can be
 * followed for ever: each try takes up to three requests (stream, poll, reconciling poll), and a server gives back one
 * in 5 s (docs/protocol.md §11). A connection that breaks every second soon falls back to the growing waits.
 */
const QUICK_TRIES = 12;
const QUICK_TRY_EVERY_MS = 20_000;

/** Interval of polls in place of a stream while the app is out of sight, ms. */
export const POLL_EVERY_MS = 30_000;

/** What a server's connection remembers of its tries. */
export interface RetryState {
  /** How many tries failed in a row. */
  failures: number;
  /** Tries that may come at once, as of `countedAtMs` (device clock, ms). */
  quickTries: number;
  countedAtMs: number;
}

/** What happened to a connection. */
export type RetryEvent =
  /** A stream that had brought something ended. */
  | { kind: "stream-ended" }
  /** A try failed; `atLeastMs` is set when the server asks for a longer wait. */
  | { kind: "try-failed"; atLeastMs?: number }
  /** A probe was answered; `wasAway`: an earlier probe of this outage wasn't, so the server was gone. */
  | { kind: "probe-answered"; wasAway: boolean }
  /** A stream has held for `STABLE_AFTER_MS`. */
  | { kind: "stable" }
  /** The device or the user came back, or the user asked for a try. */
  | { kind: "asked" };

/** What the policy needs to know besides. */
export interface RetryFacts {
  /** Device clock, ms. */
  nowMs: number;
  /** 0 (inclusive) to 1 (exclusive). */
  chance: number;
}

/** What to do next: try after `afterMs`, or stay with what was planned before. */
export type RetryStep = { kind: "try"; afterMs: number } | { kind: "go-on" };

export const NO_TRIES: RetryState = { failures: 0, quickTries: QUICK_TRIES, countedAtMs: 0 };

/** The retry policy: returns the new state, and what to do. */
export function nextTry(
  state: RetryState,
  event: RetryEvent,
  facts: RetryFacts,
): { state: RetryState; step: RetryStep } {
  const counted = count(state, facts.nowMs);
  const atOnce: RetryStep = { kind: "try", afterMs: facts.chance * AT_ONCE_MS };
  const quick = { ...counted, quickTries: counted.quickTries - 1 };
  switch (event.kind) {
    case "stable":
      return { state: { ...counted, failures: 0 }, step: { kind: "go-on" } };
    case "asked":
      return { state: { ...counted, failures: 0 }, step: { kind: "try", afterMs: 0 } };
    case "stream-ended":
      if (counted.quickTries >= 1) return { state: quick, step: atOnce };
      return wait(counted, undefined, facts.chance);
    case "probe-answered":
      if (counted.quickTries < 1) return { state: counted, step: { kind: "go-on" } };
      return { state: event.wasAway ? { ...quick, failures: 0 } : quick, step: atOnce };
    case "try-failed":
      return wait(counted, event.atLeastMs, facts.chance);
  }
}

/** Waits exponentially longer, with full jitter. */
function wait(state: RetryState, atLeastMs = MIN_DELAY_MS, chance: number): { state: RetryState; step: RetryStep } {
  const failures = state.failures + 1;
  const ceiling = Math.min(MAX_DELAY_MS, MIN_DELAY_MS * 2 ** failures);
  const delayMs = MIN_DELAY_MS + chance * (ceiling - MIN_DELAY_MS);
  return { state: { ...state, failures }, step: { kind: "try", afterMs: Math.max(delayMs, atLeastMs) } };
}

/**
 * Gives back the quick tries that the elapsed time allows. After a clock was set back it gives back none, and counts
 * from there.
 */
function count(state: RetryState, nowMs: number): RetryState {
  const sinceMs = Math.max(0, nowMs - state.countedAtMs);
  const quickTries = Math.min(QUICK_TRIES, state.quickTries + sinceMs / QUICK_TRY_EVERY_MS);
  return { ...state, quickTries, countedAtMs: nowMs };
}
