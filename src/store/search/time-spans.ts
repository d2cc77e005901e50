// Sets of server times, as spans that are separate and in order; both ends of a span are included.
import type { TimeSpan } from "../schema";

/** A set has at most this many spans, beyond which the closest are joined: each costs a search a few reads. */
const MAX_SPANS = 32;

/** Adds times to a set. If it would get too many spans, some times in between are added too. */
export function withTimes(spans: readonly TimeSpan[], times: Iterable<number>): TimeSpan[] {
  const points = [...times].map((time): TimeSpan => [time, time]);
  if (points.length === 0) return [...spans];
  const sorted = [...spans, ...points].sort((a, b) => a[0] - b[0]);
  const gaps = sorted.slice(1).map(([from], at) => from - (sorted[at]?.[1] ?? from));
  const narrowest = gaps.length < MAX_SPANS ? 1 : ([...gaps].sort((a, b) => b - a)[MAX_SPANS - 2] ?? 1);
  return joined(sorted, narrowest);
}

/** Adds a span to a set. */
export function withSpan(spans: readonly TimeSpan[], span: TimeSpan): TimeSpan[] {
  return joined(
    [...spans, span].sort((a, b) => a[0] - b[0]),
    1,
  );
}

/** Joins spans that overlap, touch, or lie closer than `apart`, as long as there are not too many. */
function joined(sorted: readonly TimeSpan[], apart: number): TimeSpan[] {
  const result: TimeSpan[] = [];
  for (const [from, to] of sorted) {
    const last = result.at(-1);
    const gap = last ? from - last[1] : Infinity;
    // Of several gaps of the same width, the first ones are kept until there are enough spans.
    if (last && (gap <= 1 || gap < apart || result.length >= MAX_SPANS)) last[1] = Math.max(last[1], to);
    else result.push([from, to]);
  }
  return result;
}

/** Removes all times from `from` to `to`, both included. */
export function withoutSpan(spans: readonly TimeSpan[], from: number, to: number): TimeSpan[] {
  return spans.flatMap(([start, end]): TimeSpan[] => {
    if (end < from || start > to) return [[start, end]];
    const before: TimeSpan[] = start < from ? [[start, from - 1]] : [];
    return end > to ? [...before, [to + 1, end]] : before;
  });
}

/** A span that is entirely inside or entirely outside a set. */
export interface Stretch {
  from: number;
  to: number;
  inside: boolean;
}

/** Divides a span by a set, oldest part first. */
export function divide(spans: readonly TimeSpan[], from: number, to: number): Stretch[] {
  const stretches: Stretch[] = [];
  let at = from;
  for (const [start, end] of spans) {
    if (end < at || start > to) continue;
    if (start > at) stretches.push({ from: at, to: start - 1, inside: false });
    stretches.push({ from: Math.max(at, start), to: Math.min(to, end), inside: true });
    at = end + 1;
  }
  if (at <= to) stretches.push({ from: at, to, inside: false });
  return stretches;
}
