import type { StringCatalogue } from "../catalogue";
import { count } from "../format";

/** Strings that several screens share. */
export const common: StringCatalogue["appStrings"]["common"] = {
  appName: "Earshot",
  more: "Mehr",
  close: "Schließen",
  cancel: "Abbrechen",
  save: "Speichern",
  undo: "Rückgängig",
  copy: "Kopieren",
  copied: "Kopiert",
  details: "Details",
  tryAgain: "Erneut versuchen",
  tryNow: "Jetzt versuchen",
  signIn: "Anmelden",
  subscribe: "Abonnieren",
  messages: (n) => count(n, { one: "Nachricht", other: "Nachrichten" }),
  unread: (n) => `${count(n)} ungelesen`,
  urgentUnread: (n) => `${count(n)} dringend und ungelesen`,
  highUnread: (n) => `${count(n)} hoch und ungelesen`,
  topics: (n) => count(n, { one: "Thema", other: "Themen" }),
  servers: (n) => count(n, { one: "Server", other: "Server" }),
  noSuchMessage: "Die Nachricht dieses Links ist auf diesem Gerät nicht gespeichert.",
  notLoaded: "Dieser Teil der App konnte nicht geladen werden.",
  broken: {
    page: "Die App kann nicht angezeigt werden",
    feed: "Diese Nachrichten können nicht angezeigt werden",
    row: "Diese Nachricht kann nicht angezeigt werden",
    dialog: "Dieser Dialog kann nicht angezeigt werden",
  },
  brokenHint: "Das ist ein Fehler der App. Deine Nachrichten sind weiterhin gespeichert.",
  /** The app can't start at all. */
  noStart: "Earshot konnte nicht starten.",
};

/** Names of the priorities (docs/protocol.md §14). */
export const priority: StringCatalogue["appStrings"]["priority"] = {
  label: "Priorität",
  names: { 1: "Minimal", 2: "Niedrig", 3: "Standard", 4: "Hoch", 5: "Dringend" },
};
