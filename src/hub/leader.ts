// What one hub does for all: it keeps one connection per server, has the store tidied in rounds, and notices when the
// device slept. Which hub leads is decided in `election.ts`, what a connection does in `server-connection.ts`; `hub.ts`
// answers pages.
import { oneAtATime, type ServerStatus } from "../contract";
import { DELETE_UNDO_MS } from "../store";
import { IngestQueue } from "./server/ingest-queue";
import { readServers } from "./read-servers";
import { ServerConnection } from "./connection/server-connection";
import { ServerContext } from "./server/server-context";
import type { RequestCount } from "./requests/request-count";
import type { ServerAddress } from "../protocol";
import { MAX_TIMER_MS, type Environment, type LeadingHub, type Timer } from "./environment";

/** Tidying begins this long after the start, ms, because messages come first. */
const TIDY_AFTER_MS = 2_000;

/** Retention first runs this long after the start, ms, so that it delays nothing, and then this often. */
const PRUNE_AFTER_MS = 30_000;
const PRUNE_EVERY_MS = 3_600_000;

/** A round of cleaning is short, and the next follows after this, ms, so that other work gets its turn. */
const NEXT_ROUND_MS = 100;

/** Tidying that failed, perhaps for lack of room, is tried again after this, ms. */
const TIDY_AGAIN_AFTER_MS = 60_000;

/** How long, ms, until removals can no longer be undone and are purged. */
const PURGE_AFTER_MS = DELETE_UNDO_MS + 1_000;

/** Each change delays tidying, but by no more than this after the first, ms: changes may never stop. */
const TIDY_WITHIN_MS = 600_000;

/** Indexing follows once changes pause for this, ms, or the first is this old, ms. Searches read the rest. */
const INDEX_AFTER_MS = 3_000;
const INDEX_WITHIN_MS = 30_000;

/** Between rounds of indexing, ms: shorter, because a search waits for it. */
const NEXT_INDEX_MS = 20;

/** A timer this late, ms, means the device slept. Checked more often while a page is in sight. */
const TICK_EVERY_MS = 30_000;
const TICK_IN_SIGHT_MS = 1_000;
const LATE_MS = 3_000;

/** A tab in sight says so every 10 s. After this long without word, ms, none counts as in sight. */
export const IN_SIGHT_FOR_MS = 25_000;

/** What one hub does for all: holds the connections, tidies the store. Lives as long as the lead. */
export class Leader {
  readonly #connections = new Map<number, ServerConnection>();
  readonly #ingest: IngestQueue;
  readonly #timers = new Map<string, Timer>();
  #isOnline = true;
  #isOver = false;
  #isTidying = false;
  /** When the first change was stored that may not be indexed yet, device clock, ms. */
  #unindexedSinceMs: number | undefined;
  /** When the first change was made that calls for tidying, device clock, ms. */
  #untidySinceMs: number | undefined;
  /** Brings the connections in line with what is subscribed. */
  readonly reload: () => Promise<void>;
  /** When the last tick was, device clock, ms. */
  #tickedAtMs: number;
  /** How long after the last tick the next one is planned, ms. */
  #tickMs = TICK_EVERY_MS;
  /** How late the last tick was, ms. When timers are slowed down to save power, all of them are late. */
  #lateMs = 0;
  /** Whether a tab is in sight; undefined = none has been yet. */
  #isInSight: boolean | undefined;

  constructor(
    private readonly environment: Environment,
    private readonly hub: LeadingHub,
    private readonly countOf: (address: ServerAddress) => RequestCount,
  ) {
    this.#tickedAtMs = environment.now();
    this.#ingest = new IngestQueue(environment, hub, () => this.#roomAgain());
    this.reload = oneAtATime(() => this.#reload(), environment.report);
    void this.reload();
    this.#tick();
  }

  #startTidying(): void {
    this.#isTidying = true;
    this.#after("wake", TIDY_AFTER_MS, () => this.#wakeSnoozed());
    this.#after("purge", TIDY_AFTER_MS, () => this.#purge());
    // What was deleted right before the last end can still be undone then, but not by the next time.
    this.#after("prune", PRUNE_AFTER_MS, () => this.#prune(PURGE_AFTER_MS - PRUNE_AFTER_MS));
    // Indexes what a crash or an older version left unindexed.
    this.indexSoon();
  }

  get statuses(): ServerStatus[] {
    return [...this.#connections.values()].map((connection) => connection.status);
  }

  connection(serverId: number): ServerConnection | undefined {
    return this.#connections.get(serverId);
  }

  /** A page came back. */
  resume(): void {
    if (this.#hasJumped) this.#tick();
    else this.#resume(false);
  }

  /** @param jumped the device slept, or its clock was set */
  #resume(jumped: boolean): void {
    for (const connection of this.#connections.values()) connection.resume(jumped);
    // A hub may have died before it told that a topic was added.
    void this.reload();
    void this.#wakeSnoozed();
  }

  setOnline(isOnline: boolean): void {
    this.#isOnline = isOnline;
    for (const connection of this.#connections.values()) connection.setOnline(isOnline);
  }

  /** Records that a tab is in sight. */
  seen(): void {
    if (!this.#isInSight) this.#setInSight(true);
    this.#after("out of sight", IN_SIGHT_FOR_MS, () => this.#setInSight(false));
  }

  #setInSight(isInSight: boolean): void {
    // The clock was checked rarely meanwhile, so a short sleep may have gone unnoticed.
    const isBack = isInSight && this.#isInSight === false;
    this.#isInSight = isInSight;
    for (const connection of this.#connections.values()) connection.setInSight(isInSight);
    if (isBack) this.resume();
    this.#tick();
  }

  stop(): void {
    this.#isOver = true;
    for (const connection of this.#connections.values()) connection.stop();
    this.#connections.clear();
    for (const timer of this.#timers.values()) this.environment.clearTimer(timer);
  }

  /** Plans what must follow the removal of a topic, the deletion of a message, or a change of marks. */
  tidySoon(): void {
    const nowMs = this.environment.now();
    this.#untidySinceMs ??= nowMs;
    const delayMs = Math.min(PURGE_AFTER_MS, this.#untidySinceMs + TIDY_WITHIN_MS - nowMs);
    this.#after("purge", delayMs, () => this.#purge());
    this.#after("prune", delayMs, () => this.#prune());
    void this.#wakeSnoozed();
  }

  /** Asks again for what couldn't be stored, because messages were removed. */
  madeRoom(): void {
    if (this.#ingest.isFailing) this.#roomAgain();
  }

  #roomAgain(): void {
    for (const connection of this.#connections.values()) connection.roomAgain();
  }

  /** Plans to bring the search index up to date, because something was stored or changed. */
  indexSoon(): void {
    const nowMs = this.environment.now();
    this.#unindexedSinceMs ??= nowMs;
    const latestMs = this.#unindexedSinceMs + INDEX_WITHIN_MS - nowMs;
    this.#after("index", Math.min(INDEX_AFTER_MS, latestMs), () => {
      this.#unindexedSinceMs = undefined;
      return this.#index();
    });
  }

  async #index(): Promise<void> {
    const indexed = await this.environment.store.updateIndex();
    // The ingest reports a full disk or a closed database. Until the messages are indexed, searches read them directly.
    if (this.#isOver || !indexed.ok) return;
    // This timer has a name of its own, so that new arrivals don't put off what is left from before.
    if (indexed.value.more) this.#after("indexMore", NEXT_INDEX_MS, () => this.#index());
  }

  async #reload(): Promise<void> {
    if (this.#isOver) return;
    const stored = await readServers(this.environment.store);
    if (this.#isOver) return;
    if (!stored.ok) {
      this.hub.announce({ kind: "storage", problem: "unreadable" });
      return;
    }
    // With no server nothing was ever stored, and the code for tidying isn't needed.
    if (stored.value.length > 0 && !this.#isTidying) this.#startTidying();
    const plans = stored.value.filter(({ subscriptions }) => subscriptions.length > 0);
    for (const [serverId, connection] of this.#connections) {
      if (plans.some(({ server }) => server.serverId === serverId)) continue;
      connection.stop();
      this.#connections.delete(serverId);
    }
    for (const plan of plans) {
      const { serverId, address } = plan.server;
      const connection = this.#connections.get(serverId);
      if (connection?.address === address) connection.sync(plan);
      else {
        // The server is new, or has moved to another address.
        connection?.stop();
        const here = new ServerContext(this.environment, this.hub, this.#ingest, this.countOf(address), plan);
        const made = new ServerConnection(here, plan, this.#isOnline);
        made.setInSight(this.#isInSight === true);
        this.#connections.set(serverId, made);
      }
    }
  }

  /** Notices that the device slept, which stops timers without notice: the next one fires late. */
  #tick(): void {
    const hasJumped = this.#hasJumped;
    const nowMs = this.environment.now();
    this.#lateMs = Math.max(0, nowMs - this.#tickedAtMs - this.#tickMs);
    this.#tickedAtMs = nowMs;
    if (hasJumped) this.#resume(true);
    else if (this.#isInSight) for (const connection of this.#connections.values()) connection.look();
    this.#tickMs = this.#isInSight ? TICK_IN_SIGHT_MS : TICK_EVERY_MS;
    this.#after("tick", this.#tickMs, () => this.#tick());
  }

  /** Whether device clock and timers disagree. If the last tick was as late, timers are just slow. */
  get #hasJumped(): boolean {
    const sinceMs = this.environment.now() - this.#tickedAtMs;
    return sinceMs < 0 || sinceMs > this.#tickMs + LATE_MS + 2 * this.#lateMs;
  }

  /** @param nextMs how long after this round, once nothing is left of it, the next one follows */
  async #prune(nextMs = PRUNE_EVERY_MS): Promise<void> {
    this.#untidySinceMs = undefined;
    const pruned = await this.environment.store.prune(this.environment.now());
    if (this.#isOver) return;
    if (pruned.ok) this.hub.written(pruned.value);
    if (pruned.ok && !pruned.value.more) this.#after("prune", nextMs, () => this.#prune());
    else this.#after("prune", pruned.ok ? NEXT_ROUND_MS : TIDY_AGAIN_AFTER_MS, () => this.#prune(nextMs));
  }

  /** Also finds removals that a previous leader left behind, or a tab whose hub has died. */
  async #purge(): Promise<void> {
    const purged = await this.environment.store.purgeRemoved(this.environment.now());
    if (this.#isOver) return;
    let delayMs = TIDY_AGAIN_AFTER_MS;
    if (purged.ok) {
      const { removed, more, nextAtMs } = purged.value;
      if (removed > 0) this.hub.announce({ kind: "catalogue" });
      if (more) delayMs = NEXT_ROUND_MS;
      else if (nextAtMs === undefined) return;
      else delayMs = Math.min(nextAtMs - this.environment.now(), MAX_TIMER_MS);
    }
    this.#after("purge", delayMs, () => this.#purge());
  }

  async #wakeSnoozed(): Promise<void> {
    const woken = await this.environment.store.wakeSnoozed(this.environment.now());
    if (this.#isOver) return;
    if (!woken.ok) {
      this.#after("wake", TIDY_AGAIN_AFTER_MS, () => this.#wakeSnoozed());
      return;
    }
    this.hub.written(woken.value);
    const { nextWakeMs } = woken.value;
    if (nextWakeMs === undefined) return;
    this.#after("wake", Math.min(nextWakeMs - this.environment.now(), MAX_TIMER_MS), () => this.#wakeSnoozed());
  }

  /** Sets a timer, in place of any old one with the same name. */
  #after(name: string, delayMs: number, run: () => void | Promise<void>): void {
    if (this.#isOver) return;
    this.environment.clearTimer(this.#timers.get(name));
    this.#timers.set(
      name,
      this.environment.setTimer(() => void run(), Math.max(0, delayMs)),
    );
  }
}
