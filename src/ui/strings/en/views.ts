/** Saved views. */
export const views = {
  save: "Save this view",
  rename: "Rename the view",
  name: "Name",
  example: "Failing backups",
  filter: (filter: string) => `It keeps the filter ${filter}.`,
  noFilter: "It keeps the topics that are shown, without a filter.",
  replaces: "There is a view of this name. It will show this in place of what it showed.",
  needsName: "A view needs a name.",
  taken: "Another view has this name.",
  saved: (name: string) => `“${name}” saved`,
  replaced: (name: string) => `“${name}” changed`,
  moved: (name: string, place: number, all: number) => `View ${name}: ${place} of ${all}`,
  removed: (name: string) => `“${name}” removed`,
};
