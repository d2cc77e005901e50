import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { ROOT } from "../../../scripts/source-hash.mjs";
import type { Browser } from "@playwright/test";
import { firstRowMs, visitedState, openWatched, startAppServer, type AppServer } from "../app-server";
import type { BenchCase, Measurement } from "../bench-case";

/** Budget of docs/design.md §8. */
const BUDGET_KB = 45;
const KB = 1_000;

/** How long later requests are recorded, ms. */
const LATER_MS = 3_000;

/**
 * What docs/design.md §8 counts separately: the emoji table, which comes with the first tag, and the files of the
 * service worker.
 */
const APART = /emoji-table|workbox-window|(^|\/)sw\.js/;

/** The hub starts after the first rows, but its file and what that imports are counted with them. */
const WORKER = /\/worker-/;

/** The app takes over after the first rows. */
const APP = /\/app-.*\.js$/;

interface Weight {
  raw: number;
  gzip: number;
  brotli: number;
}

/** Measures bytes and requests of a first load, as a browser requests them. */
export const weightCase: BenchCase = {
  name: "weight",
  about: "files that a first usable feed asks for, and what comes later unasked",
  async run({ browser, note }) {
    const server = await startAppServer();
    // The first load runs without the service worker, which fetches all files for later and would hide which ones come
    // first.
    note("loading");
    const { first, app } = await filesOfLoad(browser, server, "block");
    const { all } = await filesOfLoad(browser, server, "allow");
    await server.close();
    const later = all.filter((file) => !first.includes(file) && !app.includes(file));
    const loaded = new Set(all);
    const onDemand = readdirSync(join(ROOT, "dist", "assets"))
      .map((name) => `assets/${name}`)
      .filter((file) => /\.(js|css)$/.test(file) && !loaded.has(file));
    const counted = first.filter((file) => /\.(js|css)$/.test(file) && !APART.test(file));
    return [
      ...told("to a first usable feed, script and style", counted, BUDGET_KB),
      { name: "to a first usable feed, requests", unit: "", measured: [first.length] },
      ...told("the app, behind the first rows", app),
      ...told("later, unasked (what the service worker keeps)", later),
      ...told("when first needed", onDemand),
      ...counted
        .map((file) => ({ file, size: weigh([file]).brotli }))
        .sort((a, b) => b.size - a.size)
        .map(({ file, size }): Measurement => ({ name: `  ${file}, brotli`, unit: "KB", measured: [size / KB] })),
    ];
  },
};

/**
 * The files that a browser requests on its first visit: those until the first rows are drawn, with the worker's, and
 * all of them.
 */
async function filesOfLoad(
  browser: Browser,
  server: AppServer,
  serviceWorkers: "allow" | "block",
): Promise<{ first: string[]; app: string[]; all: string[] }> {
  const { state: storageState, snapshot } = await visitedState(browser, server, 100);
  const context = await browser.newContext({ serviceWorkers, storageState });
  await server.fill(context, { topics: ["backup"], count: 100 }, snapshot);
  server.requests.length = 0;
  const page = await openWatched(context);
  await page.goto(server.url);
  const ms = await firstRowMs(page);
  const early = await page.evaluate(
    (ms) =>
      performance
        .getEntriesByType("resource")
        .filter(({ startTime }) => startTime < ms)
        .map(({ name }) => new URL(name).pathname),
    ms,
  );
  await page.getByRole("main").getByText("Live", { exact: true }).waitFor();
  if (serviceWorkers === "allow") await page.waitForTimeout(LATER_MS);
  await context.close();
  const all = appFiles(server.requests.map(({ path }) => path));
  const first = new Set([...appFiles(["/", ...early]), ...all.filter((file) => WORKER.test(file))]);
  return { first: [...first], app: all.filter((file) => APP.test(file) && !first.has(file)), all };
}

/** The files of the build among the requested paths. */
function appFiles(paths: readonly string[]): string[] {
  const files = paths.map((path) => path.split("?")[0]?.replace(/^\//, "") || "index.html");
  return [...new Set(files)].filter((file) => /\.(html|js|css|svg|png|webmanifest)$/.test(file));
}

function weigh(files: readonly string[]): Weight {
  const weight = { raw: 0, gzip: 0, brotli: 0 };
  for (const file of files) {
    const content = readFileSync(join(ROOT, "dist", file));
    weight.raw += content.length;
    weight.gzip += gzipSync(content).length;
    weight.brotli += brotliCompressSync(content).length;
  }
  return weight;
}

function told(name: string, files: readonly string[], atMost?: number): Measurement[] {
  const { raw, gzip, brotli } = weigh(files);
  return [
    {
      name: `${name}, brotli`,
      unit: "KB",
      measured: [brotli / KB],
      ...(atMost !== undefined && { budget: { kind: "value", atMost } as const }),
      beside: { gzip: [gzip / KB], raw: [raw / KB] },
    },
  ];
}
