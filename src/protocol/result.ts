/** What a boundary returns: a value, or an error that is a union tagged by `kind`. Exceptions are for bugs. */
export type Result<Value, Failure> = { ok: true; value: Value } | { ok: false; error: Failure };

export function ok<Value>(value: Value): { ok: true; value: Value } {
  return { ok: true, value };
}

export function fail<Failure>(error: Failure): { ok: false; error: Failure } {
  return { ok: false, error };
}

/** Ends a switch over a union: a new member doesn't compile until it is handled. */
export function unreachable(value: never): never {
  throw new Error(`unhandled case: ${JSON.stringify(value)}`);
}

/** Splits a list into parts of this size; the last may be smaller. */
export function partsOf<Item>(items: readonly Item[], size: number): Item[][] {
  const parts: Item[][] = [];
  for (let at = 0; at < items.length; at += size) parts.push(items.slice(at, at + size));
  return parts;
}

/** No date lies beyond this many seconds; a server may send any number. */
const LAST_SECOND = 8_640_000_000_000;

/** A day, in seconds and in ms. */
export const DAY_S = 86_400;
export const DAY_MS = 86_400_000;

/** Converts seconds of the protocol, a Unix time or a span, to ms, limited to what a date can hold. */
export function toMs(seconds: number): number {
  return Math.min(Math.max(seconds, -LAST_SECOND), LAST_SECOND) * 1_000;
}
