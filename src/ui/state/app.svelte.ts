import { createContext } from "svelte";
import { online } from "svelte/reactivity/window";
import { appStrings, commandText } from "../strings";
import type { Catalogue, Client, PageEnvironment, Reader, Settings, SubscriptionRecord } from "../../client";
import { isMuted, keyOf, type CommandError, type CommandName, type Commands, type HubEvent } from "../../contract";
import type { Result, ServerAddress } from "../../protocol";
import type { AbsenceLine, AbsenceShown } from "./absence-shown";
import { CatalogueState } from "./catalogue.svelte";
import { ReactiveClock } from "./clock.svelte";
import { keep, kept } from "./device-storage";
import { Dialogs } from "./dialogs.svelte";
import { totalOf } from "./topics/groups";
import { KeyTargets } from "./navigation/key-targets";
import { Layers } from "./navigation/layers";
import { Layout, Rail } from "./layout.svelte";
import { isSettled } from "./navigation/linked-message";
import { Navigation, type RouteChange } from "./navigation/navigation.svelte";
import { Notices } from "./notices.svelte";
import { outageOf, type NoServer } from "./topics/outage";
import { Pane } from "./navigation/pane.svelte";
import { Selection } from "./navigation/selection.svelte";
import { Updates } from "./updates.svelte";

/** The value of a command that succeeded. */
type Value<Name extends CommandName> =
  Extract<Commands[Name]["output"], { ok: true }> extends { value: infer V } ? V : never;

/** What the page knows of its device: the network, the storage, and what the browser can do. */
class Device {
  /** As last told by the client: the hub may find out later that it can only store in memory. */
  environment: PageEnvironment;
  /** Trouble with storage, as last announced by the hub; undefined when all is well. */
  storageTrouble = $state<Exclude<Extract<HubEvent, { kind: "storage" }>["problem"], "none">>();
  littleStorage = $state<number>();

  constructor(environment: PageEnvironment) {
    this.environment = $state.raw(environment);
  }

  /** Whether the device has a network, as far as the browser knows. */
  get online(): boolean {
    return online.current ?? true;
  }
}

const FIRST_STEPS = "earshot-first-steps";

/** What is offered above a feed after subscribing. */
class Offers {
  /** Unread messages from before their topics were subscribed to, to mark read at once; `upTo`: the last arrival. */
  older = $state.raw<{ subIds: readonly number[]; count: number; upTo: number }>();
  /** How to allow notifications. */
  tellsHow = $state(false);
  /** Whether notifications and installation are offered. */
  firstSteps = $state(kept(FIRST_STEPS) === "open");

  /** Call it after the first subscription. Once dismissed, the first steps never return. */
  beginFirstSteps(): void {
    if (kept(FIRST_STEPS) === undefined) this.#keep("open");
  }

  endFirstSteps(): void {
    this.#keep("done");
  }

  #keep(state: "open" | "done"): void {
    keep(FIRST_STEPS, state);
    this.firstSteps = state === "open";
  }
}

/**
 * The state shared by the whole page, each part in a class of its own.
 *
 * There is one object, made by `main.ts`; components get it with `getApp()`. Everything read from it in a template or
 * `$derived` is reactive. It holds no messages: a feed reads those by `pane.scope` and follows `client.listen`.
 */
export class App {
  /** The small tables: servers, subscriptions, saved views, settings, gaps; and the status of each server. */
  readonly catalogue: CatalogueState;
  readonly navigation: Navigation;
  readonly selection: Selection;
  /** The page's own feed. */
  readonly pane: Pane;
  readonly device: Device;
  readonly keyTargets: Readonly<KeyTargets> = new KeyTargets();

  readonly layers = new Layers();
  readonly dialogs: Readonly<Dialogs> = new Dialogs(this.layers);
  readonly notices = new Notices();
  readonly clock = new ReactiveClock();
  readonly layout = new Layout();
  readonly rail = new Rail();
  readonly updates = new Updates();
  /** The summary of the last absence, which the feed shows until the user dismisses it. */
  absence = $state.raw<AbsenceShown>();
  /** The line of it that was opened last. */
  openedAbsence = $state.raw<AbsenceLine>();
  readonly offers = new Offers();

  /** @param client reads and sends commands; prefer `attempt` for commands whose failure the user should see */
  constructor(
    readonly client: Client,
    tables: Catalogue,
    home: ServerAddress,
  ) {
    this.device = new Device(client.environment);
    this.catalogue = new CatalogueState(client, tables, () => this.#tablesRead());
    this.navigation = new Navigation(home, this.catalogue, this.layers, (arrival) => this.#arrived(arrival));
    this.selection = new Selection(this.navigation, this.layout);
    this.pane = new Pane(this, this.navigation);
  }

  /** Topics that aren't muted now. A mute ends on a whole minute. */
  readonly unmuted: SubscriptionRecord[] = $derived.by(() =>
    this.catalogue.subscriptions.filter(({ mutedUntilMs }) => !isMuted(mutedUntilMs, this.clock.minuteMs)),
  );
  /** Unread messages as counted in the page's title, on the app's icon and beside "Everything". */
  readonly unread: number = $derived.by(() => {
    const ruled = this.unmuted.filter(({ hides }) => hides);
    const counted = ruled.length > 0 ? this.catalogue.unreadBesideHidden() : undefined;
    return totalOf(this.unmuted, "unread") + (counted === undefined ? 0 : counted - totalOf(ruled, "unread"));
  });
  readonly unreadUrgent: number = $derived.by(() => totalOf(this.unmuted, "unreadUrgent"));
  readonly unreadHigh: number = $derived.by(() => totalOf(this.unmuted, "unreadHigh"));

  /** Height of the rows: as chosen, else by the page's width. */
  readonly density: "comfortable" | "compact" = $derived.by(() => {
    const { density } = this.catalogue.settings;
    if (density !== "auto") return density;
    return this.layout.roomy.current ? "compact" : "comfortable";
  });

  /** Whether the rail shows only icons. */
  readonly hasNarrowRail: boolean = $derived.by(() => this.rail.narrow && this.layout.shape === "middle");

  /** Set while no server can be reached. */
  readonly outage: NoServer | undefined = $derived.by(() =>
    outageOf(
      this.catalogue.serverGroups.map(({ server }) => this.catalogue.status(server.serverId)?.state),
      this.device.online,
    ),
  );

  /** Follows the hub and the address bar, for the life of the page. */
  start(): void {
    this.client.listen((event) => this.#heard(event));
    this.navigation.start();
  }

  /** Sends a command and shows a notice if it fails. Returns its value, or undefined if it failed. */
  async attempt<Name extends CommandName>(
    name: Name,
    input: Commands[Name]["input"],
  ): Promise<{ value: Value<Name> } | undefined> {
    const output = (await this.client.send(name, input)) as Result<Value<Name>, CommandError>;
    if (output.ok) return { value: output.value };
    this.notices.show({ text: commandText(output.error) });
    return undefined;
  }

  /** Reads what is stored; undefined if the database has closed, and a strip then says why nothing new comes. */
  async read<Read>(work: (reader: Reader) => Promise<Read>): Promise<{ value: Read } | undefined> {
    const read = await this.client.read(work);
    return read.ok ? { value: read.value } : undefined;
  }

  /** Stores settings, which take effect at once. Returns whether they were stored; a failure is shown as a notice. */
  async setSettings(changes: Partial<Settings>): Promise<boolean> {
    this.catalogue.applyOptimistically({ settings: { ...this.catalogue.settings, ...changes } });
    for (const [key, value] of Object.entries(changes)) {
      if (await this.attempt("setSetting", { key, value })) continue;
      await this.catalogue.readAgain();
      return false;
    }
    return true;
  }

  /** Changes the default server. An open feed stays as it is; a link that asks whether to subscribe is read again. */
  moveHome(home: ServerAddress): void {
    this.navigation.moveHome(home, this.catalogue.subscriptions.length > 0 && this.pane.unsubscribed.length === 0);
  }

  #arrived(arrival: RouteChange): void {
    const { route, isSameView } = arrival;
    if (!isSameView) this.pane.searching = false;
    if (route.asks === "add") this.dialogs.open({ kind: "add-topic" });
    if (route.asks === "search") this.pane.searching = true;
    this.selection.arrive(arrival);
    void this.#findLinked();
  }

  #tablesRead(): void {
    this.navigation.followSavedView();
    this.device.environment = this.client.environment;
    const asked = this.dialogs.current;
    const isAbout = asked && ("subId" in asked ? asked.subId : asked.kind === "group" ? asked.of : undefined);
    // Without its topic, which was removed elsewhere, the dialog would show nothing, and keep all keys.
    if (typeof isAbout === "number" && !this.catalogue.subscription(isAbout)) this.dialogs.close();
    void this.#findLinked();
  }

  /**
   * Shows the message a link names if it is stored; call it again when that may have changed. It may not have arrived
   * yet, or the page may still be asking about its topic.
   */
  async #findLinked(): Promise<void> {
    const { pane, selection } = this;
    const { linked } = selection;
    if (!linked) return;
    for (const { subId } of pane.covered) {
      const found = await this.read((reader) => reader.find(subId, linked.id, linked.at));
      if (!found || selection.linked !== linked) return;
      if (found.value) return selection.showLinked(keyOf(found.value));
    }
    if (linked.isMissed || pane.unsubscribed.length > 0) return;
    if (!pane.covered.every(({ serverId }) => isSettled(linked, this.catalogue.status(serverId)))) return;
    linked.isMissed = true;
    this.notices.show({ text: appStrings.common.noSuchMessage });
  }

  /** What concerns the page as a whole. */
  #heard(event: HubEvent): void {
    if (event.kind === "catalogue" || event.kind === "missed") void this.catalogue.readAgain();
    if (event.kind === "status") this.catalogue.updateStatuses();
    if (event.kind === "rows") this.catalogue.updateCounts(event);
    if (event.kind === "status" || event.kind === "rows") void this.#findLinked();
    if (event.kind === "storage") this.device.storageTrouble = event.problem === "none" ? undefined : event.problem;
  }
}

/** The properties of `App.svelte`, named so that they are checked in scripts too, where components have no types. */
export interface AppProps {
  app: App;
}

export const [getApp, setApp] = createContext<App>();
