import type { Browser, Page } from "@playwright/test";

/** What a tab or a worker holds after a garbage collection. */
export interface Figures {
  heapBytes: number;
  /** Event listeners and document nodes; absent for a worker. */
  listeners?: number;
  nodes?: number;
}

const MEBIBYTE = 1024 * 1024;

/** Allows for collections that the browser did not finish, and for caches that are still filling. */
const HEAP_SLACK = { factor: 1.25, bytes: 2 * MEBIBYTE };
/** Allows for one more dialog, notice or message on the screen. */
const COUNT_SLACK = { factor: 1.25, count: 300 };

/** Measures a tab. */
export async function figuresOf(page: Page): Promise<Figures> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.getMetrics");
  await session.detach();
  const value = (wanted: string): number => metrics.find(({ name }) => name === wanted)?.value ?? NaN;
  return { heapBytes: value("JSHeapUsedSize"), listeners: value("JSEventListeners"), nodes: value("Nodes") };
}

/** Measures the shared worker, for which Playwright has no session. */
export async function figuresOfWorker(browser: Browser): Promise<Figures> {
  const session = await browser.newBrowserCDPSession();
  const { targetInfos } = await session.send("Target.getTargets", { filter: [{ type: "shared_worker" }] });
  const [worker] = targetInfos;
  if (!worker) throw new Error("There is no shared worker.");
  const { sessionId } = await session.send("Target.attachToTarget", { targetId: worker.targetId, flatten: false });
  const ask = (id: number, method: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      session.on("Target.receivedMessageFromTarget", ({ message, sessionId: from }) => {
        const answer = JSON.parse(message) as { id?: number; result?: unknown };
        if (from === sessionId && answer.id === id) resolve(answer.result);
      });
      session.send("Target.sendMessageToTarget", { sessionId, message: JSON.stringify({ id, method }) }).catch(reject);
    });
  await ask(1, "HeapProfiler.collectGarbage");
  const { usedSize } = (await ask(2, "Runtime.getHeapUsage")) as { usedSize: number };
  await session.detach();
  return { heapBytes: usedSize };
}

/** Whether the last of these figures is about as high as the ones before. A leak would grow with the messages. */
export function isLevel(figures: Figures[]): boolean {
  const isWithin = (of: (one: Figures) => number | undefined, factor: number, more: number): boolean => {
    const values = figures.map(of).filter((value) => value !== undefined);
    const [last = 0] = values.slice(-1);
    return last <= Math.max(0, ...values.slice(0, -1)) * factor + more;
  };
  return (
    isWithin(({ heapBytes }) => heapBytes, HEAP_SLACK.factor, HEAP_SLACK.bytes) &&
    isWithin(({ listeners }) => listeners, COUNT_SLACK.factor, COUNT_SLACK.count) &&
    isWithin(({ nodes }) => nodes, COUNT_SLACK.factor, COUNT_SLACK.count)
  );
}

/** A table with `start / middle / end` of each figure in its columns. */
export function tableOf(rows: Map<string, Figures[]>): string {
  const cells = [["", "heap, MB", "listeners", "nodes"]];
  for (const [name, figures] of rows) {
    const column = (of: (one: Figures) => string | undefined): string =>
      figures.map((one) => of(one) ?? "–").join(" / ");
    cells.push([
      name,
      column(({ heapBytes }) => (heapBytes / MEBIBYTE).toFixed(1)),
      column(({ listeners }) => listeners?.toString()),
      column(({ nodes }) => nodes?.toString()),
    ]);
  }
  const widths = [0, 1, 2, 3].map((at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  return cells.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ")).join("\n");
}
