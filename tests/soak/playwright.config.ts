import { defineConfig } from "@playwright/test";
import base from "../e2e/playwright.config";

/** The browser of the end-to-end tests; no limit of time but the one of each wait. */
export default defineConfig({
  ...base,
  testDir: ".",
  workers: 1,
  timeout: 0,
  // Traces of an hour would fill the disk.
  use: { ...base.use, trace: "off" },
});
