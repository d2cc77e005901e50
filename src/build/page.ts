import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { build as viteBuild, minify, transformWithOxc, type Plugin } from "vite";
import { emojiTablePlugin } from "./emoji-table.ts";

/** Stand-ins for the browser globals that the screens read while Node renders them. */
const BROWSER = `const location = { hash: "" }, history = { state: null }, navigator = { onLine: true };
const localStorage = { getItem: () => null };`;

/** Where the code that renders the screens is built. */
const FOLDER = ".cache/first-screens";

interface Parts {
  /** The script inlined in the page. */
  inline: string;
  /** The script that loads the app's current build; the page asks for it if the app can't be loaded. */
  renew: string;
  /** The module that renders the screens. */
  screens: string;
}

/**
 * Vite plugin: puts its script into index.html, and the screens that the script shows to users without topics.
 *
 * @param parts paths of the files that these are made from
 */
export function page({ inline, renew, screens }: Parts): Plugin {
  return {
    name: "earshot:page",
    async generateBundle() {
      this.emitFile({ type: "asset", fileName: "renew.js", source: await script(renew) });
    },
    async transformIndexHtml(html, { server }) {
      const templates = Object.entries(server ? {} : await firstScreens(screens)).map(
        ([id, markup]) => `<template id="${id}">${markup}</template>`,
      );
      const code = await script(inline);
      return (
        html
          // On a slow connection, styles should come first: nothing is painted before them.
          .replace(/(<script async type="module".*<\/script>)(\s*)(<link rel="stylesheet".*>)/, "$3$2$1")
          .replace("<!-- inline -->", () => `<script>${code}</script>`)
          .replace("<!-- screens -->", () => templates.join("\n"))
      );
    },
  };
}

/** One TypeScript file as a script. */
export async function script(file: string): Promise<string> {
  const { code } = await transformWithOxc(await readFile(file, "utf8"), file);
  const { code: short } = await minify(file.replace(/ts$/, "js"), code);
  return short;
}

/** Bundles the module that renders the screens for Node, and runs it. */
async function firstScreens(module: string): Promise<Record<string, string>> {
  await viteBuild({
    configFile: false,
    publicDir: false,
    logLevel: "warn",
    plugins: [svelte(), emojiTablePlugin()],
    define: { __BUILD__: '""' },
    ssr: { noExternal: true },
    build: {
      ssr: module,
      outDir: FOLDER,
      rolldownOptions: {
        output: { codeSplitting: false, entryFileNames: "screens.mjs", intro: BROWSER },
        checks: { ineffectiveDynamicImport: false },
      },
    },
  });
  const built = (await import(pathToFileURL(resolve(FOLDER, "screens.mjs")).href)) as {
    firstScreens: () => Promise<Record<string, string>>;
  };
  return built.firstScreens();
}
