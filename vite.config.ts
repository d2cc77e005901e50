import { join } from "node:path";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { ENGINE_FOR_TESTS, LITTLE_INLINING } from "./scripts/setup.mjs";
import { buildName, ROOT } from "./scripts/source-hash.mjs";
import { unitFiles } from "./scripts/unit-projects.mjs";
import svelteConfig from "./svelte.config.js";
import { chunks, emojiTablePlugin, serviceWorker, page } from "./src/build/index.ts";

// A release sets the time (reproducible-builds.org), so that everybody who builds it gets the same files.
const time = process.env["SOURCE_DATE_EPOCH"];
const build = buildName(time === undefined ? new Date() : new Date(Number(time) * 1000));
const ui = join(ROOT, "src/ui");
const firstPage = page({
  inline: join(ui, "inline.ts"),
  renew: join(ui, "renew.ts"),
  screens: join(ui, "first-screens.ts"),
});
const split = chunks(join(ui, "main.ts"));
const unit = unitFiles();

export default defineConfig({
  // Relative addresses, so that the app works below any path.
  base: "./",
  plugins: [svelte({ ...svelteConfig, configFile: false }), emojiTablePlugin(), firstPage, split, serviceWorker(build)],
  worker: { format: "es", plugins: () => [emojiTablePlugin()] },
  define: { __BUILD__: JSON.stringify(build) },
  build: {
    target: "es2023",
    // The first versions with light-dark(); for older ones it becomes two variables per colour (docs/design.md §9).
    cssTarget: ["chrome123", "firefox128", "safari17.5"],
    outDir: "dist",
    cssCodeSplit: false,
    // No polyfill: every supported engine has modulepreload.
    modulePreload: { polyfill: false },
    // Inline nothing: the Content-Security-Policy allows no data: scripts, styles or fonts.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // The app is one file.
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: { codeSplitting: { groups: split.groups } },
      // Svelte doesn't mark its modules as free of side effects; only those of its flags have any.
      treeshake: { moduleSideEffects: [{ test: /svelte\/src\/(?!internal\/flags)/, sideEffects: false }] },
      // Constants of other modules are written where they are used: 115 bytes less of the first load.
      optimization: { inlineConst: { mode: "all", pass: 3 } },
      checks: { pluginTimings: false },
    },
  },
  test: {
    projects: [
      { extends: true, test: { name: "together", include: unit.together, isolate: false } },
      { extends: true, test: { name: "apart", include: unit.apart } },
    ],
    // Use all cores: by default one is left free, half of a machine with two.
    maxWorkers: "100%",
    execArgv: [...ENGINE_FOR_TESTS, LITTLE_INLINING],
    // What was compiled is kept by its content and that of this file and what it imports.
    experimental: { fsModuleCache: true },
    setupFiles: ["tests/each-file.ts"],
    // Ms. So long that a busy machine makes tests slow, not red.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
