import { count } from "../format";

/** Saved views. */
export const views = {
  save: "Save this view",
  rename: "Rename the view",
  name: "Name",
  example: "Failing backups",
  filter: (filter: string) => `Includes the filter ${filter}.`,
  noFilter: "Includes the topics shown, without a filter.",
  replaces: "A view with this name exists. It will be replaced.",
  needsName: "Enter a name.",
  taken: "Another view has this name.",
  saved: (name: string) => `“${name}” saved`,
  replaced: (name: string) => `“${name}” changed`,
  moved: (name: string, place: number, all: number) => `View ${name}: ${count(place)} of ${count(all)}`,
  removed: (name: string) => `“${name}” removed`,
};
