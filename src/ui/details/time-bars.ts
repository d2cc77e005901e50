import { dateOf, daysBetween } from "../strings/dates";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** At most this many bars stand side by side. */
const MAX_BARS = 48;

/** How much time a bar can stand for if the chart spans less than two days, ms. */
const SHORT_STEPS_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS];

/** How many moments fall into each of several equal steps of time, from the first moment to the last. */
export interface TimeBars {
  counts: number[];
  /** Index of the bar that a moment belongs to. Times in ms. */
  indexOf(ms: number): number;
}

/**
 * Counts moments, ms, by minutes or hours, or by calendar days of the device where they lie further apart.
 * @param moments at least one
 */
export function timeBars(moments: readonly number[]): TimeBars {
  const first = moments.reduce((a, b) => Math.min(a, b), Infinity);
  const last = moments.reduce((a, b) => Math.max(a, b), -Infinity);
  const indexOf = stepsFrom(first, last);
  const counts = new Array<number>(indexOf(last) + 1).fill(0);
  for (const ms of moments) counts[indexOf(ms)] = (counts[indexOf(ms)] ?? 0) + 1;
  return { counts, indexOf };
}

function stepsFrom(first: number, last: number): (ms: number) => number {
  const stepMs = SHORT_STEPS_MS.find((step) => Math.floor(last / step) - Math.floor(first / step) < MAX_BARS);
  if (stepMs !== undefined && last - first < 2 * DAY_MS) {
    const start = Math.floor(first / stepMs);
    return (ms) => Math.floor(ms / stepMs) - start;
  }
  const days = Math.ceil((daysBetween(first, last) + 1) / MAX_BARS);
  return (ms) => Math.floor(daysBetween(first, ms) / days);
}

/** On how many calendar days of the device a span of time falls; 0 if it is shorter than a day. Times in ms. */
export function daysOf(first: number, last: number): number {
  return dateOf(last).getTime() - dateOf(first).getTime() < DAY_MS ? 0 : daysBetween(first, last) + 1;
}
