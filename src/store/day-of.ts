/** Days are counted in UTC, so that a change of time zone changes no counter. */
const SECONDS_PER_DAY = 86_400;

/** Day of a server time, for the counts by day. */
export function dayOf(time: number): number {
  return Math.floor(time / SECONDS_PER_DAY);
}
