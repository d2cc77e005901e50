import type { FeedControls } from "./feed-controls";

/**
 * The actions of a page or dialog with keys of its own. It adds itself to `App.keyTargets` while in use; its keys are
 * in the table of commands.
 */
export type KeyContext =
  | {
      kind: "columns";
      /** Goes to the column `by` places to the right. */
      step: (by: -1 | 1) => void;
      /** Moves the active column `by` places to the right. */
      move: (by: -1 | 1) => void;
      add: () => void;
    }
  | { kind: "wall"; leave: () => void; fill: () => void }
  | {
      kind: "raw";
      /** Toggles between following the newest lines and staying in place. */
      toggleFollow: () => void;
      copy: () => void;
      clear: () => void;
      back: () => void;
    }
  | {
      kind: "picture";
      zoom: (by: -1 | 1) => void;
      fit: () => void;
      /** Moves the visible part of an enlarged picture by these steps. */
      look: (right: -1 | 0 | 1, down: -1 | 0 | 1) => void;
    };

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

  /** The frontmost page or dialog with keys of its own: the one added last. */
  get context(): KeyContext | undefined {
    return [...this.#contexts].at(-1);
  }

  /** Adds a page or dialog with keys of its own. Returns a function that removes it. */
  addContext(context: KeyContext): () => void {
    this.#contexts.add(context);
    return () => void this.#contexts.delete(context);
  }
}
