import type { StringCatalogue } from "../catalogue";
import { count } from "../format";

/** The rules of alerts: quiet hours, muting everything, repeats. */
export const alertRules: StringCatalogue["alertRules"] = {
  muteAll: {
    heading: "Alles stummschalten",
    open: "Alles stummschalten …",
    hint: "Nachrichten kommen weiter an und zählen als ungelesen. Nichts wird gemeldet, auch Dringendes nicht.",
    muted: (said) => (said ? `Alles ist stumm bis ${said}` : "Alles ist stumm"),
    end: "Stummschaltung aufheben",
    topics: "Stumme Themen",
    endOf: (name) => `Stummschaltung von ${name} aufheben`,
    ended: "Alles wird wieder gemeldet",
  },
  repeat: {
    label: "Dringendes erneut melden, bis es gelesen ist",
    hint: (minutes, times) =>
      `Dringendes wird alle ${count(minutes)} Minuten erneut gemeldet, höchstens ${count(times)}-mal, solange Earshot offen ist.`,
  },
  sounds: {
    heading: "Klänge",
    hint: "Eigene Klänge von Earshot statt derer des Systems, solange es offen ist und Benachrichtigungen an sind. Niedrige Prioritäten und stumme Themen bleiben still.",
    of: { urgent: "Dringend", high: "Hoch", others: "Andere" },
    ofTopic: "Klang",
    everywhere: "Wie in den Einstellungen",
    none: "Der des Systems",
    names: { chime: "Dreiklang", knock: "Klopfen", drop: "Tropfen", bell: "Glocke", siren: "Sirene" },
    play: "Anhören",
    notAllowed: "Der Browser sperrt den Ton, bis du auf dieser Seite etwas drückst.",
  },
  outage: {
    label: "Wenn ein Server nicht zu erreichen ist",
    hint: "Meldet es einmal, und noch einmal, wenn er wieder da ist. Nicht, wenn dieses Gerät selbst kein Netz hat.",
    off: "Nicht melden",
    after: (minutes) =>
      minutes === 60 ? "Nach 1 Stunde melden" : `Nach ${count(minutes, { one: "Minute", other: "Minuten" })} melden`,
    pause: "Diese Meldungen aussetzen",
    pauseHint: "Bis dahin wird kein Server gemeldet, der nicht zu erreichen ist.",
    notPaused: "Nicht ausgesetzt",
    pausedUntil: (said) => `Bis ${said}`,
    pauses: { hour: "Für 1 Stunde", eight: "Für 8 Stunden" },
  },
  quiet: {
    heading: "Ruhezeiten",
    keep: "Ruhezeiten einhalten",
    hint: "Nachrichten kommen weiter an. Zu diesen Zeiten wird nichts gemeldet.",
    span: (n) => `Ruhezeit ${count(n)}`,
    days: "Tage",
    from: "Von",
    to: "Bis",
    nextDay: (to) => `Endet am nächsten Tag um ${to}.`,
    noTime: "Gib eine Uhrzeit ein.",
    add: "Zeit hinzufügen",
    remove: (n) => `Ruhezeit ${count(n)} entfernen`,
    removed: "Ruhezeit entfernt",
    urgent: "Dringendes wird trotzdem gemeldet",
    now: (until, urgentAlerts) =>
      `${until === undefined ? "Immer Ruhe" : `Ruhe bis ${until}`}${urgentAlerts ? "; Dringendes wird gemeldet" : ""}`,
    ahead: (from) => `Jetzt keine Ruhe; Ruhe ab ${from}`,
    never: "Nie Ruhe: Es ist kein Tag gewählt",
    off: "Aus",
    push: "Auf diesem Gerät gelten Ruhezeiten und Mindestpriorität nicht für Pushes: Das System zeigt jeden Push an.",
    ofTopic: { everywhere: "Wie in den Einstellungen", none: "Keine", own: "Eigene" },
    everywhere: (said) => `In den Einstellungen: ${said}`,
  },
};
