import { defineConfig } from "@playwright/test";
import base from "../e2e/playwright.config";

/** Uses the browser of the end-to-end tests; only each single wait has a time limit. */
export default defineConfig({
  ...base,
  testDir: ".",
  workers: 1,
  timeout: 0,
  // Traces of an hour would fill the disk.
  use: { ...base.use, trace: "off" },
});
