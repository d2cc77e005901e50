import type { StoredMessage } from "../../../contract";
import type { Pane } from "./pane.svelte";
import type { Goal } from "./scroll-anchor";

/** How commands act on the feed that has the keyboard. */
export interface FeedControls {
  readonly pane: Pane;
  /** The selected message, else the focused one, if the feed holds it. */
  readonly row: StoredMessage | undefined;
  /** The messages in memory, in list order, without hidden repeats. */
  readonly rows: readonly StoredMessage[];
  /** The repeats behind a message, to which an action on it applies too. */
  behind: (row: StoredMessage) => readonly StoredMessage[];
  /** Selects the message `by` rows further down; if none is selected, the focused one or the first on screen. */
  step: (by: number) => Promise<void>;
  /**
   * Call before a message leaves the feed: moves its selection or focus to the next message. Returns a function that
   * moves it back once the message has returned.
   */
  handOn: () => () => void;
  /** Shows the newest message of all. */
  toNewest: () => void;
  /** Height of the list, px. */
  readonly height: number;
  /** Shows a message anywhere in the feed and focuses it. `unread`: marks it as the oldest unread one. */
  goTo: (goal: Goal, as?: "unread") => Promise<void>;
}
