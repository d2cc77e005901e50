import type { Plugin, Rolldown } from "vite";

type Files = readonly [name: string, test: RegExp][];

/**
 * Files that take their modules before the app's file does. What the first script uses, and what that needs; the build
 * fails where something is missing. And Svelte: it makes an error as it starts, for which an inspector, as in a
 * benchmark, parses the whole file again.
 */
const FIRST: Files = [
  [
    "begin",
    /\/src\/(?:ui\/(?:begin\.ts|styles\/|snapshot\/(?!keep)|state\/(?:after-next-paint|device-storage|home|start-anew)\.)|store\/read\/opening|protocol\/(?:address|result)\.)|preload-helper/,
  ],
  ["svelte", /\/node_modules\/(?:svelte|esm-env|clsx)\//],
];

/** Code of one screen, or heavy code that not everybody needs, by the folder or package that it is in. */
const SCREENS: Files = [
  ["media", /\/message\/(?:attachment\/(?:Lightbox|zoom|TextFile)|body\/(?:Json|json-|Raw))/],
  ["markdown", /\/node_modules\/(?:marked|dompurify)\/|\/message\/body\/markdown/i],
  ["emoji", /virtual:emoji-table/],
  ["details", /\/src\/ui\/details\//],
  ["settings", /\/src\/ui\/settings\//],
  ["help", /\/src\/ui\/help\//],
  ["backup", /\/src\/ui\/backup\//],
  ["columns", /\/src\/ui\/(?:columns|wall)\//],
  ["raw", /\/src\/ui\/raw\//],
  ["topics", /\/node_modules\/(?:uqr|chrono-node)\/|\/src\/protocol\/delay\.ts|\/src\/ui\/topics\//],
  ["app", /\/src\/(?:client|contract|protocol|store|ui|locales\/en\.)|\/node_modules\/(?:linkify-it|uc\.micro)\//],
];

const fileOf = (files: Files, id: string): string | undefined => files.find(([, test]) => test.test(id))?.[0];

/**
 * Vite plugin, and groups for the bundler: the first script's modules are in one file, Svelte in another, everything else
 * that the app runs at its start in a third, and each screen in a file of its own.
 *
 * @param app path of the app, which the first script imports
 */
export function chunks(app: string): Plugin & { groups: Rolldown.CodeSplittingGroup[] } {
  const inApp = new Set<string>();
  return {
    name: "earshot:chunks",
    apply: "build",
    buildEnd(error) {
      if (error) return;
      // What is in the app's file may need nothing of a screen's: files that import each other don't start.
      const waiting = [app, ...[...this.getModuleIds()].filter((id) => fileOf(SCREENS, id) === "app")];
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
        if (inApp.has(id) || fileOf(FIRST, id)) continue;
        inApp.add(id);
        // It only hands on, also what a screen alone needs.
        if (id.endsWith("/src/protocol/index.ts")) continue;
        waiting.push(...(this.getModuleInfo(id)?.importedIds ?? []));
      }
    },
    generateBundle(_options, bundle) {
      const first = Object.values(bundle).find((file) => file.type === "chunk" && file.name === "begin");
      if (first?.type === "chunk" && first.imports.length > 0)
        this.error(`The first script waits for ${first.imports.join()}.`);
    },
    groups: [...FIRST, ...SCREENS].map(([name]) => ({
      name,
      includeDependenciesRecursively: false,
      test: (id) => (fileOf(FIRST, id) ?? (inApp.has(id) ? "app" : fileOf(SCREENS, id))) === name,
    })),
  };
}
