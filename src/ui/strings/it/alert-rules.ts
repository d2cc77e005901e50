import type { Translation } from "../catalogue";
import { count } from "../format";
import { since, until } from "./formats";

/** The rules of alerts: quiet hours, muting everything, repeats. */
export const alertRules: Translation["alertRules"] = {
  muteAll: {
    heading: "Silenzia tutto",
    open: "Silenzia tutto…",
    hint: "I messaggi continuano ad arrivare e contano come non letti. Nulla viene segnalato, nemmeno i messaggi urgenti.",
    muted: (said) => (said ? `Tutto è silenziato ${until(said)}` : "Tutto è silenziato"),
    end: "Riattiva gli avvisi",
    topics: "Argomenti silenziati",
    endOf: (name) => `Riattiva gli avvisi di ${name}`,
    ended: "Tutto viene di nuovo segnalato",
  },
  sounds: {
    heading: "Suoni",
    hint: "I suoni di Earshot, al posto di quelli del sistema, finché è aperto e le notifiche sono attive. Le priorità basse e gli argomenti silenziati non suonano.",
    of: { urgent: "Urgenti", high: "Priorità alta", others: "Altri" },
    ofTopic: "Suono",
    everywhere: "Come nelle impostazioni",
    none: "Quello del sistema",
    names: { chime: "Rintocco", knock: "Bussata", drop: "Goccia", bell: "Campana", siren: "Sirena" },
    play: "Ascolta",
    notAllowed: "Il browser blocca l’audio finché non premi qualcosa in questa pagina.",
  },
  outage: {
    label: "Quando un server non è raggiungibile",
    hint: "Avvisa una volta, e un’altra quando torna. Non quando è questo dispositivo a non avere rete.",
    off: "Nessun avviso",
    after: (minutes) =>
      minutes === 60 ? "Avvisa dopo 1 ora" : `Avvisa dopo ${count(minutes, { one: "minuto", other: "minuti" })}`,
    pause: "Sospendi questi avvisi",
    pauseHint: "Fino ad allora non viene segnalato alcun server irraggiungibile.",
    notPaused: "Non sospesi",
    pausedUntil: (said) => `F${until(said).slice(1)}`,
    pauses: { hour: "Per 1 ora", eight: "Per 8 ore" },
  },
  repeat: {
    label: "Ripeti gli avvisi urgenti fino alla lettura",
    hint: (minutes, times) =>
      `I messaggi urgenti vengono segnalati di nuovo ogni ${count(minutes)} minuti, al massimo ${count(times)} volte, finché Earshot è aperto.`,
  },
  quiet: {
    heading: "Ore di silenzio",
    keep: "Rispetta le ore di silenzio",
    hint: "I messaggi continuano ad arrivare. In questi orari nulla viene segnalato.",
    span: (n) => `Orario di silenzio ${count(n)}`,
    days: "Giorni",
    from: "Dalle",
    to: "Alle",
    nextDay: (to) => `Finisce alle ${to} del giorno dopo.`,
    noTime: "Inserisci un orario.",
    add: "Aggiungi un orario",
    remove: (n) => `Rimuovi l’orario di silenzio ${count(n)}`,
    removed: "Orario di silenzio rimosso",
    urgent: "I messaggi urgenti vengono segnalati comunque",
    now: (said, urgentAlerts) =>
      `${said === undefined ? "Sempre silenzio" : `Silenzio ${until(said)}`}${urgentAlerts ? "; gli urgenti vengono segnalati" : ""}`,
    ahead: (from) => `Ora nessun silenzio; silenzio ${since(from)}`,
    never: "Mai silenzio: nessun giorno scelto",
    off: "Disattivate",
    push: "Su questo dispositivo le ore di silenzio e la priorità minima non valgono per i push: il sistema li mostra tutti.",
    ofTopic: { everywhere: "Come nelle impostazioni", none: "Nessuna", own: "Proprie" },
    everywhere: (said) => `Nelle impostazioni: ${said}`,
  },
};
