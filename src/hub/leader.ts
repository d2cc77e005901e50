import type { Result, ServerAddress, ServerStatus, StoredMessage } from "../protocol";
import { DELETE_UNDO_MS, type PurgeResult, type StoreError } from "../store";
import type { Notice } from "./alerts";
import { changesEvent, type Announce } from "./changes-event";
import { IngestQueue } from "./ingest-queue";
import { RequestCount } from "./request-count";
import { ServerConnection, type ConnectionHub } from "./server-connection";
import type { Environment, Timer } from "./environment";

/** Tidying begins this long after the start, ms: first come the messages. */
const TIDY_AFTER_MS = 2_000;

/** Retention runs this long after the start, ms, so that it is in nobody's way, and then this often. */
const PRUNE_AFTER_MS = 30_000;
const PRUNE_EVERY_MS = 3_600_000;

/** A round of cleaning is short; the next one follows after this, ms, so that others get their turn. */
const NEXT_ROUND_MS = 100;

/** Tidying that failed, for want of room perhaps, is tried again after this, ms. */
const TIDY_AGAIN_AFTER_MS = 60_000;

/** When what was removed can no longer be brought back, ms. */
const PURGE_AFTER_MS = DELETE_UNDO_MS + 1_000;

/**
 * The packs of the search follow once nothing changed for this long, ms, but at this age of the first change at the latest:
 * until then a search reads the few messages themselves.
 */
const PACK_AFTER_MS = 3_000;
const PACK_WITHIN_MS = 30_000;

/** A round of packing is shorter than one of cleaning, and a search waits for it. */
const NEXT_PACK_MS = 20;

/** A timer that fires this late, ms, means that the device slept; while somebody looks at a page, it is looked for more often. */
const TICK_EVERY_MS = 30_000;
const TICK_IN_SIGHT_MS = 1_000;
const LATE_MS = 3_000;

/** A tab in sight says so every 10 s; after so long, ms, without a word nobody looks any more. */
const IN_SIGHT_FOR_MS = 25_000;

/** Longest a timer is set ahead, ms. */
const MAX_TIMER_MS = 3_600_000;

export interface LeaderHub {
  announce: Announce;
  alert(rows: StoredMessage[]): void;
  notice(notice: Notice): void;
  catalogueChanged(): Promise<void>;
}

/** What only one hub does at a time: holds the connections and keeps the store tidy. Made when the lead comes, stopped when it goes. */
export class Leader {
  readonly #environment: Environment;
  readonly #hub: LeaderHub;
  readonly #connections = new Map<number, ServerConnection>();
  /** By address: a server is asked before there is a connection to it. */
  readonly #counts = new Map<ServerAddress, RequestCount>();
  readonly #connectionHub: Omit<ConnectionHub, "count">;
  readonly #ingest: IngestQueue;
  readonly #timers = new Map<string, Timer>();
  #isOnline = true;
  #isOver = false;
  /** When the first change was stored that may not be packed yet, device clock, ms. */
  #unpackedSinceMs: number | undefined;
  #reloading: Promise<void> = Promise.resolve();
  /** Device clock, ms. */
  #tickedAtMs: number;
  /** After this, ms, the next tick is planned. */
  #tickMs = TICK_EVERY_MS;
  /** How late the last tick was, ms: where timers are slowed down to save power, all are late. */
  #lateMs = 0;
  #isInSight = false;

  constructor(environment: Environment, hub: LeaderHub) {
    this.#environment = environment;
    this.#hub = hub;
    this.#tickedAtMs = environment.now();
    this.#ingest = new IngestQueue(environment, { ...hub, room: () => this.#roomAgain() });
    this.#connectionHub = { environment, ingest: this.#ingest, ...hub };
    void this.reload();
    this.#after("wake", TIDY_AFTER_MS, () => this.#wakeSnoozed());
    this.#after("purge", TIDY_AFTER_MS, () => this.#purge());
    this.#after("prune", PRUNE_AFTER_MS, () => this.#prune());
    // What a crash or an older version left unpacked.
    this.packSoon();
    this.#tick();
  }

  get statuses(): ServerStatus[] {
    return [...this.#connections.values()].map((connection) => connection.status);
  }

  connection(serverId: number): ServerConnection | undefined {
    return this.#connections.get(serverId);
  }

  /** A command of the user made a request. */
  countRequest(address: ServerAddress): void {
    this.#countOf(address).add();
    for (const connection of this.#connections.values()) if (connection.address === address) connection.counted();
  }

  /** Reads what is subscribed to and brings the connections in line; one reading at a time, the last one decides. */
  reload(): Promise<void> {
    this.#reloading = this.#reloading.then(() => this.#reload());
    return this.#reloading;
  }

  resume(): void {
    // The sign of a sleep may come before the timer that is late.
    if (this.#hasJumped) this.#tick();
    else this.#resume(false);
  }

  #resume(jumped: boolean): void {
    for (const connection of this.#connections.values()) connection.resume(jumped);
    void this.#wakeSnoozed();
  }

  setOnline(isOnline: boolean): void {
    this.#isOnline = isOnline;
    for (const connection of this.#connections.values()) connection.setOnline(isOnline);
  }

  /** A tab is in sight. */
  seen(): void {
    if (!this.#isInSight) this.#setInSight(true);
    this.#after("out of sight", IN_SIGHT_FOR_MS, () => this.#setInSight(false));
  }

  #setInSight(isInSight: boolean): void {
    this.#isInSight = isInSight;
    for (const connection of this.#connections.values()) connection.setInSight(isInSight);
    this.#tick();
  }

  stop(): void {
    this.#isOver = true;
    for (const connection of this.#connections.values()) connection.stop();
    this.#connections.clear();
    for (const timer of this.#timers.values()) this.#environment.clearTimer(timer);
  }

  /** A topic was removed, a message deleted, or marks changed: what must follow later is planned. */
  tidySoon(): void {
    this.#after("purge", PURGE_AFTER_MS, () => this.#purge());
    this.#after("prune", PURGE_AFTER_MS, () => this.#prune());
    void this.#wakeSnoozed();
  }

  /** Messages were removed: what found no room is tried again. */
  madeRoom(): void {
    if (!this.#ingest.isFailing) return;
    this.#ingest.retryHeld();
    this.#roomAgain();
  }

  #roomAgain(): void {
    for (const connection of this.#connections.values()) connection.roomAgain();
  }

  /** Something was stored or changed: the packs of the search follow in a while. */
  packSoon(): void {
    const nowMs = this.#environment.now();
    this.#unpackedSinceMs ??= nowMs;
    const latestMs = this.#unpackedSinceMs + PACK_WITHIN_MS - nowMs;
    this.#after("pack", Math.min(PACK_AFTER_MS, latestMs), () => {
      this.#unpackedSinceMs = undefined;
      return this.#pack();
    });
  }

  async #pack(): Promise<void> {
    const packed = await this.#environment.store.keepPacks();
    // A full disk or a closed database is told by whoever stores messages; the search then reads these themselves.
    if (this.#isOver || !packed.ok) return;
    // Under a name of its own: what arrives meanwhile does not put off what is left from before.
    if (packed.value.more) this.#after("pack on", NEXT_PACK_MS, () => this.#pack());
  }

  async #reload(): Promise<void> {
    if (this.#isOver) return;
    const { store } = this.#environment;
    const [servers, accounts, subscriptions] = await Promise.all([
      store.servers(),
      store.accounts(),
      store.subscriptions(),
    ]);
    if (this.#isOver) return;
    if (!servers.ok || !accounts.ok || !subscriptions.ok) {
      this.#hub.announce({ kind: "storage", problem: "unreadable" });
      return;
    }
    const inUse = new Set(subscriptions.value.map((subscription) => subscription.serverId));
    for (const [serverId, connection] of this.#connections) {
      if (inUse.has(serverId)) continue;
      connection.stop();
      this.#connections.delete(serverId);
    }
    for (const server of servers.value) {
      const { serverId, address } = server;
      if (!inUse.has(serverId)) continue;
      const plan = {
        server,
        accounts: accounts.value.filter((account) => account.serverId === serverId),
        subscriptions: subscriptions.value.filter((subscription) => subscription.serverId === serverId),
      };
      const connection = this.#connections.get(serverId);
      if (connection?.address === address) connection.sync(plan);
      else {
        // New, or moved to another address.
        connection?.stop();
        const hub = { ...this.#connectionHub, count: this.#countOf(address) };
        const made = new ServerConnection(hub, plan, this.#isOnline);
        made.setInSight(this.#isInSight);
        this.#connections.set(serverId, made);
      }
    }
  }

  #countOf(address: ServerAddress): RequestCount {
    const known = this.#counts.get(address) ?? new RequestCount(this.#environment.now);
    this.#counts.set(address, known);
    return known;
  }

  /** Sleep stops timers without a word: one that fires late tells of it. */
  #tick(): void {
    const hasJumped = this.#hasJumped;
    const nowMs = this.#environment.now();
    this.#lateMs = Math.max(0, nowMs - this.#tickedAtMs - this.#tickMs);
    this.#tickedAtMs = nowMs;
    if (hasJumped) this.#resume(true);
    else if (this.#isInSight) for (const connection of this.#connections.values()) connection.look();
    this.#tickMs = this.#isInSight ? TICK_IN_SIGHT_MS : TICK_EVERY_MS;
    this.#after("tick", this.#tickMs, () => this.#tick());
  }

  /**
   * The device's clock is further on, or further back, than its timers. One that is about as late as the one before tells
   * of timers that are slowed down, not of a sleep.
   */
  get #hasJumped(): boolean {
    const sinceMs = this.#environment.now() - this.#tickedAtMs;
    return sinceMs < 0 || sinceMs > this.#tickMs + LATE_MS + 2 * this.#lateMs;
  }

  async #prune(): Promise<void> {
    const pruned = await this.#environment.store.prune(this.#environment.now());
    if (this.#isOver) return;
    if (pruned.ok) {
      const event = changesEvent(pruned.value);
      if (event) this.#hub.announce(event);
    }
    const delayMs = !pruned.ok ? TIDY_AGAIN_AFTER_MS : pruned.value.more ? NEXT_ROUND_MS : PRUNE_EVERY_MS;
    this.#after("prune", delayMs, () => this.#prune());
  }

  async #purge(): Promise<void> {
    const purged = await this.#environment.store.purgeRemoved(this.#environment.now());
    if (this.#isOver) return;
    if (purged.ok && purged.value.removed > 0) this.#hub.announce({ kind: "catalogue" });
    const delayMs = this.#purgeAgainAfterMs(purged);
    if (delayMs !== undefined) this.#after("purge", delayMs, () => this.#purge());
  }

  /** What another leader, or a tab whose hub has ended, left to purge has nobody else to plan it. */
  #purgeAgainAfterMs(purged: Result<PurgeResult, StoreError>): number | undefined {
    if (!purged.ok) return TIDY_AGAIN_AFTER_MS;
    const { more, nextAtMs } = purged.value;
    if (more) return NEXT_ROUND_MS;
    return nextAtMs === undefined ? undefined : Math.min(nextAtMs - this.#environment.now(), MAX_TIMER_MS);
  }

  async #wakeSnoozed(): Promise<void> {
    const woken = await this.#environment.store.wakeSnoozed(this.#environment.now());
    if (this.#isOver) return;
    if (!woken.ok) {
      this.#after("wake", TIDY_AGAIN_AFTER_MS, () => this.#wakeSnoozed());
      return;
    }
    const event = changesEvent(woken.value);
    if (event) this.#hub.announce(event);
    const { nextWakeMs } = woken.value;
    if (nextWakeMs === undefined) return;
    this.#after("wake", Math.min(nextWakeMs - this.#environment.now(), MAX_TIMER_MS), () => this.#wakeSnoozed());
  }

  /** One timer a name: a new one takes the place of the old. */
  #after(name: string, delayMs: number, run: () => void | Promise<void>): void {
    if (this.#isOver) return;
    this.#environment.clearTimer(this.#timers.get(name));
    this.#timers.set(
      name,
      this.#environment.setTimer(() => void run(), Math.max(0, delayMs)),
    );
  }
}
