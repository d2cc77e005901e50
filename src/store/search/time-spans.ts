// Sets of server times, as spans that are separate and in order; both ends of a span are included.
import type { TimeSpan } from "../schema";

/** A set has at most this many spans; beyond that the closest are joined. Each costs a search a few reads. */
const MAX_SPANS = 32;

/** Adds spans to a set. If it would get too many, the times between some of them are added too. */
export function withSpans(spans: readonly TimeSpan[], added: readonly TimeSpan[]): TimeSpan[] {
  const all = joined(
    [...spans, ...added].sort((a, b) => a[0] - b[0]),
    1,
  );
  if (all.length <= MAX_SPANS) return all;
  const gaps = all.slice(1).map(([from], at) => from - (all[at]?.[1] ?? from));
  return joined(all, gaps.sort((a, b) => b - a)[MAX_SPANS - 1] ?? 1);
}

/** Joins spans that overlap, or lie no further apart than that. */
function joined(sorted: readonly TimeSpan[], apart: number): TimeSpan[] {
  const result: TimeSpan[] = [];
  for (const [from, to] of sorted) {
    const last = result.at(-1);
    if (last && from - last[1] <= apart) last[1] = Math.max(last[1], to);
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
