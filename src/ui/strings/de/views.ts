import type { Catalogue } from "../catalogue";

/** Saved views. */
export const views: Catalogue["views"] = {
  save: "Diese Ansicht sichern",
  rename: "Ansicht umbenennen",
  name: "Name",
  example: "Gescheiterte Backups",
  filter: (filter) => `Sie behält den Filter ${filter}.`,
  noFilter: "Sie behält die gezeigten Themen, ohne Filter.",
  replaces: "Es gibt eine Ansicht dieses Namens. Sie wird dies statt dessen zeigen, was sie zeigte.",
  needsName: "Eine Ansicht braucht einen Namen.",
  taken: "Eine andere Ansicht hat diesen Namen.",
  saved: (name) => `„${name}“ gesichert`,
  replaced: (name) => `„${name}“ geändert`,
  moved: (name, place, all) => `Ansicht ${name}: ${place} von ${all}`,
  removed: (name) => `„${name}“ entfernt`,
};
