import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Browser, type BrowserContext } from "@playwright/test";
import { BROWSER_ARGS, findChromium } from "../../scripts/browser.mjs";
import { test as base } from "./faults";
import { Watch } from "./watch";

export { expect, subscribe } from "./fixtures";

/** A browser with nothing of Playwright's own settings: its pages can be out of sight, frozen, and kept for Back. */
export interface PlainBrowser {
  browser: Browser;
  context: BrowserContext;
  /** Errors on its pages and in its workers. */
  watch: Watch;
}

/** Starts one with an empty profile; answers where it listens, and how to end it. */
async function startChromium(): Promise<{ endpoint: string; end: () => Promise<void> }> {
  const program = findChromium();
  if (program === undefined) throw new Error("No Chromium was found; npm run e2e installs one.");
  const profile = await mkdtemp(join(tmpdir(), "earshot-e2e-"));
  const hosts = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost";
  const args = [...BROWSER_ARGS, "--headless=new", "--remote-debugging-port=0", `--user-data-dir=${profile}`, hosts];
  const child = spawn(program, [...args, "about:blank"], { stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
  const endpoint = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.stderr.on("data", (bytes: Buffer) => {
      said += String(bytes);
      const [, found] = /DevTools listening on (ws:\S+)/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.on("close", () => reject(new Error(`Chromium ended: ${said}`)));
  });
  return {
    endpoint,
    async end() {
      child.kill();
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export const test = base.extend<{ plain: PlainBrowser }>({
  plain: async ({ server }, use) => {
    const { endpoint, end } = await startChromium();
    const browser = await chromium.connectOverCDP(endpoint, { noDefaults: true });
    const [context] = browser.contexts();
    if (!context) throw new Error("no context");
    const watch = new Watch([server.host]);
    await watch.start(browser, context);
    await use({ browser, context, watch });
    await watch.stop();
    await browser.close();
    await end();
    base.expect(watch.unexpected, "errors, violations and foreign requests").toEqual([]);
  },
});
