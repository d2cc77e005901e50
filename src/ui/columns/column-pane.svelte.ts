import type { Filter, MessageKey } from "../../contract";
import type { App } from "../state/app.svelte";
import { Pane, type MessagePart } from "../state/navigation/pane.svelte";
import type { Selection } from "../state/navigation/selection.svelte";
import type { FeedView } from "../state/navigation/view";

/** What a column needs from the columns page that contains it. */
export interface ColumnOwner {
  /** Whether the keyboard and the details apply to this column. */
  isActive: () => boolean;
  activate: () => void;
  setFilter: (filter: Filter) => void;
}

/** One column: a feed with its own view and filter. While the column is active, it uses the page's selection. */
export class ColumnPane extends Pane {
  readonly view: FeedView;
  readonly name: string;
  readonly #selection: Selection;
  readonly #owner: ColumnOwner;
  #filter: Filter;

  constructor(app: App, name: string, { view, filter }: { view: FeedView; filter: Filter }, owner: ColumnOwner) {
    super(app.catalogue);
    this.name = name;
    this.view = view;
    this.#selection = app.selection;
    this.#owner = owner;
    this.#filter = $state.raw(filter);
  }

  get filter(): Filter {
    return this.#filter;
  }

  get hasKeyboard(): boolean {
    return this.#owner.isActive();
  }

  get selectedKey(): MessageKey | undefined {
    return this.hasKeyboard ? this.#selection.key : undefined;
  }

  setFilter(filter: Filter): void {
    this.#filter = filter;
    this.#owner.setFilter(filter);
  }

  /** Takes over the filter that the page's link has for the column. */
  adoptFilter(filter: Filter): void {
    this.#filter = filter;
  }

  select(key: MessageKey | undefined): void {
    this.#owner.activate();
    this.#selection.select(key);
  }

  open(key: MessageKey, part?: MessagePart): void {
    this.#owner.activate();
    this.#selection.open(key, part);
  }
}
