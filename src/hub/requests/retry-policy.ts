// When a server is tried again (docs/design.md §4), as pure functions. All waits are random within bounds, so that the
// clients of a restarted server don't all come at once.
import { PACED_EVERY_MS } from "./request-count";

/** Shortest and longest wait between tries that fail in a row, ms. */
export const MIN_DELAY_MS = 1_000;
export const MAX_DELAY_MS = 60_000;

/** A stream that had worked is replaced within this, ms, as is one whose server a probe found to be back. */
export const AT_ONCE_MS = 250;

/** Once a stream holds for this long, ms, waits start small again. */
export const STABLE_AFTER_MS = 60_000;

/**
 * How many tries in a row may come at once, and after how long one more, ms. A proxy that cuts every 20 s can be
 * followed for ever: each try takes up to three requests (stream, poll, reconciling poll), and a server gives back one
 * every 5 s (docs/protocol.md §11). A connection that breaks every second soon falls back to growing waits.
 */
const QUICK_TRIES = 12;
const QUICK_TRY_EVERY_MS = 20_000;

/** The least interval of polls that replace a stream and aren't urgent, ms. */
const POLL_EVERY_MS = 30_000;

/** After a server said that it was asked too often, polls stay rare for this long, ms. */
export const BUSY_FOR_MS = 600_000;

/** What is remembered about the tries to receive from a server. */
export interface Tries {
  /** How many failed in a row. */
  failures: number;
  /** How many may come at once, as of `countedAtMs` (device clock, ms). */
  quickTries: number;
  countedAtMs: number;
}

export const NO_TRIES: Tries = { failures: 0, quickTries: QUICK_TRIES, countedAtMs: 0 };

export interface TryFacts {
  /** Device clock, ms. */
  nowMs: number;
  /** 0 (inclusive) to 1 (exclusive). */
  chance: number;
}

/** When the next try comes, and what is remembered then. */
export interface NextTry {
  tries: Tries;
  afterMs: number;
}

/** For when a stream that had brought something ended. */
export function afterCut(tries: Tries, facts: TryFacts): NextTry {
  return quickTry(tries, facts) ?? afterFailure(tries, facts);
}

/** A probe was answered; undefined = keep waiting. @param wasAway an earlier probe of this outage wasn't answered */
export function afterProbe(tries: Tries, facts: TryFacts, wasAway: boolean): NextTry | undefined {
  const next = quickTry(tries, facts);
  return next && wasAway ? { ...next, tries: { ...next.tries, failures: 0 } } : next;
}

/** A try failed: the wait grows, with full jitter. @param atLeastMs the server asks for a longer wait */
export function afterFailure(tries: Tries, { nowMs, chance }: TryFacts, atLeastMs = MIN_DELAY_MS): NextTry {
  const failures = tries.failures + 1;
  const ceiling = Math.min(MAX_DELAY_MS, MIN_DELAY_MS * 2 ** failures);
  const delayMs = MIN_DELAY_MS + chance * (ceiling - MIN_DELAY_MS);
  return { tries: { ...count(tries, nowMs), failures }, afterMs: Math.max(delayMs, atLeastMs) };
}

function quickTry(tries: Tries, { nowMs, chance }: TryFacts): NextTry | undefined {
  const counted = count(tries, nowMs);
  if (counted.quickTries < 1) return undefined;
  return { tries: { ...counted, quickTries: counted.quickTries - 1 }, afterMs: chance * AT_ONCE_MS };
}

/** Restores quick tries as time passes; none after a clock was set back. */
function count(tries: Tries, nowMs: number): Tries {
  const capacity = { most: QUICK_TRIES, everyMs: QUICK_TRY_EVERY_MS };
  return { ...tries, quickTries: restored(tries.quickTries, nowMs - tries.countedAtMs, capacity), countedAtMs: nowMs };
}

/** What is left of an allowance after some time, ms, in which it came back one by one. */
export function restored(left: number, sinceMs: number, { most, everyMs }: { most: number; everyMs: number }): number {
  return Math.min(most, left + Math.max(0, sinceMs) / everyMs);
}

/**
 * The interval of polls in place of a stream, ms: in sight, as short as the server's ration allows.
 * @param polled how many requests it takes to poll everything once
 * @param isRare out of sight, or after the server said that it was asked too often
 */
export function pollEveryMs(polled: number, isRare: boolean): number {
  const leastMs = Math.max(1, polled) * PACED_EVERY_MS;
  return isRare ? Math.max(POLL_EVERY_MS, leastMs) : leastMs;
}
