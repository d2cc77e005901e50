import type { Environment } from "../environment";
import type { IngestQueue } from "./ingest-queue";
import type { LeadingHub } from "../announce";
import type { RequestCount } from "../requests/request-count";
import { Requests, signInPatch } from "../requests/requests";
import { ServerClock } from "./server-clock";
import { keepFacts, ServerFacts } from "./server-facts";
import { ServerPlan, type ConnectionPlan } from "./server-plan";

/** What the parts of one server's connection share: its hub, its requests, what is known of the server, and its plan. */
export class ServerContext {
  readonly serverId: number;
  readonly requests: Requests;
  readonly facts: ServerFacts;
  readonly serverClock: ServerClock;
  /** What should be received; replaced when that changes. */
  plan: ServerPlan;

  constructor(
    readonly environment: Environment,
    readonly hub: LeadingHub,
    readonly ingest: IngestQueue,
    /** Counts the requests to this server, including those of the user's commands. */
    readonly count: RequestCount,
    plan: ConnectionPlan,
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
  }
}
