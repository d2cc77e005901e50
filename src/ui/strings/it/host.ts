import type { Translation } from "../catalogue";
import { count } from "../format";
import { hostProblemTextFrom, type HostProblemStrings } from "../host-problem-text";

const problemStrings: HostProblemStrings = {
  wanted: {
    object: "un oggetto: { … }",
    list: "un elenco: [ … ]",
    name: "un testo da 1 a 40 caratteri",
    address: 'l’indirizzo di un server, per esempio "https://ntfy.example.com"',
    colour: 'un colore, per esempio "#0b7a75"',
    topic: 'un argomento, per esempio "backups" o "ntfy.example.com/backups"',
    "push-key": "una chiave per i push: 87 caratteri che iniziano con B",
    language: 'il codice di una lingua, per esempio "it", o "system"',
    boolean: "true o false",
    count: "un numero intero, 0 o più",
    setting: "il nome di un’impostazione che chi ospita l’app può fissare",
    fewer: "al massimo 50 voci",
  },
  oneOf: (values) => `uno di questi valori: ${values}`,
  tooLong: "Il file supera i 64 KB e non è stato letto.",
  notJson: (text) => `Il file non è JSON: ${text}`,
  unknown: (at) => `${at}: nome sconosciuto`,
  wrong: (at = "Il file", wanted, found) => `${at} deve essere ${wanted}; è ${found}`,
  notAllowed: (at) => `${at} è su un server che allowedServers non comprende.`,
};

/** What the host of the app has set. */
export const host: Translation["host"] = {
  heading: "Da chi ospita l’app",
  hint: "Chi ospita questa app lo ha fissato nel suo config.json.",
  name: "Nome",
  server: "Server predefinito",
  allowed: "Si possono aggiungere argomenti su",
  fixed: "Impostazioni fisse",
  locked: "Fissato da chi ospita questa app. Qui non può essere cambiato.",
  problems: (n) => `${count(n, { one: "errore", other: "errori" })} in config.json`,
  problemsHint: "Le voci con errori vengono ignorate; le altre valgono.",
  problem: hostProblemTextFrom(problemStrings),
};
