import { setTimeout } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { firstRowMs, openWatched, startAppServer, untilKept } from "../app-server";
import { serveBareSteps } from "../bare-list";
import type { BenchCase, Measurement } from "../bench-case";
import { quantile } from "../statistics";

const SIZES = { whole: [100, 100_000], quick: [100_000] };
/** Presses of each action: of 150, the 98th percentile lies between the third and the fourth slowest. */
const PRESSES = { whole: 150, quick: 60 };
const BUDGET_MS = 50;
/**
 * The pause after a press, ms, like that of a quick hand. Its length is random within these bounds, so that presses
 * come at any moment between two frames. Nothing is asked of the page meanwhile, as the benchmark itself would be
 * working between a press and its frame.
 */
const PAUSE = { least: 60, most: 120 };
/** How often a key that is held down repeats, ms. */
const REPEAT_MS = 33;
/** Time after other work, ms, in which it comes to its end. */
const SETTLE_MS = 1_500;

/**
 * The keys of each action, pressed in turn; each press counts. If no message is selected, a step opens the first one on
 * the screen.
 */
const ACTIONS: readonly { name: string; keys: readonly string[] }[] = [
  { name: "moving", keys: ["j"] },
  { name: "opening and closing", keys: ["Escape", "j"] },
  { name: "marking read and unread", keys: ["u"] },
  { name: "starring", keys: ["s"] },
  { name: "done and undo", keys: ["e", "Control+z"] },
  { name: "deleting and undo", keys: ["#", "Control+z"] },
];

const VIEWS = ["backup", "doors", "Everything", "Starred"];

/** Measures from a key or press to the next frame, as Interaction to Next Paint does. */
export const actionsCase: BenchCase = {
  name: "actions",
  about: "key or press to next frame, 98th percentile, against a static list in which a key moves the focus",
  async run({ browser, server: bare, isQuick, note }) {
    const measurements: Measurement[] = [];
    const presses = isQuick ? PRESSES.quick : PRESSES.whole;
    for (const size of isQuick ? SIZES.quick : SIZES.whole) {
      const server = await startAppServer();
      const context = await browser.newContext();
      note(`filling ${size}`);
      await server.fill(context, { topics: ["backup", "doors", "disks"], count: size, indexed: true });
      const steps = await openWatched(context);
      await steps.addInitScript(watchInteractions);
      await steps.goto(serveBareSteps(bare));
      const page = await openWatched(context);
      await page.addInitScript(watchInteractions);
      await page.goto(server.url);
      await firstRowMs(page);
      await page.getByRole("main").getByText("Live", { exact: true }).waitFor();
      await untilKept(page);

      /** How long each press took. */
      const timesOf = async (on: Page, run: () => Promise<void>) => {
        await setTimeout(SETTLE_MS);
        await takeInteractions(on);
        await run();
        await setTimeout(SETTLE_MS);
        return takeInteractions(on);
      };
      const found = new Map<string, number[]>();
      const add = async (name: string, run: () => Promise<void>) => {
        note(`${size} stored: ${name}`);
        const ms = await timesOf(page, run);
        if (ms.length < presses) throw new Error(`${name}: ${ms.length} presses of ${presses} were measured`);
        found.set(name, ms);
      };
      const floor: number[] = [];
      const addFloor = async () => {
        await steps.bringToFront();
        floor.push(...(await timesOf(steps, () => pressEach(steps, ["j"], presses))));
        await page.bringToFront();
      };
      // The floor is measured before and after, as the machine may have become slower or faster meanwhile.
      await addFloor();
      await page.keyboard.press("j");
      for (const { name, keys } of ACTIONS) {
        await proveKeys(page, keys);
        await add(name, () => pressEach(page, keys, presses));
      }
      await add("moving, the key held down", async () => {
        for (let at = 0; at < presses; at++) {
          await page.keyboard.down("j");
          await setTimeout(REPEAT_MS);
        }
        await page.keyboard.up("j");
      });
      const places = await placesOf(page, VIEWS);
      await add("switching topic and view", async () => {
        for (let at = 0; at < presses; at++) {
          const { x, y } = places[at % places.length] ?? { x: 0, y: 0 };
          await page.mouse.click(x, y);
          await pause();
        }
      });
      await page.keyboard.press("/");
      await add("typing in the filter", () =>
        pressEach(page, [...Array<string>(4).fill("d"), ...Array<string>(4).fill("Backspace")], presses),
      );
      await addFloor();
      for (const [name, ms] of found) {
        measurements.push({
          name: `${size} stored: ${name}`,
          floor: [quantile(floor, 0.98)],
          measured: [quantile(ms, 0.98)],
          budget: { kind: "value", atMost: BUDGET_MS },
          beside: {
            [`median of ${ms.length}`]: [quantile(ms, 0.5)],
            slowest: [Math.max(...ms)],
          },
          at: { line: name, size },
        });
      }
      await context.close();
      await server.close();
    }
    return measurements;
  },
};

/** Presses keys in turn, `times` presses in all. */
async function pressEach(page: Page, keys: readonly string[], times: number): Promise<void> {
  for (let at = 0; at < times; at++) {
    await page.keyboard.press(keys[at % keys.length] ?? "");
    await pause();
  }
}

/** Proves that each key does something here: a key that does nothing would be quick. */
async function proveKeys(page: Page, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const before = await page.evaluate(() => document.querySelector("#main")?.innerHTML);
    await page.keyboard.press(key);
    await page.waitForFunction((before) => document.querySelector("#main")?.innerHTML !== before, before);
  }
}

function pause(): Promise<void> {
  return setTimeout(PAUSE.least + Math.random() * (PAUSE.most - PAUSE.least));
}

/** The middle of each link of the rail, determined before the presses. */
async function placesOf(page: Page, names: readonly string[]): Promise<{ x: number; y: number }[]> {
  const rail = page.getByRole("navigation").first();
  return Promise.all(
    names.map(async (name) => {
      const link = rail.getByRole("link", { name: new RegExp(`^${name}`, "i") }).first();
      const box = await link.boundingBox();
      if (!box) throw new Error(`${name} is not in sight`);
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    }),
  );
}

interface Interactions {
  interactions: number[];
}

function takeInteractions(page: Page): Promise<number[]> {
  return page.evaluate(() => (globalThis as unknown as Interactions).interactions.splice(0));
}

/**
 * Records each key and press: from the event's own time stamp to the end of the frame after it. It is sent to the page
 * as text.
 */
function watchInteractions(): void {
  const interactions: number[] = [];
  Object.assign(globalThis, { interactions });
  const note = ({ timeStamp }: Event): void => {
    requestAnimationFrame(() => {
      // Runs before everything else that waits for this frame.
      void scheduler.postTask(() => interactions.push(performance.now() - timeStamp), { priority: "user-blocking" });
    });
  };
  for (const kind of ["keydown", "click"]) addEventListener(kind, note, { capture: true });
}
