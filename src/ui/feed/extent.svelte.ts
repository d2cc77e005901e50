import type { Position, StoredMessage } from "../../contract";
import type { Goal } from "../state/scroll-anchor";
import type { FeedSpan } from "./span";

/** The rows of a feed that are in memory, and whether there are more at their ends. */
export interface Window {
  readonly rows: readonly StoredMessage[];
  readonly hasAbove: boolean;
  readonly hasBelow: boolean;
}

/**
 * How much of a feed lies beyond its window, and so where the window is in the whole feed. This comes from the feed's
 * span if it is known, else from what was read so far. "Above" and "below" are as on screen.
 */
export class Extent {
  /** Messages above and below the window; 0 if there are none, or the number is unknown. */
  above = $state(0);
  below = $state(0);
  readonly #window: Window;
  #span: FeedSpan | undefined;
  /** Without a span: how many rows were read so far, and the first rows of pages that were dropped. */
  #deepest = 0;
  #marks: { index: number; at: Position }[] = [];

  constructor(window: Window) {
    this.#window = window;
  }

  /** Sets the span of the whole feed. */
  measured(span: FeedSpan): void {
    this.#span = span;
    this.placeAt(this.above > 1 ? this.above : undefined);
  }

  /** The window restarts at the first row of the feed. */
  beginAnew(): void {
    this.#marks = [];
    this.#deepest = 0;
    this.placeAt(0);
  }

  /** Sets how many rows are above the window; undefined = as many as the span says. */
  placeAt(index: number | undefined): void {
    const [first] = this.#window.rows;
    this.#countAbove(index ?? (first && this.#span ? this.#span.indexAt(first.time) : 0));
    this.countBelow();
  }

  /** The window's upper edge moved down by `by` rows, or up if negative. */
  movedDown(by: number): void {
    this.#countAbove(this.above + by);
  }

  /** Recounts after rows entered or left the window at its lower end. */
  countBelow(): void {
    const known = this.above + this.#window.rows.length;
    this.#deepest = Math.max(this.#deepest, known);
    this.below = this.#window.hasBelow ? (this.#span?.total ?? this.#deepest) - known : 0;
    // There is at least one row, even if the span says otherwise.
    if (this.#span && this.#window.hasBelow) this.below = Math.max(1, this.below);
  }

  /** Remembers the window's first row before it is dropped. */
  mark(at: Position): void {
    if (this.above > (this.#marks.at(-1)?.index ?? -1)) this.#marks.push({ index: this.above, at });
  }

  /**
   * The goal for a place in the room above or below the window; `part` is how far into it, 0 to 1. Undefined if
   * unknown.
   */
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
