import type { Catalogue } from "../catalogue";
import { count } from "../format";

const messages = { one: "Nachricht", other: "Nachrichten" };

/** Header, menus and strips: what loads after the first rows. */
export const deferredShell: Catalogue["deferredShell"] = {
  kept: (n) => `${count(n)} aufbewahrt`,
  completeSince: (said) => `Vollständig seit ${said}`,
  completeUntil: (said) => `Vollständig bis ${said}`,
  groupMenu: (name) => `Aktionen für ${name}`,
  share: "Teilen",
  more: "Mehr",
  markRead: "Alles als gelesen markieren",
  markedRead: (n) => `${count(n, messages)} als gelesen markiert`,
  nothingUnread: "Hier ist nichts ungelesen",
  notices: "Hinweise",
  linkCopied: "Link kopiert",
  copyByHand: "Diesen Link kopieren",
  menu: {
    publish: "Testnachricht senden",
    topic: "Einstellungen des Themas",
    server: "Einstellungen des Servers",
    connection: "Verbindung",
    refresh: "Nach fehlenden Nachrichten sehen",
    curl: "curl-Zeile kopieren",
    raw: "Roh mitlesen",
    remove: "Thema entfernen",
    mute: "Stumm schalten …",
    unmute: "Wieder melden",
    group: "In eine Gruppe …",
    up: "Nach oben",
    down: "Nach unten",
    rename: "Gruppe umbenennen",
    ungroup: "Gruppe auflösen",
    signIn: "Anmelden",
    saveView: "Diese Ansicht sichern…",
    renameView: "Ansicht umbenennen…",
    removeView: "Ansicht entfernen",
  },
  curlSample: "Es geht",
  curlCopied: "curl-Zeile kopiert",
  curlHeading: "Diese Zeile kopieren",
  updateReady: "Neue Version bereit",
  update: "Neu laden",
  updateNow: "Neue Version bereit: neu laden",
  problems: {
    full: "Der Speicher ist voll. Neue Nachrichten werden gezeigt, aber nicht aufbewahrt.",
    fullAction: "Platz schaffen",
    unreadable:
      "Der Speicher lässt sich nicht öffnen. Earshot läuft aus dem Arbeitsspeicher: Was ankommt, ist weg, wenn der letzte Tab schließt.",
    failed: "Der Speicher hat versagt. Neu laden, um weiterzumachen; bis dahin wird nichts aufbewahrt.",
    "newer-version":
      "Der Speicher dieses Geräts ist von einem neueren Earshot. Neu laden, um es zu holen; bis dahin wird nichts aufbewahrt.",
    memory: "Earshot läuft hier aus dem Arbeitsspeicher: Was ankommt, ist weg, wenn der letzte Tab schließt.",
  },
  badLink: {
    address: "Er nennt keinen Server, den man fragen könnte.",
    topic: "Er nennt ein Thema, das kein Server haben kann: nur Buchstaben, Ziffern, - und _, höchstens 64.",
    filter: "Sein Filter ist nicht zu lesen.",
    view: "Er nennt eine gesicherte Ansicht, und dieses Gerät hat keine dieses Namens.",
    credentials: "Er enthält ein Passwort oder Token. Ein solcher Link wird nicht geöffnet; bitte um einen ohne.",
    unknown: "Er führt zu nichts, was diese Version von Earshot kennt.",
    home: "Alles zeigen",
  },
};
