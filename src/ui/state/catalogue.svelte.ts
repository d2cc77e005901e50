import type { Catalogue, Client, ServerRecord, SubscriptionRecord } from "../../client";
import {
  hidingRules,
  type HidingRule,
  type HubEvent,
  isHiddenBy,
  oneAtATime,
  type ServerStatus,
  type SubscriptionCounts,
} from "../../contract";
import { type ServerAddress, toMs } from "../../protocol";
import { afterNextPaint } from "./after-next-paint";
import { sameWhileEqual } from "./same-while-equal";
import { totalOf } from "./topics/groups";
import { sharedNames } from "./topics/names";

type Counted = Pick<Extract<HubEvent, { kind: "rows" }>, "counts" | "total" | "lastArrival">;

/** The small tables and server statuses as reactive state, updated by the hub's announcements. */
export class CatalogueState {
  #tables: Catalogue;
  /** Unread messages of a saved view; 0 until they are counted. */
  unreadOfView: (viewId: number) => number = $state.raw(() => 0);
  /** How many unread messages Everything has of the topics that hide some of theirs; undefined until counted. */
  unreadBesideHidden: () => number | undefined = $state.raw(() => undefined);
  #statuses: ReadonlyMap<number, ServerStatus>;
  /** Announcements made during a read. */
  #countsMeanwhile: SubscriptionCounts[] | undefined;
  /** New counters, held back until the current frame is drawn, which doesn't need them. */
  #announced: Counted | undefined;

  /** @param onread called after each read of the tables */
  constructor(
    private readonly client: Client,
    tables: Catalogue,
    private readonly onread: () => void,
  ) {
    this.#tables = $state.raw(tables);
    this.#statuses = $state.raw(new Map(client.statuses));
  }

  /** All small tables, including removed subscriptions. Replaced, never changed in place. */
  get tables(): Catalogue {
    return this.#tables;
  }

  // Derived, so that new counters alone leave them as they are.
  readonly settings = $derived.by(() => this.#tables.settings);
  readonly servers = $derived.by(() => this.#tables.servers);
  readonly views = $derived.by(() => this.#tables.views);
  readonly outbox = $derived.by(() => this.#tables.outbox);
  /** Those of topics that are not removed. */
  readonly gaps = $derived.by(() => {
    const { gaps } = this.#tables;
    const known = gaps.filter(({ subId }) => this.#subscriptions.has(subId));
    return known.length === gaps.length ? gaps : known;
  });

  #subscriptions = $derived.by(
    () =>
      new Map(
        this.#tables.subscriptions
          .filter((subscription) => subscription.removedAtMs === undefined)
          .map((subscription) => [subscription.subId, subscription]),
      ),
  );

  #servers = $derived.by(() => new Map(this.servers.map((server) => [server.serverId, server])));

  /** Subscriptions that are not removed, in the order of the list. */
  readonly subscriptions: SubscriptionRecord[] = $derived.by(() =>
    [...this.#subscriptions.values()].sort((a, b) => a.order - b.order || a.subId - b.subId),
  );

  readonly sharedNames: ReadonlySet<string> = $derived.by(() => sharedNames(this.subscriptions));

  /** Servers that have subscriptions, each with its own, in the order of the list. */
  readonly serverGroups = $derived.by(() =>
    this.servers
      .map((server) => ({
        server,
        subscriptions: this.subscriptions.filter(({ serverId }) => serverId === server.serverId),
      }))
      .filter((group) => group.subscriptions.length > 0),
  );

  /** What Everything leaves out. */
  readonly hidden: HidingRule[] = $derived.by(sameWhileEqual(() => hidingRules(this.subscriptions)));
  readonly isHidden = $derived.by(() => isHiddenBy(this.hidden, Date.now()));

  readonly unread: number = $derived.by(() => totalOf(this.subscriptions, "unread"));

  /** A subscription that is not removed. */
  subscription(subId: number): SubscriptionRecord | undefined {
    return this.#subscriptions.get(subId);
  }

  server(serverId: number): ServerRecord | undefined {
    return this.#servers.get(serverId);
  }

  serverAt(address: ServerAddress | undefined): ServerRecord | undefined {
    return this.servers.find((server) => server.address === address);
  }

  /** The last status of a server; undefined until the hub announces one. */
  status(serverId: number): ServerStatus | undefined {
    return this.#statuses.get(serverId);
  }

  /**
   * Converts device time to a server's time, ms, by which servers count how long a message, file or token lasts. If the
   * server's clock is unknown, this is the device's time.
   */
  serverMs(address: ServerAddress, deviceMs: number): number {
    const server = this.serverAt(address);
    return deviceMs + toMs((server && this.status(server.serverId)?.clockAheadS) ?? server?.clockAheadS ?? 0);
  }

  /** Shows a change at once, before the hub has stored it. The next read of the tables replaces it. */
  applyOptimistically(change: Partial<Catalogue>): void {
    this.#tables = { ...this.#tables, ...change };
  }

  updateStatuses(): void {
    this.#statuses = new Map(this.client.statuses);
  }

  /** Takes over the counters of an announcement after the frame that shows its messages. */
  updateCounts({ counts, total, lastArrival }: Extract<HubEvent, { kind: "rows" }>): void {
    this.#countsMeanwhile?.push(...counts);
    const isFirst = this.#announced === undefined;
    this.#announced = { counts: [...(this.#announced?.counts ?? []), ...counts], total, lastArrival };
    if (isFirst) afterNextPaint(() => this.#countAnnounced());
  }

  #countAnnounced(): void {
    const announced = this.#announced;
    this.#announced = undefined;
    if (announced) this.#count(announced);
  }

  #count({ counts, total, lastArrival }: Counted): void {
    const bySubId = new Map(counts.map((entry) => [entry.subId, entry]));
    const subscriptions = this.#tables.subscriptions.map((subscription) => {
      const entry = bySubId.get(subscription.subId);
      if (!entry) return subscription;
      const { newest: _outdated, ...kept } = subscription;
      return { ...kept, ...entry };
    });
    this.#tables = { ...this.#tables, subscriptions, total, lastArrival };
  }

  /** Reads the small tables again: one read at a time, and once more if something changed during the read. */
  readonly readAgain = oneAtATime(
    () => this.#read(),
    (problem) => reportError(problem),
  );

  async #read(): Promise<void> {
    const meanwhile: SubscriptionCounts[] = [];
    this.#countsMeanwhile = meanwhile;
    // The read includes everything announced so far.
    this.#countAnnounced();
    const read = await this.client.read((reader) => reader.catalogue());
    this.#countsMeanwhile = undefined;
    if (!read.ok) return;
    const lastArrival = Math.max(this.#tables.lastArrival, read.value.lastArrival);
    this.#tables = read.value;
    // These were announced during the read, so they may be newer than what it saw.
    this.#count({ counts: meanwhile, total: read.value.total, lastArrival });
    this.onread();
  }
}
