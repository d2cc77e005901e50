import { defineConfig } from "@playwright/test";
import type { EngineName } from "./fixtures";

/** The engines that the command names; both if it names none. */
const wanted = (process.env["ENGINES"] ?? "firefox webkit").split(" ") as EngineName[];

export default defineConfig<object, { engineName: EngineName }>({
  testDir: ".",
  testMatch: "*.spec.ts",
  outputDir: "../../test-results/engines",
  preserveOutput: "failures-only",
  // One browser of each engine at a time.
  workers: wanted.length,
  retries: 0,
  timeout: 90_000,
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(process.env["CI"]),
  reporter: [["list"], ["json", { outputFile: "../../.cache/reports/engines.json" }]],
  projects: wanted.map((engineName) => ({
    name: engineName,
    use: { engineName },
    // Only Firefox has a setting to block site data, and a push service that can be one on loopback.
    testIgnore: engineName === "firefox" ? [] : ["blocked.spec.ts", "push.spec.ts"],
  })),
});
