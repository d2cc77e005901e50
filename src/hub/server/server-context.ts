import type { ConnectionState, ServerStatus } from "../../contract";
import type { Environment, LeadingHub } from "../environment";
import type { IngestQueue } from "./ingest-queue";
import type { RequestCount } from "../requests/request-count";
import { Requests, signInPatch } from "../requests/requests";
import { ServerClock } from "./server-clock";
import { keepFacts, ServerFacts } from "./server-facts";
import { ServerPlan } from "./server-plan";
import type { StoredServer } from "../read-servers";

/** What the parts of one server's connection share: hub, requests, facts about the server, plan. */
export class ServerContext {
  readonly serverId: number;
  readonly requests: Requests;
  readonly facts: ServerFacts;
  readonly serverClock: ServerClock;
  readonly status: ConnectionStatus;
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
    this.serverClock = new ServerClock(environment, this.facts);
    this.plan = new ServerPlan({ ...plan, subscriptions: [] });
    this.status = new ConnectionStatus(this);
    count.remember(plan.server.errors ?? []);
    count.onErrors = (errors) => keepFacts(environment, serverId, { errors });
    count.onRefused = () => this.status.changed();
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
    const { serverId, facts, count, plan } = this.here;
    const { lastCompleteAtMs, clockAheadS, retentionS } = facts;
    return {
      serverId,
      ...this.here.described(),
      ...(lastCompleteAtMs !== undefined && { lastCompleteAtMs }),
      ...(this.#heardAtMs !== undefined && { lastContactAtMs: this.#heardAtMs }),
      ...(clockAheadS !== undefined && { clockAheadS }),
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
