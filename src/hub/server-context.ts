import type { ServerNotice, StoredMessage } from "../contract";
import type { Announce } from "./changes-event";
import type { Environment } from "./environment";
import type { IngestQueue } from "./ingest-queue";
import type { RequestCount } from "./request-count";
import { Requests, signInPatch } from "./requests";
import { ServerClock } from "./server-clock";
import { keepFacts, ServerFacts } from "./server-facts";
import { ServerPlan, type ConnectionPlan } from "./server-plan";

/** What a connection needs of its hub. */
export interface ConnectionHub {
  environment: Environment;
  ingest: IngestQueue;
  /** Counts the requests to this server, including those of the user's commands. */
  count: RequestCount;
  announce: Announce;
  alert(rows: StoredMessage[]): void;
  /** Tells the user that receiving stopped, which they could take for silence otherwise. */
  notice(notice: ServerNotice): void;
  /** Servers, accounts or subscriptions changed in the store: everyone reads them again, including this connection. */
  catalogueChanged(): Promise<void>;
}

/** What the parts of one server's connection share: its hub, its requests, what is known of the server, and its plan. */
export class ServerContext {
  readonly hub: ConnectionHub;
  readonly environment: Environment;
  readonly serverId: number;
  readonly requests: Requests;
  readonly facts: ServerFacts;
  readonly serverClock: ServerClock;
  /** What should be received; replaced when that changes. */
  plan: ServerPlan;

  constructor(hub: ConnectionHub, plan: ConnectionPlan) {
    const { environment } = hub;
    const { serverId, address, credentialsBy } = plan.server;
    this.hub = hub;
    this.environment = environment;
    this.serverId = serverId;
    this.facts = new ServerFacts(environment, plan.server);
    // The date is left out, so that each start tries the header again.
    this.requests = new Requests(environment, address, credentialsBy && { credentialsBy }, hub.count);
    this.requests.onSignIn = (refusedAtMs) => keepFacts(environment, serverId, signInPatch(refusedAtMs));
    this.serverClock = new ServerClock(environment, this.facts);
    this.plan = new ServerPlan({ ...plan, subscriptions: [] });
  }
}
