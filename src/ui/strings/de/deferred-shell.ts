import type { StringCatalogue } from "../catalogue";
import { count } from "../format";

const messages = { one: "Nachricht", other: "Nachrichten" };

/** Header, menus and strips: what loads after the first rows. */
export const deferredShell: StringCatalogue["deferredShell"] = {
  kept: (n) => `${count(n)} gespeichert`,
  completeSince: (said) => `Vollständig seit ${said}`,
  completeUntil: (said) => `Vollständig bis ${said}`,
  high: (unread) => (unread ? `Hoch (${count(unread)} ungelesen)` : "Hoch"),
  groupMenu: (name) => `Aktionen für ${name}`,
  share: "Teilen",
  qrCode: "QR-Code …",
  more: "Mehr",
  markRead: "Alles als gelesen markieren",
  markAll: (n) => (n === 1 ? "Diese eine als gelesen markieren" : `Alle ${count(n)} als gelesen markieren`),
  markThese: (n) => (n === 1 ? "Diese eine als gelesen markieren" : `Diese ${count(n)} als gelesen markieren`),
  markedRead: (n) => `${count(n, messages)} als gelesen markiert`,
  nothingUnread: "Hier ist nichts ungelesen",
  notices: "Hinweise",
  linkCopied: "Link kopiert",
  copyByHand: "Diesen Link kopieren",
  menu: {
    publish: "Nachricht senden",
    topic: "Einstellungen des Themas",
    server: "Einstellungen des Servers",
    connection: "Verbindung",
    refresh: "Nach fehlenden Nachrichten suchen",
    curl: "curl-Befehl kopieren",
    raw: "Live-Rohtext",
    remove: "Thema entfernen",
    mute: "Stummschalten …",
    unmute: "Stummschaltung aufheben",
    group: "In eine Gruppe …",
    up: "Nach oben",
    down: "Nach unten",
    rename: "Gruppe umbenennen",
    ungroup: "Gruppe auflösen",
    signIn: "Anmelden",
    palette: "Befehle …",
    saveView: "Diese Ansicht speichern …",
    saveFile: "Als Datei speichern …",
    renameView: "Ansicht umbenennen …",
    removeView: "Ansicht entfernen",
  },
  curlSample: "Es geht",
  curlCopied: "curl-Befehl kopiert",
  curlHeading: "Diesen Befehl kopieren",
  updateReady: "Neue Version bereit",
  update: "Neu laden",
  updateNow: "Neue Version bereit: neu laden",
  problems: {
    full: "Der Speicher ist voll. Neue Nachrichten werden angezeigt, aber nicht gespeichert.",
    fullAction: "Platz schaffen",
    unreadable:
      "Der Speicher lässt sich nicht öffnen. Earshot läuft im Arbeitsspeicher: Nachrichten gehen verloren, wenn der letzte Tab schließt.",
    failed: "Fehler im Speicher. Neu laden, um weiterzumachen; bis dahin wird nichts gespeichert.",
    "newer-version":
      "Der Speicher dieses Geräts stammt von einer neueren Version von Earshot. Neu laden, um sie zu holen; bis dahin wird nichts gespeichert.",
    deleted:
      "Eine andere Seite dieser Website oder der Browser hat gelöscht, was Earshot hier gespeichert hatte. Neu laden, um neu anzufangen; bis dahin wird nichts empfangen.",
    memory: "Earshot läuft hier im Arbeitsspeicher: Nachrichten gehen verloren, wenn der letzte Tab schließt.",
    blocked:
      "In einem anderen Tab läuft noch eine ältere Version von Earshot. Den anderen Tab schließen, dann startet dieser von selbst.",
  },
  badLink: {
    address: "Er nennt keinen erreichbaren Server.",
    topic: "Er nennt ein Thema, das es nicht geben kann: Ein Name hat nur Buchstaben, Ziffern, - und _, höchstens 64.",
    filter: "Sein Filter lässt sich nicht lesen.",
    view: "Er nennt eine gespeicherte Ansicht, die es auf diesem Gerät nicht gibt.",
    credentials: "Er enthält ein Passwort oder Token. Solche Links werden nicht geöffnet; bitte um einen ohne.",
    unknown: "Diese Version von Earshot weiß nicht, wohin er führt.",
    "too-long": "Er ist zu lang: Earshot öffnet Links mit höchstens 16.000 Zeichen.",
    home: "Alles zeigen",
  },
};
