import type { StringCatalogue } from "../catalogue";
import { count } from "../format";

/** Saved views. */
export const views: StringCatalogue["views"] = {
  save: "Diese Ansicht speichern",
  rename: "Ansicht umbenennen",
  name: "Name",
  example: "Gescheiterte Backups",
  filter: (filter) => `Mit dem Filter ${filter}.`,
  noFilter: "Mit den gezeigten Themen, ohne Filter.",
  replaces: "Eine Ansicht mit diesem Namen gibt es schon. Sie wird ersetzt.",
  needsName: "Gib einen Namen ein.",
  taken: "Eine andere Ansicht hat diesen Namen.",
  saved: (name) => `„${name}“ gespeichert`,
  replaced: (name) => `„${name}“ geändert`,
  moved: (name, place, all) => `Ansicht ${name}: ${count(place)} von ${count(all)}`,
  removed: (name) => `„${name}“ entfernt`,
};
