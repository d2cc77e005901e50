import type { ConnectionState, Transport } from "../../../contract";
import { unreachable } from "../../../protocol";
import { count, duration, roughlyAgo, timeOfDay } from "../format";

const transports = {
  json: "JSON stream",
  sse: "SSE stream",
  ws: "WebSocket",
  poll: "Polling",
} satisfies Record<Transport, string>;

/** State of one server in a word or two. Times in ms; `heardAtMs`: when it last answered. */
function short(state: ConnectionState, nowMs: number, heardAtMs?: number): string {
  switch (state.kind) {
    case "idle":
      return "Not connected";
    case "connecting":
      return "Connecting";
    case "live":
      if (state.everyMs) return polled(state.everyMs, heardAtMs);
      return state.inTurn ? `Live, ${count(state.inTurn)} topics in turn` : "Live";
    case "waiting":
      return `Next try in ${duration(Math.max(0, state.nextTryAtMs - nowMs))}`;
    case "offline":
      return "Offline";
    case "refused":
      return "Refused";
    case "stopped":
      return state.why.kind === "no-topic-server" ? "No topic server" : "Stopped";
    default:
      return unreachable(state);
  }
}

/** A polled server is never called live, as between two polls it is unknown whether it is reachable. */
function polled(everyMs: number, heardAtMs: number | undefined): string {
  return `Polled every ${duration(everyMs)}` + (heardAtMs === undefined ? "" : ` · last at ${timeOfDay(heardAtMs)}`);
}

/** The same for screen readers, with one word for all the states that alternate while reconnecting. */
function spoken(state: ConnectionState | undefined): string {
  const isTrying = !state || state.kind === "idle" || state.kind === "connecting" || state.kind === "waiting";
  return isTrying ? "Not connected" : short(state, 0);
}

/** Names of the states of servers and of the device. */
export const state = {
  short,
  spoken,
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
};
