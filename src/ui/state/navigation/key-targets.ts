import type { StoredMessage } from "../../../contract";
import type { Pane } from "./pane.svelte";
import type { Goal } from "./scroll-anchor";

/** The actions of a page or dialog with keys of its own, which adds itself to `App.keyTargets` while it is open. */
export type KeyContext =
  | {
      kind: "columns";
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
      /** Moves an enlarged picture by these steps. */
      look: (right: -1 | 0 | 1, down: -1 | 0 | 1) => void;
    };

/** What keys act on, wherever on the page they are pressed. */
export class KeyTargets {
  /** The feed that has the keyboard; undefined if the page shows none. */
  feed: FeedControls | undefined;
  readonly #contexts = new Set<KeyContext>();

  /** Gives the keyboard to a feed. Returns a function that takes it away, unless another feed has it by then. */
  useFeed(controls: FeedControls): () => void {
    this.feed = controls;
    return () => {
      if (this.feed === controls) this.feed = undefined;
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

/** How commands act on the feed that has the keyboard. */
export interface FeedControls {
  readonly pane: Pane;
  /** The selected message, else the focused one, if the feed holds it. */
  readonly row: StoredMessage | undefined;
  /** The messages in memory, in list order, without hidden repeats. */
  readonly rows: readonly StoredMessage[];
  /** The repeats a message stands for, to which an action on it applies too. */
  behind: (row: StoredMessage) => readonly StoredMessage[];
  /** Selects the message `by` rows further down; if none is selected, the focused one or the first on screen. */
  step: (by: number) => Promise<void>;
  /**
   * Call before a message leaves the feed: moves its selection or focus to the next message. Returns a function that
   * moves it back once the message has returned.
   */
  handOn: () => () => void;
  toNewest: () => void;
  /** Height of the list, px. */
  readonly height: number;
  /** Shows a message, wherever it is in the feed, and focuses it. */
  goTo: (goal: Goal) => Promise<void>;
}
