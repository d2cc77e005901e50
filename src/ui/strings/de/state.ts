import type { StringCatalogue } from "../catalogue";
import { connectionTextFrom, type ConnectionStrings } from "../connection-text";
import { count, duration, roughlyAgo } from "../format";

const connectionStrings: ConnectionStrings = {
  idle: "Nicht verbunden",
  connecting: "Verbindet",
  live: "Live",
  inTurn: (topics, length) => `Live, ${count(topics)} Themen alle ${length}`,
  polled: (length, time) => `Alle ${length} abgefragt${time === undefined ? "" : ` · zuletzt ${time}`}`,
  waiting: (length) => `Nächster Versuch in ${length}`,
  offline: "Offline",
  refused: "Abgewiesen",
  noTopicServer: "Kein Themenserver",
  stopped: "Angehalten",
};

/** Names of the states of servers and of the device. */
export const state: StringCatalogue["state"] = {
  ...connectionTextFrom(connectionStrings),
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
  notAdmitted: "Wartet, bis der Server neue Themen zulässt",
};
