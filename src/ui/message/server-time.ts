/** Seconds beyond which no date can be said; a server may send any number. */
const LAST_SECOND = 8_640_000_000_000;

/** A moment of the server's clock (Unix seconds) in ms, held to what a date can name. */
export function toMs(timeS: number): number {
  return Math.min(Math.max(timeS, -LAST_SECOND), LAST_SECOND) * 1000;
}
