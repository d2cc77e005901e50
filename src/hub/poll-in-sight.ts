// How often a server is asked while the app is in sight: an addition to `retry-policy.ts` that is loaded after the
// start.
import { PACED_EVERY_MS } from "./requests";
import { POLL_EVERY_MS } from "./retry-policy";

/** Interval of polls in place of a stream while the app is in sight, ms: as often as a server gives back a request. */
const POLL_IN_SIGHT_EVERY_MS = 5_000;
const GIVEN_BACK_IN_FIVE_MINUTES = 60;

/** After a server said that it was asked too often, polls are rare for this long, ms. */
const BUSY_FOR_MS = 600_000;

/**
 * How often a server that is gone is probed while somebody waits, ms: at least and at most. After a long outage it is
 * probed less often.
 */
const PROBE_MS = [1_000, 1_500] as const;
const LONG_OUTAGE_MS = 360_000;
const PROBE_LONG_MS = [3_000, 5_000] as const;

/**
 * A quiet stream is checked this often, ms; after connections to its server were forgotten, at each look, which come
 * about every second. So many such checks make an hour, and cost that many requests for the server's health.
 */
const CHECK_EVERY_MS = 5_000;
const QUICK_CHECK_EVERY_MS = 900;
const QUICK_CHECKS = 3_600;

/**
 * How long the first request of a check is waited for, ms: longer where the one before took long, and never for long, as
 * this delays what was missed.
 */
const PATIENCE_MS = 500;
const MOST_PATIENCE_MS = 1_000;

/** How long to wait for the next requests, ms, which only free dead connections (`connection-check.ts`). */
const FREE_MS = 500;
const QUICK_FREE_MS = 300;

/** What is known of the connections to a server. */
export interface CheckState {
  /** How many checks may come at each look. */
  quickLeft: number;
  /** How long the last check took that was answered at once, ms. */
  answerMs: number;
}

/**
 * What a check found. `forgotten`: a stream's connection was dead while new ones got through, and nothing had slept, so
 * something on the way forgets connections.
 */
export type Checked = { kind: "answered"; tookMs: number } | { kind: "forgotten" } | { kind: "silent" };

/** How quiet streams are checked. */
export interface CheckPace {
  /** How long a stream must have been silent, and how long ago the last check must be, ms. */
  everyMs: number;
  patienceMs: number;
  freeMs: number;
}

export const NO_CHECKS: CheckState = { quickLeft: 0, answerMs: 0 };

/** Learns from a check. */
export function checked({ quickLeft, answerMs }: CheckState, found: Checked): CheckState {
  switch (found.kind) {
    case "answered":
      return { quickLeft: Math.max(0, quickLeft - 1), answerMs: found.tookMs };
    case "forgotten":
      return { quickLeft: QUICK_CHECKS, answerMs };
    case "silent":
      return { quickLeft: Math.max(0, quickLeft - 1), answerMs };
  }
}

/** How the next check is made. */
export function checkPace({ quickLeft, answerMs }: CheckState): CheckPace {
  const patienceMs = Math.min(MOST_PATIENCE_MS, Math.max(PATIENCE_MS, 2 * answerMs));
  return quickLeft > 0
    ? { everyMs: QUICK_CHECK_EVERY_MS, patienceMs, freeMs: QUICK_FREE_MS }
    : { everyMs: CHECK_EVERY_MS, patienceMs, freeMs: FREE_MS };
}

/** What the interval of polls that stand in for a stream depends on. */
export interface PollFacts {
  /** Time since the server last said that it was asked too often, ms. */
  sinceBusyMs: number;
  /** All requests to the server in the last five minutes. */
  recentRequests: number;
  /** How many requests it takes to poll for everything once. */
  polled: number;
}

/** The interval of polls that stand in for a stream, ms: as short as the server's ration allows. */
export function pollEveryMs({ sinceBusyMs, recentRequests, polled }: PollFacts): number {
  const leastMs = polled > 1 ? polled * PACED_EVERY_MS : POLL_IN_SIGHT_EVERY_MS;
  const mostMs = Math.max(POLL_EVERY_MS, leastMs);
  if (sinceBusyMs >= 0 && sinceBusyMs < BUSY_FOR_MS) return mostMs;
  const share = Math.max(1, recentRequests / GIVEN_BACK_IN_FIVE_MINUTES);
  return Math.min(mostMs, Math.round(leastMs * share));
}

/**
 * When the next probe follows, ms after the one before. @param outageMs how long the server has been gone @param chance
 * 0 (inclusive) to 1 (exclusive)
 */
export function probeAfterMs(outageMs: number, chance: number): number {
  const [least, most] = outageMs < LONG_OUTAGE_MS ? PROBE_MS : PROBE_LONG_MS;
  return least + chance * (most - least);
}
