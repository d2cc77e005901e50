/** Height of an item before any was measured, px: a row with a title and a line of text. */
const FIRST_GUESS = 76;

/** Beyond this number, heights of items long gone are forgotten. */
const MAX_KEPT = 4000;

/** Heights of a list's items by key, in px: measured, or else guessed as the mean of those measured. */
export class Heights {
  #measured = new Map<string, number>();
  #sum = 0;

  of(key: string): number {
    return this.#measured.get(key) ?? this.guess;
  }

  has(key: string): boolean {
    return this.#measured.has(key);
  }

  get guess(): number {
    return this.#measured.size > 0 ? this.#sum / this.#measured.size : FIRST_GUESS;
  }

  /** Takes a measurement; returns whether it changes what `of` answers. */
  set(key: string, height: number): boolean {
    const before = this.of(key);
    this.#sum += height - (this.#measured.get(key) ?? 0);
    this.#measured.set(key, height);
    if (this.#measured.size > MAX_KEPT) {
      const [oldest, its] = this.#measured.entries().next().value ?? ["", 0];
      this.#measured.delete(oldest);
      this.#sum -= its;
    }
    return Math.abs(height - before) >= 0.5;
  }

  /** Forgets everything but the guess: the width changed, so all text wraps differently. */
  clear(): void {
    const guess = this.guess;
    this.#measured.clear();
    this.#sum = 0;
    // Keep the guess as a measurement of an item that doesn't exist.
    this.set("", guess);
  }
}

/**
 * Geometry of a list that is only partly in the page. The functions are pure, so that tests can check every pixel.
 *
 * The rendered items are in normal flow between two spacers. Heights are known by key once an item has been rendered,
 * and estimated before. Whatever changes (items enter or leave, a height differs from its estimate), one visible item,
 * the anchor, keeps its place on the screen. The upper spacer absorbs errors in the estimates above it, because
 * scrolling by script would stop the momentum of a finger's scroll.
 */

/** The rendered items and their place. Lengths in px. */
export interface ListLayout {
  /** Index of the first rendered item, and one past the last. */
  first: number;
  end: number;
  /** Heights of the two spacers. */
  above: number;
  below: number;
  /** The scroll position to set; differs from the current one only if that can't be avoided. */
  scrollTop: number;
  /** How far the whole list moved up: subtract this from all known positions in it. */
  moved: number;
}

export interface LayoutInput {
  count: number;
  /** Height of an item, measured or estimated. */
  height: (index: number) => number;
  /**
   * An item and the distance of its upper edge from the list's. One that was never measured is rendered even if its
   * estimated height ends above the screen, because its real height may reach into it.
   */
  anchor: { index: number; top: number; isMeasured?: boolean };
  scrollTop: number;
  viewport: number;
  /** How far beyond the screen items are rendered. */
  margin: number;
  /** How many items are rendered, at most, however many there is room for. Default: no limit. */
  most?: number;
  /** Whether more items can come before the first, so that free space above it is allowed. */
  openAbove: boolean;
  /** Height reserved for items that aren't in memory, before and after these. */
  before?: number;
  behind?: number;
  /** Whether to move list and scroller together to where the estimates put the list, unseen by the user. */
  anew?: boolean;
}

/**
 * The most room for items that aren't in memory, px. Even with the list's drift from its estimate, this stays below the
 * greatest height that browsers lay out: some 17.8 million px in Firefox, 33.5 million elsewhere.
 */
export const MAX_SPAN = 8_000_000;

/** The list begins no lower than here, px. */
const MAX_ABOVE = 9_000_000;

/** Lays the items out around the anchor, in time proportional to the items in memory, which are bounded. */
export function layOut(input: LayoutInput): ListLayout {
  const { count, height, viewport, margin, most = Infinity, openAbove, before = 0, behind = 0, anew = false } = input;
  if (count === 0) return { first: 0, end: 0, above: 0, below: 0, scrollTop: 0, moved: 0 };
  let scrollTop = Math.max(0, input.scrollTop);
  const from = scrollTop - margin;

  let first = Math.min(Math.max(0, input.anchor.index), count - 1);
  let top = input.anchor.top;
  while (first > 0 && top > from) top -= height(--first);
  const { isMeasured = true } = input.anchor;
  while (isMeasured && first < count - 1 && top + height(first) <= from) top += height(first++);

  // Once its start is rendered, the list must begin at 0, and a spacer can't be negative. Only then are errors in the
  // estimates corrected, by moving list and scroller together, so that nothing moves on the screen.
  let excess = 0;
  if (first === 0 && !openAbove) excess = top;
  else if (anew || top < 0 || top > MAX_ABOVE) {
    excess = top - before;
    for (let index = 0; index < first; index++) excess -= height(index);
  }
  top -= excess;
  scrollTop = Math.max(0, scrollTop - excess);

  let end = first;
  let bottom = top;
  while (end < count && end - first < most && bottom < scrollTop + viewport + margin) bottom += height(end++);
  let below = behind;
  for (let index = end; index < count; index++) below += height(index);
  return { first, end, above: top, below, scrollTop, moved: excess };
}

/** The first item whose lower edge is below `y`: the topmost visible one if `y` is the upper edge of the screen. */
export function itemAt(
  y: number,
  layout: Pick<ListLayout, "first" | "end" | "above">,
  height: (index: number) => number,
): { index: number; top: number } {
  let top = layout.above;
  let index = layout.first;
  while (index < layout.end - 1 && top + height(index) <= y) top += height(index++);
  return { index, top };
}
