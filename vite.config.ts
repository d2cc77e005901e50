import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { buildName } from "./scripts/source-hash.mjs";
import { emojiTable, serviceWorker, styleScopes, workerBesidePage } from "./src/build/index.ts";

const build = buildName(new Date());
const worker = workerBesidePage();

export default defineConfig({
  // Relative addresses, so that any path serves the app.
  base: "./",
  plugins: [svelte(), styleScopes(), emojiTable(), worker, serviceWorker(build)],
  define: { __BUILD__: JSON.stringify(build) },
  build: {
    target: "es2023",
    // The first with light-dark(), which else becomes two variables for each colour (docs/design.md §9).
    cssTarget: ["chrome123", "firefox128", "safari17.5"],
    outDir: "dist",
    // Every supported engine has it built in.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, needed, { hostType }) => (hostType === "html" ? needed : []),
    },
    // Everything is a file of its own: the Content-Security-Policy allows no data: scripts, styles or fonts.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      // What the first load needs in few files: in dozens of small ones it transfers a seventh more.
      output: { codeSplitting: { groups: worker.groups } },
      // Says of none of its modules that running it has no effect; only its flags have.
      treeshake: { moduleSideEffects: [{ test: /svelte\/src\/(?!internal\/flags)/, sideEffects: false }] },
      checks: { pluginTimings: false },
    },
  },
  test: {
    include: ["tests/**/*.test.ts"],
    exclude: ["tests/e2e/**"],
    // By default a core is left free, which of two is half.
    maxWorkers: "100%",
    // What is waited for comes at once; on a busy machine that can take longer than the default second.
    expect: { poll: { timeout: 10_000 } },
    testTimeout: 20_000,
  },
});
