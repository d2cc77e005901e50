import type { Transport } from "../../../contract";
import { connectionTextFrom, type ConnectionStrings } from "../connection-text";
import { count, duration, roughlyAgo } from "../format";

const transports = {
  json: "JSON stream",
  sse: "SSE stream",
  ws: "WebSocket",
  poll: "Polling",
} satisfies Record<Transport, string>;

const connectionStrings: ConnectionStrings = {
  idle: "Not connected",
  connecting: "Connecting",
  live: "Live",
  inTurn: (topics, length) => `Live, ${count(topics)} topics every ${length}`,
  polled: (length, time) => `Polled every ${length}${time === undefined ? "" : ` · last at ${time}`}`,
  waiting: (length) => `Next try in ${length}`,
  offline: "Offline",
  refused: "Refused",
  noTopicServer: "No topic server",
  stopped: "Stopped",
};

/** Names of the states of servers and of the device. */
export const state = {
  ...connectionTextFrom(connectionStrings),
  transports,
  automatic: "Automatic",
  checking: "Checking",
  unknown: "Starting",
  cacheless: "Stores nothing",
  cachelessHint: "This server stores no messages: what is sent while you are away is lost.",
  lastContact: (ms: number) => `last contact ${roughlyAgo(ms, "just now")}`,
  offline: "Offline.",
  showingStored: "Showing what is stored on this device.",
  nextTry: (ms: number) => `Next try in ${duration(ms)}`,
  /** @param since absent = as far back as the server kept messages */
  complete: (until: string, since?: string) =>
    since ? `complete from ${since} until ${until}` : `complete until ${until}`,
  liveOf: (live: number, all: number) => `${count(live)} of ${count(all)} servers live`,
  notLive: "not live:",
  notAdmitted: "Waiting for the server to admit new topics",
};
