import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { build as viteBuild, type Plugin } from "vite";
import { emojiTablePlugin } from "./emoji-table.ts";
import { styleScopes } from "./style-scopes.ts";

/** What the module that renders the screens exports. */
interface Rendered {
  strangersScreens(): Promise<{ screen: string; lang: string; dir: string; frame: string; markup: string }[]>;
}

/**
 * Vite plugin: writes the screens that a stranger may see first into index.html, as templates that its script shows
 * until the app has drawn the same. They are the app's own components, rendered by Node.
 *
 * @param module path of the module that renders them
 */
export function strangersScreensPlugin(module: string): Plugin {
  return {
    name: "earshot:strangers-screens",
    apply: "build",
    transformIndexHtml: async (html) => {
      const { strangersScreens } = await rendered(module);
      const templates = (await strangersScreens()).map(
        ({ screen, lang, dir, frame, markup }) =>
          // Not as its class, with which the template itself would be displayed.
          `<template id="${screen}-${lang}" lang="${lang}" dir="${dir}" data-frame="${frame}">${markup}</template>`,
      );
      return html.replace("<noscript>", [...templates, "<noscript>"].join("\n    "));
    },
  };
}

/** Bundles the module for Node and imports it. */
async function rendered(module: string): Promise<Rendered> {
  const result = await viteBuild({
    configFile: false,
    publicDir: false,
    logLevel: "warn",
    plugins: [svelte(), styleScopes(), emojiTablePlugin()],
    define: { __BUILD__: '""' },
    ssr: { noExternal: true },
    build: { ssr: module, write: false, rolldownOptions: { output: { codeSplitting: false } } },
  });
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((one) => ("output" in one ? one.output : []));
  const entry = outputs.find((file) => file.type === "chunk" && file.isEntry);
  if (entry?.type !== "chunk") throw new Error("The screens of a first visit were not built.");
  const folder = await mkdtemp(join(tmpdir(), "earshot-"));
  try {
    const path = join(folder, "screens.mjs");
    await writeFile(path, entry.code);
    return (await import(pathToFileURL(path).href)) as Rendered;
  } finally {
    await rm(folder, { recursive: true });
  }
}
