// When a server is tried again (docs/design.md §4): what happened and what is known go in, what to do next comes
// out. All waits are drawn by chance within their bounds, so that the clients of a restarted server come spread.

/** Shortest and longest wait between tries that fail one after the other, ms. */
export const MIN_DELAY_MS = 1_000;
export const MAX_DELAY_MS = 60_000;

/** A stream that had worked is replaced within this, ms; so is whatever a probe found to be back. */
export const AT_ONCE_MS = 250;

/** A stream that holds for this long, ms, starts the waits small again. */
export const STABLE_AFTER_MS = 60_000;

/**
 * How many tries in a row may come at once, and after how long one more may, ms. A proxy that cuts every 20 s is
 * followed for good: each try takes up to three requests (stream, poll, reconciling poll), and a server gives back one
 * in 5 s (docs/protocol.md §11). One that flaps every second soon falls back to the growing waits.
 */
const QUICK_TRIES = 12;
const QUICK_TRY_EVERY_MS = 20_000;

/** Polls in place of a stream come this often where nobody looks, ms. */
export const POLL_EVERY_MS = 30_000;

/** What a server's connection remembers of its tries. */
export interface RetryState {
  /** Tries that failed one after the other. */
  failures: number;
  /** Tries that may come at once, as of `countedAtMs` (device clock, ms). */
  quickTries: number;
  countedAtMs: number;
}

/** What happened. */
export type RetryEvent =
  /** A stream ended that had brought something. */
  | { kind: "stream-ended" }
  /** A try failed; `atLeastMs` where the server asks for a longer wait. */
  | { kind: "try-failed"; atLeastMs?: number }
  /** A probe was answered; `wasAway`: an earlier one of this outage was not, so that the server was gone. */
  | { kind: "probe-answered"; wasAway: boolean }
  /** A stream has held for long enough. */
  | { kind: "held" }
  /** The device or the user came back, or asks for it. */
  | { kind: "asked" };

/** What is known. */
export interface RetryFacts {
  /** Device clock, ms. */
  nowMs: number;
  /** 0 (inclusive) to 1 (exclusive). */
  chance: number;
}

/** What to do next: try after so many ms, or go on waiting for what was planned before. */
export type RetryStep = { kind: "try"; afterMs: number } | { kind: "go-on" };

export const NO_TRIES: RetryState = { failures: 0, quickTries: QUICK_TRIES, countedAtMs: 0 };

/** The policy: the new state, and what to do. */
export function nextTry(
  state: RetryState,
  event: RetryEvent,
  facts: RetryFacts,
): { state: RetryState; step: RetryStep } {
  const counted = count(state, facts.nowMs);
  const atOnce: RetryStep = { kind: "try", afterMs: facts.chance * AT_ONCE_MS };
  const quick = { ...counted, quickTries: counted.quickTries - 1 };
  switch (event.kind) {
    case "held":
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

/** Exponential with full jitter. */
function wait(state: RetryState, atLeastMs = MIN_DELAY_MS, chance: number): { state: RetryState; step: RetryStep } {
  const failures = state.failures + 1;
  const ceiling = Math.min(MAX_DELAY_MS, MIN_DELAY_MS * 2 ** failures);
  const delayMs = MIN_DELAY_MS + chance * (ceiling - MIN_DELAY_MS);
  return { state: { ...state, failures }, step: { kind: "try", afterMs: Math.max(delayMs, atLeastMs) } };
}

/** Gives back what the time since allows. A clock that was set back gives nothing, and counts anew from there. */
function count(state: RetryState, nowMs: number): RetryState {
  const sinceMs = Math.max(0, nowMs - state.countedAtMs);
  const quickTries = Math.min(QUICK_TRIES, state.quickTries + sinceMs / QUICK_TRY_EVERY_MS);
  return { ...state, quickTries, countedAtMs: nowMs };
}
