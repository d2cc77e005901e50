import type { Translation } from "../catalogue";
import { connectionTextFrom, type ConnectionStrings } from "../connection-text";
import { count, duration, roughlyAgo } from "../format";
import { since, until } from "./formats";

const connectionStrings: ConnectionStrings = {
  idle: "Non connesso",
  connecting: "Connessione",
  live: "In diretta",
  inTurn: (topics) => `In diretta, ${count(topics)} argomenti a turno`,
  polled: (length, time) => `Interrogato ogni ${length}${time === undefined ? "" : ` · ultima volta ${time}`}`,
  waiting: (length) => `Prossimo tentativo tra ${length}`,
  offline: "Offline",
  refused: "Rifiutato",
  noTopicServer: "Non è un server di argomenti",
  stopped: "Fermo",
};

/** Names of the states of servers and of the device. */
export const state: Translation["state"] = {
  ...connectionTextFrom(connectionStrings),
  transports: { json: "Flusso JSON", sse: "Flusso SSE", ws: "WebSocket", poll: "Interrogazione" },
  automatic: "Automatico",
  checking: "Controllo",
  unknown: "Avvio",
  cacheless: "Non conserva nulla",
  cachelessHint: "Questo server non conserva messaggi: ciò che viene inviato mentre sei via va perso.",
  lastContact: (ms) => `ultimo contatto ${roughlyAgo(ms, "proprio ora")}`,
  offline: "Offline.",
  showingStored: "Viene mostrato ciò che è salvato su questo dispositivo.",
  nextTry: (ms) => `Prossimo tentativo tra ${duration(ms)}`,
  complete: (untilWhen, sinceWhen) =>
    sinceWhen ? `completo ${since(sinceWhen)} ${until(untilWhen)}` : `completo ${until(untilWhen)}`,
  liveOf: (live, all) => `${count(live)} di ${count(all)} server in diretta`,
  notLive: "non in diretta:",
};
