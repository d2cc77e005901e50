import type { Position, StoredMessage } from "../../protocol";
import type { Goal } from "./scroll-anchor";
import type { Span } from "./span";

/** What a feed has in memory: some rows of the whole, and whether there is more at their ends. */
export interface Window {
  readonly rows: readonly StoredMessage[];
  readonly hasAbove: boolean;
  readonly hasBelow: boolean;
}

/**
 * How much of a feed lies beyond its window, and so where in all there is the window stands: told by the span of the feed
 * where that is known, else by what was read so far. "Above" and "below" are meant as on the screen.
 */
export class Extent {
  /** Messages above and below the window: 0 where nobody knows, or there are none. */
  above = $state(0);
  below = $state(0);
  readonly #window: Window;
  #span: Span | undefined;
  /** Where nobody knows how much there is in all: what was read so far, and where pages began that were let go. */
  #deepest = 0;
  #marks: { index: number; at: Position }[] = [];

  constructor(window: Window) {
    this.#window = window;
  }

  /** Takes in how much there is in all. */
  measured(span: Span): void {
    this.#span = span;
    this.placeAt(this.above > 1 ? this.above : undefined);
  }

  /** The window begins anew at the first row of all. */
  beginAnew(): void {
    this.#marks = [];
    this.#deepest = 0;
    this.placeAt(0);
  }

  /** So many rows stand above the window; undefined = as far as the span can tell. */
  placeAt(index: number | undefined): void {
    const [first] = this.#window.rows;
    this.#countAbove(index ?? (first && this.#span ? this.#span.indexAt(first.time) : 0));
    this.countBelow();
  }

  /** The window's upper edge went down by so many rows, or up. */
  movedDown(by: number): void {
    this.#countAbove(this.above + by);
  }

  /** Rows came into the window below, or left it. */
  countBelow(): void {
    const known = this.above + this.#window.rows.length;
    this.#deepest = Math.max(this.#deepest, known);
    this.below = this.#window.hasBelow ? (this.#span?.total ?? this.#deepest) - known : 0;
    // There is something, however wrong the count.
    if (this.#span && this.#window.hasBelow) this.below = Math.max(1, this.below);
  }

  /** Remembers the window's first row before it is let go. */
  mark(at: Position): void {
    if (this.above > (this.#marks.at(-1)?.index ?? -1)) this.#marks.push({ index: this.above, at });
  }

  /** Where to go for what lies so far into what is above or below the window, 0 to 1; undefined where nothing tells. */
  goalAt(where: "above" | "below", part: number): Goal | undefined {
    const index = Math.round(part * this[where]) + (where === "above" ? 0 : this.above + this.#window.rows.length);
    if (this.#span) return { time: this.#span.timeAt(index), arrival: Infinity, index, stays: true };
    const mark = this.#marks.findLast((one) => one.index <= index);
    return mark && { ...mark.at, index: mark.index, stays: true };
  }

  #countAbove(count: number): void {
    this.above = this.#window.hasAbove ? Math.max(1, count) : 0;
  }
}
