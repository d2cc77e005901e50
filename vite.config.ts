import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { buildName } from "./scripts/source-hash.mjs";
import { serviceWorker } from "./src/sw/build.ts";
import { emojiTable } from "./src/ui/message/emoji-build.ts";

const build = buildName(new Date());

export default defineConfig({
  // Relative addresses, so that any path serves the app.
  base: "./",
  plugins: [svelte(), emojiTable(), serviceWorker(build)],
  define: { __BUILD__: JSON.stringify(build) },
  build: {
    target: "es2023",
    // The first with light-dark(), which else becomes two variables for each colour (DESIGN, section 9).
    cssTarget: ["chrome123", "firefox128", "safari17.5"],
    outDir: "dist",
    // Every supported engine has it built in.
    modulePreload: { polyfill: false },
    // Everything is a file of its own: the Content-Security-Policy allows no data: scripts, styles or fonts.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      // All that the first load needs in one file: in dozens of small ones it transfers a seventh more.
      output: { codeSplitting: { groups: [{ name: "app", tags: ["$initial"] }] } },
      checks: { pluginTimings: false },
    },
  },
  // The names say what they are: scripts/size.mjs counts the worker with the first load.
  worker: {
    format: "es",
    rolldownOptions: {
      output: {
        entryFileNames: "assets/worker-[name]-[hash].js",
        codeSplitting: { groups: [{ name: "worker", tags: ["$initial"] }] },
      },
    },
  },
  test: {
    include: ["tests/**/*.test.ts"],
    exclude: ["tests/e2e/**"],
    // What is waited for comes at once; on a busy machine that can take longer than the default second.
    expect: { poll: { timeout: 10_000 } },
    testTimeout: 20_000,
  },
});
