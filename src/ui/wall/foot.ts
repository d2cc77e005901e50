import type { ServerRecord } from "../../client";
import type { ServerStatus } from "../../contract";

/** A server and its status. */
export interface ServerToTell {
  server: ServerRecord;
  status: ServerStatus | undefined;
  /** Shown with its name, as other servers are in another state. */
  isNamed: boolean;
}

/** Of which servers a wall tells: none looks better than it is. */
export interface Told {
  /** Not live: what stands on the wall may be old. */
  troubled: ServerToTell[];
  /** Where all are live: those that are merely polled, else one that speaks for all. */
  live: ServerToTell[];
}

/** Picks them. */
export function serversToTell(servers: readonly Omit<ServerToTell, "isNamed">[]): Told {
  const named = servers.map((one) => ({ ...one, isNamed: servers.length > 1 }));
  const troubled = named.filter(({ status }) => status?.state.kind !== "live");
  if (troubled.length > 0) return { troubled: troubled.map((one) => ({ ...one, isNamed: true })), live: [] };
  const polled = named.filter(({ status }) => status?.state.kind === "live" && status.state.everyMs !== undefined);
  return { troubled, live: polled.length > 0 ? polled : named.slice(0, 1).map((one) => ({ ...one, isNamed: false })) };
}
