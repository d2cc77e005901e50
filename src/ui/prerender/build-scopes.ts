import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compile } from "svelte/compiler";
import type { Plugin } from "vite";
import svelteConfig from "../../../svelte.config.js";

/** What the first rows are drawn like. */
const COMPONENTS = [
  "App",
  "shell/FeedPage",
  "shell/FeedHeader",
  "feed/Feed",
  "feed/VirtualList",
  "feed/DayLine",
  "message/MessageRow",
  "message/RowMark",
  "parts/PriorityMark",
  "message/Time",
  "message/Body",
  "message/PlainBody",
  "parts/TextButton",
  "parts/TopicSquare",
  "parts/Icon",
];

/** Vite plugin: `virtual:scopes` says which style scope each of these has, so that what is drawn without them has their styles. */
export function styleScopes(): Plugin {
  return {
    name: "earshot:style-scopes",
    resolveId: (id) => (id === "virtual:scopes" ? `\0${id}` : undefined),
    load(id) {
      if (id !== "\0virtual:scopes") return undefined;
      const scopes: Record<string, string> = {};
      for (const name of COMPONENTS) {
        const filename = fileURLToPath(new URL(`../${name}.svelte`, import.meta.url));
        const { cssHash } = svelteConfig.compilerOptions;
        compile(readFileSync(filename, "utf8"), {
          runes: true,
          generate: false,
          filename,
          cssHash: (style) => (scopes[name.slice(name.lastIndexOf("/") + 1)] = cssHash(style)),
        });
      }
      return `export const scopes = ${JSON.stringify(scopes)};`;
    },
  };
}
