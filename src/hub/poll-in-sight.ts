// How often a server is asked while the app is in sight, beside `retry-policy.ts`.
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
 * A quiet stream is checked at each look, ms, which come about every second. It is checked more rarely at a server that
 * many share, where so many messages a second are published: what one household costs it is nothing, what all of them
 * cost would be. So it is at a server that doesn't tell its count of messages, as it may ration such requests, and with
 * more tabs in sight, or more servers, than this, as each request takes processor time. But after connections to a server were forgotten, it is checked at each look for so many checks, an hour
 * (docs/decisions/0022).
 */
const CHECK_EVERY_MS = 900;
const RARE_CHECK_EVERY_MS = 5_000;
const SHARED_FROM_RATE = 0.2;
const MAX_IN_SIGHT = 3;
const MAX_SERVERS = 6;
const QUICK_CHECKS = 3_600;

/** Each tab in sight says so once in this time, ms, or a little more rarely. */
const SAYS_SO_EVERY_MS = 10_000;

/**
 * How long the first request of a check is waited for, ms: longer where the one before took long, and never for long, as
 * this delays what was missed.
 */
const PATIENCE_MS = 400;
const MAX_PATIENCE_MS = 1_000;

/** How long to wait for the next requests, ms, which only free dead connections (`connection-check.ts`). */
const FREE_MS = 250;

/** What is known of the connections to a server. */
export interface CheckState {
  /** How many checks may come at each look, whoever else uses the server. */
  quickLeft: number;
  /** How many messages a second the server was last seen to take, from whomever; 0 = unknown. */
  rate: number;
  /** How long the last check took that was answered at once, ms. */
  answerMs: number;
}

/**
 * What a check found. `forgotten`: a stream's connection was dead while new ones got through, and nothing had slept, so
 * something on the way forgets connections.
 */
export type Checked = { kind: "answered"; tookMs: number; rate: number } | { kind: "forgotten" } | { kind: "silent" };

/** How quiet streams are checked. */
export interface CheckPace {
  /** How long a stream must have been silent, and how long ago the last check must be, ms. */
  everyMs: number;
  patienceMs: number;
  freeMs: number;
}

export const NO_CHECKS: CheckState = { quickLeft: 0, answerMs: 0, rate: 0 };

/** Learns from a check. */
export function checked(state: CheckState, found: Checked): CheckState {
  const counted = { ...state, quickLeft: Math.max(0, state.quickLeft - 1) };
  switch (found.kind) {
    case "answered":
      return { ...counted, answerMs: found.tookMs, rate: found.rate };
    case "forgotten":
      return { ...state, quickLeft: QUICK_CHECKS };
    case "silent":
      return counted;
  }
}

/** What the checks depend on while somebody looks at a page. */
export interface Watch {
  /** How many tabs are in sight. */
  tabs: number;
  /** How many servers are received from. */
  servers: number;
  /** The server tells its count of messages, or wasn't asked yet. */
  isCounted: boolean;
}

/** How the next check is made. */
export function checkPace({ quickLeft, answerMs, rate }: CheckState, { tabs, servers, isCounted }: Watch): CheckPace {
  const isRare = !isCounted || rate >= SHARED_FROM_RATE || tabs > MAX_IN_SIGHT || servers > MAX_SERVERS;
  return {
    everyMs: isRare && quickLeft === 0 ? RARE_CHECK_EVERY_MS : CHECK_EVERY_MS,
    patienceMs: Math.min(MAX_PATIENCE_MS, Math.max(PATIENCE_MS, 2 * answerMs)),
    freeMs: FREE_MS,
  };
}

/** How many tabs are in sight. @param saidAtMs when tabs last said so, device clock, ms */
export function tabsInSight(saidAtMs: readonly number[], nowMs: number): number {
  return saidAtMs.filter((atMs) => atMs > nowMs - SAYS_SO_EVERY_MS && atMs <= nowMs).length;
}

/** Requests that may be made for one purpose: some at once, and then one after each `everyMs`. */
export interface Allowance {
  left: number;
  /** When `left` was counted, device clock, ms. */
  countedAtMs: number;
}

/** The size of an allowance, and after how long one request more is allowed, ms. */
export interface AllowanceSize {
  most: number;
  everyMs: number;
}

/**
 * The polls that may look for a dead stream when the server's count of messages grew and the stream brought nothing.
 * They are few, as the messages may belong to others.
 */
export const DOUBTS: AllowanceSize = { most: 4, everyMs: 60_000 };

/**
 * Refused topics are asked for one by one, at least so long, ms, after the one before: soon while somebody may set it
 * right, and then so rarely that errors are left for a hint (`RequestCount.room`). Whether it is time is looked at about
 * once a second.
 */
const RECHECK_FIRST_MS = 1_900;
const RECHECK_FIRST_FOR_MS = 20_000;
const RECHECK_MS = 39_000;

/** After a hint, so many topics are asked for at once at most. */
const MAX_HINTED = 10;

/** Counts what the elapsed time allows. After a clock was set back it allows nothing more, and counts from there. */
export function allowed(allowance: Allowance | undefined, { most, everyMs }: AllowanceSize, nowMs: number): Allowance {
  if (!allowance) return { left: most, countedAtMs: nowMs };
  const { left, countedAtMs } = allowance;
  if (nowMs < countedAtMs) return nowMs < countedAtMs - everyMs ? { left, countedAtMs: nowMs } : allowance;
  return { left: Math.min(most, left + (nowMs - countedAtMs) / everyMs), countedAtMs: nowMs };
}

/** What decides whether refused topics are asked for again. */
export interface RecheckFacts {
  /** How many are refused. */
  refused: number;
  /** How many errors may be caused by asking. */
  room: number;
  /** Time since a topic was last asked for, ms. */
  sinceMs: number;
  /** Time since another topic was refused, ms. */
  sinceRefusedMs: number;
  /** The server is back, or a message was published there: something may have changed. */
  isHinted: boolean;
}

/** How many refused topics are to be asked for now. */
export function recheckNow({ refused, room, sinceMs, sinceRefusedMs, isHinted }: RecheckFacts): number {
  if (refused === 0 || room < 1) return 0;
  if (isHinted) return Math.min(refused, MAX_HINTED, room);
  return sinceMs >= (sinceRefusedMs < RECHECK_FIRST_FOR_MS ? RECHECK_FIRST_MS : RECHECK_MS) ? 1 : 0;
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
