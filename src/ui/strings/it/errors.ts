import type { Translation } from "../catalogue";
import { failureTextFrom, type FailureStrings } from "../failure-text";

const failureStrings: FailureStrings = {
  theServer: "Il server",
  network: (server) => `${server} non è raggiungibile.`,
  silent: (server) => `${server} non risponde più.`,
  ended: (server) => `${server} ha chiuso la connessione.`,
  http: (server, status) => `${server} ha risposto con un errore (${status}).`,
  lockedOut: (server) => `Troppi accessi non riusciti da questa rete. ${server} li rifiuta tutti per qualche minuto.`,
  busy: (server) => `${server} sta limitando le richieste.`,
  unauthorized: (server) => `${server} ha rifiutato la password o il token.`,
  mayNotRead: (topics = "questo argomento") => `Questo utente non può leggere ${topics}.`,
  needsSignIn: (server, topics) => `${server} richiede l’accesso${topics === undefined ? "" : ` per ${topics}`}.`,
  noTopicServer: "A questo indirizzo non c’è un server di argomenti.",
  notAllowedByBrowser: "Il browser non permette a questa pagina di raggiungere quell’indirizzo.",
  malformed: (server) =>
    `Risponde qualcos’altro al posto ${server === undefined ? "del server" : `di ${server}`}. Forse questa rete richiede prima un accesso.`,
  notAllowedByHost: "Chi ospita questa app non consente questo server.",
  fixedByHost: "Chi ospita questa app ha fissato questa impostazione.",
  duplicate: "Sei già iscritto a questo argomento.",
  notFound: "Non esiste più.",
  quota: "Lo spazio di archiviazione è pieno.",
  storage: (text) => `Errore dell’archivio: ${text}`,
};

/** What is said of attempts and commands that failed. */
export const errors = {
  ...failureTextFrom(failureStrings),
  noClipboard: "Il browser non permette a questa pagina di usare gli appunti.",
} satisfies Translation["errors"];
