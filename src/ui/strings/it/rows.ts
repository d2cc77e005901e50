import type { Translation } from "../catalogue";
import { count, duration, momentWithTime, timeOfDay } from "../format";
import { until } from "./formats";

/** "Messaggio eliminato", "5 messaggi eliminati". */
const some = (n: number, one: string, other: string) =>
  n === 1 ? `Messaggio ${one}` : `${count(n, { one: "messaggio", other: "messaggi" })} ${other}`;

/** Text around messages, actions on them, and the filter. Times and durations in ms. */
export const rows: Translation["rows"] = {
  newRows: (n) => count(n, { one: "nuovo", other: "nuovi" }),
  newRowsSome: "Nuovi messaggi",
  showNew: "Mostra i nuovi messaggi",
  failed: "I messaggi non possono essere letti",
  gap: (offline, kept) =>
    kept === undefined
      ? "Potrebbero mancare messaggi tra"
      : `Offline per ${duration(offline)}; il server conserva i messaggi per ${duration(kept)}. Potrebbero mancare messaggi tra`,
  gapForgot: "Il server ha perso messaggi che conservava. Potrebbero mancare messaggi tra",
  gapCut: "Più di quanto il server invii in una volta. Potrebbero mancare messaggi tra",
  gapAnd: "e",
  gapAsk: "Chiedi di nuovo al server",
  gapEnd: (topics) => (topics === undefined ? "." : ` in ${topics}.`),
  gapTime: (at, now) => momentWithTime(at, now, "within"),
  repeats: (n, lastMs, firstMs) => {
    const [last, first] = [timeOfDay(lastMs), timeOfDay(firstMs)];
    return `×${count(n)}, ultimo ${last}${first === last ? "" : `, primo ${first}`}`;
  },
  repeatsOpen: "mostra tutti",
  filter: {
    label: "Cerca e filtra",
    placeholder: (n) =>
      `Cerca${n ? ` in ${count(n, { one: "messaggio", other: "messaggi" })}` : ""}, o filtra: priority:high tag:backup -nightly`,
    placeholderShort: (where) => `Cerca in ${where}`,
    search: "Cerca",
    clear: "Cancella la ricerca e il filtro",
    looked: (n, total) => `${count(n)} di ${count(total)}`,
    slash: "Premi / per cercare",
  },
  triage: {
    done: (n) => some(n, "fatto", "fatti"),
    notDone: (n) => some(n, "di nuovo nel feed", "di nuovo nel feed"),
    snoozed: (n, at, now) => `${some(n, "posticipato", "posticipati")} ${until(momentWithTime(at, now, "within"))}`,
    woken: (n) => some(n, "di nuovo nel feed", "di nuovo nel feed"),
    deleted: (n) => some(n, "eliminato", "eliminati"),
    cancelled: (n) => (n === 1 ? "Consegna annullata" : `${count(n)} consegne annullate`),
    hiddenHere: "Questo server non può annullare; nascosto solo qui.",
    sent: "Messaggio inviato",
    sentTwice: "Inviato. Questo server non può annullare e lo consegnerà di nuovo alla sua ora.",
  },

  message: {
    tools: "Azioni del messaggio",
    more: "Altro",
    markRead: "Segna come letto",
    markUnread: "Segna come non letto",
    star: "Metti stella",
    unstar: "Togli stella",
    done: "Fatto",
    notDone: "Non fatto",
    snooze: "Posticipa…",
    delete: "Elimina",
    copyText: "Copia testo",
    copyLink: "Copia link",
    raw: "JSON grezzo",
    curl: "Copia come curl",
    open: "Apri",
    textCopied: "Testo copiato",
    linkCopied: "Link copiato",
    jsonCopied: "JSON copiato",
    valueCopied: "Copiato",
    copyByHand: "Copia questo",
    always: (topic) => `Carica sempre le immagini di ${topic}`,
    notAlways: (topic) => `Chiedi prima di caricare le immagini di ${topic}`,
    filterTag: (tag) => `Filtra per l’etichetta ${tag}`,
    moreTags: (n) => (n === 1 ? "1 altra" : `altre ${count(n)}`),
    openLink: (host) => (host ? `Apri ${host}` : "Apri link"),
    cannotOpen: (address) => `I link di questo tipo non possono essere aperti qui: ${address}`,
    cancelDelivery: "Annulla la consegna",
    sendNow: "Invia ora",
    updated: "Aggiornato",
    updatedLabel: "Aggiornato: mostra le versioni precedenti",
    updatedTip: "Mostra le versioni precedenti",
    back: "Torna ai messaggi",
    loadIcon: (host) => `Carica l’icona da ${host}`,
    loadPicture: (host, alt) => (alt ? `Carica l’immagine «${alt}» da ${host}` : `Carica l’immagine da ${host}`),
  },
  action: {
    done: (label, status) => `${label}: fatto (${String(status)})`,
    refused: (label, status) => `${label}: l’indirizzo ha risposto con un errore (${String(status)})`,
    redirected: (label) => `${label}: l’indirizzo reindirizza a un altro, che non è stato contattato`,
    unanswered: (label) => `${label}: nessuna risposta dall’indirizzo`,
    failed: (label, why) => `${label}: ${why}`,
    broadcast: "Solo l’app Android del server può farlo",
    notStored: "Solo i messaggi degli argomenti a cui sei iscritto possono inviare richieste",
    noTarget: "I link di questo tipo non possono essere aperti qui",
  },
};
