import type { ServerRecord } from "../../client";
import type { ServerStatus } from "../../contract";

/** A server and its status. */
export interface ServerToTell {
  server: ServerRecord;
  status: ServerStatus | undefined;
  /** Shown with its name, as other servers are in another state. */
  isNamed: boolean;
}

/** The servers whose state a wall shows. */
export interface ServersToTell {
  /** Not live: the messages on the wall may be old. */
  troubled: ServerToTell[];
  /** If all are live: those that are polled, or else one on behalf of all. */
  live: ServerToTell[];
}

/** Picks the servers whose state a wall shows. */
export function serversToTell(servers: readonly Omit<ServerToTell, "isNamed">[]): ServersToTell {
  const named = servers.map((one) => ({ ...one, isNamed: servers.length > 1 }));
  const troubled = named.filter(({ status }) => status?.state.kind !== "live");
  if (troubled.length > 0) return { troubled: troubled.map((one) => ({ ...one, isNamed: true })), live: [] };
  const polled = named.filter(({ status }) => status?.state.kind === "live" && status.state.everyMs !== undefined);
  return { troubled, live: polled.length > 0 ? polled : named.slice(0, 1).map((one) => ({ ...one, isNamed: false })) };
}
