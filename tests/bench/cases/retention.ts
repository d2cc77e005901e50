import { firstRowMs, openWatched, startAppServer } from "../app-server";
import type { BenchCase, Measurement } from "../bench-case";
import { quantile } from "../statistics";
import { waitForSetting } from "../stored";

const STORED = { whole: 100_000, quick: 20_000 };
const EVERY_MS = 200;
const LONGEST_TASK_MS = 50;

/** Removes old messages while new ones arrive. */
export const retentionCase: BenchCase = {
  name: "retention",
  about: "removing half of what is stored while a message arrives every 200 ms, against the same without removing",
  async run({ browser, isQuick, note }) {
    const stored = isQuick ? STORED.quick : STORED.whole;
    const server = await startAppServer();
    const context = await browser.newContext();
    note(`filling ${stored}`);
    await server.fill(context, { topics: ["door"], count: stored });
    const page = await openWatched(context);
    await page.goto(`${server.url}#/door`);
    await firstRowMs(page);
    await page.getByRole("main").getByText("Live", { exact: true }).waitFor();
    const settings = await openWatched(context);
    await settings.goto(`${server.url}#/~settings/storage`);

    let number = 0;
    const delays = async (isOver: () => Promise<boolean>): Promise<number[]> => {
      const found: number[] = [];
      while (!(await isOver())) {
        const text = `live message ${number++}.`;
        const origin = await page.evaluate((text) => {
          globalThis.times?.want(text);
          return performance.timeOrigin;
        }, text);
        const start = performance.timeOrigin + performance.now();
        await server.running.publish({ topic: "door", message: text });
        const handle = await page.waitForFunction((text) => globalThis.times?.seen[text], text, { polling: 20 });
        found.push(((await handle.jsonValue()) ?? NaN) + origin - start);
        await page.waitForTimeout(EVERY_MS);
      }
      return found;
    };
    note("quiet");
    await page.bringToFront();
    let left = isQuick ? 20 : 50;
    const quiet = await delays(() => Promise.resolve(left-- === 0));

    note("removing");
    await settings.bringToFront();
    const limit = settings.getByLabel("Keep at most");
    await limit.fill(String(stored / 2));
    await limit.blur();
    await waitForSetting(settings, "keepMessages", stored / 2);
    await settings.getByRole("button", { name: "Remove older messages now" }).click();
    await page.bringToFront();
    await page.evaluate(() => globalThis.times?.longTasks.splice(0));
    const done = settings.getByRole("status", { name: "Notices" }).getByText(/messages removed/);
    const start = performance.now();
    const busy = await delays(() => done.isVisible());
    const took = performance.now() - start;
    const longest = await page.evaluate(() => Math.max(0, ...(globalThis.times?.longTasks ?? [])));
    await context.close();
    await server.close();
    const measurements: Measurement[] = [
      { name: "live message to screen, p95", floor: [quantile(quiet, 0.95)], measured: [quantile(busy, 0.95)] },
      { name: "live message to screen, longest", floor: [Math.max(...quiet)], measured: [Math.max(...busy)] },
      { name: "longest task of the page", measured: [longest], budget: { kind: "value", atMost: LONGEST_TASK_MS } },
      { name: `until ${stored / 2} were removed`, measured: [took] },
    ];
    return measurements;
  },
};
