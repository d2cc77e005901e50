import type { Catalogue } from "../catalogue";

/** Columns side by side, and the wall. */
export const columns: Catalogue["columns"] = {
  add: "Spalte hinzufügen",
  addLabel: "Was zu zeigen ist",
  choices: "Was eine Spalte zeigen kann",
  noChoice: "Nichts heißt so.",
  kinds: { view: "Gespeicherte Ansicht", server: "Server" },
  menu: (title) => `Aktionen für die Spalte ${title}`,
  filter: "Diese Spalte filtern",
  alone: "Allein zeigen",
  before: "Zum Anfang hin",
  after: "Zum Ende hin",
  wider: "Breiter",
  narrower: "Schmaler",
  remove: "Spalte entfernen",
  removed: "Spalte entfernt",
  wall: "An der Wand zeigen",
  none: "Noch keine Spalten.",
  notSubscribed: (names) => `Nicht abonniert: ${names}`,
  subscribe: "Die Frage öffnen",
};

export const wall: Catalogue["wall"] = {
  label: "Wand",
  leave: "Die Wand verlassen",
  full: "Ganzer Bildschirm",
  noFull: "Der Browser füllt den Bildschirm nicht mit dieser Seite.",
  mayTurnOff: "Dieser Browser lässt keine Seite den Bildschirm anhalten: Das Gerät entscheidet, wann er ausgeht.",
  isRefused: "Das Gerät hält den Bildschirm jetzt nicht an, etwa um Strom zu sparen.",
  empty: "Hier ist nichts",
  stale: (said) => `Kein Kontakt seit ${said}: Was hier steht, kann alt sein.`,
  never: "Noch kein Kontakt: Was hier steht, kann alt sein.",
};
