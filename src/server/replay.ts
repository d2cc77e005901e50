import type { CachedMessage } from "./message-cache";

/** How many messages of a replay are processed at once. */
const PIECE = 200;

/** Messages of one topic, in order, and the index of the next one. */
interface Cursor {
  messages: readonly CachedMessage[];
  next: number;
  /** Index of the topic in the list, which orders messages of the same second from different topics. */
  order: number;
}

const timeOf = ({ messages, next }: Cursor): number => messages[next]?.event.time ?? Infinity;
const isBefore = (a: Cursor, b: Cursor): boolean =>
  timeOf(a) < timeOf(b) || (timeOf(a) === timeOf(b) && a.order < b.order);

/** Restores the heap after its first element has advanced. */
function sink(heap: Cursor[]): void {
  for (let at = 0; ;) {
    let least = at;
    for (const child of [2 * at + 1, 2 * at + 2]) {
      const [other, best] = [heap[child], heap[least]];
      if (other && best && isBefore(other, best)) least = child;
    }
    const [moved, above] = [heap[at], heap[least]];
    if (least === at || !moved || !above) return;
    heap[least] = moved;
    heap[at] = above;
    at = least;
  }
}

/** Index of the first message of that time or later. */
export function firstFrom(messages: readonly CachedMessage[], time: number): number {
  let [low, high] = [0, messages.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((messages[middle]?.event.time ?? Infinity) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Merges the messages of several topics by time, piece by piece, so that other work needn't wait for the whole merge:
 * the cache can hold a hundred thousand messages.
 * @param lists the messages of each topic, in order; they must not change any more
 */
export function* replayPieces(
  lists: readonly (readonly CachedMessage[])[],
  isMeant: (message: CachedMessage) => boolean,
): Generator<CachedMessage[]> {
  // A sorted array is a heap.
  const heap = lists
    .map((messages, order): Cursor => ({ messages, next: 0, order }))
    .filter(({ messages }) => messages.length > 0)
    .sort((a, b) => (isBefore(a, b) ? -1 : 1));
  let piece: CachedMessage[] = [];
  let looked = 0;
  for (let first = heap[0]; first; first = heap[0]) {
    const message = first.messages[first.next++];
    if (message && isMeant(message)) piece.push(message);
    if (first.next === first.messages.length) {
      const last = heap.pop();
      if (last && last !== first) heap[0] = last;
    }
    sink(heap);
    if (++looked % PIECE > 0) continue;
    yield piece;
    piece = [];
  }
  yield piece;
}
