// Loaded when something must be counted that the rows on screen don't tell.
import type { CountQuery, Matches } from "../../../client";
import { belongsTo, type HubEvent, type Position, type StoredMessage } from "../../../contract";
import type { App } from "../../state/app.svelte";
import type { FeedQuery } from "../../state/navigation/view";
import { rowOrderOf } from "../feed-window";

/** Least pause between two counts, ms, and as a multiple of the last count's duration, as more changes may follow. */
const PAUSE_MS = 400;
const PAUSE_FACTOR = 4;

/** Counts a part of a query's matches; undefined if nothing can be read any more. */
export type CountPart = (query: CountQuery) => Promise<Matches | undefined>;

/** A filter whose matches change as time passes. */
function movesWithTime({ filter }: FeedQuery): boolean {
  return filter.terms.some((term) => "written" in term && !/^\d{4}-/.test(term.written));
}

/** Counts a scope for as long as the surrounding effect lives. */
export function countMatches(app: App, scope: FeedQuery, untilWanted?: () => Promise<void>): MatchCount {
  const count = new MatchCount(async (query) => {
    await untilWanted?.();
    return (await app.read((reader) => reader.count(query)))?.value;
  }, scope);
  $effect(() => {
    const stopListening = app.client.listen((event) => count.apply(event));
    return () => {
      stopListening();
      count.stop();
    };
  });
  $effect(() => {
    void app.clock.minuteMs;
    if (movesWithTime(scope)) count.recount();
  });
  return count;
}

/** The range that one read counted: from the end of the previous part down to `next`. */
type Part = Pick<Matches, "next" | "upTo">;

/**
 * How many messages a scope has in all. It counts newest first in bounded reads and then follows the hub's
 * announcements: a message that arrives is added without a read; if marks change, everything is counted again after a
 * pause.
 */
export class MatchCount {
  /** Undefined until it is known. */
  found = $state<number>();
  readonly #count: CountPart;
  readonly #scope: FeedQuery;
  #parts: Part[] = [];
  /** Rows announced while a read was under way. */
  #meanwhile: StoredMessage[] = [];
  #isReading = false;
  #isStale = false;
  #isOver = false;
  #lastedMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(count: CountPart, scope: FeedQuery) {
    this.#count = count;
    this.#scope = scope;
    void this.#read();
  }

  /** Stops counting for good. */
  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  /** Takes in an announcement of the hub. */
  apply(event: HubEvent): void {
    if (event.kind !== "rows" || this.#isOver) return;
    const added = event.added.filter(belongsTo(this.#scope, Date.now()));
    if (this.#isReading) this.#meanwhile.push(...added);
    else this.#add(added);
    if (event.more > 0 || event.changed.length > 0 || event.removed.length > 0) this.recount();
  }

  /** Counts again, as marks or the time changed and the count may be wrong. */
  recount(): void {
    this.#isStale = true;
    if (this.#isReading || this.#timer !== undefined || this.#isOver) return;
    const pause = Math.max(PAUSE_MS, PAUSE_FACTOR * this.#lastedMs);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#read();
    }, pause);
  }

  async #read(): Promise<void> {
    const beganAt = performance.now();
    const nowMs = Date.now();
    this.#isReading = true;
    this.#isStale = false;
    this.#parts = [];
    let found = 0;
    let from: Position | undefined;
    do {
      const part = await this.#count({ ...this.#scope, nowMs, ...(from && { from }) });
      if (!part) this.#isOver = true;
      if (!part || this.#isOver) return;
      found += part.found;
      from = part.next;
      this.#parts.push(part);
    } while (from);
    this.#isReading = false;
    this.#lastedMs = performance.now() - beganAt;
    this.found = found;
    this.#add(this.#meanwhile);
    this.#meanwhile = [];
    if (this.#isStale) this.recount();
  }

  /** Adds rows that no read saw. For a row that a read may have seen, everything must be counted again. */
  #add(rows: readonly StoredMessage[]): void {
    for (const row of rows) {
      const upTo = this.#parts.find((part) => this.#reaches(part, row))?.upTo ?? 0;
      if (row.arrival >= upTo) this.found = (this.found ?? 0) + 1;
      else this.recount();
    }
  }

  /** Whether a row is in a part, or above it. */
  #reaches({ next }: Part, row: StoredMessage): boolean {
    if (!next) return true;
    // Counting goes newest first, whatever the order of the list.
    const { order, isAhead } = rowOrderOf(this.#scope.list);
    return isAhead ? order(row, next) >= 0 : order(row, next) <= 0;
  }
}
