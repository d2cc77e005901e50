import { defineConfig } from "@playwright/test";
import type { EngineName } from "./fixtures";

/** Named by the command; both without a name. */
const wanted = (process.env["ENGINES"] ?? "firefox webkit").split(" ") as EngineName[];

export default defineConfig<object, { engineName: EngineName }>({
  testDir: ".",
  testMatch: "*.spec.ts",
  outputDir: "../../test-results/engines",
  preserveOutput: "failures-only",
  // Of each engine one browser at a time.
  workers: wanted.length,
  retries: 0,
  timeout: 90_000,
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(process.env["CI"]),
  reporter: [["list"], ["json", { outputFile: "../../.cache/reports/engines.json" }]],
  projects: wanted.map((engineName) => ({
    name: engineName,
    use: { engineName },
    // What is set there for one engine can't be set for the other.
    testIgnore: engineName === "firefox" ? [] : ["blocked.spec.ts"],
  })),
});
