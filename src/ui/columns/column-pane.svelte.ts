import type { SubscriptionRecord } from "../../client";
import type { Filter, MessageKey } from "../../protocol";
import type { App } from "../state/app.svelte";
import type { MessagePart, Pane } from "../state/pane.svelte";
import type { Picked } from "../state/picked.svelte";
import { covered, feedQueryOf, type FeedView, type FeedQuery } from "../state/view";

/** What a column needs from the columns page that contains it. */
export interface ColumnOwner {
  /** Whether the keyboard and the details apply to this column. */
  isActive: () => boolean;
  activate: () => void;
  setFilter: (filter: Filter) => void;
}

/** One column: a feed with its own view and filter. While the column is active, it uses the page's selection. */
export class ColumnPane implements Pane {
  readonly view: FeedView;
  readonly name: string;
  picked = $state.raw<Picked>();
  filter = $state.raw<Filter>({ terms: [] });
  searching = $state(false);
  #app: App;
  #place: ColumnOwner;

  constructor(app: App, name: string, { view, filter }: { view: FeedView; filter: Filter }, place: ColumnOwner) {
    this.#app = app;
    this.name = name;
    this.view = view;
    this.filter = filter;
    this.#place = place;
  }

  covered: SubscriptionRecord[] = $derived.by(() =>
    covered(this.view, this.#app.catalogue.servers, this.#app.catalogue.subscriptions),
  );

  scope: FeedQuery | undefined = $derived.by(() =>
    feedQueryOf(
      this.view,
      this.filter,
      this.covered.map(({ subId }) => subId),
    ),
  );

  /** Topics of the view that are not subscribed here. */
  missing: string[] = $derived.by(() => {
    const { view } = this;
    return view.kind === "topics"
      ? view.topics.filter((topic) => !this.covered.some((subscription) => subscription.topic === topic))
      : [];
  });

  get hasKeyboard(): boolean {
    return this.#place.isActive();
  }

  get selectedKey(): MessageKey | undefined {
    return this.hasKeyboard ? this.#app.selectedKey : undefined;
  }

  setFilter(filter: Filter): void {
    this.filter = filter;
    this.#place.setFilter(filter);
  }

  select(key: MessageKey | undefined): void {
    this.#place.activate();
    this.#app.select(key);
  }

  open(key: MessageKey, part?: MessagePart): void {
    this.#place.activate();
    this.#app.open(key, part);
  }
}
