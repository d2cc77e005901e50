import type { BrowserContext, Page } from "@playwright/test";
import { appMs, firstRowMs, visitedState, openWatched, startAppServer, untilKept } from "../app-server";
import type { BenchCase, BenchContext, Measurement } from "../bench-case";
import { launchOptions } from "../launch-options";

/** Over nine rounds the median of a cold start still differs by a tenth from one run to the next, so it gets more. */
const ROUNDS = {
  cold: { whole: 25, quick: 3 },
  changed: { whole: 25, quick: 3 },
  none: { whole: 9, quick: 3 },
  warm: { whole: 9, quick: 3 },
};
/** Rounds that don't count; in the visited profile, until the service worker serves the page and a snapshot is kept. */
const BEFORE = { cold: 1, changed: 1, none: 1, warm: 4 };
/** `changed`: a message came since the app was closed; `none`: no snapshot is there, as after an update. */
const BUDGET_TIMES = { cold: 2.5, changed: 4.5, none: 4.5, warm: undefined };
const SLOWED = 4;
const STORED = 100;
/** The number of rows on a first screen. */
const FLOOR_ROWS = 20;

/** Measures from navigation to first usable feed, against a static page with as many rows, but no style sheet. */
export const startCase: BenchCase = {
  name: "start",
  about: "navigation to first usable feed, against a static page with as many rows",
  async run(context) {
    const { server: bare, note } = context;
    const server = await startAppServer();
    const rows = Array.from(
      { length: FLOOR_ROWS },
      (_, at) => `<article><h3>Message ${at}</h3><p>Its text</p></article>`,
    );
    bare.serve("/static/", { type: "text/html", body: `<!doctype html><title>static</title>${rows.join("")}` });
    const roundsOf = (kind: keyof typeof ROUNDS) => ROUNDS[kind][context.isQuick ? "quick" : "whole"];
    const measurements: Measurement[] = [];
    const visited = await context.browser.browserType().launchPersistentContext("", launchOptions());
    const fill = (own: BrowserContext) => server.fill(own, { topics: ["backup"], count: STORED });
    await fill(visited);
    const before = await visitedState(context.browser, server, STORED);
    const fillWhole = (own: BrowserContext) => server.fill(own, { topics: ["backup"], count: STORED }, before.snapshot);
    const fillChanged = (own: BrowserContext) =>
      server.fill(own, { topics: ["backup"], count: STORED }, before.snapshot, true);
    const wholes = new Map<string, number[]>();
    const noteWhole = (name: string) => async (page: Page) => {
      wholes.set(name, [...(wholes.get(name) ?? []), await appMs(page)]);
    };
    const starts = {
      cold: {
        floor: (slowed: number) => startCold(context, `${bare.url}/static/`, slowed),
        measured: (slowed: number, name: string) =>
          startCold(context, server.url, slowed, {
            prepare: fillWhole,
            storageState: before.state,
            after: noteWhole(name),
          }),
      },
      changed: {
        floor: (slowed: number) => startCold(context, `${bare.url}/static/`, slowed),
        measured: (slowed: number) =>
          startCold(context, server.url, slowed, { prepare: fillChanged, storageState: before.state }),
      },
      none: {
        floor: (slowed: number) => startCold(context, `${bare.url}/static/`, slowed),
        measured: (slowed: number) =>
          startCold(context, server.url, slowed, { prepare: fill, storageState: before.state }),
      },
      warm: {
        floor: (slowed: number) => startIn(visited, `${bare.url}/static/`, slowed),
        measured: (slowed: number) => startWarm(visited, server.url, slowed),
      },
    };
    for (const slowed of [1, SLOWED]) {
      for (const kind of ["cold", "changed", "none", "warm"] as const) {
        const name = `${kind}, ${slowed === 1 ? "full speed" : `processor slowed ${slowed} times`}`;
        const rounds = roundsOf(kind);
        const floor: number[] = [];
        const measured: number[] = [];
        for (let round = -BEFORE[kind]; round < rounds; round++) {
          note(`${name}: round ${round + 1} of ${rounds}`);
          const floorMs = await starts[kind].floor(slowed);
          const ms = await starts[kind].measured(slowed, name);
          if (round < 0) continue;
          floor.push(floorMs);
          measured.push(ms);
        }
        const atMost = BUDGET_TIMES[kind];
        const budget = atMost === undefined ? {} : { budget: { kind: "times", atMost } as const };
        measurements.push({ name, floor, measured, ...budget });
        const whole = wholes.get(name)?.slice(-rounds);
        if (whole)
          measurements.push({ name: `${name}: until the app's own buttons stand there`, floor, measured: whole });
      }
    }
    await visited.close();
    // The best that is possible: the same rows from the same database, without an app around them.
    const rounds = roundsOf("warm");
    for (const page of ["plain-rows", "svelte-rows"]) {
      for (const slowed of [1, SLOWED]) {
        const measured: number[] = [];
        const floor: number[] = [];
        for (let round = -1; round < rounds; round++) {
          const floorMs = await startCold(context, `${bare.url}/static/`, slowed);
          const ms = await startCold(context, `${server.url}${page}/${page}.html`, slowed, { prepare: fill });
          if (round < 0) continue;
          floor.push(floorMs);
          measured.push(ms);
        }
        measurements.push({
          name: `${page}, ${slowed === 1 ? "full speed" : `slowed ${slowed} times`}`,
          floor,
          measured,
        });
      }
    }
    await server.close();
    return measurements;
  },
};

interface Cold {
  prepare?: (context: BrowserContext) => Promise<void>;
  /** What the device stores beside the database. */
  storageState?: Awaited<ReturnType<typeof visitedState>>["state"];
  after?: (page: Page) => Promise<void>;
}

/** A visit with nothing of the page in any cache. */
async function startCold(
  { browser }: Pick<BenchContext, "browser">,
  url: string,
  slowed: number,
  { prepare, storageState, after }: Cold = {},
): Promise<number> {
  const context = await browser.newContext(storageState ? { storageState } : {});
  await prepare?.(context);
  const ms = await startIn(context, url, slowed, after);
  await context.close();
  return ms;
}

/**
 * A visit as on most days: the profile on disk has opened the page before, so that its files are cached, and its service
 * worker is not running. Compiled code is kept too, but Chromium doesn't use that of modules (decision 0005).
 */
async function startWarm(context: BrowserContext, url: string, slowed: number): Promise<number> {
  return startIn(context, url, slowed, async (page) => {
    await untilKept(page);
    // What starts after the first rows is part of a visit.
    await page.getByRole("main").getByText("Live", { exact: true }).waitFor();
    const session = await context.newCDPSession(page);
    await session.send("ServiceWorker.enable");
    await session.send("ServiceWorker.stopAllWorkers");
  });
}

async function startIn(
  context: BrowserContext,
  url: string,
  slowed: number,
  after: (page: Page) => Promise<void> = () => Promise.resolve(),
): Promise<number> {
  const page = await openWatched(context);
  if (slowed > 1) {
    const session = await context.newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: slowed });
  }
  await page.goto(url);
  const ms = await firstRowMs(page);
  await after(page);
  await page.close();
  return ms;
}
