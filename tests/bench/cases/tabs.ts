import type { BrowserContext } from "@playwright/test";
import { memoryOf, openWatched, startAppServer } from "../app-server";
import type { BenchCase, Measurement } from "../bench-case";

const TOPICS = { whole: [20, 200], quick: [20] };
const TABS = { whole: [1, 5, 10], quick: [1, 5] };
const IDLE_MS = { whole: 60_000, quick: 30_000 };
/**
 * Time until everything that follows opening is done, ms: the reconciling poll, the segments, and the first round of
 * retention, 30 s after the start.
 */
const SETTLED_AFTER_MS = 45_000;
const STATIC_SETTLED_AFTER_MS = 10_000;
const MIB = 1_024 * 1_024;
/** The most processor time that all processes may take in a minute of idling, % of one core. */
const BUDGET_IDLE = 2;

/**
 * Opens many tabs with many topics. The floor of idling is the same browser with as many static pages. All tabs count
 * as in sight, like windows side by side; in a tab strip all tabs but one are hidden, and do still less.
 */
export const tabsCase: BenchCase = {
  name: "tabs",
  about: "topics in tabs: streams, requests, heap of all tabs; processor time when idle, against static pages",
  async run({ browser, server: bare, isQuick, note }) {
    const measurements: Measurement[] = [];
    const idleMs = isQuick ? IDLE_MS.quick : IDLE_MS.whole;
    bare.serve("/still/", { type: "text/html", body: "<!doctype html><title>still</title><p>Nothing happens here." });
    const floors = new Map<number, number>();
    for (const tabCount of isQuick ? TABS.quick : TABS.whole) {
      note(`${tabCount} static`);
      const context = await browser.newContext();
      for (let tab = 0; tab < tabCount; tab++) await (await context.newPage()).goto(`${bare.url}/still/`);
      floors.set(tabCount, await processorWhileIdle(context, STATIC_SETTLED_AFTER_MS, idleMs));
      await context.close();
    }
    for (const topicCount of isQuick ? TOPICS.quick : TOPICS.whole) {
      for (const tabCount of isQuick ? TABS.quick : TABS.whole) {
        const name = `${topicCount} topics, ${tabCount} ${tabCount === 1 ? "tab" : "tabs"}`;
        note(name);
        const server = await startAppServer();
        const context = await browser.newContext();
        const topics = Array.from({ length: topicCount }, (_, at) => `topic-${at}`);
        await server.fill(context, { topics, count: topicCount * 10 });
        server.requests.length = 0;
        let heap = 0;
        for (let tab = 0; tab < tabCount; tab++) {
          const page = await openWatched(context);
          await page.goto(server.url);
          await page.getByRole("main").getByText("Live", { exact: true }).waitFor();
          heap += (await memoryOf(page)).heap;
        }
        const streams = server.running.streams().length;
        const requests =
          server.requests.filter(({ path }) => /^\/[^/]+\/(json|sse|ws|raw)/.test(path)).length + streams;
        const idle = await processorWhileIdle(context, SETTLED_AFTER_MS, idleMs);
        await context.close();
        await server.close();
        const size = tabCount;
        measurements.push(
          { name: `${name}: streams`, unit: "", measured: [streams], budget: { kind: "value", atMost: 1 } },
          { name: `${name}: requests to the topics`, unit: "", measured: [requests] },
          {
            name: `${name}: heap of all tabs`,
            unit: "MB",
            measured: [heap / MIB],
            at: { line: `heap, ${topicCount} topics`, size },
          },
          {
            name: `${name}: processor when idle`,
            unit: "%",
            floor: [floors.get(tabCount) ?? NaN],
            measured: [idle],
            budget: { kind: "value", atMost: BUDGET_IDLE },
          },
        );
      }
    }
    return measurements;
  },
};

/** Measures the processor time that all processes of the browser take while nothing happens, % of one core. */
async function processorWhileIdle(context: BrowserContext, settledAfterMs: number, ms: number): Promise<number> {
  const browser = context.browser();
  const [page] = context.pages();
  if (!browser || !page) throw new Error("no tab is open");
  const session = await browser.newBrowserCDPSession();
  const used = async () => {
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  };
  await page.waitForTimeout(settledAfterMs);
  const before = await used();
  await page.waitForTimeout(ms);
  const share = (100 * 1_000 * ((await used()) - before)) / ms;
  await session.detach();
  return share;
}
