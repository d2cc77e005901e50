import type { Readable } from "../database";

/** A pack by its key, and its place among all that a walk came by. */
export interface PackPosition {
  from: number;
  at: number;
}

/** What a store has of some packs: in one piece where they follow one another, as those of a common word do. */
export async function readRun<Value>(
  store: Readable<unknown, Value>,
  places: readonly PackPosition[],
): Promise<(Value | undefined)[]> {
  const [first, last] = [places[0], places.at(-1)];
  if (!first || !last) return [];
  if (last.at - first.at !== places.length - 1) return Promise.all(places.map(({ from }) => store.get(from)));
  if (first.from <= last.from) return store.getAll(IDBKeyRange.bound(first.from, last.from));
  return (await store.getAll(IDBKeyRange.bound(last.from, first.from))).reverse();
}
