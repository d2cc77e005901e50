import type { StringCatalogue } from "../catalogue";
import { count, timeOfDay } from "../format";

const lines = { one: "Zeile", other: "Zeilen" };

/** The live tail of a topic as plain text. */
export const raw: StringCatalogue["raw"] = {
  heading: (topic) => `Live-Rohtext: ${topic}`,
  what: "Live-Rohtext: eine Zeile je Nachricht, wie gesendet; nichts wird gespeichert.",
  back: "Zu den Nachrichten",
  label: "Zeilen",
  ask: (topic, host) => `${topic} auf ${host} mitlesen, ohne es zu abonnieren?`,
  start: "Starten",
  states: {
    connecting: "Verbindet",
    open: "Live",
    waiting: "Die Verbindung endete. Neuer Versuch.",
    stopped: "Angehalten",
  },
  lastSign: (said) => `letztes Lebenszeichen ${said}`,
  lines: (n) => count(n, lines),
  left: (n) => `${count(n, lines)} ausgelassen`,
  waitingForLines: "Noch nichts. Jede Nachricht, die von jetzt an gesendet wird, ist eine Zeile.",
  ended: (atMs) => `Verbindung um ${timeOfDay(atMs)} beendet`,
  again: (atMs) => `Um ${timeOfDay(atMs)} wieder verbunden; was dazwischen gesendet wurde, steht hier nicht`,
  pause: "Anhalten",
  follow: "Folgen",
  fresh: (n) => `${count(n)} neu`,
  copy: "Kopieren",
  copyHeading: "Diese Zeilen kopieren",
  copied: "Zeilen kopiert",
  clear: "Leeren",
};
