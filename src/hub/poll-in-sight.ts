// How often a server is asked while somebody looks: beside `retry-policy.ts`, and behind the start.
import { POLL_EVERY_MS } from "./retry-policy";

/** While somebody looks, polls in place of a stream come as often as a server gives back a request, ms. */
const POLL_IN_SIGHT_EVERY_MS = 5_000;
const GIVEN_BACK_IN_FIVE_MINUTES = 60;

/** Where a server said that it was asked too often, polls are rare for so long, ms. */
const BUSY_FOR_MS = 600_000;

/** How often a server that is gone is probed while somebody waits, ms; after a long outage less often. */
const PROBE_MS = [1_000, 1_500] as const;
const LONG_OUTAGE_MS = 360_000;
const PROBE_LONG_MS = [3_000, 5_000] as const;

/** What is known where polls stand in for a stream. */
export interface PollFacts {
  /** Since the server said last that it was asked too often, ms. */
  sinceBusyMs: number;
  /** All requests to the server in the last five minutes. */
  recentRequests: number;
  /** How many polls take turns. */
  polled: number;
}

/** How often polls stand in for a stream, ms: often, as far as the server's ration reaches. */
export function pollEveryMs({ sinceBusyMs, recentRequests, polled }: PollFacts): number {
  if (sinceBusyMs >= 0 && sinceBusyMs < BUSY_FOR_MS) return POLL_EVERY_MS;
  const share = Math.max(1, recentRequests / GIVEN_BACK_IN_FIVE_MINUTES) * Math.max(1, polled);
  return Math.min(POLL_EVERY_MS, Math.round(POLL_IN_SIGHT_EVERY_MS * share));
}

/** When the next probe follows the one before, ms. @param outageMs how long the server has been gone */
export function probeAfterMs(outageMs: number, chance: number): number {
  const [least, most] = outageMs < LONG_OUTAGE_MS ? PROBE_MS : PROBE_LONG_MS;
  return least + chance * (most - least);
}
