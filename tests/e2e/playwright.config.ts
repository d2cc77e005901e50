import { defineConfig } from "@playwright/test";
import { BROWSER_ARGS, findChromium } from "../../scripts/browser.mjs";

const chromium = findChromium();
if (chromium === undefined) throw new Error("No Chromium was found; npm run e2e installs one.");

/** A name for loopback other than localhost: over http it is no secure context, as on a home network. */
export const PLAIN_NAME = "earshot.test";

export default defineConfig({
  testDir: ".",
  // Tests that take minutes have a command of their own.
  testMatch: process.env["LONG"] ? "*.long.ts" : "*.spec.ts",
  outputDir: "../../test-results",
  // Each test has a server and a storage of its own, so two at a time are safe.
  fullyParallel: true,
  workers: 2,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env["CI"]),
  reporter: "list",
  use: {
    browserName: "chromium",
    headless: true,
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    reducedMotion: "reduce",
    launchOptions: {
      executablePath: chromium,
      // Nothing but loopback exists, whatever a page asks for.
      args: [
        ...BROWSER_ARGS,
        `--host-resolver-rules=MAP ${PLAIN_NAME} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost`,
      ],
    },
    trace: process.env["CI"] ? "off" : "retain-on-failure",
  },
});
