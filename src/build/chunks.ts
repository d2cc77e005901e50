import { svelte } from "@sveltejs/vite-plugin-svelte";
import { build as viteBuild, type Plugin, type Rolldown } from "vite";
import { styleScopes } from "./style-scopes.ts";

/** Code of one screen, or heavy code that not everybody needs, by the folder or package that it is in. */
const SCREENS: readonly [name: string, test: RegExp][] = [
  ["media", /\/message\/(?:Lightbox|zoom|Json|json-|MediaPlayer|TextFile|Raw|raw-)/],
  ["push", /\/src\/ui\/alerts\/(?:push|register-push|background-sync|read-client)/],
  ["markdown", /\/node_modules\/(?:marked|dompurify)\/|\/message\/markdown/i],
  ["emoji", /virtual:emoji-table/],
  ["details", /\/src\/ui\/details\//],
  ["settings", /\/src\/ui\/settings\//],
  ["help", /\/src\/ui\/(?:help\/|strings\/en\/help)/],
  ["backup", /\/src\/ui\/backup\//],
  ["columns", /\/src\/ui\/(?:columns|wall)\//],
  ["raw", /\/src\/ui\/raw\//],
  ["palette", /\/src\/ui\/palette\//],
  [
    "topics",
    /\/node_modules\/uqr\/|\/src\/ui\/(?:topics\/|strings\/en\/(?:topics|servers|health|backup|settings|columns|raw|push)\.)/,
  ],
  [
    "app",
    /\/src\/(?:client|contract|protocol|store|ui\/(?!strings\/(?!en\/)[a-z]{2}\/))|\/node_modules\/(?:linkify-it|uc\.micro)\//,
  ],
];

const screenOf = (id: string): string | undefined => SCREENS.find(([, test]) => test.test(id))?.[0];

/**
 * Vite plugin, and groups for the bundler: the first script's modules are in one file, everything else that the app
 * runs at its start in another, and each screen in a file of its own.
 *
 * @param begin path of the first script
 * @param app path of the app, which the first script imports
 */
export function chunks(begin: string, app: string): Plugin & { groups: Rolldown.CodeSplittingGroup[] } {
  const fileOf = new Map<string, string>();
  return {
    name: "earshot:chunks",
    apply: "build",
    async buildEnd(error) {
      if (error) return;
      for (const id of await modulesIn(begin, app)) fileOf.set(id, "begin");
      // What is in the app's file may need nothing of a screen's: files that import each other don't start.
      const waiting = [app, ...[...this.getModuleIds()].filter((id) => screenOf(id) === "app")];
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
        if (fileOf.get(id) === "app") continue;
        if (!fileOf.has(id)) fileOf.set(id, "app");
        waiting.push(...(this.getModuleInfo(id)?.importedIds ?? []).filter((next) => !fileOf.has(next)));
      }
    },
    groups: ["begin", ...SCREENS.map(([name]) => name)].map((name) => ({
      name,
      includeDependenciesRecursively: false,
      test: (id) => (fileOf.get(id) ?? screenOf(id)) === name,
    })),
  };
}

/** The modules of which an entry really uses something, which index files don't tell. */
async function modulesIn(entry: string, external: string): Promise<string[]> {
  const result = await viteBuild({
    configFile: false,
    publicDir: false,
    logLevel: "warn",
    plugins: [svelte(), styleScopes()],
    define: { __BUILD__: '""' },
    build: {
      write: false,
      minify: false,
      rolldownOptions: {
        input: entry,
        external: (id) => external.startsWith(id) || id === "./main",
        output: { codeSplitting: false },
      },
    },
  });
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((one) => ("output" in one ? one.output : []));
  return outputs.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
}
