import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig({
  // Relative addresses, so that any path serves the app.
  base: "./",
  plugins: [svelte()],
  build: { target: "es2023", outDir: "dist", modulePreload: { polyfill: false } },
  worker: { format: "es" },
  test: { include: ["tests/**/*.test.ts"], exclude: ["tests/e2e/**"] },
});
