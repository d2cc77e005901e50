import { createContext } from "svelte";
import type {
  Catalogue,
  Client,
  Reader,
  ServerRecord,
  Settings,
  SubscriptionRecord,
  Environment,
  ViewRecord,
} from "../../client";
import type {
  CommandError,
  CommandName,
  Commands,
  Filter,
  HubEvent,
  MessageKey,
  Result,
  SavedView,
  ServerAddress,
  ServerStatus,
  StoredMessage,
  SubscribeInput,
  SubscriptionCounts,
} from "../../protocol";
import type { FeedControls } from "./feed-controls";
import type { AbsenceShown } from "./absence-shown";
import { appStrings } from "../strings";
import { afterNextPaint } from "./after-next-paint";
import { Clock } from "./clock.svelte";
import { commandFault } from "./command-fault";
import type { DialogRequest } from "./dialogs";
import { Layout, type Shape } from "./layout.svelte";
import { isSettled, type LinkedMessage } from "./linked-message";
import { topicName } from "./names";
import { Notices, type Notice } from "./notices.svelte";
import { outageOf, type Outage } from "./outage";
import type { KeyContext } from "./key-context";
import { Rail } from "./rail.svelte";
import type { MessagePart, Pane } from "./pane.svelte";
import type { Picked } from "./picked.svelte";
import { fragmentOf, routeOf, type Route } from "./route";
import { Updates } from "./updates.svelte";
import { covered, isFeed, feedQueryOf, type FeedQuery, type View } from "./view";

/** Unread messages of saved views, by `viewId`. */
export interface ViewCounts {
  unreadOf(viewId: number): number;
}

/** The value of a command that succeeded. */
type Value<Name extends CommandName> =
  Extract<Commands[Name]["output"], { ok: true }> extends { value: infer V } ? V : never;

/** Trouble with the storage, as last announced by the hub. */
export type StorageTrouble = Exclude<Extract<HubEvent, { kind: "storage" }>["problem"], "none">;

/** A server with its subscriptions. */
export interface ServerGroup {
  server: ServerRecord;
  subscriptions: SubscriptionRecord[];
}

const NO_FILTER: Filter = { terms: [] };

/**
 * The state that the whole page shares: the client, the small tables, the current route, and the selection.
 *
 * There is one object for the whole page, made by `main.ts`; any component gets it with `getApp()`. Everything that is
 * read from it in a template or a `$derived` is reactive. It holds no messages: a feed reads those by `app.scope` and
 * follows `app.client.listen`.
 */
export class App implements Pane {
  /** Reads and sends commands. Prefer `attempt` for commands whose failure the user should see. */
  readonly client: Client;
  /** Address of the server that a link or topic means if it names none. */
  readonly home: ServerAddress;
  readonly clock = new Clock();
  readonly notices = new Notices();
  readonly rail = new Rail();
  readonly updates = new Updates();
  picked = $state.raw<Picked>();

  /** All small tables, kept up to date. The object is replaced, never changed in place. */
  catalogue: Catalogue;
  /** What the page knows of its environment. The hub may find out later that it can only store in memory. */
  environment: Environment;
  /** Trouble with the storage; absent when all is well. */
  storageTrouble = $state<StorageTrouble>();
  /** Bytes of storage that are left, if that is little. */
  littleStorage = $state<number>();
  /** The dialog that is open. */
  dialog = $state.raw<DialogRequest>();
  searching = $state(false);
  readonly hasKeyboard = true;
  readonly name = "";
  /** Part of the selected message that was asked for, until the message's page shows it. */
  askedPart = $state<MessagePart>();
  /** The selected message is shown as its own page, as there is no room for details beside the feed. */
  opened = $state(false);
  /** Summary of what came while nobody looked, until the user dismisses it. */
  away = $state.raw<AbsenceShown>();
  /** The feed that has the keyboard; feeds set this themselves. */
  feedInUse: FeedControls | undefined;
  /** Pages and dialogs with their own keys, the front one last; each adds and removes itself. */
  readonly keyContexts = new Set<KeyContext>();
  /** The message that is shown beside the feed or in its place. */
  shownRow: StoredMessage | undefined;
  /** Unread counts of saved views, once their code is loaded. */
  viewCounts = $state.raw<ViewCounts>();
  /** Whether the device has a network, as far as the browser knows. */
  online = $state(true);

  #route: Route;
  #selectedKey = $state.raw<MessageKey>();
  #linked: LinkedMessage | undefined;
  #statuses: ReadonlyMap<number, ServerStatus>;
  #layout = new Layout();
  #reading: Promise<void> | undefined;
  #nextRead: Promise<void> | undefined;
  #countsMeanwhile: SubscriptionCounts[] = [];
  /** New counters, held back until the current frame is drawn, which doesn't need them. */
  #announced: { counts: SubscriptionCounts[]; total: number } | undefined;

  constructor(client: Client, catalogue: Catalogue, home: ServerAddress) {
    this.client = client;
    this.home = home;
    this.catalogue = $state.raw(catalogue);
    this.environment = $state.raw(client.environment);
    this.#route = $state.raw(routeOf(location.hash, home, catalogue.views));
    this.#statuses = $state.raw(new Map(client.statuses));
    this.online = navigator.onLine;
  }

  /** Follows the hub, the address bar and the network. Returns a function that stops it. */
  start(): () => void {
    const stopListening = this.client.listen((event) => this.#heard(event));
    const here = () => this.#arrive();
    const network = () => (this.online = navigator.onLine);
    addEventListener("popstate", here);
    addEventListener("online", network);
    addEventListener("offline", network);
    this.#arrive();
    return () => {
      stopListening();
      removeEventListener("popstate", here);
      removeEventListener("online", network);
      removeEventListener("offline", network);
    };
  }

  // Where the user is.

  /** What the page shows. */
  get view(): View {
    return this.#route.view;
  }

  /** The filter of the view, as in the address bar. */
  get filter(): Filter {
    return this.#route.filter;
  }

  /** The page's shape for its width. */
  get shape(): Shape {
    return this.#layout.shape;
  }

  /** The subscriptions that the view covers; empty if it shows no feed. */
  covered: SubscriptionRecord[] = $derived.by(() =>
    isFeed(this.view) ? covered(this.view, this.catalogue.servers, this.catalogue.subscriptions) : [],
  );

  /** As text, so that the scope stays the same object while only the counters of its subscriptions change. */
  #coveredIds = $derived(this.covered.map((subscription) => subscription.subId).join());

  /** The feed query of the view: a page query without position, direction and count. Undefined if there is no feed. */
  scope: FeedQuery | undefined = $derived.by(() => {
    if (!isFeed(this.view)) return undefined;
    const subIds = this.#coveredIds.split(",").filter(Boolean).map(Number);
    return feedQueryOf(this.view, this.filter, subIds);
  });

  /** Topics of the view that aren't subscribed: the page asks before it subscribes to them. */
  unsubscribed: string[] = $derived.by(() => {
    const view = this.view;
    if (view.kind !== "topics") return [];
    return view.topics.filter((topic) => !this.covered.some((subscription) => subscription.topic === topic));
  });

  /** Goes to a view. By default this adds a step to the history, which Back undoes. */
  go(view: View, filter: Filter = NO_FILTER, how: "push" | "replace" = "push"): void {
    this.#travel({ view, filter }, how);
  }

  /** Changes the filter of the view. It adds no step to the history: Back leaves the view. */
  setFilter(filter: Filter): void {
    this.#travel({ view: this.view, filter }, "replace");
  }

  /** Address of a view, for `href` and for sharing. */
  href(view: View, filter: Filter = NO_FILTER): string {
    return fragmentOf({ view, filter }, this.home);
  }

  /**
   * Address of a saved view, for `href`. Not for sharing: other devices don't know the view, so share its feed instead.
   */
  hrefOfSaved({ name }: SavedView): string {
    return fragmentOf({ view: { kind: "everything" }, filter: NO_FILTER, saved: name }, this.home);
  }

  /** The saved view that shows the same feed. */
  savedAs({ view, filter }: Pick<Route, "view" | "filter">): ViewRecord | undefined {
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
    return new URL(fragmentOf(route, this.home), location.href).href;
  }

  /** The view of one subscription. */
  viewOf(subId: number): View {
    const subscription = this.subscription(subId);
    const server = subscription && this.server(subscription.serverId);
    return server ? { kind: "topics", server: server.address, topics: [subscription.topic] } : { kind: "everything" };
  }

  // What is selected.

  /** Key of the selected message, to which the keyboard and the details apply. */
  get selectedKey(): MessageKey | undefined {
    return this.#selectedKey;
  }

  /** Selects a message, or nothing. Details beside the feed show it; nothing else changes. */
  select(key: MessageKey | undefined): void {
    this.#linked = undefined;
    this.#selectedKey = key;
    this.askedPart = undefined;
    if (!key) this.close();
  }

  /** Selects a message and, if there is no room beside the feed, shows it as a page that Back leaves. */
  open(key: MessageKey, part?: MessagePart): void {
    this.#linked = undefined;
    this.#selectedKey = key;
    this.askedPart = part;
    if (this.shape === "wide" || this.opened) return;
    const [, at, id] = key;
    // Keep what the history step stores about the feed behind the message, for a reload.
    history.pushState(
      { ...(history.state as object | null), opened: true },
      "",
      fragmentOf({ ...this.#route, message: { id, at } }, this.home),
    );
    this.opened = true;
  }

  /** Leaves the message page. */
  close(): void {
    if (!this.opened) return;
    this.opened = false;
    if ((history.state as { opened?: true } | null)?.opened) history.back();
    else this.#travel({ view: this.view, filter: this.filter }, "replace");
  }

  // What is known.

  /** A subscription that is not removed. */
  subscription(subId: number): SubscriptionRecord | undefined {
    return this.#subscriptions.get(subId);
  }

  server(serverId: number): ServerRecord | undefined {
    return this.#servers.get(serverId);
  }

  /** The last status of a server; undefined until the hub announces one. */
  status(serverId: number): ServerStatus | undefined {
    return this.#statuses.get(serverId);
  }

  /** The device's clock, ms, updated each second while something on screen reads it. */
  get now(): number {
    return this.clock.nowMs;
  }

  #subscriptions = $derived.by(
    () =>
      new Map(
        this.catalogue.subscriptions
          .filter((subscription) => subscription.removedAtMs === undefined)
          .map((subscription) => [subscription.subId, subscription]),
      ),
  );

  #servers = $derived.by(() => new Map(this.catalogue.servers.map((server) => [server.serverId, server])));

  /** Subscriptions that are not removed, in the order of the list. */
  subscriptions: SubscriptionRecord[] = $derived.by(() =>
    [...this.#subscriptions.values()].sort((a, b) => a.order - b.order || a.subId - b.subId),
  );

  /** Servers that have subscriptions, each with its own, in the order of the list. */
  serverGroups: ServerGroup[] = $derived.by(() =>
    this.catalogue.servers
      .map((server) => ({
        server,
        subscriptions: this.subscriptions.filter(({ serverId }) => serverId === server.serverId),
      }))
      .filter((group) => group.subscriptions.length > 0),
  );

  /** Set while no server can be reached. */
  outage: Outage | undefined = $derived.by(() =>
    outageOf(
      this.serverGroups.map(({ server }) => this.status(server.serverId)?.state),
      this.online,
    ),
  );

  unread: number = $derived.by(() => this.subscriptions.reduce((sum, { unread }) => sum + unread, 0));
  unreadUrgent: number = $derived.by(() => this.subscriptions.reduce((sum, { unreadUrgent }) => sum + unreadUrgent, 0));

  // What is done.

  /** Shows a notice at the foot of the page, with an undo if it has one. */
  say(notice: Notice): void {
    this.notices.say(notice);
  }

  /** Sends a command and shows a notice if it fails. Returns its value, or undefined if it failed. */
  async attempt<Name extends CommandName>(
    name: Name,
    input: Commands[Name]["input"],
  ): Promise<{ value: Value<Name> } | undefined> {
    const output = (await this.client.send(name, input)) as Result<Value<Name>, CommandError>;
    if (output.ok) return { value: output.value };
    this.say({ text: await commandFault(output.error) });
    return undefined;
  }

  /**
   * Reads what is stored. Undefined if the database has closed: what was read before stays on screen, and a strip says
   * why nothing new comes.
   */
  async read<Read>(work: (reader: Reader) => Promise<Read>): Promise<{ value: Read } | undefined> {
    const read = await this.client.read(work);
    return read.ok ? { value: read.value } : undefined;
  }

  /** Stores a setting. Returns whether it was stored; a failure is shown as a notice. */
  async setSetting<K extends keyof Settings>(key: K, value: Settings[K]): Promise<boolean> {
    // Show it at once; the hub's "catalogue" event brings the stored value.
    this.catalogue = { ...this.catalogue, settings: { ...this.catalogue.settings, [key]: value } };
    const isStored = (await this.attempt("setSetting", { key, value })) !== undefined;
    if (!isStored) await this.#readCatalogue();
    return isStored;
  }

  /** Subscribes. Once it resolves, `subscriptions` contains the new ones. The caller must report failures. */
  async subscribe(input: SubscribeInput): Promise<Commands["subscribe"]["output"]> {
    const output = await this.client.send("subscribe", input);
    if (output.ok) await this.#readCatalogue();
    return output;
  }

  /** Hides a topic. It is deleted with its messages after the undo time; until then, undo restores both. */
  async unsubscribe(subscription: SubscriptionRecord): Promise<void> {
    const { subId } = subscription;
    const view = this.viewOf(subId);
    // Leave first: a view of a removed topic would ask whether to subscribe to it.
    this.go({ kind: "everything" });
    if (!(await this.attempt("unsubscribe", { subId }))) return;
    this.say({ text: appStrings.shell.removed(topicName(subscription)), undo: () => void this.#restore(subId, view) });
  }

  async #restore(subId: number, view: View): Promise<void> {
    if (!(await this.attempt("restoreSubscription", { subId }))) return;
    await this.#readCatalogue();
    this.go(view);
  }

  #travel(route: Route, how: "push" | "replace"): void {
    const fragment = fragmentOf(route, this.home);
    if (how === "push") history.pushState(null, "", fragment);
    else history.replaceState(history.state, "", fragment);
    this.#show(route);
  }

  /** The address bar changed: by a link, by Back, or by hand. */
  #arrive(): void {
    // An open dialog belongs to the view that was left.
    this.dialog = undefined;
    this.#show(routeOf(location.hash, this.home, this.catalogue.views));
  }

  #show(route: Route): void {
    // Changing the columns doesn't change the page.
    const sameView =
      (route.view.kind === "columns" && this.view.kind === "columns") ||
      fragmentOf({ view: route.view, filter: NO_FILTER }, this.home) === this.href(this.view);
    this.#route = route;
    if (!sameView) {
      this.#selectedKey = undefined;
      this.searching = false;
    }
    this.opened = false;
    if (route.asks === "add") this.dialog = { kind: "add-topic" };
    if (route.asks === "search") this.searching = true;
    this.#linked = route.message && { ...route.message, sinceMs: Date.now(), isMissed: false };
    void this.#openLinked();
  }

  /** Opens the message that the link names. It may not have arrived yet, or the page may still ask about its topic. */
  async #openLinked(): Promise<void> {
    const linked = this.#linked;
    if (!linked) return;
    for (const { subId } of this.covered) {
      const read = await this.read((reader) => reader.find(subId, linked.id, linked.at));
      if (!read || this.#linked !== linked) return;
      const found = read.value;
      if (!found) continue;
      this.#linked = undefined;
      this.#selectedKey = [found.subId, found.time, found.id];
      this.opened = this.shape !== "wide";
      return;
    }
    if (linked.isMissed || this.unsubscribed.length > 0) return;
    if (!this.covered.every(({ serverId }) => isSettled(linked, this.status(serverId)))) return;
    linked.isMissed = true;
    this.say({ text: appStrings.common.noSuchMessage });
  }

  #heard(event: HubEvent): void {
    switch (event.kind) {
      case "catalogue":
      case "missed":
        void this.#readCatalogue();
        return;
      case "status":
        this.#statuses = new Map(this.client.statuses);
        void this.#openLinked();
        return;
      case "rows":
        if (this.#reading) this.#countsMeanwhile.push(...event.counts);
        this.#countSoon(event.counts, event.total);
        void this.#openLinked();
        return;
      case "storage":
        this.storageTrouble = event.problem === "none" ? undefined : event.problem;
        return;
      case "unstored":
      case "subscribing":
      case "alert":
      case "notice":
        return;
    }
  }

  /** Follows the link again, as the saved view that it names may have changed or gone. */
  #findViews(): void {
    if (!location.hash.includes("~view/")) return;
    const { message } = this.#route;
    this.#route = { ...routeOf(location.hash, this.home, this.catalogue.views), message };
  }

  /** Applies new counters after the frame that shows their messages, all of them together. */
  #countSoon(counts: SubscriptionCounts[], total: number): void {
    const isFirst = this.#announced === undefined;
    this.#announced = { counts: [...(this.#announced?.counts ?? []), ...counts], total };
    if (isFirst) afterNextPaint(() => this.#countAnnounced());
  }

  #countAnnounced(): void {
    const announced = this.#announced;
    this.#announced = undefined;
    if (announced) this.#count(announced.counts, announced.total);
  }

  /** Applies new counters to the catalogue. */
  #count(counts: SubscriptionCounts[], total = this.catalogue.total): void {
    const bySubId = new Map(counts.map((entry) => [entry.subId, entry]));
    const subscriptions = this.catalogue.subscriptions.map((subscription) => {
      const entry = bySubId.get(subscription.subId);
      if (!entry) return subscription;
      const { newest: _outdated, ...kept } = subscription;
      return { ...kept, ...entry };
    });
    this.catalogue = { ...this.catalogue, subscriptions, total };
  }

  /** Reads the small tables again: one read at a time, and one more if something changed during the read. */
  #readCatalogue(): Promise<void> {
    if (this.#reading) {
      this.#nextRead ??= this.#reading.then(() => {
        this.#nextRead = undefined;
        return this.#readCatalogue();
      });
      return this.#nextRead;
    }
    this.#countsMeanwhile = [];
    // The read includes everything announced so far.
    this.#countAnnounced();
    this.#reading = this.read((reader) => reader.catalogue())
      .then((read) => {
        if (!read) return;
        this.catalogue = read.value;
        this.#findViews();
        this.environment = this.client.environment;
        // These were announced during the read, so they may be newer than what it saw.
        this.#count(this.#countsMeanwhile, read.value.total);
        void this.#openLinked();
      })
      .finally(() => (this.#reading = undefined));
    return this.#reading;
  }
}

/** Gets the page's app in any component. */
export const [getApp, setApp] = createContext<App>();
