import type { ConnectionState, ServerStatus } from "../../contract";
import { MAX_TIMER_MS, type Environment, type LeadingHub, type Timer } from "../environment";
import type { IngestQueue } from "./ingest-queue";
import type { RequestCount } from "../requests/request-count";
import { Requests, signInPatch } from "../requests/requests";
import { keepFacts, ServerClock, ServerFacts } from "./server-facts";
import { ServerPlan } from "./server-plan";
import type { StoredServer } from "../read-servers";

/** What the parts of one server's connection share: hub, requests, facts about the server, plan. */
export class ServerContext {
  readonly serverId: number;
  readonly requests: Requests;
  readonly facts: ServerFacts;
  readonly serverClock: ServerClock;
  readonly status: ConnectionStatus;
  readonly due: DueMessages;
  /** What should be received; replaced when that changes. */
  plan: ServerPlan;
  /** When a stream last opened or brought anything but a keepalive, device clock, ms. */
  broughtAtMs = -Infinity;
  /** The connection's state, and whether a catch-up is under way; the connection sets it. */
  described: () => { state: ConnectionState; checking: boolean } = () => ({ state: { kind: "idle" }, checking: false });

  /** Whether only polls get through, so that the server never says what its clock shows; the connection sets it. */
  isPolled: () => boolean = () => false;

  constructor(
    readonly environment: Environment,
    readonly hub: LeadingHub,
    readonly ingest: IngestQueue,
    /** Counts the requests to this server, including those of the user's commands. */
    readonly count: RequestCount,
    plan: StoredServer,
  ) {
    const { serverId, address, credentialsBy } = plan.server;
    this.serverId = serverId;
    this.facts = new ServerFacts(environment, plan.server);
    // The date is left out, so that each start tries the header again.
    this.requests = new Requests(environment, address, credentialsBy && { credentialsBy }, count);
    this.requests.isBounded = true;
    this.requests.onSignIn = (refusedAtMs) => keepFacts(environment, serverId, signInPatch(refusedAtMs));
    this.serverClock = new ServerClock(environment, plan.server);
    this.plan = new ServerPlan({ ...plan, subscriptions: [] });
    this.status = new ConnectionStatus(this);
    this.due = new DueMessages(this);
    count.remember(plan.server.errors ?? []);
    count.onErrors = (errors) => keepFacts(environment, serverId, { errors });
    count.onRefused = () => this.status.changed();
  }
}

/** Failed storing is retried after this, seconds. */
const AGAIN_AFTER_S = 60;

/** Lets a server's scheduled messages enter the feed and raise alerts when they fall due (docs/design.md §4). */
class DueMessages {
  #timer: Timer | undefined;
  #isOver = false;

  constructor(private readonly here: ServerContext) {}

  /** Lets in what is due, and plans for the next one. */
  async settle(): Promise<void> {
    const { environment, serverId, serverClock, hub } = this.here;
    // The server's clock decides what is due; the device's counts only if nothing ever tells the server's time.
    if (serverClock.estimate() === undefined && !this.here.isPolled()) return;
    const { store, now, clearTimer, setTimer } = environment;
    const settled = await store.settleDue({ serverId, serverNowS: serverClock.nowS, nowMs: now(), alerts: true });
    if (this.#isOver) return;
    let nextDueS: number | undefined = serverClock.nowS + AGAIN_AFTER_S;
    if (settled.ok) {
      hub.written(settled.value);
      nextDueS = settled.value.nextDueS;
    }
    clearTimer(this.#timer);
    if (nextDueS === undefined) return;
    const delayMs = Math.min(Math.max((nextDueS - serverClock.nowS) * 1_000, 1_000), MAX_TIMER_MS);
    this.#timer = setTimer(() => void this.settle(), delayMs);
  }

  stop(): void {
    this.#isOver = true;
    this.here.environment.clearTimer(this.#timer);
  }
}

/** What is reported of a connection: its state, and what was counted and heard. */
class ConnectionStatus {
  #kind: ConnectionState["kind"] = "idle";
  /** When the state's kind last changed, device clock, ms. */
  sinceMs: number;
  #heardAtMs: number | undefined;
  #malformed = 0;
  #isTelling = false;
  #isOver = false;

  constructor(private readonly here: ServerContext) {
    this.sinceMs = here.environment.now();
  }

  get current(): ServerStatus {
    const { serverId, facts, serverClock, count, plan } = this.here;
    const { lastCompleteAtMs, retentionS } = facts;
    return {
      serverId,
      ...this.here.described(),
      ...(lastCompleteAtMs !== undefined && { lastCompleteAtMs }),
      ...(this.#heardAtMs !== undefined && { lastContactAtMs: this.#heardAtMs }),
      ...(serverClock.aheadS !== undefined && { clockAheadS: serverClock.aheadS }),
      malformed: this.#malformed,
      recentRequests: count.recent.length,
      cacheless: retentionS === 0,
      refusedTopics: plan.refusedTopics,
      waitingTopics: plan.waitingTopics,
    };
  }

  /** Records a sign of life, which is announced with the next change. */
  heard(): void {
    this.#heardAtMs = this.here.environment.now();
  }

  countMalformed(count: number): void {
    this.#malformed += count;
    this.changed();
  }

  /** Announces the status, once for all changes made in the same turn of the event loop. */
  changed(): void {
    const { kind } = this.here.described().state;
    if (kind !== this.#kind) {
      this.#kind = kind;
      this.sinceMs = this.here.environment.now();
    }
    if (this.#isTelling) return;
    this.#isTelling = true;
    void Promise.resolve().then(() => {
      this.#isTelling = false;
      if (!this.#isOver) this.here.hub.announce({ kind: "status", status: this.current });
    });
  }

  stop(): void {
    this.#isOver = true;
  }
}
