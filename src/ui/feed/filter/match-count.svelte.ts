import { untrack } from "svelte";
import type { CountQuery, Matches } from "../../../client";
import { belongsTo, type HubEvent, type Position } from "../../../contract";
import type { App } from "../../state/app.svelte";
import type { FeedQuery } from "../../state/navigation/view";

/** Least pause between two counts, in ms and as a multiple of the last one's duration: more changes may follow. */
const PAUSE_MS = 400;
const PAUSE_FACTOR = 4;

/** Counts a part of a query's matches; undefined if nothing can be read any more. */
export type CountPart = (query: CountQuery) => Promise<Pick<Matches, "found" | "next"> | undefined>;

function movesWithTime({ filter }: FeedQuery): boolean {
  return filter.terms.some((term) => "written" in term && !/^\d{4}-/.test(term.written));
}

/** Resolves once the page is visible: a hidden page needs no counts. Undefined if it is. */
function untilSeen(): Promise<unknown> | undefined {
  if (document.visibilityState === "visible") return undefined;
  return new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }));
}

/** How many messages a scope has, while the surrounding effect lives; undefined until known, or without a scope. */
export function countMatches(app: App, scopeNow: () => FeedQuery | undefined): () => number | undefined {
  let count = $state.raw<MatchCount>();
  const scope = $derived(scopeNow());
  $effect(() => {
    if (!scope) return;
    const read = async (query: CountQuery) => (await app.read((reader) => reader.count(query)))?.value;
    const own = untrack(() => new MatchCount(read, scope));
    count = own;
    const stopListening = app.client.listen((event) => own.apply(event));
    return () => {
      stopListening();
      own.stop();
      untrack(() => (count = undefined));
    };
  });
  $effect(() => {
    void app.clock.minuteMs;
    if (scope && movesWithTime(scope)) untrack(() => count)?.recount();
  });
  return () => count?.found;
}

/** How many messages a scope has: counted in bounded reads, and again, after a pause, once that may be wrong. */
export class MatchCount {
  /** Undefined until it is known. */
  found = $state<number>();
  #isStale = false;
  /** Whether it is counting or pausing. */
  #isBusy = false;
  #isOver = false;

  constructor(
    private readonly count: CountPart,
    private readonly scope: FeedQuery,
  ) {
    this.recount();
  }

  stop(): void {
    this.#isOver = true;
  }

  apply(event: HubEvent): void {
    if (event.kind === "missed") this.recount();
    if (event.kind !== "rows") return;
    const { added, changed, removed, more } = event;
    if (more + changed.length + removed.length > 0 || added.some(belongsTo(this.scope, Date.now()))) this.recount();
  }

  recount(): void {
    this.#isStale = true;
    if (!this.#isBusy) void this.#countWhileStale();
  }

  async #countWhileStale(): Promise<void> {
    this.#isBusy = true;
    while (this.#isStale && !this.#isOver) {
      // Not part of the time that a count takes, by which the pause is measured.
      const seen = untilSeen();
      if (seen) await seen;
      this.#isStale = false;
      const beganAtMs = performance.now();
      const found = await countAll(this.count, this.scope, () => this.#isOver);
      if (found === undefined) return;
      this.found = found;
      const pauseMs = Math.max(PAUSE_MS, PAUSE_FACTOR * (performance.now() - beganAtMs));
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    this.#isBusy = false;
  }
}

/** Counts all matches; undefined if stopped, or if nothing can be read any more. */
export async function countAll(count: CountPart, scope: FeedQuery, isOver: () => boolean): Promise<number | undefined> {
  const nowMs = Date.now();
  let found = 0;
  let from: Position | undefined;
  do {
    const part = await count({ ...scope, nowMs, from });
    if (!part || isOver()) return undefined;
    found += part.found;
    from = part.next;
  } while (from);
  return found;
}
