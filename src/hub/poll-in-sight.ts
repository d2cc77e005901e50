// How often a server is asked while somebody looks: an addition to `retry-policy.ts` that is loaded after the start.
import { POLL_EVERY_MS } from "./retry-policy";

/** While somebody looks, polls that stand in for a stream come as often as a server gives back a request, ms. */
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

/** What the interval of polls that stand in for a stream depends on. */
export interface PollFacts {
  /** Time since the server last said that it was asked too often, ms. */
  sinceBusyMs: number;
  /** All requests to the server in the last five minutes. */
  recentRequests: number;
  /** How many accounts' polls take turns. */
  polled: number;
}

/** The interval of polls that stand in for a stream, ms: as short as the server's ration allows. */
export function pollEveryMs({ sinceBusyMs, recentRequests, polled }: PollFacts): number {
  if (sinceBusyMs >= 0 && sinceBusyMs < BUSY_FOR_MS) return POLL_EVERY_MS;
  const share = Math.max(1, recentRequests / GIVEN_BACK_IN_FIVE_MINUTES) * Math.max(1, polled);
  return Math.min(POLL_EVERY_MS, Math.round(POLL_IN_SIGHT_EVERY_MS * share));
}

/**
 * When the next probe follows, ms after the one before. @param outageMs how long the server has been gone @param chance
 * 0 (inclusive) to 1 (exclusive)
 */
export function probeAfterMs(outageMs: number, chance: number): number {
  const [least, most] = outageMs < LONG_OUTAGE_MS ? PROBE_MS : PROBE_LONG_MS;
  return least + chance * (most - least);
}
