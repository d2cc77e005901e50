import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Browser, type BrowserContext, type Page } from "@playwright/test";
import { BROWSER_ARGS, findChromium } from "../../scripts/browser.mjs";
import { test as base } from "./faults";
import { Watch } from "./watch";

export { expect, subscribe } from "./fixtures";

/** A browser without Playwright's own settings, so that its pages can be hidden, frozen, and kept for Back. */
export interface PlainBrowser {
  browser: Browser;
  context: BrowserContext;
  /** Errors on its pages and in its workers. */
  watch: Watch;
  /** Sends a signal to all of its processes. Stopped processes behave as on a device that sleeps. */
  signal(name: "SIGSTOP" | "SIGCONT"): Promise<void>;
  /** Sets the clocks of page and shared worker forward at once, ms, as after a sleep. */
  setClocksOn(page: Page, byMs: number): Promise<void>;
}

/** Evaluates an expression in every shared worker. */
async function inSharedWorkers(browser: Browser, expression: string): Promise<void> {
  const session = await browser.newBrowserCDPSession();
  const { targetInfos } = await session.send("Target.getTargets", { filter: [{ type: "shared_worker" }] });
  for (const { targetId } of targetInfos) {
    const { sessionId } = await session.send("Target.attachToTarget", { targetId, flatten: false });
    const answered = new Promise<void>((resolve) => session.once("Target.receivedMessageFromTarget", () => resolve()));
    const message = JSON.stringify({ id: 1, method: "Runtime.evaluate", params: { expression } });
    await session.send("Target.sendMessageToTarget", { sessionId, message });
    await answered;
  }
  await session.detach();
}

/** A process and all its descendants, from /proc. */
async function processesOf(pid: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const entry of await readdir("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    // Skip processes that have ended since.
    const stat = await readFile(join("/proc", entry, "stat"), "utf8").catch(() => "");
    const [, parent] = /\) \S (\d+)/.exec(stat) ?? [];
    if (parent !== undefined) parents.set(Number(entry), Number(parent));
  }
  const found = [pid];
  for (const one of found) for (const [child, parent] of parents) if (parent === one) found.push(child);
  return found;
}

/** Starts a browser with an empty profile. Returns where it listens, and how to end it. */
async function startChromium(): Promise<{
  endpoint: string;
  signal: PlainBrowser["signal"];
  end: () => Promise<void>;
}> {
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
    async signal(name) {
      for (const pid of await processesOf(child.pid ?? NaN)) process.kill(pid, name);
    },
    async end() {
      child.kill();
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export const test = base.extend<{ plain: PlainBrowser }>({
  plain: async ({ server }, use) => {
    const { endpoint, signal, end } = await startChromium();
    const browser = await chromium.connectOverCDP(endpoint, { noDefaults: true });
    const [context] = browser.contexts();
    if (!context) throw new Error("no context");
    const watch = new Watch([server.host]);
    await watch.start(browser, context);
    const setClocksOn: PlainBrowser["setClocksOn"] = async (page, byMs) => {
      const expression = `(() => { const now = Date.now.bind(Date); Date.now = () => now() + ${byMs}; })()`;
      await Promise.all([page.evaluate(expression), inSharedWorkers(browser, expression)]);
    };
    await use({ browser, context, watch, signal, setClocksOn });
    await watch.stop();
    await browser.close();
    await end();
    base.expect(watch.unexpected, "errors, violations and foreign requests").toEqual([]);
  },
});
