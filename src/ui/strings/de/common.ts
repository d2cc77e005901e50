import type { Catalogue } from "../catalogue";
import { count } from "../format";

/** Strings that several screens share. */
export const common: Catalogue["appStrings"]["common"] = {
  appName: "Earshot",
  close: "Schließen",
  cancel: "Abbrechen",
  save: "Speichern",
  undo: "Rückgängig",
  copy: "Kopieren",
  copied: "Kopiert",
  details: "Einzelheiten",
  tryAgain: "Noch einmal",
  tryNow: "Jetzt versuchen",
  signIn: "Anmelden",
  subscribe: "Abonnieren",
  messages: (n) => count(n, { one: "Nachricht", other: "Nachrichten" }),
  unread: (n) => `${count(n)} ungelesen`,
  urgentUnread: (n) => `${count(n)} dringend und ungelesen`,
  topics: (n) => count(n, { one: "Thema", other: "Themen" }),
  servers: (n) => count(n, { one: "Server", other: "Server" }),
  noSuchMessage: "Die Nachricht dieses Links wird hier nicht aufbewahrt.",
  notLoaded: "Dieser Teil der App war nicht zu laden.",
  /** The app can't start at all. */
  noStart: "Earshot konnte nicht starten.",
};

/** Names of the priorities (docs/protocol.md §14). */
export const priority: Catalogue["appStrings"]["priority"] = {
  label: "Priorität",
  names: { 1: "Niedrigste", 2: "Niedrig", 3: "Normal", 4: "Hoch", 5: "Dringend" },
};
