import { HAS_VALUES, IS_VALUES } from "../../../contract";
import { PRIORITY_NAMES } from "../../../protocol";
import type { StringCatalogue } from "../catalogue";
import { count, list } from "../format";

const examples: Readonly<Record<string, string>> = {
  priority: "priority:high",
  tag: "tag:backup",
  tags: "tags:backup,mail",
  title: "title:fehler",
  message: "message:platte",
  id: "id=sPs71M8A2T",
  is: "is:unread",
  has: "has:attachment",
  after: "after:today",
  before: "before:2026-11-20",
  topic: "topic:backups",
  server: "server:ntfy.sh",
  group: "group:haus",
};

/** Chips and completion of the filter box, and its messages about faulty words. */
export const filter: StringCatalogue["filter"] = {
  found: (n) => count(n),
  of: (total) => ` von ${count(total)}`,
  counting: "zählt …",
  quick: "Schnelle Filter",
  unread: "Ungelesen",
  important: "Hoch und dringend",
  starred: "Mit Stern",
  attachments: "Mit Anhang",
  not: "nicht",
  names: {
    priority: "Priorität",
    tags: "Tag",
    title: "Titel",
    message: "Text",
    id: "ID",
    is: "ist",
    has: "hat",
    after: "nach",
    before: "vor",
    topic: "Thema",
    server: "Server",
    group: "Gruppe",
  },
  remove: (term) => `${term} entfernen`,
  suggestions: "Vorschläge",
  keywords: {
    "is:": "unread, read, starred, done oder snoozed",
    "priority:": "eine oder mehrere: high,urgent",
    "tag:": "alle diese Tags: backup,mail",
    "topic:": "eines oder mehrere: backups,door",
    "server:": "nach Name oder Adresse",
    "group:": "Themen einer Gruppe",
    "title:": "Wörter im Titel",
    "message:": "Wörter im Text",
    "has:": "attachment, actions, click, title oder icon",
    "after:": "nicht älter als ein Zeitpunkt",
    "before:": "älter als ein Zeitpunkt",
    "-": "lässt weg, was folgt",
  },
  is: {
    unread: "noch nicht gelesen",
    read: "schon gelesen",
    starred: "mit Stern",
    done: "erledigt",
    snoozed: "kommt später wieder",
  },
  has: {
    attachment: "eine Datei oder ein Bild",
    actions: "Schaltflächen",
    click: "ein Link, den ein Klick öffnet",
    title: "ein eigener Titel",
    icon: "ein Symbol",
  },
  priorities: { 1: "die niedrigste", 2: "niedrig", 3: "wie die meisten", 4: "hoch", 5: "die höchste" },
  times: {
    "1h": "die letzte Stunde",
    today: "seit Mitternacht",
    yesterday: "gestern und heute",
    "3d": "die letzten drei Tage",
    "1w": "die letzte Woche",
  },
  timesBefore: {
    "1h": "vor mehr als einer Stunde",
    today: "gestern und davor",
    yesterday: "vor gestern",
    "3d": "vor mehr als drei Tagen",
    "1w": "vor mehr als einer Woche",
  },
  tagged: (n) => `an ${count(n, { one: "Nachricht", other: "Nachrichten" })}`,
  topic: (name) => `in ${name}`,
  topicHint: "nur dieses Thema",
  topics: (n) => count(n, { one: "Thema", other: "Themen" }),
  didYouMean: (field) => `Meinst du „${field}:“?`,
  write: (field) => `${field}: schreiben`,
  asText: "Als Text suchen",
  wrong: {
    "empty-value": (word, field) =>
      `Nach „${word}“ fehlt etwas. Schreibe zum Beispiel ${examples[field] ?? "ein Wort"}.`,
    "unclosed-quote": () => 'Ein Anführungszeichen ist nicht geschlossen. Beende die Wörter mit einem weiteren ".',
    "no-priority": () => "Es bleibt keine Priorität übrig: Sie reichen von 1 (min) bis 5 (urgent).",
    "bad-priority": (word) =>
      `„${word}“ ist keine Priorität. Es gibt ${list(Object.values(PRIORITY_NAMES))}, oder 1 bis 5.`,
    "bad-date": (word) =>
      `„${word}“ ist keine Zeitangabe. Schreibe 2026-11-20, 2026-11-20T10:00, today, yesterday, 2h oder 3d.`,
    "unknown-field": (word) => `„${word}“ ist kein Feld.`,
    "unknown-value": (word, field) =>
      field === "has"
        ? `„${word}“ ist hier nicht bekannt. Es gibt has:${list([...HAS_VALUES])}.`
        : `„${word}“ ist hier nicht bekannt. Es gibt is:${list([...IS_VALUES])}.`,
  },
};
