import { backupFaultTextFrom, type BackupFaultStrings } from "../backup-fault-text";
import type { StringCatalogue } from "../catalogue";
import { count, list } from "../format";
import { errors } from "./errors";

const messages = { one: "Nachricht", other: "Nachrichten" };
const topics = { one: "Thema", other: "Themen" };
const lines = { one: "Zeile", other: "Zeilen" };

const faultStrings: BackupFaultStrings = {
  notABackup: "Diese Datei ist keine Sicherung von Earshot oder der ntfy-App für Android. Es wurde nichts geändert.",
  newer: (version) =>
    `Eine neuere Version von Earshot hat diese Sicherung gemacht (Format ${version}). Lade diese Seite neu, um die neueste Version zu bekommen, und versuche es noch einmal.`,
  cut: "Das Ende dieser Sicherung fehlt, wie nach einem abgebrochenen Download. Es wurde nichts geändert.",
  badLine: (line) =>
    `Zeile ${line} kann nicht stimmen: Die Sicherung ist beschädigt, oder jemand hat sie verändert. Es wurde nichts geändert.`,
  busy: "Es läuft schon ein Import, vielleicht in einem anderen Tab. Warte, bis er fertig ist, und versuche es noch einmal.",
  ended: "Der Import endete, bevor er vollständig war. Nichts davon wurde behalten.",
  changed:
    "Eines seiner Themen wurde inzwischen hier hinzugefügt. Nichts vom Import wurde behalten; wähle die Datei noch einmal.",
  quota: "Der Platz reicht dafür nicht. Was schon importiert war, wurde zurückgenommen.",
  nothingKept: "Nichts vom Import wurde behalten.",
};

/** Backups: export, import, and the way to another device. */
export const backup: StringCatalogue["backup"] = {
  heading: "Sicherung",
  hint: "Eine Sicherung ist eine Datei mit deinen Nachrichten und allem, was du eingestellt hast. Jeder Texteditor kann sie lesen, und jedes Gerät kann sie importieren.",
  export: "Exportieren",
  contents: "Was exportieren",
  scopes: { everything: "Alles", setup: "Ohne Nachrichten" },
  setupHint: "Server, Themen, Gruppen, gespeicherte Ansichten und Einstellungen.",
  withSignIns: "Mit Anmeldungen und zusätzlichen Headern, verschlüsselt mit einer Passphrase",
  noSealing: "Anmeldungen können nur über https mitgenommen werden, denn nur dort verschlüsseln Browser.",
  passphrase: "Passphrase",
  passphraseHint: "Ohne sie sind die Anmeldungen in der Sicherung verloren. Niemand kann sie nachschlagen.",
  passphraseFault: "Mindestens 8 Zeichen.",
  save: "Sicherung speichern",
  written: (n, of) => `${count(n)} von ${count(of, messages)}`,
  stop: "Abbrechen",
  saved: (n) => `Sicherung gespeichert, mit ${count(n, messages)}`,
  savedSetup: "Sicherung gespeichert",
  writeFault: (text) => `Die Sicherung ließ sich nicht speichern: ${text}`,
  readFault: "Die Datenbank ließ sich nicht lesen. Es wurde keine Sicherung gespeichert.",

  import: "Importieren",
  importHint:
    "Aus einer Sicherung von Earshot oder der ntfy-App für Android. Du siehst, was sich ändern würde, bevor sich etwas ändert.",
  undone: "Ein Import wurde unterbrochen, und nichts davon blieb. Importiere die Datei noch einmal.",
  choose: "Sicherung wählen",
  fromWebApp: "Aus der ntfy-Web-App in diesem Browser",
  webAppUser: (name) => `Aus der ntfy-Web-App in diesem Browser (${name})`,
  webAppGone: "Die Daten der Web-App ließen sich nicht lesen.",
  tooLarge: (most) =>
    `Diese Sicherung der ntfy-App ist größer als ${most}, das ist zu viel zum Lesen. Es wurde nichts geändert.`,
  reading: "Sicherung wird gelesen",
  taking: "Wird importiert",
  part: (done, of) => `${done} von ${of}`,
  percent: (done) => `${count(done)} %`,
  preview: "Was der Import ändern würde",
  madeAt: (when) => `Sicherung vom ${when}`,
  newMessages: (n) => `${count(n, messages)} ${n === 1 ? "käme" : "kämen"} hinzu.`,
  noMessages: "Sie enthält keine Nachrichten.",
  knownMessages: (n) =>
    `${count(n, messages)} ${n === 1 ? "ist schon hier und bleibt, wie sie" : "sind schon hier und bleiben, wie sie"} ${n === 1 ? "ist" : "sind"}.`,
  deletedMessages: (n) =>
    n === 1
      ? "1 Nachricht wurde hier gelöscht und bleibt gelöscht."
      : `${count(n, messages)} wurden hier gelöscht und bleiben gelöscht.`,
  outdated: (n) =>
    `${count(n, messages)} davon ${n === 1 ? "ist" : "sind"} älter, als hier aufbewahrt wird, und ${n === 1 ? "würde" : "würden"} bald wieder entfernt.`,
  newTopics: (n) => `${count(n, topics)} ${n === 1 ? "käme" : "kämen"} hinzu:`,
  andMore: (n) => `und ${count(n)} weitere`,
  knownTopics: (n) =>
    n === 1
      ? "1 Thema ist schon hier: Name, Farbe und Einstellungen bleiben."
      : `${count(n, topics)} sind schon hier: Namen, Farben und Einstellungen bleiben.`,
  newServers: (names) => `Earshot würde sich mit ${list(names)} verbinden.`,
  newViews: (names) => `Gespeicherte Ansichten: ${list(names)}.`,
  takeSettings: (n) =>
    n === 1 ? "1 abweichende Einstellung übernehmen" : `${count(n)} abweichende Einstellungen übernehmen`,
  notSet: "nicht gesetzt",
  noLimit: "keine Grenze",
  change: (name, from, to) => `${name}: ${from} → ${to}`,
  byHand: "Diese können Nachrichten löschen oder stummschalten. Kreuze an, was du übernehmen willst:",
  going: (n) => `Etwa ${count(n, messages)} von hier ${n === 1 ? "würde" : "würden"} gelöscht.`,
  topicRules: (n) =>
    `Stummschaltung, Töne und Aufbewahrung von ${n === 1 ? "1 neuen Thema" : `${count(n)} neuen Themen`}`,
  notByLink: (names) => `Ausgelassen, da ein Link nichts löschen oder stummschalten darf: ${list(names)}.`,
  badSettings: (names) => `Ausgelassen, da nicht lesbar: ${list(names)}.`,
  settingNames: {
    keepDays: "Aufbewahrungsdauer in Tagen",
    keepMessages: "Höchstzahl der Nachrichten",
    theme: "Farben",
    density: "Dichte",
    language: "Sprache",
    markRead: "wann eine Nachricht als gelesen gilt",
    historyRead: "ältere Nachrichten neuer Themen",
    alerts: "Benachrichtigungen",
    alertRules: "Stummschaltung, Ruhezeiten und Wiederholungen",
    sounds: "Töne",
    sound: "Ton",
    display: "Textgröße und Zeiten",
    mutedUntilMs: "stumm",
    minPriority: "Mindestpriorität für Benachrichtigungen",
    quietHours: "Ruhezeiten",
    keepFilesMb: "Anhänge, die aufbewahrt werden",
    swipeLeft: "Wischen nach links",
    swipeRight: "Wischen nach rechts",
    singleKeys: "Kürzel mit nur einer Taste",
    groups: "Gruppen",
    columns: "Spalten",
    keepFiles: "Anhänge, die aufbewahrt werden",
  },
  unreadable: (n) =>
    n === 1
      ? "1 Zeile ist nicht lesbar und würde ausgelassen."
      : `${count(n, lines)} sind nicht lesbar und würden ausgelassen.`,
  leftOut: (n) =>
    n === 1
      ? "1 Eintrag ist nicht lesbar und würde ausgelassen."
      : `${count(n)} Einträge sind nicht lesbar und würden ausgelassen.`,
  sealed:
    "Ihre Anmeldungen sind verschlüsselt. Ohne die Passphrase werden sie ausgelassen, und du meldest dich neu an.",
  sealedInsecure:
    "Ihre Anmeldungen sind verschlüsselt, und Browser entschlüsseln nur über https: Du würdest dich neu anmelden.",
  plainSignIns: (n) =>
    n === 1 ? "Anmeldung bei 1 Server übernehmen" : `Anmeldungen bei ${count(n)} Servern übernehmen`,
  wrongPassphrase: "Das ist nicht die Passphrase dieser Sicherung.",
  nothingNew: "Alles in dieser Sicherung ist schon hier.",
  take: "Importieren",
  close: "Schließen",
  taken: (n) => (n === 0 ? "Importiert" : `Importiert, mit ${count(n, messages)}`),
  view: {
    heading: (title) => `„${title}“ als Datei speichern`,
    format: "Format",
    formats: { csv: "CSV", jsonl: "JSON-Zeilen" },
    hints: {
      csv: "Für Tabellen. Enthält die Nachrichten, die diese Ansicht mit ihrem Filter zeigt.",
      jsonl:
        "Vollständig wie in einer Sicherung: Die Datei lässt sich wieder importieren. Enthält die Nachrichten, die diese Ansicht mit ihrem Filter zeigt.",
    },
    writing: "Wird gespeichert",
    written: (n) => count(n, messages),
    saved: (n) => `${count(n, messages)} gespeichert`,
    save: "Speichern",
  },
  device: {
    heading: "Auf ein anderes Gerät",
    hint: "Ein Link oder QR-Code nimmt Server, Themen, Gruppen, gespeicherte Ansichten und Einstellungen mit, aber keine Nachrichten und keine Anmeldungen.",
    show: "Link und QR-Code zeigen",
    title: "Auf ein anderes Gerät",
    tooLong:
      "Für einen Link ist das zu viel. Exportiere eine Sicherung ohne Nachrichten, und importiere sie auf dem anderen Gerät.",
    bringHeading: "Einrichten wie auf einem anderen Gerät",
    bringHint:
      "Dieser Link enthält Server, Themen, Ansichten und Einstellungen. Du siehst, was sich ändern würde, bevor sich etwas ändert.",
    damaged: "Dieser Link ist beschädigt, oder jemand hat ihn verändert. Es wurde nichts geändert.",
  },
  storage: {
    heading: "Nach Themen",
    topic: "Thema",
    messages: "Nachrichten",
    size: "Größe",
    about: (size) => `etwa ${size}`,
    sizeHint:
      "Die Größen sind aus den neuesten Nachrichten geschätzt; der Browser braucht für die Suche etwa doppelt so viel.",
    outdated: (n) =>
      `Die Aufbewahrung würde jetzt etwa ${count(n, messages)} entfernen. Nachrichten mit Stern bleiben.`,
    delete: "Löschen",
    deleteOf: (topic) => `Die Nachrichten von ${topic} löschen`,
    deleteAll: "Alle Nachrichten löschen",
    askOne: (topic) => `Die Nachrichten von ${topic} löschen?`,
    askAll: "Alle Nachrichten löschen?",
    ask: (n) =>
      `${count(n, messages)} ${n === 1 ? "würde" : "würden"} gelöscht, auch mit Stern, erledigte und zurückgestellte. Die Themen bleiben. Du kannst es einen Moment lang rückgängig machen.`,
    deleted: (n) => `${count(n, messages)} gelöscht`,
  },
  fault: backupFaultTextFrom(faultStrings, errors.command),
};
