import { createContext } from "svelte";
import type { SubscriptionRecord } from "../../../client";
import type { Filter, MessageKey } from "../../../contract";
import type { CatalogueState } from "../catalogue.svelte";
import { sameWhileEqual } from "../same-while-equal";
import { Picked } from "./picked.svelte";
import { inPlaces } from "./places";
import { covered, feedQueryOf, isFeed, isOfOneTopic, type FeedQuery, type View } from "./view";
import type { Navigation } from "./navigation.svelte";
import type { Selection } from "./selection.svelte";

/** A view with its filter: that of the page, or of a column. */
type Shown = Pick<Navigation, "view" | "filter" | "setFilter">;

/** A column among others. */
interface ColumnPlace {
  /** Prefix for element ids, because a message can be shown in several panes. */
  name: string;
  /** Whether selection, keyboard and details of the page apply to this column. */
  isActive: () => boolean;
  activate: () => void;
}

/**
 * One feed on the page: what it shows, and what is selected. The page has one, and so has each column. Page-wide
 * matters (dialogs, notices, servers) are in the app.
 */
export class Pane {
  readonly picked = new Picked();
  /** Whether the filter box was asked for, where it isn't always shown. */
  searching = $state(false);

  /** @param column absent = the page's own feed */
  constructor(
    private readonly page: { catalogue: CatalogueState; selection: Selection },
    private readonly shown: Shown,
    private readonly column?: ColumnPlace,
  ) {}

  get view(): View {
    return this.shown.view;
  }

  get filter(): Filter {
    return this.shown.filter;
  }

  setFilter(filter: Filter): void {
    this.shown.setFilter(filter);
  }

  get name(): string {
    return this.column?.name ?? "";
  }

  /** Whether keys pressed anywhere on the page apply to this pane. */
  get hasKeyboard(): boolean {
    return this.column?.isActive() ?? true;
  }

  /** Key of the selected message, to which keyboard and details apply; undefined if it is in another pane. */
  get selectedKey(): MessageKey | undefined {
    return this.hasKeyboard ? this.page.selection.key : undefined;
  }

  select(key: MessageKey | undefined): void {
    this.column?.activate();
    this.page.selection.select(key);
  }

  /** Selects a message and shows it, or a part of it. */
  open(key: MessageKey): void {
    this.column?.activate();
    this.page.selection.open(key);
  }

  /** The subscriptions that the view covers; empty if it shows no feed. */
  readonly covered: SubscriptionRecord[] = $derived.by(() =>
    isFeed(this.view) ? covered(this.view, this.page.catalogue.servers, this.page.catalogue.tables.subscriptions) : [],
  );

  /** Whether rows needn't name their topic. */
  readonly isOfOneTopic: boolean = $derived.by(() => isFeed(this.view) && isOfOneTopic(this.view));

  /** The topic of a view of just one. */
  readonly onlyTopic: SubscriptionRecord | undefined = $derived.by(() => {
    const [topic, another] = this.view.kind === "topics" ? this.covered : [];
    return another ? undefined : topic;
  });

  /** The view's feed query: a page query without position, direction and count. Undefined if there is no feed. */
  readonly scope: FeedQuery | undefined = $derived.by(sameWhileEqual(() => this.scopeOf(this.filter)));

  /** The same for another filter, once. */
  scopeOf(filter: Filter): FeedQuery | undefined {
    if (!isFeed(this.view)) return undefined;
    const { servers, hidden } = this.page.catalogue;
    const subIds = inPlaces(filter, servers, this.covered).map(({ subId }) => subId);
    return feedQueryOf(this.view, filter, subIds, hidden);
  }

  /** Whether a topic's repeats are folded, as its settings say. */
  folds(subId: number): boolean {
    return this.page.catalogue.subscription(subId)?.showsRepeats === undefined;
  }

  /** Topics of the view that aren't subscribed: the page asks before subscribing to them. */
  readonly unsubscribed: string[] = $derived.by(() => {
    const { view } = this;
    if (view.kind !== "topics") return [];
    return view.topics.filter((topic) => !this.covered.some((subscription) => subscription.topic === topic));
  });
}

/** The pane that contains a component. */
export const [getPane, setPane] = createContext<Pane>();
