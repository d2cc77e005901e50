import type { Filter, MessageKey } from "../../../contract";
import type { CatalogueState } from "../catalogue.svelte";
import type { Navigation } from "./navigation.svelte";
import { Pane, type MessagePart } from "./pane.svelte";
import type { Selection } from "./selection.svelte";
import type { View } from "./view";

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
