import type { Page } from "@playwright/test";
import { firstRowMs, openWatched, startAppServer } from "../app-server";
import type { BenchCase, Measurement } from "../bench-case";
import { quantile } from "../statistics";

const SIZES = { whole: [100, 100_000], quick: [100_000] };
const TIMES = { whole: 60, quick: 15 };
const BUDGET_MS = 50;

/** Keys of each action, pressed in turn; each press counts. */
const ACTIONS: readonly { name: string; keys: readonly string[] }[] = [
  { name: "moving", keys: ["j"] },
  { name: "opening and closing", keys: ["Enter", "Escape"] },
  { name: "marking read and unread", keys: ["u"] },
  { name: "starring", keys: ["s"] },
  { name: "done and undo", keys: ["e", "Control+z"] },
  { name: "deleting and undo", keys: ["#", "Control+z"] },
];

/** From a key or press to the next frame, as Interaction to Next Paint counts it. */
export const actionsCase: BenchCase = {
  name: "actions",
  about: "key or press to next frame, 98th percentile",
  async run({ browser, isQuick, note }) {
    const measurements: Measurement[] = [];
    for (const size of isQuick ? SIZES.quick : SIZES.whole) {
      const server = await startAppServer();
      const context = await browser.newContext();
      note(`filling ${size}`);
      await server.fill(context, { topics: ["backup", "doors", "disks"], count: size });
      const page = await openWatched(context);
      await page.addInitScript(watchInteractions);
      await page.goto(server.url);
      await firstRowMs(page);
      await page.getByRole("main").getByText("Live", { exact: true }).waitFor();
      const times = isQuick ? TIMES.quick : TIMES.whole;
      const add = async (name: string, run: () => Promise<void>) => {
        note(`${size} stored: ${name}`);
        await takeInteractions(page);
        await run();
        const ms = await takeInteractions(page);
        if (ms.length === 0) throw new Error(`${name}: nothing was measured`);
        measurements.push({
          name: `${size} stored: ${name}`,
          measured: [quantile(ms, 0.98)],
          budget: { kind: "value", atMost: BUDGET_MS },
          beside: { median: [quantile(ms, 0.5)] },
          at: { line: name, size },
        });
      };
      await page.keyboard.press("j");
      for (const { name, keys } of ACTIONS) {
        await add(name, async () => {
          for (let at = 0; at < times; at++) await pressEach(page, keys);
        });
      }
      const rail = page.getByRole("navigation").first();
      await add("switching topic and view", async () => {
        for (let at = 0; at < times; at++) {
          const name = ["backup", "doors", "Everything", "Starred"][at % 4] ?? "";
          await rail
            .getByRole("link", { name: new RegExp(`^${name}`, "i") })
            .first()
            .click();
          await nextFrames(page);
        }
      });
      await add("typing in the filter", async () => {
        await page.keyboard.press("/");
        for (let at = 0; at < times; at++) await pressEach(page, at % 8 < 4 ? ["d"] : ["Backspace"]);
      });
      await context.close();
      await server.close();
    }
    return measurements;
  },
};

async function pressEach(page: Page, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key);
    await nextFrames(page);
  }
}

/** What a press starts has been drawn, and the next one is a press of its own. */
function nextFrames(page: Page): Promise<void> {
  return page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
}

interface Interactions {
  interactions: number[];
}

function takeInteractions(page: Page): Promise<number[]> {
  return page.evaluate(() => (globalThis as unknown as Interactions).interactions.splice(0));
}

/** Notes each key and press: from the event's own time stamp to the end of the frame after it. Sent to the page as text. */
function watchInteractions(): void {
  const interactions: number[] = [];
  Object.assign(globalThis, { interactions });
  const note = ({ timeStamp }: Event): void => {
    requestAnimationFrame(() => {
      // In front of all else that waits for that frame.
      void scheduler.postTask(() => interactions.push(performance.now() - timeStamp), { priority: "user-blocking" });
    });
  };
  for (const kind of ["keydown", "click"]) addEventListener(kind, note, { capture: true });
}
