import type { Translation } from "../catalogue";
import { count } from "../format";

/** Strings that several screens share. */
export const common: Translation["appStrings"]["common"] = {
  appName: "Earshot",
  close: "Chiudi",
  cancel: "Annulla",
  save: "Salva",
  undo: "Annulla",
  copy: "Copia",
  copied: "Copiato",
  details: "Dettagli",
  more: "Altro",
  tryAgain: "Riprova",
  tryNow: "Prova ora",
  signIn: "Accedi",
  subscribe: "Iscriviti",
  messages: (n) => count(n, { one: "messaggio", other: "messaggi" }),
  unread: (n) => count(n, { one: "non letto", other: "non letti" }),
  urgentUnread: (n) => count(n, { one: "urgente non letto", other: "urgenti non letti" }),
  highUnread: (n) => `${count(n, { one: "non letto", other: "non letti" })} di priorità alta`,
  topics: (n) => count(n, { one: "argomento", other: "argomenti" }),
  servers: (n) => `${count(n)} server`,
  noSuchMessage: "Il messaggio di questo link non è salvato su questo dispositivo.",
  notLoaded: "Non è stato possibile caricare questa parte dell’app.",
  noStart: "Non è stato possibile avviare Earshot.",
};

/** Names of the priorities (docs/protocol.md §14). */
export const priority: Translation["appStrings"]["priority"] = {
  label: "Priorità",
  names: { 1: "Minima", 2: "Bassa", 3: "Normale", 4: "Alta", 5: "Urgente" },
};
