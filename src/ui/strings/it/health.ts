import type { Translation } from "../catalogue";
import { count, duration } from "../format";
import { since } from "./formats";

/** The details of one connection. */
export const health: Translation["health"] = {
  heading: (server) => `Connessione a ${server}`,
  state: "Stato",
  why: "Motivo",
  receiving: "Ricezione",
  byHand: (transport) => `${transport}, scelto da te`,
  bySelf: (transport) => `${transport}, scelto automaticamente`,
  heldBack: "Un proxy davanti al server trattiene i messaggi, perciò vengono recuperati ogni pochi secondi.",
  heldBackHint: "Due righe nel blocco location del server di argomenti, in nginx, li lasciano passare:",
  inTurn: (n) =>
    `Ci sono più argomenti di quanti i flussi possano portarne, perciò ${count(n)} vengono recuperati a turno.`,
  lastContact: "Ultimo contatto",
  lastComplete: "Ultimo controllo completo",
  checking: "Controllo…",
  slow: (servers, ms) => `Controllo da ${duration(ms)}: ancora nessuna risposta completa da ${servers}`,
  never: "Non ancora",
  keeps: "Il server conserva i messaggi per",
  keepsNothing: "Non li conserva: ciò che viene inviato mentre sei via va perso",
  unknown: "Non ancora noto",
  requests: "Richieste in cinque minuti",
  requestsOf: (n, usual) => `${count(n)} delle ${count(usual)} che i server di solito consentono`,
  skipped: "Righe malformate saltate",
  topics: "Argomenti",
  complete: "Completo, fin dove il server conserva i messaggi",
  completeSince: (said) => `Completo ${since(said)}`,
  unchecked: "Non ancora controllato",
  refused: "Il server richiede l’accesso",
  refusedUser: "Questo utente non può leggerlo",
  leave: "Abbandona",
  settings: "Impostazioni del server",
  copy: "Copia diagnosi",
  copied: "Diagnosi copiata",
  copyHeading: "Copia questa diagnosi",
  copyHint: "Un testo per chi ti aiuta. Non contiene server, argomenti né credenziali.",
};
