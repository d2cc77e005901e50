import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { compile } from "svelte/compiler";
import type { Plugin } from "vite";
import svelteConfig from "../../svelte.config.js";

/** A component named in a type, so that an editor follows it. */
const COMPONENT = /^ {2}(\w+): typeof import\("([^"]+\.svelte)"\)/gm;

/**
 * Vite plugin: gives a file `*.scopes.ts` the values of its `scopes`: the style scope of each component that it names,
 * under the name that it has there.
 */
export function styleScopes(): Plugin {
  return {
    name: "earshot:style-scopes",
    load(id) {
      if (!id.endsWith(".scopes.ts")) return undefined;
      const scopes: Record<string, string> = {};
      for (const [, name = "", path = ""] of readFileSync(id, "utf8").matchAll(COMPONENT)) {
        const filename = resolve(id, "..", path);
        this.addWatchFile(filename);
        const { cssHash } = svelteConfig.compilerOptions;
        compile(readFileSync(filename, "utf8"), {
          runes: true,
          generate: false,
          filename,
          cssHash: (style) => (scopes[name] = cssHash(style)),
        });
      }
      return `export const scopes = ${JSON.stringify(scopes)};`;
    },
  };
}
