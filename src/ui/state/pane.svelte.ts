import { createContext } from "svelte";
import type { SubscriptionRecord } from "../../client";
import type { Filter, MessageKey } from "../../protocol";
import type { Picked } from "./picked.svelte";
import type { FeedQuery, View } from "./view";

/** A part of a message's page that something leads to. */
export type MessagePart = "versions";

/**
 * One feed on the page: what it is of, and what is selected in it. Where the page shows one feed the app itself is its
 * pane; of columns side by side each has its own. What is about the whole page (dialogs, notices, servers) is the app's.
 */
export interface Pane {
  readonly view: View;
  readonly filter: Filter;
  /** The subscriptions that the view covers. */
  readonly covered: SubscriptionRecord[];
  /** What to read; undefined where there is no feed. */
  readonly scope: FeedQuery | undefined;
  /** Key of the message that keyboard and details are about; undefined while that is in another pane. */
  readonly selectedKey: MessageKey | undefined;
  /** The messages that something is to be done with at once; absent until the first was picked. */
  picked: Picked | undefined;
  /** Keys that are pressed anywhere on the page are meant for this pane. */
  readonly hasKeyboard: boolean;
  /** Tells its elements from those of other panes: the same message can stand in several. */
  readonly name: string;
  /** The filter box is wanted, where it is not always in sight. */
  searching: boolean;
  setFilter(filter: Filter): void;
  /** Selects a message, or nothing. */
  select(key: MessageKey | undefined): void;
  /** Selects a message and shows it, or a part of it. */
  open(key: MessageKey, part?: MessagePart): void;
}

/** The pane that a component stands in. */
export const [getPane, setPane] = createContext<Pane>();
