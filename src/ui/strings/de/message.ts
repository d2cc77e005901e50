import type { Catalogue } from "../catalogue";
import { count, duration } from "../format";

/** The message page and its dialogs, and the text shown in place of messages. Durations in ms. */
export const message: Catalogue["message"] = {
  details: {
    tabs: "Über diese Nachricht",
    details: "Einzelheiten",
    versions: "Frühere Fassungen",
    raw: "Roh",
    topic: "Thema",
    priority: "Priorität",
    priorityValue: (n, name) => `${String(n)}, ${name.toLowerCase()}`,
    tags: "Tags",
    received: "Empfangen",
    via: { stream: "live", poll: "beim Nachholen", push: "per Push" },
    receivedValue: (at, via, after) => (after === undefined ? `${at}, ${via}` : `${at}, ${via} (${after})`),
    delay: (ms) =>
      ms < 10_000
        ? `${(ms / 1000).toLocaleString("de", { minimumFractionDigits: 1, maximumFractionDigits: 1 })} s`
        : duration(ms),
    onServer: "Auf dem Server",
    until: (said) => `bis ${said}`,
    goneSince: (said) => `weg seit ${said}`,
    notKept: "dort nicht aufbewahrt",
    due: "Fällig",
    link: "Link",
    id: "Kennung",
    missing: "Diese Nachricht wird hier nicht mehr aufbewahrt",
    close: "Schließen",
    copyJson: "JSON kopieren",
    curlCopied: "curl-Zeile kopiert",
  },

  request: {
    confirm: (label) => `„${label}“ sendet eine Anfrage`,
    confirmHint: "Die Nachricht bittet darum. Die Adresse erfährt, dass sie aus deinem Netz kommt.",
    headers: "Kopfzeilen",
    body: "Inhalt",
    send: "Senden",
    remember: (topic) => `Nicht mehr fragen, wenn Nachrichten von ${topic} dies anfragen:`,
    preview: "Dieser Knopf fragt an",
    previews: "Diese Knöpfe fragen an",
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
    starredHint: "Ein Stern bewahrt eine Nachricht auf, solange du willst. Drücke s auf einer, oder nimm ihr Menü.",
    scheduled: "Nichts ist geplant",
    scheduledHint: "Nachrichten, die später zugestellt werden, stehen hier mit ihrer Zeit.",
    done: "Nichts ist erledigt",
    doneHint: "Erledigte Nachrichten verlassen den Strom und stehen hier.",
    snoozed: "Nichts ist vertagt",
    snoozedHint:
      "Eine vertagte Nachricht verlässt den Strom und kommt ungelesen zurück, wenn ihre Zeit da ist. Drücke h auf einer.",
    urgent: "Nichts Dringendes",
    urgentHint: "Nachrichten der Priorität hoch und dringend stehen hier.",
    example: "Es geht",
  },

  snooze: {
    heading: "Vertagen bis",
    times: { later: "Später heute", evening: "Heute Abend", tomorrow: "Morgen", monday: "Nächsten Montag" },
    now: "Jetzt zurückholen",
    pick: "Ein anderer Zeitpunkt",
    set: "Vertagen",
    past: "Dieser Zeitpunkt ist vorbei.",
  },

  none: {
    heading: "Nichts gefunden",
    hint: "Keine Nachricht, die hier aufbewahrt wird, erfüllt das alles.",
    hintOne: "Keine Nachricht, die hier aufbewahrt wird, erfüllt das.",
    drop: "Ohne",
    wouldShow: (n, isAll) => `${count(n)}${isAll ? "" : "+"} gefunden`,
    together: "Auch ohne irgendeine einzelne davon wird nichts gefunden.",
    none: "Keine davon findet für sich allein etwas.",
    everywhere: "Alle Themen durchsuchen",
    nowhere: "Auch keine Nachricht der anderen Themen.",
    clear: "Filter leeren",
  },

  look: {
    heading: "Nur ein Blick",
    empty: "Der Server bewahrt von diesem Thema gerade keine Nachrichten auf",
    none: "Keine dieser Nachrichten erfüllt den Filter",
    more: (n) => `${count(n)} ältere sind hier nicht zu sehen`,
  },
};
