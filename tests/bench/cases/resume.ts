import { openWatched, startAppServer, subscribe, untilKept } from "../app-server";
import type { BenchCase, Measurement } from "../bench-case";
import { numbered, publishMany } from "../publish-many";
import { waitUntilStored } from "../stored";

const MISSED = { whole: [50, 5_000], quick: [50] };
const ROUNDS = { whole: 5, quick: 2 };
const LONGEST_TASK_MS = 50;

/** Measures from the user's return to the missed messages on the screen. */
export const resumeCase: BenchCase = {
  name: "resume",
  about: "becoming visible to the first missed message on screen, and to all stored",
  async run({ browser, isQuick, note }) {
    const measurements: Measurement[] = [];
    for (const missed of isQuick ? MISSED.quick : MISSED.whole) {
      const first: number[] = [];
      const all: number[] = [];
      const longest: number[] = [];
      const rounds = isQuick ? ROUNDS.quick : ROUNDS.whole;
      for (let round = 0; round < rounds; round++) {
        note(`${missed} missed: round ${round + 1} of ${rounds}`);
        const server = await startAppServer();
        const context = await browser.newContext();
        const page = await openWatched(context);
        await subscribe(page, server, ["door"]);
        await untilKept(page);
        // While nothing is connected, the app waits a moment before it tries again; coming back ends that wait.
        server.running.cutStreams();
        await publishMany(server.running, "door", missed);
        server.running.cutStreams();
        const newest = numbered(missed - 1).slice(0, 10);
        const cameBack = await page.evaluate((newest) => {
          globalThis.times?.longTasks.splice(0);
          globalThis.times?.want(newest);
          document.dispatchEvent(new Event("visibilitychange"));
          return performance.now();
        }, newest);
        all.push((await waitUntilStored(page, missed)) - cameBack);
        const handle = await page.waitForFunction((newest) => globalThis.times?.seen[newest], newest);
        first.push(Math.max(0, ((await handle.jsonValue()) ?? NaN) - cameBack));
        longest.push(await page.evaluate(() => Math.max(0, ...(globalThis.times?.longTasks ?? []))));
        await context.close();
        await server.close();
      }
      measurements.push(
        { name: `${missed} missed: newest on screen`, measured: first, at: { line: "newest on screen", size: missed } },
        { name: `${missed} missed: all stored`, measured: all, at: { line: "all stored", size: missed } },
        {
          name: `${missed} missed: longest task of the page`,
          measured: longest,
          budget: { kind: "value", atMost: LONGEST_TASK_MS },
        },
      );
    }
    return measurements;
  },
};
