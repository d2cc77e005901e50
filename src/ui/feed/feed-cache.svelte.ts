import type { Client, PageQuery } from "../../client";
import type { Pane } from "../state/navigation/pane.svelte";
import type { FeedQuery } from "../state/navigation/view";
import { FeedState } from "./feed-state.svelte";
import { historyStep, placeAtStep, type FeedPlace } from "../state/navigation/scroll-anchor";

/**
 * How many feeds are kept, at most, when the user leaves them, so that Back restores them. Each holds a bounded window.
 */
const MAX_KEPT = 5;

export interface CachedFeed {
  readonly feed: FeedState;
  place?: FeedPlace | undefined;
  /** How many items its list draws with the first frame (`VirtualList`); absent = the list's own default. */
  initialItemCount?: number | undefined;
}

/** Names a feed in the state of a history step. Hiding messages changes the feed, but not its place. */
export function placeNameOf({ hidden: _, ...scope }: FeedQuery): string {
  return JSON.stringify(scope);
}

/** Caches a pane's feeds: the one shown, and those kept for Back. All of them follow the hub's announcements. */
class FeedCache {
  /** The feed on screen. */
  current = $state.raw<CachedFeed>();
  /** The feed last asked for; it becomes `current` once it has something to show. */
  asked = $state.raw<CachedFeed>();
  /** The cached feeds in order of use, the most recent last. */
  #kept = new Map<string, CachedFeed>();
  readonly #stopListening: () => void;

  constructor(
    private readonly client: Client,
    private readonly pane: Pane,
  ) {
    this.#stopListening = client.listen((event) => {
      for (const { feed } of this.#kept.values()) feed.apply(event);
    });
  }

  /**
   * Returns the feed that this history step showed for a scope, or a new one that starts at the step's place. A step
   * reached by a link starts at the newest message; Back and a reload return to what the user was reading.
   */
  open(scope: FeedQuery): CachedFeed {
    const key = `${historyStep()} ${JSON.stringify(scope)}`;
    const place = placeAtStep(this.pane.name, placeNameOf(scope));
    const read = (query: PageQuery) => this.client.read((reader) => reader.page(query));
    const kept = this.#kept.get(key) ?? { feed: new FeedState(read, scope, place, (subId) => this.pane.folds(subId)) };
    this.asked = kept;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    for (const [other, { feed }] of this.#kept) {
      if (other === key) feed.comeBack();
      else feed.leave();
      if (this.#kept.size > MAX_KEPT && other !== key) this.#kept.delete(other);
    }
    return kept;
  }

  /** Call this when the pane no longer shows a feed, so that its feed stops reading. */
  close(): void {
    this.current?.feed.leave();
    this.current = undefined;
    this.asked = undefined;
  }

  /** Call this when the pane is gone. */
  end(): void {
    this.close();
    this.#stopListening();
    caches.delete(this.pane);
  }
}

const caches = new WeakMap<Pane, FeedCache>();

/**
 * Returns a pane's feed cache. Call it during a component's setup: the first call creates state, and `$derived` doesn't
 * track state created inside it.
 */
export function feedCacheOf(pane: Pane, client: Client): FeedCache {
  let cache = caches.get(pane);
  if (!cache) caches.set(pane, (cache = new FeedCache(client, pane)));
  return cache;
}
