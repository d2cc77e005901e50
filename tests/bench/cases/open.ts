import type { BrowserContext, Page } from "@playwright/test";
import { firstRowMs, memoryOf, openWatched, startAppServer } from "../app-server";
import type { BenchCase, Measurement } from "../bench-case";

const SIZES = { whole: [100, 1_000, 10_000, 100_000, 1_000_000], quick: [100, 10_000, 100_000] };
const ROUNDS = { whole: 9, quick: 3 };

/** The smallest size, with which the others are compared. */
const FLOOR_SIZE = 100;
const BUDGET_TIMES = 1.2;
/** The largest size with a budget in the design; larger sizes are only reported. */
const BUDGET_SIZE = 100_000;
const KIB = 1_024;

/** Measures opening with much stored, against opening with little. */
export const openCase: BenchCase = {
  name: "open",
  about: "navigation to newest message visible, and memory, by messages stored, against 100",
  async run({ browser, isQuick, note }) {
    const server = await startAppServer();
    const sizes = isQuick ? SIZES.quick : SIZES.whole;
    const rounds = isQuick ? ROUNDS.quick : ROUNDS.whole;
    const contexts = new Map<number, BrowserContext>();
    const found = new Map(
      sizes.map((size) => [size, { ms: [] as number[], heap: [] as number[], nodes: [] as number[] }]),
    );
    for (const size of sizes) {
      note(`filling ${size}`);
      const context = await browser.newContext();
      await server.fill(context, { topics: ["backup", "doors", "disks"], count: size });
      contexts.set(size, context);
    }
    for (let round = -1; round < rounds; round++) {
      for (const [size, context] of contexts) {
        note(`round ${round + 1} of ${rounds}, ${size} stored`);
        const page = await openWatched(context);
        await page.goto(server.url);
        const ms = await firstRowMs(page);
        // The first round fills the browser's caches.
        if (round >= 0) {
          await waitUntilLive(page);
          const { heap, nodes } = await memoryOf(page);
          const own = found.get(size);
          own?.ms.push(ms);
          own?.heap.push(heap / KIB);
          own?.nodes.push(nodes);
        }
        await page.close();
      }
    }
    await server.close();
    const floor = found.get(FLOOR_SIZE);
    return [...found].flatMap(([size, { ms, heap, nodes }]): Measurement[] => {
      const compared = size > FLOOR_SIZE && floor;
      const budget =
        compared && size <= BUDGET_SIZE ? { budget: { kind: "times", atMost: BUDGET_TIMES } as const } : undefined;
      return [
        {
          name: `${size}: newest visible`,
          measured: ms,
          ...(compared && { floor: floor.ms }),
          ...budget,
          at: { line: "newest visible", size },
        },
        {
          name: `${size}: heap`,
          unit: "KB",
          measured: heap,
          ...(compared && { floor: floor.heap }),
          ...budget,
          at: { line: "heap", size },
        },
        {
          name: `${size}: DOM nodes`,
          unit: "",
          measured: nodes,
          ...(compared && { floor: floor.nodes }),
          at: { line: "DOM nodes", size },
        },
      ];
    });
  },
};

async function waitUntilLive(page: Page): Promise<void> {
  await page.getByRole("main").getByText("Live", { exact: true }).waitFor();
}
