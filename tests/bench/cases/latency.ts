import type { Page } from "@playwright/test";
import { openWatched, startAppServer, untilKept, type AppServer } from "../app-server";
import { serveBarePage, type BareJob } from "../bare-pages";
import type { BenchCase, BenchContext, Measurement } from "../bench-case";
import { quantile } from "../statistics";

/** What is measured; only at full speed is there a budget. */
const CONDITIONS = [
  { size: 100, slowed: 1 },
  { size: 100_000, slowed: 1 },
  { size: 10_000, slowed: 4 },
] as const;
type Condition = (typeof CONDITIONS)[number];
const MESSAGES = { whole: 300, quick: 50 };
/** Pause between two messages, ms: ten a second. */
const EVERY_MS = 100;
const ONE_FRAME_MS = 1_000 / 60;

/** Measures from the server's write to the text on the screen. */
export const latencyCase: BenchCase = {
  name: "latency",
  about: "server write to text on screen at 10 messages a second, against a bare page that appends a text node",
  async run(context) {
    const measurements: Measurement[] = [];
    for (const condition of CONDITIONS) measurements.push(...(await measure(context, condition)));
    return measurements;
  },
};

async function measure(context: BenchContext, { size, slowed }: Condition): Promise<Measurement[]> {
  const { browser, server: bare, note } = context;
  const server = await startAppServer();
  const own = await browser.newContext();
  note(`filling ${size}`);
  await server.fill(own, { topics: ["shown"], count: size, indexed: true });
  const page = await openWatched(own);
  await page.goto(`${server.url}#/shown`);
  await page.getByRole("main").getByText("Live", { exact: true }).waitFor();
  await untilKept(page);
  const others = await browser.newContext();
  const barePage = await openWatched(others);
  await barePage.goto(serveBarePage(bare));
  const count = context.isQuick ? MESSAGES.quick : MESSAGES.whole;
  const job: BareJob = { kind: "stream", url: `${server.url}floor/json`, count, isStored: false };
  const ended = barePage.evaluate((job) => globalThis.bare?.(job), job);
  await barePage.waitForFunction(() => document.title === "reading");
  for (const one of slowed > 1 ? [page, barePage] : []) {
    const session = await one.context().newCDPSession(one);
    await session.send("Emulation.setCPUThrottlingRate", { rate: slowed });
  }
  const floor: number[] = [];
  const measured: number[] = [];
  // Both take turns, so that they meet the same conditions; only the page in front draws frames.
  for (let number = 0; number < count; number++) {
    note(`${size} stored: ${number} of ${count}`);
    const isFloorFirst = number % 2 === 0;
    for (const isFloor of [isFloorFirst, !isFloorFirst]) {
      const ms = isFloor ? await once(barePage, server, "floor", number) : await once(page, server, "shown", number);
      (isFloor ? floor : measured).push(ms);
    }
  }
  await ended;
  await own.close();
  await others.close();
  await server.close();
  return [0.5, 0.95, 0.99].map((share): Measurement => {
    const value = quantile(measured, share);
    return {
      name: `${size} stored${slowed > 1 ? `, processor slowed ${slowed} times` : ""}: p${share * 100}`,
      floor: [quantile(floor, share)],
      measured: [value],
      ...(slowed === 1 && share === 0.95 && { budget: { kind: "above", atMost: Math.ceil(ONE_FRAME_MS) } as const }),
      ...(slowed === 1 && { at: { line: `p${share * 100}`, size } }),
    };
  });
}

/** Publishes a message with a text of its own; resolves to milliseconds until its frame was drawn. */
async function once(page: Page, server: AppServer, topic: string, number: number): Promise<number> {
  const text = `${topic} message ${number}.`;
  const origin = await page.evaluate((text) => {
    globalThis.times?.want(text);
    return performance.timeOrigin;
  }, text);
  await page.waitForTimeout(EVERY_MS / 2);
  const start = performance.timeOrigin + performance.now();
  await server.running.publish({ topic, message: text });
  const handle = await page.waitForFunction((text) => globalThis.times?.seen[text], text, { polling: 20 });
  return ((await handle.jsonValue()) ?? NaN) + origin - start;
}
