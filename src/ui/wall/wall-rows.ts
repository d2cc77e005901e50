import type { ServerRecord } from "../../client";
import { newestFirst, type FilterTerm, type StoredMessage, type ServerStatus } from "../../contract";
import { priorityOf } from "../../protocol";
import { FEWEST_FOLDED, runsOf, type RunKeyOf } from "../message/repeat-runs";

/** A server and its status. */
export interface ServerToTell {
  server: ServerRecord;
  status: ServerStatus | undefined;
  /** Shown with its name, because other servers are in another state. */
  isNamed: boolean;
}

/** The servers whose state a wall shows. */
export interface ServersToTell {
  /** Not live: the messages on the wall may be old. */
  troubled: ServerToTell[];
  /** If all are live: the polled ones, or else one for all. */
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

/** Unread messages of this priority or higher come first. */
const HIGH = 4;

/** The same as conditions of a filter. */
export const UNREAD_HIGH_TERMS: FilterTerm[] = [
  { not: false, kind: "is", what: "unread" },
  { not: false, kind: "priority", values: [4, 5] },
];

/** Unread and of high priority or above. */
export function isUnreadHigh(row: StoredMessage): boolean {
  return priorityOf(row.event) >= HIGH && row.readAtMs === undefined;
}

/** The rows of a wall: unread ones of high priority first, by priority, then all others; newest first among equals. */
export function wallRows(rows: readonly StoredMessage[]): StoredMessage[] {
  const rank = (row: StoredMessage) => (isUnreadHigh(row) ? priorityOf(row.event) : 0);
  return [...rows].sort((a, b) => rank(b) - rank(a) || newestFirst(a, b));
}

/** A line of a wall: a message, or the newest of a run of repeats. */
export interface WallLine {
  readonly row: StoredMessage;
  /** How many messages it represents, and the server time of the first, s; absent = only itself. */
  readonly repeats?: { readonly count: number; readonly since: number };
}

/**
 * A wall's rows with repeats folded (docs/design.md §6, "Repeats"). Nobody opens a fold on a wall, so only its newest
 * message is left.
 * @param folds whether a topic's repeats are folded
 */
export function wallLines(
  rows: readonly StoredMessage[],
  keyOf: RunKeyOf,
  folds: (subId: number) => boolean,
): WallLine[] {
  return runsOf(rows, keyOf, folds).flatMap((run): WallLine[] => {
    const [row] = run;
    if (!row || run.length < FEWEST_FOLDED) return run.map((one) => ({ row: one }));
    return [{ row, repeats: { count: run.length, since: Math.min(...run.map(({ time }) => time)) } }];
  });
}
