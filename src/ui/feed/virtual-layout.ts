/**
 * Geometry of a list of which only a part is in the page: pure, so that it is tested to the pixel.
 *
 * The rendered items stand in normal flow between two spacers. Heights are known by key once an item was rendered, and
 * estimated before. Whatever changes (items enter or leave, a height turns out otherwise), one item that is being read,
 * the anchor, keeps its place on the screen. An error of the estimates above it is taken up by the upper spacer, not by
 * scrolling, since scrolling by script stops the momentum of a finger.
 */

/** What is rendered, and where. Lengths in px. */
export interface Layout {
  /** Index of the first rendered item, and of the one behind the last. */
  first: number;
  end: number;
  /** Heights of the two spacers. */
  above: number;
  below: number;
  /** Where the scroller must stand; differs from where it stood only when that can't be avoided. */
  scrollTop: number;
  /** So much higher the whole list lies than it did before: all places that were known in it are less by this. */
  moved: number;
}

export interface LayoutInput {
  count: number;
  /** Height of an item, measured or estimated. */
  height: (index: number) => number;
  /**
   * An item and the place of its upper edge, from the upper edge of the list. One that was never measured is rendered even where
   * its estimate ends above the screen: it may be as high as its place says.
   */
  anchor: { index: number; top: number; isMeasured?: boolean };
  scrollTop: number;
  viewport: number;
  /** How far beyond the screen items are rendered. */
  margin: number;
  /** Items that are rendered at most, however many there is room for. Default: no limit. */
  most?: number;
  /** More items can come in front of the first, so that free space above it is welcome. */
  openAbove: boolean;
  /** Height that is due to what is not among the items, in front of them and behind. */
  before?: number;
  behind?: number;
  /** Set the list where the estimates say; nothing moves on the screen by it. */
  anew?: boolean;
}

/**
 * The most that what is not among the items takes, px. With what the list may move away from its estimate it stays below
 * the height that every browser still lays out: some 17.8 million px in Firefox, 33.5 million elsewhere.
 */
export const MOST_SPAN = 8_000_000;

/** The list begins no lower than here, px. */
const MOST_ABOVE = 9_000_000;

/** Lays the items out around the anchor. Time is in proportion to the items in memory, which are bounded. */
export function layOut(input: LayoutInput): Layout {
  const { count, height, viewport, margin, most = Infinity, openAbove, before = 0, behind = 0, anew = false } = input;
  if (count === 0) return { first: 0, end: 0, above: 0, below: 0, scrollTop: 0, moved: 0 };
  let scrollTop = Math.max(0, input.scrollTop);
  const from = scrollTop - margin;

  let first = Math.min(Math.max(0, input.anchor.index), count - 1);
  let top = input.anchor.top;
  while (first > 0 && top > from) top -= height(--first);
  const { isMeasured = true } = input.anchor;
  while (isMeasured && first < count - 1 && top + height(first) <= from) top += height(first++);

  // The list begins at 0 once its start is rendered, and no spacer is less than nothing. What the estimates got wrong is
  // mended only then, by moving list and scroller together, so that nothing moves on the screen.
  let excess = 0;
  if (first === 0 && !openAbove) excess = top;
  else if (anew || top < 0 || top > MOST_ABOVE) {
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

/** The first item whose lower edge lies below `y`: what is being read when `y` is the upper edge of the screen. */
export function itemAt(
  y: number,
  layout: Pick<Layout, "first" | "end" | "above">,
  height: (index: number) => number,
): { index: number; top: number } {
  let top = layout.above;
  let index = layout.first;
  while (index < layout.end - 1 && top + height(index) <= y) top += height(index++);
  return { index, top };
}
