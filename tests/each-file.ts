// `npm test` gives property tests a seed, so that a failure comes again when it is run again. Otherwise each run draws
// anew.
import { configureGlobal } from "fast-check";
import { afterAll, vi } from "vitest";

const seed = process.env["PROPERTY_SEED"];
if (seed !== undefined) configureGlobal({ seed: Number(seed) });

// Files share a process (scripts/unit-projects.mjs), so each leaves it as it was.
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});
