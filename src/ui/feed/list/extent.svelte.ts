import type { DayCount } from "../../../client";
import type { StoredMessage } from "../../../contract";
import { DAY_S } from "../../../protocol";
import type { Goal } from "../../state/navigation/scroll-anchor";

/**
 * How a feed's messages are spread over time, by their number on each day. Converts a time into an index in the whole
 * feed and back: exact at the end of a day; within a day, messages are assumed to be evenly spread.
 */
export class FeedSpan {
  readonly total: number;
  /** Newest first: end of the day, s; its length so far, s; its number of messages; and how many are newer. */
  readonly #days: { endS: number; lengthS: number; count: number; newer: number }[] = [];

  /** @param days oldest first @param nowS where the newest day ends */
  constructor(days: readonly DayCount[], nowS: number) {
    let newer = 0;
    for (const { day, count } of days.toReversed()) {
      if (count <= 0) continue;
      const startS = day * DAY_S;
      const endS = Math.max(startS + 1, newer === 0 ? Math.min(startS + DAY_S, nowS + 1) : startS + DAY_S);
      this.#days.push({ endS, lengthS: endS - startS, count, newer });
      newer += count;
    }
    this.total = newer;
  }

  /** How many messages are newer than a time, s. */
  indexAt(time: number): number {
    const day = this.#days.find(({ endS, lengthS }) => time >= endS - lengthS);
    if (!day) return this.total;
    return day.newer + Math.round(day.count * Math.max(0, Math.min(1, (day.endS - time) / day.lengthS)));
  }

  /** The time, s, after which there are `index` newer messages. */
  timeAt(index: number): number {
    const day = this.#days.findLast(({ newer }) => newer <= index) ?? this.#days[0];
    if (!day) return 0;
    const part = Math.max(0, Math.min(1, (index - day.newer) / day.count));
    return Math.floor(day.endS - part * day.lengthS);
  }
}

interface Window {
  readonly rows: readonly StoredMessage[];
  readonly hasAbove: boolean;
  readonly hasBelow: boolean;
}

/**
 * How much of a feed lies beyond its window, and so where the window is in the whole feed, according to the feed's
 * span. "Above" and "below" are as on screen.
 */
export class Extent {
  #span = $state.raw<FeedSpan>();
  /** How many messages are above the window, if there are any. */
  #index = $state(0);

  constructor(private readonly window: Window) {}

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

  /** Where to go for a place above or below the window, `part` (0 to 1) of the way; undefined without a span. */
  goalAt(where: "above" | "below", part: number): Goal | undefined {
    const index = Math.round(part * this[where]) + (where === "above" ? 0 : this.above + this.window.rows.length);
    return this.#span && { time: this.#span.timeAt(index), arrival: Infinity, index, stays: true };
  }
}
