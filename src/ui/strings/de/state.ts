import type { ConnectionState } from "../../../contract";
import { unreachable } from "../../../protocol";
import type { Catalogue } from "../catalogue";
import { count, duration, roughlyAgo, timeOfDay } from "../format";

/** State of one server in a word or two. Times in ms; `heardAtMs`: when it last answered. */
function short(state: ConnectionState, nowMs: number, heardAtMs?: number): string {
  switch (state.kind) {
    case "idle":
      return "Nicht verbunden";
    case "connecting":
      return "Verbindet";
    case "live":
      if (state.everyMs) return polled(state.everyMs, heardAtMs);
      return state.inTurn ? `Live, ${count(state.inTurn)} Themen reihum` : "Live";
    case "waiting":
      return `Nächster Versuch in ${duration(Math.max(0, state.nextTryAtMs - nowMs))}`;
    case "offline":
      return "Offline";
    case "refused":
      return "Abgewiesen";
    case "stopped":
      return state.why.kind === "no-topic-server" ? "Kein Themenserver" : "Angehalten";
    default:
      return unreachable(state);
  }
}

/** A polled server is never called live, as between two polls it is unknown whether it is reachable. */
function polled(everyMs: number, heardAtMs: number | undefined): string {
  return `Alle ${duration(everyMs)} abgefragt` + (heardAtMs === undefined ? "" : ` · zuletzt ${timeOfDay(heardAtMs)}`);
}

/** The same for screen readers, with one word for all the states that alternate while reconnecting. */
function spoken(state: ConnectionState | undefined): string {
  const isTrying = !state || state.kind === "idle" || state.kind === "connecting" || state.kind === "waiting";
  return isTrying ? "Nicht verbunden" : short(state, 0);
}

/** Names of the states of servers and of the device. */
export const state: Catalogue["state"] = {
  short,
  spoken,
  transports: { json: "JSON-Stream", sse: "SSE-Stream", ws: "WebSocket", poll: "Abfragen" },
  automatic: "Automatisch",
  checking: "Prüft",
  unknown: "Startet",
  cacheless: "Speichert nichts",
  cachelessHint: "Dieser Server speichert keine Nachrichten: Was gesendet wird, während du weg bist, ist verloren.",
  lastContact: (ms) => `letzter Kontakt ${roughlyAgo(ms, "gerade eben")}`,
  offline: "Offline.",
  showingStored: "Angezeigt wird, was auf diesem Gerät gespeichert ist.",
  nextTry: (ms) => `Nächster Versuch in ${duration(ms)}`,
  complete: (until, since) => (since ? `vollständig von ${since} bis ${until}` : `vollständig bis ${until}`),
  liveOf: (live, all) => `${count(live)} von ${count(all)} Servern live`,
  notLive: "nicht live:",
};
