import { openWatched, startAppServer, subscribe, untilKept, type AppServer } from "../app-server";
import { serveBarePage, type BareJob } from "../bare-pages";
import type { BenchCase, BenchContext, Measurement } from "../bench-case";
import { publishMany } from "../publish-many";
import { waitUntilStored } from "../stored";

const SIZES = { whole: [2_000, 20_000], quick: [2_000] };
const ROUNDS = { whole: 5, quick: 2 };
const BUDGET_TIMES = 3;
const LONGEST_TASK_MS = 50;

/** Receives many messages at once over the open stream. */
export const burstCase: BenchCase = {
  name: "burst",
  about: "messages over the open stream as fast as the server sends them, against a bare page that stores and appends",
  async run(context) {
    const measurements: Measurement[] = [];
    for (const size of context.isQuick ? SIZES.quick : SIZES.whole)
      measurements.push(...(await measure(context, size)));
    return measurements;
  },
};

async function measure(context: BenchContext, size: number): Promise<Measurement[]> {
  const floor: number[] = [];
  const stored: number[] = [];
  const visible: number[] = [];
  const longest: number[] = [];
  const rounds = context.isQuick ? ROUNDS.quick : ROUNDS.whole;
  for (let round = -1; round < rounds; round++) {
    context.note(`${size}: round ${round + 1} of ${rounds}`);
    const server = await startAppServer();
    const floorMs = await floorOnce(context, server, size);
    const times = await appOnce(context, server, size);
    await server.close();
    if (round < 0) continue;
    floor.push(floorMs);
    stored.push(times.storedMs);
    visible.push(times.visibleMs);
    longest.push(times.longestMs);
  }
  return [
    {
      name: `${size}: all stored`,
      floor,
      measured: stored,
      budget: { kind: "times", atMost: BUDGET_TIMES },
      at: { line: "all stored", size },
    },
    {
      name: `${size}: newest visible`,
      floor,
      measured: visible,
      budget: { kind: "times", atMost: BUDGET_TIMES },
      at: { line: "newest visible", size },
    },
    {
      name: `${size}: longest task of the page`,
      measured: longest,
      budget: { kind: "value", atMost: LONGEST_TASK_MS },
    },
  ];
}

async function floorOnce({ browser, server: bare }: BenchContext, server: AppServer, size: number): Promise<number> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(serveBarePage(bare));
  const job: BareJob = { kind: "stream", url: `${server.url}floor/json`, count: size, isStored: true };
  const ended = page.evaluate(async (job) => ((await globalThis.bare?.(job)) ?? NaN) + performance.timeOrigin, job);
  await page.waitForFunction(() => document.title === "reading");
  const start = now();
  await publishMany(server.running, "floor", size);
  const ms = (await ended) - start;
  await context.close();
  return ms;
}

async function appOnce({ browser }: BenchContext, server: AppServer, size: number) {
  const context = await browser.newContext();
  const page = await openWatched(context);
  await subscribe(page, server, ["burst"]);
  await untilKept(page);
  const newest = `no. ${size - 1}.`;
  await page.evaluate((newest) => {
    globalThis.times?.longTasks.splice(0);
    globalThis.times?.want(newest);
  }, newest);
  const origin = await page.evaluate(() => performance.timeOrigin);
  const start = now();
  const stored = waitUntilStored(page, size);
  await publishMany(server.running, "burst", size);
  const storedMs = (await stored) + origin - start;
  const handle = await page.waitForFunction((newest) => globalThis.times?.seen[newest], newest, { timeout: 60_000 });
  const visibleMs = ((await handle.jsonValue()) ?? NaN) + origin - start;
  const longestMs = await page.evaluate(() => Math.max(0, ...(globalThis.times?.longTasks ?? [])));
  await context.close();
  return { storedMs, visibleMs, longestMs };
}

/** Comparable with the page's times, as both run on one machine's clock. */
const now = (): number => performance.timeOrigin + performance.now();
