import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserType, Page } from "@playwright/test";
import { ROOT } from "../../../scripts/source-hash.mjs";
import { startAppServer, type AppServer } from "../app-server";
import type { BenchCase, BenchContext, Measurement } from "../bench-case";
import { launchOptions } from "../launch-options";
import { startSlowLine } from "../slow-line";
import { stepsOf, waterfallOf, type Step } from "../waterfall";
import { NAMES_FOR_PAGES } from "../watch-times";

const ROUNDS = { whole: 7, quick: 2 };
const SLOWED = 4;
/** A phone far from its base station. */
const FAR = { roundTripMs: 150, bytesPerSecond: 1_600_000 / 8 };

/** Without a request for so long, ms, a page is at rest. */
const REST_MS = 3_000;
/** Time after which a visit counts as hung, ms. */
const LONGEST_MS = 60_000;

/** Budgets of docs/performance.md. */
const PAINTED_TIMES = 2.5;
const USABLE_TIMES = 3;
const REST_KB = 100;
const STEPS = 3;
const SUBSCRIBED_MS = 2 * FAR.roundTripMs + 100;
const KB = 1_000;

const TOPIC = "backups";
const NEWEST = "the newest of what was there";

/** What a stranger may come to: the app itself, or a link that somebody shared. */
const SCREENS = [
  { name: "start screen", fragment: "" },
  { name: "a link's preview", fragment: `#/${TOPIC}` },
] as const;

interface Times {
  paintedMs: number;
  usableMs: number;
}

/** Measures what somebody sees who has never been here: nothing is stored, cached or compiled. */
export const visitCase: BenchCase = {
  name: "visit",
  about: "a stranger's first visit, in a new browser each time, against a static page with the same text",
  async run(context) {
    const { server: bare } = context;
    const server = await startAppServer();
    await server.running.publish({ topic: TOPIC, message: "an older one" });
    await server.running.publish({ topic: TOPIC, message: NEWEST });
    const far = await startSlowLine(server.running.url, FAR);
    const farBare = await startSlowLine(bare.url, FAR);
    const conditions = [
      { name: "full speed", slowed: 1, app: server.running.url, floor: bare.url },
      { name: `processor slowed ${SLOWED} times`, slowed: SLOWED, app: server.running.url, floor: bare.url },
      { name: `round trips of ${FAR.roundTripMs} ms, 1.6 Mbit/s`, slowed: 1, app: far.url, floor: farBare.url },
    ];
    const measurements: Measurement[] = [];
    const falls: string[] = [];
    for (const [at, { name: screen, fragment }] of SCREENS.entries()) {
      const path = `/static-${at}/`;
      bare.serve(path, { type: "text/html", body: await staticPage(context, `${server.url}${fragment}`) });
      for (const { name, slowed, app, floor } of conditions) {
        const rounds = context.isQuick ? ROUNDS.quick : ROUNDS.whole;
        const static_: Times[] = [];
        const own: Times[] = [];
        for (let round = -1; round < rounds; round++) {
          context.note(`${screen}, ${name}: round ${round + 1} of ${rounds}`);
          const floorTimes = await visit(context.browser, `${floor}${path}`, slowed);
          const times = await visit(context.browser, `${app}/${fragment}`, slowed);
          if (round < 0) continue;
          static_.push(floorTimes);
          own.push(times);
        }
        measurements.push(
          ...(["painted", "usable"] as const).map((what): Measurement => {
            return {
              name: `${screen}, ${name}: ${what}`,
              floor: static_.map(({ paintedMs }) => paintedMs),
              measured: own.map((times) => times[`${what}Ms`]),
              budget: { kind: "times", atMost: what === "painted" ? PAINTED_TIMES : USABLE_TIMES },
            };
          }),
        );
      }
      context.note(`${screen}: until it rests`);
      const { steps, usableStep } = await visitToRest(context.browser, server, `${far.url}/${fragment}`);
      measurements.push(
        {
          name: `${screen}: bytes until it rests, brotli`,
          unit: "KB",
          measured: [steps.reduce((sum, { bytes }) => sum + bytes, 0) / KB],
          budget: { kind: "value", atMost: REST_KB },
        },
        { name: `${screen}: requests until it rests`, unit: "", measured: [steps.length] },
        {
          name: `${screen}: steps until it is usable`,
          unit: "",
          measured: [usableStep],
          budget: { kind: "value", atMost: STEPS },
        },
        { name: `${screen}: steps until it rests`, unit: "", measured: [Math.max(...steps.map(({ step }) => step))] },
      );
      falls.push(`${screen}, ${conditions[2]?.name}, without the service worker:\n${waterfallOf(steps)}`);
    }
    const subscribed: number[] = [];
    for (let round = 0; round < (context.isQuick ? ROUNDS.quick : ROUNDS.whole); round++) {
      context.note(`Subscribe on a link's preview: round ${round + 1}`);
      subscribed.push(await pressSubscribe(context.browser, `${far.url}/#/${TOPIC}`));
    }
    measurements.push({
      name: `Subscribe on a link's preview, round trips of ${FAR.roundTripMs} ms: newest message`,
      measured: subscribed,
      budget: { kind: "value", atMost: SUBSCRIBED_MS },
    });
    await Promise.all([far.close(), farBare.close()]);
    await server.close();
    context.note("");
    for (const fall of falls) console.log(`\n${fall}\n`);
    return measurements;
  },
};

/** A page with the words of a screen and nothing else. */
async function staticPage({ browser }: BenchContext, url: string): Promise<string> {
  const page = await browser.newPage();
  await page.goto(url);
  await page.getByRole("button", { name: "Subscribe", exact: true }).waitFor();
  const lines = (await page.getByRole("main").innerText()).split("\n").filter((line) => line.trim() !== "");
  const heading = await page.getByRole("heading", { level: 1 }).innerText();
  await page.close();
  const safe = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
  const body = lines.map((line) => (line === heading ? `<h1>${safe(line)}</h1>` : `<p>${safe(line)}</p>`));
  return `<!doctype html><meta charset="utf-8"><title>static</title><main>${body.join("")}</main>`;
}

/** A new process of the browser with an empty profile, which is closed after the work. */
async function withNewBrowser<Value>(type: BrowserType, work: (browser: Browser) => Promise<Value>): Promise<Value> {
  const browser = await type.launch(launchOptions());
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

function visit(browser: Browser, url: string, slowed: number): Promise<Times> {
  return withNewBrowser(browser.browserType(), async (own) => {
    const page = await own.newPage();
    const times = await watchVisit(page);
    if (slowed > 1) {
      const session = await page.context().newCDPSession(page);
      await session.send("Emulation.setCPUThrottlingRate", { rate: slowed });
    }
    await page.goto(url);
    return times();
  });
}

/** Every request until the page is at rest; service workers are blocked, as they fetch all of the app. */
function visitToRest(browser: Browser, server: AppServer, url: string): Promise<{ steps: Step[]; usableStep: number }> {
  return withNewBrowser(browser.browserType(), async (own) => {
    const context = await own.newContext({ serviceWorkers: "block" });
    const page = await context.newPage();
    const times = await watchVisit(page);
    server.requests.length = 0;
    await page.goto(url);
    await page.getByRole("main").waitFor();
    const { usableMs } = await times();
    for (;;) {
      const idleMs = performance.now() - (server.requests.at(-1)?.atMs ?? 0);
      if (idleMs >= REST_MS) break;
      await page.waitForTimeout(REST_MS - idleMs);
    }
    const [first] = server.requests;
    const asked = server.requests.map(({ path, atMs }) => ({
      path,
      atMs: atMs - (first?.atMs ?? 0),
      bytes: bytesOf(path),
    }));
    const steps = stepsOf(asked, FAR.roundTripMs);
    const before = steps.filter(({ atMs }) => atMs + FAR.roundTripMs <= usableMs);
    return { steps, usableStep: Math.max(...before.map(({ step }) => step)) };
  });
}

/** Bytes of a file as the embedded server sends it; what is no file of the app is not counted. */
function bytesOf(path: string): number {
  const file = join(ROOT, "dist", path === "/" ? "index.html" : path);
  const sent = [`${file}.br`, file].find((one) => existsSync(one));
  return sent === undefined ? 0 : readFileSync(sent).length;
}

/** From a press, once the page is at rest, until the newest message is drawn, ms. */
function pressSubscribe(browser: Browser, url: string): Promise<number> {
  return withNewBrowser(browser.browserType(), async (own) => {
    const context = await own.newContext({ serviceWorkers: "block" });
    const page = await context.newPage();
    await page.goto(url);
    const button = page.getByRole("button", { name: "Subscribe", exact: true });
    await button.waitFor();
    await page.waitForTimeout(REST_MS);
    return button.evaluate(
      (button, newest) =>
        new Promise<number>((resolve) => {
          const startMs = performance.now();
          new MutationObserver((_changes, observer) => {
            if (!document.querySelector('[role="feed"]')?.textContent.includes(newest)) return;
            observer.disconnect();
            requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - startMs)));
          }).observe(document, { childList: true, subtree: true, characterData: true });
          (button as HTMLElement).click();
        }),
      NEWEST,
    );
  });
}

/** The page writes these to its console, followed by the milliseconds since its navigation. */
const TOLD = ["painted after", "usable after"] as const;

/** Has a page tell its times; resolves to a function that waits for them. */
async function watchVisit(page: Page): Promise<() => Promise<Times>> {
  const [painted, usable] = TOLD.map(
    (told) =>
      new Promise<number>((resolve, reject) => {
        const tooLate = setTimeout(() => reject(new Error(`Nothing was ${told} a while.`)), LONGEST_MS);
        page.on("console", (message) => {
          const text = message.text();
          if (!text.startsWith(told)) return;
          clearTimeout(tooLate);
          resolve(Number(text.slice(told.length)));
        });
        page.on("close", () => clearTimeout(tooLate));
      }),
  );
  await page.addInitScript({ content: NAMES_FOR_PAGES });
  await page.addInitScript(watchPage, TOLD);
  return async () => ({ paintedMs: (await painted) ?? NaN, usableMs: (await usable) ?? NaN });
}

/**
 * Runs in a page before its own scripts, and tells when its heading was drawn, and when it takes a press on Subscribe.
 * A static page is usable once it is drawn. It is sent as text, so it uses nothing from outside.
 */
function watchPage([painted, usable]: readonly [string, string]): void {
  const waiting = new Map<string, () => boolean>([
    [painted, () => document.querySelector("main h1")?.checkVisibility() ?? false],
    [usable, () => document.querySelector(document.title === "static" ? "h1" : "#app main button") !== null],
  ]);
  const check = (): void => {
    for (const [name, isThere] of waiting) {
      if (!isThere()) continue;
      waiting.delete(name);
      requestAnimationFrame(
        () => void scheduler.postTask(() => console.debug(name, performance.now()), { priority: "user-blocking" }),
      );
    }
  };
  const observer = new MutationObserver(() => (waiting.size > 0 ? check() : observer.disconnect()));
  observer.observe(document, { childList: true, subtree: true, attributes: true });
}
