import type { Page } from "@playwright/test";
import { firstRowMs, openWatched, startAppServer } from "../app-server";
import type { BenchCase, Measurement } from "../bench-case";
import { serveBareList } from "../bare-list";

const STORED = 100_000;
const WHEEL_STEPS = { whole: 400, quick: 100 };
const WHEEL_PX = 240;
const FLING_PX = 60_000;
/** The speed of a thumb's fling, pixels a second. */
const FLING_SPEED = 8_000;
/** After this time, ms, at least one frame was dropped. */
const DROPPED_AFTER_MS = 1.5 * (1_000 / 60);
const BUDGET_DROPPED = 1;

interface Frames {
  /** Times between frames, ms. */
  gaps: number[];
  /** Number of frames with no message in their middle. */
  blank: number;
}

/** Measures scrolling through many stored messages. */
export const scrollCase: BenchCase = {
  name: "scroll",
  about: `wheel and fling through ${STORED} stored, against a static list that scrolls the same way`,
  async run({ browser, server: bare, isQuick, note }) {
    const server = await startAppServer();
    const context = await browser.newContext();
    note("filling");
    await server.fill(context, { topics: ["backup", "doors"], count: STORED });
    const page = await openWatched(context);
    await page.goto(server.url);
    await firstRowMs(page);
    await page.getByRole("main").getByText("Live", { exact: true }).waitFor();
    const list = await openWatched(context);
    await list.goto(serveBareList(bare));
    const steps = isQuick ? WHEEL_STEPS.quick : WHEEL_STEPS.whole;
    const measurements: Measurement[] = [];
    for (const kind of ["wheel", "fling"] as const) {
      note(kind);
      const scroll = kind === "wheel" ? (on: Page) => wheel(on, steps) : fling;
      await list.bringToFront();
      const floor = await framesWhile(list, scroll);
      await page.bringToFront();
      const frames = await framesWhile(page, scroll);
      measurements.push(
        {
          name: `${kind}: frames dropped`,
          unit: "%",
          floor: [droppedOf(floor)],
          measured: [droppedOf(frames)],
          budget: { kind: "above", atMost: BUDGET_DROPPED },
        },
        { name: `${kind}: longest frame`, floor: [Math.max(...floor.gaps)], measured: [Math.max(...frames.gaps)] },
        { name: `${kind}: blank frames`, unit: "", measured: [frames.blank], budget: { kind: "value", atMost: 0 } },
      );
    }
    await context.close();
    await server.close();
    return measurements;
  },
};

const droppedOf = ({ gaps }: Frames): number =>
  (100 * gaps.filter((gap) => gap > DROPPED_AFTER_MS).length) / gaps.length;

async function wheel(page: Page, steps: number): Promise<void> {
  await page.mouse.move(600, 400);
  for (let step = 0; step < steps; step++) await page.mouse.wheel(0, WHEEL_PX);
}

async function fling(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Input.synthesizeScrollGesture", {
    x: 600,
    y: 400,
    yDistance: -FLING_PX,
    speed: FLING_SPEED,
    // A finger scrolls nothing in a browser that knows of no touch screen.
    gestureSourceType: "mouse",
  });
  await session.detach();
}

/** Records every frame while something is done. */
async function framesWhile(page: Page, run: (page: Page) => Promise<void>): Promise<Frames> {
  await page.evaluate(() => {
    const frames: Frames = { gaps: [], blank: 0 };
    let last: number | undefined;
    let isOver = false;
    const frame = (now: number): void => {
      if (last !== undefined) frames.gaps.push(now - last);
      last = now;
      const middle = document.elementsFromPoint(innerWidth / 2, innerHeight / 2);
      // An item of the list, with the space around it: a message, or the line of a day.
      if (!middle.some((element) => element.closest(".item, li"))) frames.blank += 1;
      if (!isOver) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    Object.assign(globalThis, { endFrames: () => ((isOver = true), frames) });
  });
  await run(page);
  return page.evaluate(() => (globalThis as unknown as { endFrames: () => Frames }).endFrames());
}
