import type { FeedControls } from "./feed-controls";
import type { KeyContext } from "./key-context";

/** What keys that are pressed anywhere on the page act on. */
export class KeyTargets {
  #feed: FeedControls | undefined;
  readonly #contexts = new Set<KeyContext>();

  /** The feed that has the keyboard; undefined if the page shows none. */
  get feed(): FeedControls | undefined {
    return this.#feed;
  }

  /** Gives the keyboard to a feed. Returns a function that takes it away, unless another feed has it by then. */
  useFeed(controls: FeedControls): () => void {
    this.#feed = controls;
    return () => {
      if (this.#feed === controls) this.#feed = undefined;
    };
  }

  /** The page or dialog with keys of its own that is in front: the one that was added last, as a dialog covers its page. */
  get context(): KeyContext | undefined {
    return [...this.#contexts].at(-1);
  }

  /** Adds a page or dialog with keys of its own. Returns a function that removes it. */
  addContext(context: KeyContext): () => void {
    this.#contexts.add(context);
    return () => void this.#contexts.delete(context);
  }
}
