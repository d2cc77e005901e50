import type { Translation } from "../catalogue";
import { count, timeOfDay } from "../format";

const lines = { one: "riga", other: "righe" };

/** The live tail of a topic as plain text. */
export const raw: Translation["raw"] = {
  heading: (topic) => `Grezzo: ${topic}`,
  what: "Testo in diretta così come inviato, una riga per messaggio; nulla viene salvato.",
  back: "Torna ai messaggi",
  label: "Righe",
  ask: (topic, host) => `Ascoltare ${topic} su ${host} senza iscriversi?`,
  start: "Avvia",
  states: {
    connecting: "Connessione",
    open: "In diretta",
    waiting: "La connessione è terminata. Nuovo tentativo in corso.",
    stopped: "Fermo",
  },
  lastSign: (said) => `ultimo segnale ${said}`,
  lines: (n) => count(n, lines),
  left: (n) => count(n, { one: "riga omessa", other: "righe omesse" }),
  waitingForLines: "Ancora nulla. Ogni nuovo messaggio è una riga.",
  ended: (atMs) => `Connessione terminata ${timeOfDay(atMs)}`,
  again: (atMs) => `Di nuovo connesso ${timeOfDay(atMs)}; ciò che è stato inviato nel frattempo non è mostrato`,
  pause: "Pausa",
  follow: "Segui",
  fresh: (n) => count(n, { one: "nuova", other: "nuove" }),
  copy: "Copia",
  copyHeading: "Copia queste righe",
  copied: "Righe copiate",
  clear: "Cancella",
};
