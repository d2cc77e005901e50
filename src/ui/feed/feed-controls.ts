import type { StoredMessage } from "../../protocol";
import type { Pane } from "../state/pane.svelte";
import type { Goal } from "./scroll-anchor";

/** What commands can do with the feed that has the keyboard. */
export interface FeedControls {
  readonly pane: Pane;
  /** The message that is selected, else the one with the focus, if the feed holds it. */
  readonly row: StoredMessage | undefined;
  /** The messages in memory, in their order. */
  readonly rows: readonly StoredMessage[];
  /** Selects the message so many rows further down; when none is selected, the one with the focus or on top of the screen. */
  step: (by: number) => Promise<void>;
  /** What was dealt with leaves the feed: the message beside it is selected in its place, or has the focus where it had. */
  handOn: () => void;
  /** Shows the newest message of all. */
  toNewest: () => void;
  /** Height of the list, px. */
  readonly height: number;
  /** Shows a message, wherever it is in the feed, and puts the focus on it; `unread`: as the first of those to read. */
  goTo: (goal: Goal, as?: "unread") => Promise<void>;
}
