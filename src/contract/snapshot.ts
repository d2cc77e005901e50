/** A page's screen at rest, which the first script rebuilds at the next start. */
export interface Snapshot {
  /** Fragment of the view's link. */
  view: string;
  /** Build, day, languages, width and the like: all must match. */
  conditions: string;
  /** Height of the page, px. */
  height: number;
  /** The document's language, direction, theme, density and font size, and the text for an app that doesn't load. */
  root: Record<string, string>;
  /** The elements, as JSON of a `Tree` (`src/ui/snapshot/tree.ts`). */
  tree: string;
}
