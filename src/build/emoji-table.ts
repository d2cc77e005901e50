import { gemoji } from "gemoji";
import type { Plugin } from "vite";

/** The module's name for importers; declared for TypeScript in `emoji-table.d.ts`. */
const MODULE = "virtual:emoji-table";

/** Rollup's prefix for modules that aren't files. */
const RESOLVED = `\0${MODULE}`;

/**
 * Vite plugin for the module `virtual:emoji-table`: the aliases of the gemoji list without its descriptions and
 * categories (a seventh of the size). One line per emoji: the emoji, then its aliases, separated by spaces.
 */
export function emojiTablePlugin(): Plugin {
  return {
    name: "earshot:emoji-table",
    resolveId: (id) => (id === MODULE ? RESOLVED : undefined),
    load: (id) => {
      if (id !== RESOLVED) return undefined;
      const lines = gemoji.map(({ emoji, names }) => [emoji, ...names].join(" "));
      return `export default ${JSON.stringify(lines.join("\n"))};`;
    },
  };
}
