import type { StringCatalogue } from "../catalogue";
import { count, duration, momentWithTime, timeOfDay } from "../format";

const some = (n: number) => (n === 1 ? "Nachricht" : count(n, { one: "Nachricht", other: "Nachrichten" }));

/** Text around messages, actions on them, and the filter. Times and durations in ms. */
export const rows: StringCatalogue["rows"] = {
  newRows: (n) => `${count(n)} neue`,
  newRowsSome: "Neue Nachrichten",
  showNew: "Die neuen Nachrichten zeigen",
  failed: "Die Nachrichten können nicht gelesen werden",
  gap: (offline, kept) =>
    kept === undefined
      ? "Es können Nachrichten fehlen zwischen"
      : `${duration(offline)} offline; der Server bewahrt Nachrichten ${duration(kept)} lang auf. Es können Nachrichten fehlen zwischen`,
  gapForgot: "Der Server hat verloren, was er aufbewahrt hatte. Es können Nachrichten fehlen zwischen",
  gapCut: "Mehr, als der Server auf einmal sendet. Es können Nachrichten fehlen zwischen",
  gapAnd: "und",
  gapAsk: "Den Server noch einmal fragen",
  gapEnd: (topics) => (topics === undefined ? "." : ` in ${topics}.`),
  gapTime: (at, now) => momentWithTime(at, now, "within"),
  repeats(n, lastMs, firstMs) {
    const [last, first] = [timeOfDay(lastMs), timeOfDay(firstMs)];
    return `×${count(n)}, zuletzt ${last}${first === last ? "" : `, zuerst ${first}`}`;
  },
  repeatsOpen: "alle anzeigen",
  filter: {
    label: "Suchen und filtern",
    placeholder: (n) =>
      `${n ? `${count(n, { one: "Nachricht", other: "Nachrichten" })} durchsuchen` : "Suchen"} oder filtern: priority:high tag:backup -nightly`,
    placeholderShort: (where) => `Suchen in ${where}`,
    search: "Suchen",
    clear: "Suche und Filter leeren",
    looked: (n, total) => `${count(n)} von ${count(total)}`,
    slash: "Mit / suchen",
  },
  triage: {
    done: (n) => `${some(n)} erledigt`,
    notDone: (n) => `${some(n)} wieder im Feed`,
    snoozed: (n, until, now) => `${some(n)} zurückgestellt bis ${momentWithTime(until, now, "within")}`,
    woken: (n) => `${some(n)} wieder im Feed`,
    deleted: (n) => `${some(n)} gelöscht`,
    cancelled: (n) => (n === 1 ? "Zustellung abgebrochen" : `${count(n)} Zustellungen abgebrochen`),
    hiddenHere: "Dieser Server kann nicht abbrechen; nur hier ausgeblendet.",
    sent: "Nachricht gesendet",
    sentTwice: "Gesendet. Dieser Server kann nicht abbrechen und stellt sie zu ihrer Zeit noch einmal zu.",
  },

  message: {
    tools: "Aktionen für diese Nachricht",
    more: "Mehr",
    markRead: "Als gelesen markieren",
    markUnread: "Als ungelesen markieren",
    star: "Stern setzen",
    unstar: "Stern entfernen",
    done: "Erledigt",
    notDone: "Nicht erledigt",
    snooze: "Zurückstellen …",
    delete: "Löschen",
    copyText: "Text kopieren",
    copyLink: "Link kopieren",
    raw: "Rohes JSON",
    curl: "Als curl kopieren",
    open: "Öffnen",
    textCopied: "Text kopiert",
    linkCopied: "Link kopiert",
    jsonCopied: "JSON kopiert",
    valueCopied: "Kopiert",
    copyByHand: "Dies kopieren",
    always: (topic) => `Bilder von ${topic} immer laden`,
    notAlways: (topic) => `Vor dem Laden von Bildern von ${topic} fragen`,
    filterTag: (tag) => `Nach Tag ${tag} filtern`,
    moreTags: (n) => `${count(n)} weitere`,
    openLink: (host) => (host ? `${host} öffnen` : "Link öffnen"),
    cannotOpen: (address) => `Links dieser Art werden hier nicht geöffnet: ${address}`,
    cancelDelivery: "Zustellung abbrechen",
    sendNow: "Jetzt senden",
    updated: "Geändert",
    updatedLabel: "Geändert: frühere Versionen zeigen",
    updatedTip: "Frühere Versionen zeigen",
    back: "Zurück zu den Nachrichten",
    loadIcon: (host) => `Symbol von ${host} laden`,
    loadPicture: (host, alt) => (alt ? `Bild „${alt}“ von ${host} laden` : `Bild von ${host} laden`),
  },
  action: {
    done: (label, status) => `${label}: erledigt (${String(status)})`,
    refused: (label, status) => `${label}: Die Adresse hat mit einem Fehler geantwortet (${String(status)})`,
    redirected: (label) => `${label}: Die Adresse verweist auf eine andere; diese wurde nicht angefragt`,
    unanswered: (label) => `${label}: keine Antwort von der Adresse`,
    failed: (label, why) => `${label}: ${why}`,
    broadcast: "Das kann nur die Android-App des Servers",
    notStored: "Nur Nachrichten abonnierter Themen können Anfragen senden",
    noTarget: "Links dieser Art werden hier nicht geöffnet",
    noMethod: (method) => `Browser senden keine ${method}-Anfragen`,
    noHeader: (name) => `Browser können den Header „${name}“ dieser Anfrage nicht senden`,
  },
};
