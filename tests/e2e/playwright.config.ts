import { defineConfig } from "@playwright/test";
import { BROWSER_ARGS, HEADLESS_SHELL, findChromium, findProgram } from "../../scripts/browser.mjs";

const chromium = findChromium();
if (chromium === undefined) throw new Error("No Chromium was found; npm run e2e installs one.");
const headlessShell = findProgram(HEADLESS_SHELL) ?? chromium;

/** A name for loopback other than localhost: over http it is no secure context, as on a home network. */
export const PLAIN_NAME = "earshot.test";

/** Specs on what only the whole browser has, such as notifications; the others run in its headless shell. */
const IN_WHOLE_BROWSER = ["alerts", "push", "sync", "unasked-loads"].map((name) => `${name}.spec.ts`);

/** Specs that allow service workers, or change the browser or its storage: each of their tests has its own profile. */
const IN_OWN_PROFILE = ["deploys", "discarded", "hosting", "main-job", "no-script", "offline"]
  .concat(["plain-http", "privacy", "pwa", "start", "storage", "upgrade", "wall"])
  .map((name) => `${name}.spec.ts`);

// Playwright takes a stack at each call, to name the line if it fails; what its own frames cost is a sixteenth of its time.
Error.stackTraceLimit = 4;

const launchOptions = (executablePath: string, more: string[] = []) => ({
  executablePath,
  // Makes every host but loopback unknown to the page.
  args: [
    ...BROWSER_ARGS,
    // A page that lives for seconds has no use for optimised code, which takes a sixteenth of each test.
    ...(process.env["LONG"] ? [] : ["--js-flags=--no-opt --no-maglev --max-lazy --single-threaded-gc"]),
    ...more,
    `--host-resolver-rules=MAP ${PLAIN_NAME} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost`,
  ],
});

// A profile that is used once has no use for compiled code: keeping it takes a tenth of the processor time of a test with
// the service worker.
const ONCE = ["--v8-cache-options=none"];

export default defineConfig({
  testDir: ".",
  projects: process.env["LONG"]
    ? // Tests that take minutes have a command of their own, which also runs these two with more topics and texts.
      [{ name: "long", testMatch: ["*.long.ts", "many-topics.spec.ts", "scripts-in-messages.spec.ts"] }]
    : [
        // Each worker starts a browser, and a project's tests share one: so the smaller projects have fewer.
        {
          name: "browser",
          workers: 1,
          testMatch: IN_WHOLE_BROWSER,
          use: { launchOptions: launchOptions(chromium, ONCE) },
        },
        {
          name: "profile",
          workers: 2,
          testMatch: IN_OWN_PROFILE,
          use: { launchOptions: launchOptions(headlessShell, ONCE) },
        },
        // A test's page is that of the test before, emptied, which takes a seventh less processor time.
        {
          name: "page",
          testMatch: "*.spec.ts",
          testIgnore: [...IN_WHOLE_BROWSER, ...IN_OWN_PROFILE],
          use: { reuseContext: true },
        },
      ],
  outputDir: "../../test-results",
  // Each test has its own server and storage. Tests mostly wait, so three at a time keep two cores busy.
  fullyParallel: true,
  workers: 3,
  retries: 0,
  // So long that a busy machine makes tests slow, not red.
  timeout: 180_000,
  expect: { timeout: 40_000 },
  forbidOnly: Boolean(process.env["CI"]),
  reporter: "list",
  use: {
    browserName: "chromium",
    headless: true,
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    reducedMotion: "reduce",
    launchOptions: launchOptions(process.env["LONG"] ? chromium : headlessShell),
    // In each new profile it fetches the whole app to keep it offline, which is a quarter of a test's processor time: the
    // tests in which something depends on it allow it.
    serviceWorkers: process.env["LONG"] ? "allow" : "block",
    // A trace takes a third of a test's processor time, so only a second try has one.
    trace: "on-first-retry",
  },
});
