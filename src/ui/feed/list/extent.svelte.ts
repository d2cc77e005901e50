import type { Goal } from "../../state/navigation/scroll-anchor";
import type { FeedState } from "../feed-state.svelte";
import type { FeedSpan } from "./span";

/**
 * How much of a feed lies beyond its window, and so where the window is in the whole feed, according to the feed's
 * span. "Above" and "below" are as on screen.
 */
export class Extent {
  #span = $state.raw<FeedSpan>();
  /** How many messages are above the window, if there are any. */
  #index = $state(0);

  constructor(private readonly window: Pick<FeedState, "rows" | "hasAbove" | "hasBelow">) {}

  /** Messages above the window; 0 if there are none. */
  get above(): number {
    return this.window.hasAbove ? Math.max(1, this.#index) : 0;
  }

  /** Messages below the window; 0 if there are none or the number is unknown. */
  get below(): number {
    const known = this.above + this.window.rows.length;
    // There is at least one row, even if the span says otherwise.
    return this.#span && this.window.hasBelow ? Math.max(1, this.#span.total - known) : 0;
  }

  /** Sets the span of the whole feed. */
  measured(span: FeedSpan): void {
    this.#span = span;
    this.placeAt(this.above > 1 ? this.above : undefined);
  }

  /** Sets how many rows are above the window; undefined = as many as the span says. */
  placeAt(index: number | undefined): void {
    const [first] = this.window.rows;
    this.#index = index ?? (first && this.#span ? this.#span.indexAt(first.time) : 0);
  }

  /** The window's upper edge moved by `by` rows: down, or up if negative. */
  movedDown(by: number): void {
    this.#index = this.above + by;
  }

  /**
   * Where to go for a place in the room above or below the window; `part` is how far into it, 0 to 1. Undefined without
   * a span.
   */
  goalAt(where: "above" | "below", part: number): Goal | undefined {
    const index = Math.round(part * this[where]) + (where === "above" ? 0 : this.above + this.window.rows.length);
    return this.#span && { time: this.#span.timeAt(index), arrival: Infinity, index, stays: true };
  }
}
