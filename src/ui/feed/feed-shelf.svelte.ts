import type { App } from "../state/app.svelte";
import type { Scope } from "../state/view";
import { FeedState } from "./feed-state.svelte";
import type { Place } from "./place";

/** Feeds that are kept when one goes elsewhere, so that Back finds them as they were. Each holds a bounded window. */
const MOST_KEPT = 5;

/** A feed and where its list stood. */
export interface Kept {
  readonly key: string;
  readonly feed: FeedState;
  place?: Place | undefined;
}

/** The feeds of the page: the one that is shown, and those behind it. All of them follow the hub. */
class FeedShelf {
  /** The one on the screen. */
  current = $state.raw<Kept>();
  #app: App;
  /** The one used last comes last. */
  #kept = new Map<string, Kept>();

  constructor(app: App) {
    this.#app = app;
    app.client.listen((event) => {
      for (const { feed } of this.#kept.values()) feed.apply(event);
    });
  }

  /**
   * The feed of a scope as this step of the history had it, or a new one. A step that was reached by a link has none yet, so
   * that it begins at the newest message; Back returns to what was being read.
   */
  open(scope: Scope): Kept {
    const key = `${historyStep()} ${JSON.stringify(scope)}`;
    const kept = this.#kept.get(key) ?? { key, feed: new FeedState(this.#app.client.reader, scope) };
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    for (const [other, { feed }] of this.#kept) {
      if (other === key) feed.comeBack();
      else feed.leave();
      if (this.#kept.size > MOST_KEPT && other !== key) this.#kept.delete(other);
    }
    return kept;
  }
}

const shelves = new WeakMap<App, FeedShelf>();

/**
 * The shelf of the page. For the setup of a component: state that is made inside of a derived, as the first call makes it, is
 * none of what that derived depends on.
 */
export function shelfOf(app: App): FeedShelf {
  let shelf = shelves.get(app);
  if (!shelf) shelves.set(app, (shelf = new FeedShelf(app)));
  return shelf;
}

let steps = 0;

/** Names this step of the browser's history, and remembers the name in it. Unique over reloads, which steps outlive. */
function historyStep(): string {
  const state = history.state as { step?: string } | null;
  if (state?.step !== undefined) return state.step;
  const step = `${String(Math.round(performance.timeOrigin))}-${String(++steps)}`;
  history.replaceState({ ...state, step }, "");
  return step;
}
