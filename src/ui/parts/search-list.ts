import { folded } from "../state/folded";
import type { IconName } from "./icons";

/** A line of a list in which one searches by name. */
export interface Found {
  key: string;
  label: string;
  /** The kind of entry, or where it belongs; empty if that is obvious. */
  hint: string;
  /** An icon, or the square of a topic. */
  mark: { icon: IconName } | { topic: string; colour: number | undefined; symbol: string | undefined };
  /** Keys that do the same. */
  keys?: string | undefined;
}

/**
 * Entries whose label or hint contains every word of the query. Entries that begin with it come first, then those with
 * a word that begins with it; otherwise they keep their order.
 */
export function findEntries<Entry extends Found>(entries: readonly Entry[], query: string): Entry[] {
  const wanted = folded(query).split(/\s+/).filter(Boolean);
  const [first] = wanted;
  if (first === undefined) return [...entries];
  const ranked = entries.flatMap((entry) => {
    const label = folded(entry.label);
    const all = `${label} ${folded(entry.hint)}`;
    if (!wanted.every((word) => all.includes(word))) return [];
    const rank = label.startsWith(first)
      ? 0
      : label.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(first))
        ? 1
        : 2;
    return [{ entry, rank }];
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ entry }) => entry);
}
