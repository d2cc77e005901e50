import { createContext } from "svelte";
import type { SubscriptionRecord } from "../../client";
import type { Filter, MessageKey } from "../../protocol";
import type { Picked } from "./picked.svelte";
import type { FeedQuery, View } from "./view";

/** A part of a message's page to which a link or button leads. */
export type MessagePart = "versions";

/**
 * One feed on the page: what it shows, and what is selected in it. If the page shows one feed, the app itself is its
 * pane; columns have one pane each. What concerns the whole page (dialogs, notices, servers) is in the app.
 */
export interface Pane {
  readonly view: View;
  readonly filter: Filter;
  /** The subscriptions that the view covers. */
  readonly covered: SubscriptionRecord[];
  /** The feed query; undefined if there is no feed. */
  readonly scope: FeedQuery | undefined;
  /** Key of the selected message, to which the keyboard and the details apply; undefined if it is in another pane. */
  readonly selectedKey: MessageKey | undefined;
  /** The picked messages; undefined until the first one is picked. */
  picked: Picked | undefined;
  /** Keys pressed anywhere on the page apply to this pane. */
  readonly hasKeyboard: boolean;
  /** Prefix for element ids, as the same message can be shown in several panes. */
  readonly name: string;
  /** The filter box is asked for, if it isn't always shown. */
  searching: boolean;
  setFilter(filter: Filter): void;
  /** Selects a message, or nothing. */
  select(key: MessageKey | undefined): void;
  /** Selects a message and shows it, or a part of it. */
  open(key: MessageKey, part?: MessagePart): void;
}

/** Gets the pane that contains a component. */
export const [getPane, setPane] = createContext<Pane>();
