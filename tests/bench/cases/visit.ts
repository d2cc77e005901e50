import { get } from "node:http";
import type { Browser, BrowserType, Page } from "@playwright/test";
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
const USABLE_TIMES = 4.5;
const REQUESTS = 60;
const STEPS = 3;
const SUBSCRIBED_MS = 600;
const KB = 1_000;

const TOPIC = "backups";
const NEWEST = "the newest of what was there";

/** What a stranger may come to: the app itself, or a link that somebody shared. */
const SCREENS = [
  { name: "start screen", fragment: "" },
  { name: "a link's preview", fragment: `#/${TOPIC}` },
] as const;

interface Press {
  name: string;
  /** How long before the press the page hears of somebody, ms. */
  signMs: number;
  /** How long the page is there before that, ms. */
  afterMs: number;
  keepsFiles: boolean;
  isBudgeted: boolean;
}

/**
 * A mouse is moved to a button before the press; a finger comes down a tenth of a second before it. After ten seconds, a
 * browser with service workers has begun to keep the app's files.
 */
const PRESSES: readonly Press[] = [
  { name: "by mouse", signMs: 500, afterMs: REST_MS, keepsFiles: false, isBudgeted: true },
  { name: "by touch after ten seconds", signMs: 100, afterMs: 10_000, keepsFiles: true, isBudgeted: true },
  { name: "by touch, with no file kept", signMs: 100, afterMs: REST_MS, keepsFiles: false, isBudgeted: false },
];

/** What a page writes to its console, followed by the milliseconds since its navigation; and the budget of it. */
const TOLD: Record<keyof Times, { told: string; label: string; atMost?: number }> = {
  paintedMs: { told: "painted after", label: "painted", atMost: PAINTED_TIMES },
  usableMs: { told: "usable after", label: "usable", atMost: USABLE_TIMES },
  ownMs: { told: "own screen after", label: "the app's own screen" },
};

interface Times {
  paintedMs: number;
  usableMs: number;
  /** When the app itself had drawn the screen. */
  ownMs: number;
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
          ...Object.entries(TOLD).map(([what, { label, atMost }]): Measurement => {
            return {
              name: `${screen}, ${name}: ${label}`,
              floor: static_.map(({ paintedMs }) => paintedMs),
              measured: own.map((times) => times[what as keyof Times]),
              ...(atMost !== undefined && { budget: { kind: "times", atMost } as const }),
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
        },
        {
          name: `${screen}: requests until it rests`,
          unit: "",
          measured: [steps.length],
          budget: { kind: "value", atMost: REQUESTS },
        },
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
    for (const how of PRESSES) {
      const subscribed: number[] = [];
      for (let round = 0; round < (context.isQuick ? ROUNDS.quick : ROUNDS.whole); round++) {
        context.note(`Subscribe on a link's preview, ${how.name}: round ${round + 1}`);
        subscribed.push(await pressSubscribe(context.browser, `${far.url}/#/${TOPIC}`, how));
      }
      measurements.push({
        name: `Subscribe on a link's preview, ${how.name}, round trips of ${FAR.roundTripMs} ms: newest message`,
        measured: subscribed,
        ...(how.isBudgeted && { budget: { kind: "value", atMost: SUBSCRIBED_MS } as const }),
      });
    }
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
    const requests = [...server.requests];
    const [first] = requests;
    const asked = await Promise.all(
      requests.map(async ({ path, atMs }) => ({
        path,
        atMs: atMs - (first?.atMs ?? 0),
        bytes: await bytesOf(server, path),
      })),
    );
    const steps = stepsOf(asked, FAR.roundTripMs);
    const before = steps.filter(({ atMs }) => atMs + FAR.roundTripMs <= usableMs);
    return { steps, usableStep: Math.max(...before.map(({ step }) => step)) };
  });
}

/** Bytes of a file as the embedded server sends it with brotli; what is no file of the app is not counted. */
function bytesOf(server: AppServer, path: string): Promise<number> {
  if (!/^\/$|\.\w+$/.test(path)) return Promise.resolve(0);
  return new Promise((resolve, reject) => {
    get(new URL(path, server.url), { headers: { "Accept-Encoding": "br" } }, (answer) => {
      let bytes = 0;
      answer.on("data", (chunk: Buffer) => (bytes += chunk.length));
      answer.on("end", () => resolve(bytes));
    }).on("error", reject);
  });
}

/** From a press, once the page is at rest, until the newest message is drawn, ms. */
function pressSubscribe(browser: Browser, url: string, { signMs, afterMs, keepsFiles }: Press): Promise<number> {
  return withNewBrowser(browser.browserType(), async (own) => {
    const context = await own.newContext({ serviceWorkers: keepsFiles ? "allow" : "block" });
    const page = await context.newPage();
    await page.goto(url);
    const button = page.getByRole("button", { name: "Subscribe", exact: true });
    await button.waitFor();
    await page.waitForTimeout(afterMs);
    await button.dispatchEvent("pointerdown");
    await page.waitForTimeout(signMs);
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

/** Has a page tell its times; resolves to a function that waits for them. */
async function watchVisit(page: Page): Promise<() => Promise<Times>> {
  const heard = ({ told }: { told: string }): Promise<number> =>
    new Promise((resolve, reject) => {
      const tooLate = setTimeout(() => reject(new Error(`Nothing was ${told} a while.`)), LONGEST_MS);
      page.on("console", (message) => {
        const text = message.text();
        if (!text.startsWith(told)) return;
        clearTimeout(tooLate);
        resolve(Number(text.slice(told.length)));
      });
      page.on("close", () => clearTimeout(tooLate));
    });
  const { paintedMs, usableMs, ownMs } = TOLD;
  const times = [paintedMs, usableMs, ownMs].map(heard);
  await page.addInitScript({ content: NAMES_FOR_PAGES });
  await page.addInitScript(watchPage, [paintedMs.told, usableMs.told, ownMs.told] as const);
  return async () => {
    const [painted = NaN, usable = NaN, own = NaN] = await Promise.all(times);
    return { paintedMs: painted, usableMs: usable, ownMs: own };
  };
}

/**
 * Runs in a page before its own scripts, and tells when its heading was drawn, when it takes and keeps what is typed and
 * pressed, and when the app has drawn it itself. A static page is usable once it is drawn. It is sent as text, so it uses
 * nothing from outside.
 */
function watchPage([painted, usable, own]: readonly [string, string, string]): void {
  const isStatic = (): boolean => document.title === "static";
  const takes = (button: Element | null): boolean =>
    button !== null && button.checkVisibility({ visibilityProperty: true }) && button.closest("[inert]") === null;
  const waiting = new Map<string, () => boolean>([
    [painted, () => document.querySelector("main h1")?.checkVisibility({ visibilityProperty: true }) ?? false],
    [usable, () => isStatic() || takes(document.querySelector("main button"))],
    [own, () => isStatic() || document.documentElement.dataset["theme"] !== undefined],
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
