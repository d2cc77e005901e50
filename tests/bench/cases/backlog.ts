import { systemClock } from "../../../src/server";
import { openWatched, startAppServer, untilKept, type AppServer } from "../app-server";
import { serveBarePage, type BareJob } from "../bare-pages";
import type { BenchCase, BenchContext, Measurement } from "../bench-case";
import { publishMany } from "../publish-many";
import { waitUntilStored } from "../stored";

const SIZES = { whole: [1_000, 10_000, 100_000], quick: [1_000, 10_000] };
const ROUNDS = { whole: 5, quick: 2 };
const BUDGET_TIMES = 1.5;
/** The size for which the design sets its budget. */
const BUDGET_SIZE = 10_000;
const LONGEST_TASK_MS = 50;

/** The time over which the messages came, ms: a server keeps them for twelve hours. */
const CAME_OVER_MS = 11 * 3_600_000;

/**
 * Subscribing to a topic with many messages in the server's cache, once the app is kept for offline use. It is measured
 * from the press, so with all that precedes the poll: the command, the questions whether there is a topic server and
 * whether the topic may be read, and two writes that wait for the disk. The floor has none of these, nor counters or
 * cursors, and compares with nothing. It begins with its request, and stores each piece of the answer while the next
 * one is being received.
 */
export const backlogCase: BenchCase = {
  name: "backlog",
  about: "subscribing to cached messages: press to newest visible and to all stored, against fetch, split, parse, put",
  async run(context) {
    const measurements: Measurement[] = [];
    const sizes = context.isQuick ? SIZES.quick : SIZES.whole;
    for (const size of sizes) measurements.push(...(await measureSize(context, size)));
    return measurements;
  },
};

async function measureSize(context: BenchContext, size: number): Promise<Measurement[]> {
  const server = await startWithBacklog(size);
  const floor: number[] = [];
  const stored: number[] = [];
  const visible: number[] = [];
  const longest: number[] = [];
  const rounds = context.isQuick ? ROUNDS.quick : ROUNDS.whole;
  for (let round = -1; round < rounds; round++) {
    context.note(`${size}: round ${round + 1} of ${rounds}`);
    const floorMs = await floorOnce(context, server, size);
    const times = await appOnce(context, server, size);
    if (round < 0) continue;
    floor.push(floorMs);
    stored.push(times.storedMs);
    visible.push(times.visibleMs);
    longest.push(times.longestMs);
  }
  await server.close();
  const isBudgeted = size === BUDGET_SIZE;
  return [
    {
      name: `${size}: all stored`,
      floor,
      measured: stored,
      ...(isBudgeted && { budget: { kind: "times", atMost: BUDGET_TIMES } as const }),
      at: { line: "all stored", size },
    },
    {
      name: `${size}: newest visible`,
      floor: stored,
      measured: visible,
      budget: { kind: "times", atMost: 1 },
      at: { line: "newest visible", size },
    },
    {
      name: `${size}: longest task of the page`,
      measured: longest,
      budget: { kind: "value", atMost: LONGEST_TASK_MS },
    },
  ];
}

/** A server whose clock was set back while messages were published. */
async function startWithBacklog(size: number): Promise<AppServer> {
  let agoMs = 0;
  const server = await startAppServer({}, { ...systemClock, nowMs: () => Date.now() - agoMs });
  await publishMany(server.running, "backlog", size, (published) => {
    agoMs = CAME_OVER_MS * (1 - published / size);
  });
  agoMs = 0;
  return server;
}

async function floorOnce({ browser, server: bare }: BenchContext, server: AppServer, size: number): Promise<number> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(serveBarePage(bare));
  const job: BareJob = { kind: "poll", url: `${server.url}backlog/json?poll=1&since=all`, count: size, isStored: true };
  const ms = await page.evaluate(async (job) => {
    const start = performance.now();
    return ((await globalThis.bare?.(job)) ?? NaN) - start;
  }, job);
  await context.close();
  return ms;
}

async function appOnce({ browser }: BenchContext, server: AppServer, size: number) {
  const context = await browser.newContext();
  const page = await openWatched(context);
  await page.goto(`${server.url}#/backlog`);
  const button = page.getByRole("button", { name: "Subscribe" });
  await button.waitFor();
  await untilKept(page);
  const newest = `no. ${size - 1}.`;
  await page.evaluate(
    ({ newest }) => {
      globalThis.times?.longTasks.splice(0);
      addEventListener("click", () => performance.mark("pressed"), { capture: true, once: true });
      globalThis.times?.want(newest);
    },
    { newest },
  );
  await button.click();
  const storedMs = await waitUntilStored(page, size);
  const handle = await page.waitForFunction((newest) => globalThis.times?.seen[newest], newest, { timeout: 120_000 });
  const visibleAt = (await handle.jsonValue()) ?? NaN;
  const { pressedMs, longestMs } = await page.evaluate(() => ({
    pressedMs: performance.getEntriesByName("pressed")[0]?.startTime ?? NaN,
    longestMs: Math.max(0, ...(globalThis.times?.longTasks ?? [])),
  }));
  await context.close();
  return { storedMs: storedMs - pressedMs, visibleMs: visibleAt - pressedMs, longestMs };
}
