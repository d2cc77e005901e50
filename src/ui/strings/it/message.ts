import type { Translation } from "../catalogue";
import { count, duration, inOneUnit } from "../format";
import { formats, since, until } from "./formats";

/** The message page and its dialogs, and the text shown in place of messages. Durations in ms. */
export const message: Translation["message"] = {
  details: {
    tabs: "Informazioni su questo messaggio",
    details: "Dettagli",
    versions: "Versioni precedenti",
    raw: "Grezzo",
    steps: "Altri messaggi",
    previous: "Precedente",
    next: "Successivo",
    topic: "Argomento",
    priority: "Priorità",
    priorityValue: (n, name) => `${count(n)}, ${name.toLowerCase()}`,
    tags: "Etichette",
    received: "Ricevuto",
    via: { stream: "in diretta", poll: "durante il recupero", push: "tramite push" },
    receivedValue: (at, via, after) => (after === undefined ? `${at}, ${via}` : `${at}, ${via} (${after})`),
    onServer: "Sul server",
    until: (said) => until(said),
    goneSince: (said) => `rimosso ${since(said)}`,
    notKept: "non conservato lì",
    due: "Previsto",
    noAlert: "Nessun avviso",
    noAlertReasons: {
      unshown: "per 5 minuti nessuna scheda ha potuto mostrare notifiche",
      history: "era già sul server quando il suo argomento è stato recuperato la prima volta",
      superseded: "qui c’era già una versione più recente",
      read: "era già stato letto, cancellato o fatto",
      muted: "il suo argomento era silenziato",
      priority: "il suo argomento chiedeva una priorità più alta",
      "all-muted": "tutto era silenziato",
      quiet: (said) => (said === undefined ? "ore di silenzio senza fine" : `ore di silenzio ${until(said)}`),
    },
    link: "Link",
    id: "ID",
    missing: "Questo messaggio non è più salvato",
    close: "Chiudi",
    copyJson: "Copia JSON",
    curlCopied: "Comando curl copiato",
  },

  repeats: {
    seen: (n, isPart, ms, days) => {
      const time = days > 0 ? count(days, formats.day) : duration(inOneUnit(Math.max(ms, 1000)));
      return `Visto ${isPart ? "almeno " : ""}${count(n, { one: "volta", other: "volte" })} in ${time}`;
    },
    none: "Non è salvato nessun altro messaggio simile.",
    chart: (first, last, most) =>
      `Grafico dei momenti: primo ${first}, ultimo ${last}, al massimo ${count(most)} per barra`,
    show: "Elencali",
    hide: "Nascondi l’elenco",
  },

  request: {
    confirm: (label) => `«${label}» invia una richiesta`,
    confirmHint: "È il messaggio a chiederlo. Chi gestisce l’indirizzo vedrà l’indirizzo della tua rete.",
    headers: "Intestazioni",
    body: "Corpo",
    send: "Invia",
    remember: (topic) => `Non chiedere più quando i messaggi di ${topic} richiedono`,
    preview: "Questo pulsante invia una richiesta a",
    previews: "Questi pulsanti inviano richieste a",
  },

  json: {
    tree: "JSON",
    entries: (n) => count(n),
    more: (n) => (n === 1 ? "1 altro" : `altri ${count(n)}`),
    moreCharacters: (n) => count(n, { one: "altro carattere", other: "altri caratteri" }),
    value: "Copia il valore",
    valueCopied: "Valore copiato",
    path: "Copia il percorso",
    pathCopied: "Percorso copiato",
  },

  empty: {
    topic: "Ancora nessun messaggio",
    topicHint: "I messaggi inviati a questo argomento appaiono qui subito. Da un terminale:",
    everything: "Ancora nessun messaggio",
    everythingHint: "I messaggi inviati ai tuoi argomenti appaiono qui subito.",
    starred: "Nulla con stella",
    starredHint: "Una stella conserva un messaggio finché vuoi. Premi s su un messaggio, o usa il suo menu.",
    scheduled: "Nulla di programmato",
    scheduledHint: "I messaggi da consegnare più tardi sono elencati qui con il loro orario.",
    done: "Nulla di fatto",
    doneHint: "I messaggi segnati come fatti lasciano il feed e sono elencati qui.",
    snoozed: "Nulla di posticipato",
    snoozedHint: "Un messaggio posticipato lascia il feed e torna non letto al suo orario. Premi h su un messaggio.",
    urgent: "Nulla di urgente",
    urgentHint:
      "I messaggi di priorità urgente sono elencati qui. Quelli di priorità alta hanno un elenco proprio, a un tocco da qui.",
    example: "Funziona",
  },

  snooze: {
    heading: "Posticipa",
    times: { hour: "Tra 1 ora", evening: "Stasera", tomorrow: "Domani", monday: "Lunedì prossimo" },
    now: "Riportalo ora",
    pick: "Scegli un orario",
    set: "Posticipa",
    past: "Quell’orario è passato.",
  },

  none: {
    heading: "Nessun risultato",
    hint: "Nessun messaggio salvato corrisponde.",
    drop: "Senza",
    wouldShow: (n, isAll) => `${count(n)}${isAll ? "" : "+"} ${n === 1 ? "trovato" : "trovati"}`,
    together: "Anche togliendone uno qualsiasi non si trova nulla.",
    none: "Nessuno di questi filtri trova qualcosa da solo.",
    everywhere: "Cerca in tutti gli argomenti",
    nowhere: "Nemmeno negli altri argomenti corrisponde alcun messaggio.",
    clear: "Cancella il filtro",
  },

  preview: {
    heading: "Anteprima",
    empty: "Il server al momento non ha messaggi di questo argomento",
    none: "Nessuno di questi messaggi corrisponde al filtro",
    more: (n) => count(n, { one: "più vecchio non è mostrato", other: "più vecchi non sono mostrati" }),
  },
};
