// Takes the screenshots of the manifest and of docs/pictures, from the built app with messages of its own. Run by hand when the
// look changes:
// npm run build && node --import tsx scripts/screenshots.mjs
import { chromium } from "@playwright/test";
import { join } from "node:path";
import { startServer } from "../src/server/index.ts";
import { BROWSER_ARGS, ensureChromium } from "./browser.mjs";
import { ROOT } from "./source-hash.mjs";

/**
 * The sizes of the first two are in public/manifest.webmanifest too.
 * @type {{ file: string, width: number, height: number, scale: number, isPhone: boolean, scheme: "light" | "dark" }[]}
 */
const SCREENSHOTS = [
  { file: "public/screenshot-narrow.png", width: 390, height: 780, scale: 2, isPhone: true, scheme: "light" },
  { file: "public/screenshot-wide.png", width: 1280, height: 800, scale: 1, isPhone: false, scheme: "light" },
  { file: "docs/pictures/feed-light.png", width: 1180, height: 720, scale: 1, isPhone: false, scheme: "light" },
  { file: "docs/pictures/feed-dark.png", width: 1180, height: 720, scale: 1, isPhone: false, scheme: "dark" },
  { file: "docs/pictures/phone-dark.png", width: 390, height: 780, scale: 1, isPhone: true, scheme: "dark" },
];

/**
 * Each with its age in minutes. They have no emoji, whose look depends on the machine.
 * @type {(import("../src/server/index.ts").LocalMessage & { age: number })[]}
 */
const MESSAGES = [
  { topic: "backups", age: 1_530, message: "84 GB in 41 minutes, nothing skipped.", title: "Nightly backup finished" },
  { topic: "ci", age: 1_420, message: "1,804 tests in 6 min 17 s", title: "Passed: main #4118", priority: 2 },
  { topic: "doorbell", age: 310, message: "Somebody is at the front door." },
  { topic: "nas", age: 244, message: "Scrub of the pool finished without errors.", priority: 2 },
  { topic: "deploys", age: 190, title: "Version 2.14 is live", message: "Deployed by ada, 12 changes." },
  { topic: "home", age: 96, title: "The washing machine is done", message: "It took 1 h 52 min." },
  { topic: "uptime", age: 58, title: "shop.example answers slowly", message: "2,310 ms on average", priority: 4 },
  { topic: "ci", age: 33, message: "1,806 tests in 6 min 9 s", title: "Passed: main #4119" },
  {
    topic: "backups",
    age: 12,
    title: "Backup of the photos failed",
    message: "rsync: connection unexpectedly closed. 212 GB are left on the old disk.",
    priority: 5,
    tags: ["photos"],
  },
  { topic: "home", age: 3, title: "A window is open", message: "Kitchen, and rain is expected at 18:00." },
];

const server = await startServer({ app: join(ROOT, "dist"), port: 0 });
try {
  const nowS = Math.floor(Date.now() / 1000);
  for (const { age, ...message } of MESSAGES) await server.publish({ ...message, time: nowS - age * 60 });
  // The server gets a name instead of an address that exists only here.
  const home = "http://ntfy.example.com/";
  const topics = [...new Set(MESSAGES.map(({ topic }) => topic))].sort();
  const browser = await chromium.launch({
    executablePath: await ensureChromium(),
    args: [
      ...BROWSER_ARGS,
      `--host-resolver-rules=MAP ntfy.example.com 127.0.0.1:${server.port}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
      "--unsafely-treat-insecure-origin-as-secure=http://ntfy.example.com",
    ],
  });
  for (const { file, width, height, scale, isPhone, scheme } of SCREENSHOTS) {
    const context = await browser.newContext({
      viewport: { width, height },
      deviceScaleFactor: scale,
      hasTouch: isPhone,
      locale: "en-GB",
      reducedMotion: "reduce",
      colorScheme: scheme,
    });
    const page = await context.newPage();
    const press = (/** @type {string} */ name) => page.getByRole("button", { name, exact: true }).first().click();
    await page.goto(`${home}#/${topics.join(",")}`);
    await press("Subscribe");
    const rows = page.getByRole("feed").getByRole("article");
    await rows.nth(3).waitFor();
    // Decline the offer of older messages, so that nothing more is offered.
    await press("Dismiss");
    await context.addInitScript('localStorage.setItem("earshot-first-steps", "done")');

    await page.goto("about:blank");
    await page.goto(`${home}#/`);
    await rows.nth(3).waitFor();
    if (!isPhone) {
      await rows.nth(1).click();
      await page.getByRole("tab", { name: "Details" }).waitFor();
    }
    await page.getByText("Live", { exact: true }).first().waitFor();
    await page.mouse.move(0, 0);
    await page.screenshot({ path: join(ROOT, file), animations: "disabled" });
    console.log(file);
    await context.close();
  }
  await browser.close();
} finally {
  await server.close();
}
