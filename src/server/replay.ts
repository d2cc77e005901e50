import type { CachedMessage } from "./message-cache";

/** Messages of a replay that are looked at in one go. */
const PIECE = 200;

/** Messages of one topic, in order, and the place of the next one. */
interface Cursor {
  messages: readonly CachedMessage[];
  next: number;
  /** Place of the topic in the list, by which topics go that have messages of one second. */
  order: number;
}

const timeOf = ({ messages, next }: Cursor): number => messages[next]?.event.time ?? Infinity;
const isBefore = (a: Cursor, b: Cursor): boolean =>
  timeOf(a) < timeOf(b) || (timeOf(a) === timeOf(b) && a.order < b.order);

/** Puts the first of a heap where it belongs after it has moved on. */
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

/** The first place whose message is of that time or later. */
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
 * Merges the messages of several topics by time, piece by piece, so that nobody waits for the whole: the cache can hold
 * a hundred thousand.
 * @param lists those of each topic in order, which must not change any more
 */
export function* replayPieces(
  lists: readonly (readonly CachedMessage[])[],
  isMeant: (message: CachedMessage) => boolean,
): Generator<CachedMessage[]> {
  // Sorted is a heap too.
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
