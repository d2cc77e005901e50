/** Seconds beyond which no date can be said; a server may send any number. */
const LAST_SECOND = 8_640_000_000_000;

/** Seconds of the protocol, a Unix time or a span, in ms, held to what a date can name. */
export function toMs(seconds: number): number {
  return Math.min(Math.max(seconds, -LAST_SECOND), LAST_SECOND) * 1_000;
}
