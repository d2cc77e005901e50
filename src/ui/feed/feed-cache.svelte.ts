import type { Client } from "../../client";
import type { Pane } from "../state/pane.svelte";
import type { FeedQuery } from "../state/view";
import { FeedState, type ReadPage } from "./feed-state.svelte";
import { historyStep, placeAtStep, type FeedPlace } from "./scroll-anchor";

/** Feeds that are kept when one goes elsewhere, so that Back finds them as they were. Each holds a bounded window. */
const MOST_KEPT = 5;

/** A feed and where its list stood. */
export interface Kept {
  readonly key: string;
  readonly feed: FeedState;
  place?: FeedPlace | undefined;
}

/** The feeds of a pane: the one that is shown, and those behind it. All of them follow the hub. */
class FeedCache {
  /** The one on the screen. */
  current = $state.raw<Kept>();
  /** The one that was asked for last: it comes on the screen once it has something to show. */
  asked = $state.raw<Kept>();
  #client: Client;
  readonly #pane: string;
  readonly #readPage: ReadPage = (query) => this.#client.read((reader) => reader.page(query));
  /** The one used last comes last. */
  #kept = new Map<string, Kept>();

  constructor(client: Client, pane: string) {
    this.#client = client;
    this.#pane = pane;
    client.listen((event) => {
      for (const { feed } of this.#kept.values()) feed.apply(event);
    });
  }

  /**
   * The feed of a scope as this step of the history had it, or a new one that begins where this step stood. A step that was
   * reached by a link begins at the newest message; Back and a reload return to what was being read.
   */
  open(scope: FeedQuery): Kept {
    const of = JSON.stringify(scope);
    const key = `${historyStep()} ${of}`;
    const kept = this.#kept.get(key) ?? {
      key,
      feed: new FeedState(this.#readPage, scope, placeAtStep(this.#pane, of)),
    };
    this.asked = kept;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    for (const [other, { feed }] of this.#kept) {
      if (other === key) feed.comeBack();
      else feed.leave();
      if (this.#kept.size > MOST_KEPT && other !== key) this.#kept.delete(other);
    }
    return kept;
  }

  /** The pane shows no feed any more: nothing is read behind it. */
  close(): void {
    this.current?.feed.leave();
    this.current = undefined;
    this.asked = undefined;
  }
}

const caches = new WeakMap<Pane, FeedCache>();

/**
 * The cache of a pane. For the setup of a component: state that is made inside of a derived, as the first call makes it, is
 * none of what that derived depends on.
 */
export function feedCacheOf(pane: Pane, client: Client): FeedCache {
  let cache = caches.get(pane);
  if (!cache) caches.set(pane, (cache = new FeedCache(client, pane.name)));
  return cache;
}
