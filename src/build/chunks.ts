import type { Plugin, Rolldown } from "vite";

type Files = readonly [name: string, test: RegExp][];

/**
 * Modules that belong in a file other than the app's: what the first script needs (the build fails if one is missing),
 * and Svelte, which creates an error at its start, for which an inspector, as in a benchmark, parses the whole file.
 */
const FIRST: Files = [
  [
    "begin",
    /\/src\/(?:ui\/(?:begin\.ts|styles\/|snapshot\/(?!keep)|state\/(?:after-next-paint|device-storage|home|start-anew)\.)|protocol\/(?:address|result)\.)|preload-helper/,
  ],
  ["svelte", /\/node_modules\/(?:svelte|esm-env|clsx)\//],
];

/** Code of a single screen, or heavy code that few users need, by its folder or package. */
const SCREENS: Files = [
  ["media", /\/message\/attachment\/(?:Lightbox|zoom|TextFile)/],
  ["markdown", /\/node_modules\/(?:marked|dompurify)\/|\/message\/body\/markdown/i],
  ["emoji", /virtual:emoji-table/],
  ["details", /\/src\/ui\/details\//],
  ["settings", /\/src\/ui\/settings\//],
  ["help", /\/src\/ui\/help\//],
  ["backup", /\/src\/ui\/backup\//],
  ["columns", /\/src\/ui\/(?:columns|wall)\//],
  ["raw", /\/src\/ui\/raw\//],
  ["times", /\/node_modules\/chrono-node\/|\/src\/protocol\/delay\.ts|\/feed\/filter\/read-time/],
  ["devices", /\/node_modules\/uqr\/|\/src\/ui\/(?:devices\/|parts\/(?:QrCode|qr-code))/],
  ["topics", /\/src\/ui\/topics\//],
  ["app", /\/src\/(?:client|contract|protocol|store|ui|locales\/en\.)|\/node_modules\/(?:linkify-it|uc\.micro)\//],
];

const fileOf = (files: Files, id: string): string | undefined => files.find(([, test]) => test.test(id))?.[0];

/**
 * Vite plugin, and groups for the bundler: one file for the first script, one for Svelte, one for everything else that
 * the app runs when it starts, and one for each screen.
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
      // The app's file must not need anything from a screen: files that import each other don't start.
      const waiting = [app, ...[...this.getModuleIds()].filter((id) => fileOf(SCREENS, id) === "app")];
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
        if (inApp.has(id) || fileOf(FIRST, id)) continue;
        inApp.add(id);
        // This module only re-exports, including what only a screen needs.
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
