import type { StringCatalogue } from "../catalogue";
import { count, timeOfDay } from "../format";

/** Columns side by side, and the wall. */
export const columns: StringCatalogue["columns"] = {
  add: "Spalte hinzufügen",
  addLabel: "Was angezeigt wird",
  choices: "Was eine Spalte anzeigen kann",
  noChoice: "Kein Treffer.",
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
  wall: "Als Wandanzeige öffnen",
  none: "Noch keine Spalten.",
  notSubscribed: (names) => `Nicht abonniert: ${names}`,
  subscribe: "Abonnieren …",
};

export const wall: StringCatalogue["wall"] = {
  label: "Wandanzeige",
  leave: "Wandanzeige verlassen",
  full: "Vollbild",
  noFull: "Der Browser kann diese Seite nicht im Vollbild zeigen.",
  mayTurnOff: "Dieser Browser kann den Bildschirm nicht anlassen: Das Gerät entscheidet, wann er ausgeht.",
  isRefused: "Das Gerät lässt den Bildschirm jetzt nicht an, vielleicht um Strom zu sparen.",
  empty: "Hier ist nichts",
  stale: (said) => `Kein Kontakt seit ${said}. Die Anzeige kann veraltet sein.`,
  never: "Noch kein Kontakt. Die Anzeige kann veraltet sein.",
  repeats: (n, firstMs) => `×${count(n)} seit ${timeOfDay(firstMs)}`,
};
