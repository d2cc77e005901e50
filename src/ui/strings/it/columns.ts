import type { Translation } from "../catalogue";
import { since } from "./formats";
import { count, timeOfDay } from "../format";

/** Columns side by side, and the wall. */
export const columns: Translation["columns"] = {
  add: "Aggiungi una colonna",
  addLabel: "Che cosa mostrare",
  choices: "Che cosa può mostrare una colonna",
  noChoice: "Nessun risultato.",
  kinds: { view: "Vista salvata", server: "Server" },
  menu: (title) => `Azioni della colonna ${title}`,
  filter: "Filtra questa colonna",
  alone: "Mostra da sola",
  before: "Sposta verso l’inizio",
  after: "Sposta verso la fine",
  wider: "Allarga",
  narrower: "Restringi",
  remove: "Rimuovi colonna",
  removed: "Colonna rimossa",
  wall: "Mostra come parete",
  none: "Ancora nessuna colonna.",
  notSubscribed: (names) => `Nessuna iscrizione a ${names}`,
  subscribe: "Iscriviti…",
};

export const wall: Translation["wall"] = {
  label: "Parete",
  leave: "Esci dalla parete",
  full: "Schermo intero",
  noFull: "Il browser non può mostrare questa pagina a schermo intero.",
  mayTurnOff: "Questo browser non può tenere acceso lo schermo: è il dispositivo a decidere quando si spegne.",
  isRefused: "Il dispositivo ora non tiene acceso lo schermo, forse per risparmiare energia.",
  empty: "Qui non c’è nulla",
  stale: (said) => `Nessun contatto ${since(said)}. Potrebbe non essere aggiornato.`,
  never: "Ancora nessun contatto. Potrebbe non essere aggiornato.",
  repeats: (n, firstMs) => `×${count(n)} ${since(timeOfDay(firstMs))}`,
};
