import type { BrowserContext } from "@playwright/test";
import { firstRowMs, openWatched, startAppServer } from "../app-server";
import type { BenchCase, BenchContext, Measurement } from "../bench-case";

const ROUNDS = { whole: 9, quick: 3 };
const BUDGET_TIMES = 2.5;
const SLOWED = 4;
const STORED = 100;
/** As many rows as a first screen has. */
const FLOOR_ROWS = 20;

/** Navigation to first usable feed, against a static page that looks alike. */
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
    const rounds = context.isQuick ? ROUNDS.quick : ROUNDS.whole;
    const measurements: Measurement[] = [];
    for (const slowed of [1, SLOWED]) {
      for (const kind of ["cold", "warm"] as const) {
        const name = `${kind}, ${slowed === 1 ? "full speed" : `processor slowed ${slowed} times`}`;
        const floor: number[] = [];
        const measured: number[] = [];
        for (let round = -1; round < rounds; round++) {
          note(`${name}: round ${round + 1} of ${rounds}`);
          const floorMs = await startOnce(context, `${bare.url}/static/`, slowed, kind);
          const ms = await startOnce(context, server.url, slowed, kind, (own) =>
            server.fill(own, { topics: ["backup"], count: STORED }),
          );
          if (round < 0) continue;
          floor.push(floorMs);
          measured.push(ms);
        }
        const budget = kind === "cold" ? { budget: { kind: "times", atMost: BUDGET_TIMES } as const } : {};
        measurements.push({ name, floor, measured, ...budget });
      }
    }
    // Of what can be had at all: the same rows out of the same database, without an app around them.
    for (const page of ["plain-rows", "svelte-rows"]) {
      for (const slowed of [1, SLOWED]) {
        const measured: number[] = [];
        const floor: number[] = [];
        for (let round = -1; round < rounds; round++) {
          const floorMs = await startOnce(context, `${bare.url}/static/`, slowed, "cold");
          const ms = await startOnce(context, `${server.url}${page}/${page}.html`, slowed, "cold", (own) =>
            server.fill(own, { topics: ["backup"], count: STORED }),
          );
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

/** Cold: nothing of the page is in any cache. Warm: it was open before, its service worker keeps it. */
async function startOnce(
  { browser }: Pick<BenchContext, "browser">,
  url: string,
  slowed: number,
  kind: "cold" | "warm",
  prepare: (context: BrowserContext) => Promise<void> = () => Promise.resolve(),
): Promise<number> {
  const context = await browser.newContext();
  await prepare(context);
  if (kind === "warm") {
    const before = await openWatched(context);
    await before.goto(url);
    await firstRowMs(before);
    await before.evaluate(async () => {
      if (!document.querySelector('link[rel="manifest"]')) return;
      await navigator.serviceWorker.ready;
    });
    await before.close();
  }
  const page = await openWatched(context);
  if (slowed > 1) {
    const session = await context.newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: slowed });
  }
  await page.goto(url);
  const ms = await firstRowMs(page);
  await context.close();
  return ms;
}
