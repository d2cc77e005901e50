import type { Catalogue } from "../catalogue";
import { count } from "../format";

/** The details of one connection. */
export const health: Catalogue["health"] = {
  heading: (server) => `Verbindung zu ${server}`,
  state: "Zustand",
  why: "Weil",
  receiving: "Empfang über",
  byHand: "von Hand gewählt",
  bySelf: "selbst gewählt",
  lastContact: "Letzter Kontakt",
  lastComplete: "Letzte vollständige Prüfung",
  checking: "Prüft …",
  never: "Noch nicht",
  keeps: "Server bewahrt Nachrichten auf für",
  keepsNothing: "Gar nicht: Was gesendet wird, während du weg bist, ist verloren",
  unknown: "Noch nicht bekannt",
  requests: "Anfragen in fünf Minuten",
  requestsOf: (n, usual) => `${count(n)} von ${count(usual)}, die Server gewöhnlich erlauben`,
  skipped: "Als fehlerhaft übergangene Zeilen",
  topics: "Themen",
  complete: "Vollständig, so weit der Server sie aufbewahrte",
  completeSince: (said) => `Vollständig seit ${said}`,
  unchecked: "Noch nicht geprüft",
  refused: "Der Server verlangt eine Anmeldung",
  leave: "Verlassen",
  settings: "Einstellungen des Servers",
  copy: "Diagnose kopieren",
  copied: "Diagnose kopiert",
  copyHeading: "Diese Diagnose kopieren",
  copyHint: "Text für alle, die helfen. Er nennt keinen Server, kein Thema und keine Zugangsdaten.",
};
