import type { ViewRecord } from "../../../client";
import { parseLink, type Filter, type MessageKey, type SavedView, type StoredMessage } from "../../../contract";
import type { ServerAddress } from "../../../protocol";
import type { CatalogueState } from "../catalogue.svelte";
import type { Layers } from "./layers";
import { fragmentOf, NO_FILTER, routeOf, type Route } from "./route";
import { isFeed, type ColumnFeed, type View } from "./view";

/** A route that the page has just started to show. */
export interface RouteChange {
  readonly route: Route;
  /** Whether the view is the same, and at most its filter or columns changed. */
  readonly isSameView: boolean;
  /** Whether a link, Back or the user changed the address, rather than a command of the page. */
  readonly isFromAddress: boolean;
}

/** The state of a history step once its message is closed: Back skips it. */
function stateWithout(): object {
  const { opened: _left, left, ...state } = (history.state ?? {}) as { opened?: true; left?: object };
  return { ...state, ...left };
}

/** Where the user is (the route in the address), and the ways to go elsewhere. */
export class Navigation {
  #home: ServerAddress;
  #route: Route;
  /** The address shown, which the step below a layer doesn't know. */
  #fragment: string;
  /** Views that were removed while they were shown, with what they showed, to which Back still leads. */
  readonly #gone: SavedView[] = [];

  constructor(
    home: ServerAddress,
    private readonly catalogue: CatalogueState,
    private readonly layers: Layers,
    private readonly onarrive: (arrival: RouteChange) => void,
  ) {
    this.#home = $state.raw(home);
    this.#fragment = location.hash;
    this.#route = $state.raw(routeOf(location.hash, home, catalogue.views));
  }

  /** Follows the address bar, for the life of the page. */
  start(): void {
    const arrive = () => {
      this.#fragment = location.hash;
      this.#show(routeOf(location.hash, this.#home, [...this.catalogue.views, ...this.#gone]), true);
      if (this.#gone.length > 0) this.followSavedView();
    };
    addEventListener("popstate", () => {
      if (!this.layers.popped()) arrive();
      else if (location.hash !== this.#fragment) history.replaceState(history.state, "", this.#fragment);
    });
    arrive();
  }

  /** Changes the address, with or without a new history step. A new one replaces that of a layer. */
  #write(fragment: string, how: "push" | "replace", state: unknown): void {
    if (how === "push" && !this.layers.hasStep) history.pushState(state, "", fragment);
    else history.replaceState(state, "", fragment);
    this.#fragment = fragment;
    this.layers.moved();
  }

  /** Changes the default server. `keepsView`: rewrites the address; otherwise reads it again. */
  moveHome(home: ServerAddress, keepsView: boolean): void {
    const route = routeOf(location.hash, keepsView ? this.#home : home, this.catalogue.views);
    this.#home = home;
    // Their links mean topics of the former one.
    this.#gone.length = 0;
    if (!keepsView) this.#show(route, false);
    else if (route.view.kind !== "bad-link") this.#write(fragmentOf(route, home), "replace", history.state);
  }

  /** The server of topics whose link names none. */
  get home(): ServerAddress {
    return this.#home;
  }

  get view(): View {
    return this.#route.view;
  }

  get filter(): Filter {
    return this.#route.filter;
  }

  /** Goes to a view. By default this adds a history step, which Back undoes. */
  go(view: View, filter: Filter = NO_FILTER, how: "push" | "replace" = "push"): void {
    const route = { view, filter };
    if (how === "push") this.layers.closeAll();
    this.#write(fragmentOf(route, this.#home), how, how === "push" ? null : history.state);
    this.#show(route, false);
  }

  /** Changes the view's filter, without a history step: Back leaves the view. */
  setFilter(filter: Filter): void {
    this.go(this.view, filter, "replace");
  }

  /** Has the address name a feed anew. An open message stays. @param renamed returns other feeds as they are */
  rename(renamed: (feed: ColumnFeed) => ColumnFeed): void {
    const { view, filter, saved } = this.#route;
    let to: View | undefined;
    if (view.kind === "columns" || view.kind === "wall") to = { ...view, parts: view.parts.map(renamed) };
    else if (isFeed(view)) {
      const feed = { view, filter, saved };
      const named = renamed(feed);
      if (named !== feed) to = named.view;
    }
    if (!to) return;
    const shown = parseLink(location.hash, this.#home);
    this.#route = { view: to, filter };
    const message = shown.ok ? shown.value.message : undefined;
    this.#write(fragmentOf({ ...this.#route, message }, this.#home), "replace", history.state);
  }

  /** Adds a history step for an open message; closing it or Back leaves the step. */
  showMessage([, at, id]: MessageKey): void {
    const fragment = fragmentOf({ ...this.#route, message: { id, at } }, this.#home);
    const left = this.layers.passing();
    // Keep what the history step stores about the feed behind the message, for a reload.
    const behind = { ...(history.state as object | null), base: undefined, layer: undefined };
    this.#write(fragment, "push", { ...behind, opened: true, left });
  }

  /** Puts the message shown beside the feed into the address, for a reload, or takes it out. Adds no history step. */
  nameMessage(key: MessageKey | undefined): void {
    const message = key && { id: key[2], at: key[1] };
    const fragment = fragmentOf({ ...this.#route, message }, this.#home);
    if (fragment !== location.hash) this.#write(fragment, "replace", key ? history.state : stateWithout());
  }

  /**
   * Replaces a message's own page with the view. Its step becomes one that Back skips: going back takes a while, and
   * would undo a link followed meanwhile.
   */
  leaveMessage(): void {
    const route = { view: this.view, filter: this.filter };
    this.#write(fragmentOf(route, this.#home), "replace", stateWithout());
    this.#show(route, false);
  }

  /** Follows the links of saved views again, because they may have changed. If one has gone, what it showed stays. */
  followSavedView(): void {
    const { catalogue } = this;
    const { message, ...before } = this.#route;
    const parts = before.view.kind === "columns" || before.view.kind === "wall" ? before.view.parts : [];
    const isNamed = [before, ...parts].some(({ saved }) => saved !== undefined);
    if (!isNamed && before.view.kind !== "bad-link") return;
    const route = routeOf(location.hash, this.#home, catalogue.views);
    if (route.view.kind === "bad-link") {
      return this.rename((feed) => {
        const { view, filter, saved } = feed;
        if (saved === undefined || catalogue.views.some(({ name }) => name === saved)) return feed;
        this.#gone.unshift({ name: saved, link: this.href(view, filter) });
        return { view, filter };
      });
    }
    /** With another filter, equal or not, its box would drop what is being typed. */
    const kept = <Shown extends Pick<Route, "view" | "filter">>(
      now: Shown,
      then: Pick<Route, "view" | "filter"> = now,
    ) =>
      this.href(now.view, now.filter) === this.href(then.view, then.filter) ? { ...now, filter: then.filter } : now;
    if (route.view.kind === "columns")
      route.view = { kind: "columns", parts: route.view.parts.map((part, at) => kept(part, parts[at])) };
    this.#route = { ...kept(route, before), message };
  }

  /** Address of a view, for `href` and for sharing. */
  href(view: View, filter: Filter = NO_FILTER): string {
    return fragmentOf({ view, filter }, this.#home);
  }

  /** Address of a saved view, for `href`. Not for sharing: other devices don't know the view, so share its feed. */
  hrefOfSaved({ name }: Pick<SavedView, "name">): string {
    return fragmentOf({ view: { kind: "everything" }, filter: NO_FILTER, saved: name }, this.#home);
  }

  /** The saved view that shows the same feed; by default, the same as the page. */
  savedAs({ view, filter }: Pick<Route, "view" | "filter"> = this): ViewRecord | undefined {
    const { views } = this.catalogue;
    if (views.length === 0) return undefined;
    const link = this.href(view, filter);
    return views.find((saved) => saved.link === link);
  }

  /** Full address of the current view, or of one message, for sharing. It never holds credentials. */
  linkTo(message?: StoredMessage): string {
    const route: Route = message
      ? { view: this.viewOf(message.subId), filter: NO_FILTER, message: { id: message.id, at: message.time } }
      : { view: this.view, filter: this.filter };
    return new URL(fragmentOf(route, this.#home), location.href).href;
  }

  viewOf(subId: number): View {
    const subscription = this.catalogue.subscription(subId);
    const server = subscription && this.catalogue.server(subscription.serverId);
    return server ? { kind: "topics", server: server.address, topics: [subscription.topic] } : { kind: "everything" };
  }

  #show(route: Route, isFromAddress: boolean): void {
    // Changing the columns doesn't change the page.
    const isSameView =
      (route.view.kind === "columns" && this.view.kind === "columns") || this.href(route.view) === this.href(this.view);
    this.#route = route;
    if (isFromAddress) this.layers.closeAll();
    this.onarrive({ route, isSameView, isFromAddress });
  }
}
