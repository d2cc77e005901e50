import type { Readable } from "../database";

/** A segment's key, and its index among all segments that a walk passed. */
export interface SegmentPosition {
  from: number;
  at: number;
}

/** Reads what a store has of some segments: as one range if they are neighbours, as they are for a common word. */
export async function readRun<Value>(
  store: Readable<unknown, Value>,
  places: readonly SegmentPosition[],
): Promise<(Value | undefined)[]> {
  const [first, last] = [places[0], places.at(-1)];
  if (!first || !last) return [];
  if (last.at - first.at !== places.length - 1) return Promise.all(places.map(({ from }) => store.get(from)));
  if (first.from <= last.from) return store.getAll(IDBKeyRange.bound(first.from, last.from));
  return (await store.getAll(IDBKeyRange.bound(last.from, first.from))).reverse();
}
