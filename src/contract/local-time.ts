import { DAY_MS } from "../protocol";

export const MINUTE_MS = 60_000;

/** How many minutes local time is ahead of UTC at a moment, ms. */
export type OffsetMinutes = (atMs: number) => number;

export const deviceOffset: OffsetMinutes = (atMs) => -new Date(atMs).getTimezoneOffset();

/**
 * When local clocks show what UTC clocks show at `wallMs`: the earlier of two moments, or shifted if clocks skip it.
 */
export function momentOf(wallMs: number, offsetMinutes: OffsetMinutes): number {
  const before = offsetMinutes(wallMs - DAY_MS);
  const after = offsetMinutes(wallMs + DAY_MS);
  const first = wallMs - before * MINUTE_MS;
  if (offsetMinutes(first) === before) return first;
  const second = wallMs - after * MINUTE_MS;
  return offsetMinutes(second) === after ? second : first;
}
