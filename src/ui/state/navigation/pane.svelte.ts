import { createContext } from "svelte";
import type { SubscriptionRecord } from "../../../client";
import type { Filter, MessageKey } from "../../../contract";
import type { CatalogueState } from "../catalogue.svelte";
import { Picked } from "./picked.svelte";
import { inPlaces } from "./places";
import { covered, coveredBy, feedQueryOf, isFeed, type FeedQuery, type FeedView, type View } from "./view";
import type { Navigation } from "./navigation.svelte";
import type { Selection } from "./selection.svelte";

/** A part of a message's page that a link or button leads to. */
export type MessagePart = "versions";

/**
 * One feed on the page: what it shows, and what is selected. A page with one feed has a `PagePane`; columns have one
 * each. Page-wide matters (dialogs, notices, servers) are in the app.
 */
export abstract class Pane {
  readonly #catalogue: CatalogueState;
  readonly picked = new Picked();
  #searching = $state(false);

  constructor(catalogue: CatalogueState) {
    this.#catalogue = catalogue;
  }

  abstract readonly view: View;
  abstract readonly filter: Filter;
  /** Key of the selected message, to which keyboard and details apply; undefined if it is in another pane. */
  abstract readonly selectedKey: MessageKey | undefined;
  /** Keys pressed anywhere on the page apply to this pane. */
  abstract readonly hasKeyboard: boolean;
  /** Prefix for element ids, because a message can be shown in several panes. */
  abstract readonly name: string;

  abstract setFilter(filter: Filter): void;
  /** Selects a message, or nothing. */
  abstract select(key: MessageKey | undefined): void;
  /** Selects a message and shows it, or a part of it. */
  abstract open(key: MessageKey, part?: MessagePart): void;

  /** The subscriptions that the view covers; empty if it shows no feed. */
  readonly covered: SubscriptionRecord[] = $derived.by(() =>
    isFeed(this.view) ? covered(this.view, this.#catalogue.servers, this.#catalogue.tables.subscriptions) : [],
  );

  /** As text, so the scope stays the same object while only counters change. */
  #queriedIds = $derived.by(() =>
    inPlaces(this.filter, this.#catalogue.servers, this.covered)
      .map(({ subId }) => subId)
      .join(),
  );

  /** The feed query of the view: a page query without position, direction and count. Undefined if there is no feed. */
  readonly scope: FeedQuery | undefined = $derived.by(() => {
    if (!isFeed(this.view)) return undefined;
    const subIds = this.#queriedIds.split(",").filter(Boolean).map(Number);
    return feedQueryOf(this.view, this.filter, subIds);
  });

  /** The feed query of another view or filter. */
  queryOf(view: FeedView, filter: Filter): FeedQuery {
    const { servers, tables } = this.#catalogue;
    const subIds = coveredBy({ view, filter }, servers, tables.subscriptions).map(({ subId }) => subId);
    return feedQueryOf(view, filter, subIds);
  }

  /** Whether a topic's repeats are folded, as its settings say. */
  folds(subId: number): boolean {
    return this.#catalogue.subscription(subId)?.showsRepeats === undefined;
  }

  /** Topics of the view that aren't subscribed: the page asks before it subscribes to them. */
  readonly unsubscribed: string[] = $derived.by(() => {
    const { view } = this;
    if (view.kind !== "topics") return [];
    return view.topics.filter((topic) => !this.covered.some((subscription) => subscription.topic === topic));
  });

  /** The filter box is asked for, if it isn't always shown. */
  get searching(): boolean {
    return this.#searching;
  }

  setSearching(searching: boolean): void {
    this.#searching = searching;
  }
}

/** Gets the pane that contains a component. */
export const [getPane, setPane] = createContext<Pane>();

/** The pane of a page with one feed: its view and filter are those of the address. */
export class PagePane extends Pane {
  readonly hasKeyboard = true;
  readonly name = "";
  readonly #navigation: Navigation;
  readonly #selection: Selection;

  constructor(catalogue: CatalogueState, navigation: Navigation, selection: Selection) {
    super(catalogue);
    this.#navigation = navigation;
    this.#selection = selection;
  }

  get view(): View {
    return this.#navigation.view;
  }

  get filter(): Filter {
    return this.#navigation.filter;
  }

  get selectedKey(): MessageKey | undefined {
    return this.#selection.key;
  }

  setFilter(filter: Filter): void {
    this.#navigation.setFilter(filter);
  }

  select(key: MessageKey | undefined): void {
    this.#selection.select(key);
  }

  open(key: MessageKey, part?: MessagePart): void {
    this.#selection.open(key, part);
  }
}
