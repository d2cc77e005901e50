import type { StringCatalogue } from "../catalogue";
import { count, duration, inOneUnit } from "../format";

/** The message page and its dialogs, and the text shown in place of messages. Durations in ms. */
export const message: StringCatalogue["message"] = {
  details: {
    tabs: "Über diese Nachricht",
    details: "Details",
    versions: "Frühere Versionen",
    raw: "Roh",
    steps: "Andere Nachrichten",
    previous: "Vorige",
    next: "Nächste",
    topic: "Thema",
    priority: "Priorität",
    priorityValue: (n, name) => `${count(n)}, ${name.toLowerCase()}`,
    tags: "Tags",
    received: "Empfangen",
    via: { stream: "live", poll: "beim Nachholen", push: "per Push", import: "aus einer Datei" },
    receivedValue: (at, via, after) => (after === undefined ? `${at}, ${via}` : `${at}, ${via} (${after})`),
    onServer: "Auf dem Server",
    until: (said) => `bis ${said}`,
    goneSince: (said) => `weg seit ${said}`,
    notKept: "dort nicht gespeichert",
    due: "Fällig",
    noAlert: "Nicht gemeldet",
    noAlertReasons: {
      unshown: "5 Minuten lang konnte kein Tab Benachrichtigungen zeigen",
      history: "sie lag schon auf dem Server, als ihr Thema zum ersten Mal abgerufen wurde",
      imported: "sie kam aus einer Datei, nicht von ihrem Server",
      superseded: "eine neuere Fassung war schon hier",
      read: "sie war schon gelesen oder erledigt",
      muted: "ihr Thema war stummgeschaltet",
      priority: "ihr Thema verlangte eine höhere Priorität",
      "all-muted": "alles war stummgeschaltet",
      quiet: (until) => (until === undefined ? "Ruhezeit ohne Ende" : `Ruhezeit bis ${until}`),
    },
    link: "Link",
    id: "ID",
    missing: "Diese Nachricht ist nicht mehr gespeichert",
    close: "Schließen",
    copyJson: "JSON kopieren",
    curlCopied: "curl-Befehl kopiert",
  },

  repeats: {
    seen: (n, isPart, ms, days) => {
      const often = `${isPart ? "Mindestens " : ""}${count(n)}-mal`;
      const time = days > 0 ? `in ${count(days)} Tagen` : `innerhalb von ${duration(inOneUnit(Math.max(ms, 1000)))}`;
      return `${often} ${time} gekommen`;
    },
    none: "Es ist keine andere Nachricht wie diese gespeichert.",
    chart: (first, last, most) =>
      `Diagramm der Zeitpunkte: zuerst ${first}, zuletzt ${last}, höchstens ${count(most)} in einem Balken`,
    show: "Auflisten",
    hide: "Liste ausblenden",
  },

  request: {
    confirm: (label) => `„${label}“ sendet eine Anfrage`,
    confirmHint: "Die Nachricht bittet darum. Die Adresse erfährt, dass sie aus deinem Netz kommt.",
    headers: "Header",
    body: "Inhalt",
    send: "Senden",
    remember: (topic) => `Nicht mehr fragen, wenn Nachrichten von ${topic} dies anfragen:`,
    preview: "Diese Schaltfläche sendet eine Anfrage an",
    previews: "Diese Schaltflächen senden Anfragen an",
  },

  json: {
    tree: "JSON",
    entries: (n) => count(n),
    more: (n) => `${count(n)} weitere`,
    moreCharacters: (n) => `${count(n, { one: "weiteres Zeichen", other: "weitere Zeichen" })}`,
    value: "Wert kopieren",
    valueCopied: "Wert kopiert",
    path: "Pfad kopieren",
    pathCopied: "Pfad kopiert",
  },

  empty: {
    topic: "Noch keine Nachrichten",
    topicHint: "Was an dieses Thema gesendet wird, erscheint hier sofort. Aus einem Terminal:",
    everything: "Noch keine Nachrichten",
    everythingHint: "Was an deine Themen gesendet wird, erscheint hier sofort.",
    starred: "Nichts hat einen Stern",
    starredHint: "Eine Nachricht mit Stern bleibt, solange du willst. Wähle eine aus und drücke s, oder nimm ihr Menü.",
    scheduled: "Nichts ist geplant",
    scheduledHint: "Nachrichten, die später zugestellt werden, stehen hier mit ihrer Zeit.",
    done: "Nichts ist erledigt",
    doneHint: "Erledigte Nachrichten verlassen den Feed und stehen hier.",
    snoozed: "Nichts ist zurückgestellt",
    snoozedHint:
      "Eine zurückgestellte Nachricht verlässt den Feed und kommt zu ihrer Zeit ungelesen zurück. Wähle eine aus und drücke h.",
    urgent: "Nichts Dringendes",
    urgentHint:
      "Hier stehen Nachrichten der Priorität „Dringend“. Die der Priorität „Hoch“ haben eine eigene Liste, nur einen Klick entfernt.",
    example: "Es geht",
  },

  snooze: {
    heading: "Zurückstellen bis",
    times: { hour: "In 1 Stunde", evening: "Heute Abend", tomorrow: "Morgen", monday: "Nächsten Montag" },
    now: "Jetzt zurückholen",
    pick: "Zeitpunkt wählen",
    set: "Zurückstellen",
    past: "Dieser Zeitpunkt ist vorbei.",
  },

  none: {
    heading: "Nichts gefunden",
    hint: "Keine gespeicherte Nachricht passt.",
    drop: "Ohne",
    wouldShow: (n, isAll) => `${count(n)}${isAll ? "" : "+"} gefunden`,
    together: "Auch wenn einer davon wegfällt, wird nichts gefunden.",
    none: "Keiner dieser Filter findet für sich allein etwas.",
    everywhere: "Alle Themen durchsuchen",
    nowhere: "Auch in den anderen Themen passt keine Nachricht.",
    clear: "Filter leeren",
  },

  preview: {
    heading: "Vorschau",
    empty: "Der Server bewahrt von diesem Thema gerade keine Nachrichten auf",
    none: "Keine dieser Nachrichten erfüllt den Filter",
    more: (n) => `${count(n)} ältere sind hier nicht zu sehen`,
  },
};
