import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext, BrowserType } from "@playwright/test";
import { firstRowMs, openWatched, startAppServer, untilKept, untilSnapshot, type AppServer } from "../app-server";
import type { BenchCase, Measurement } from "../bench-case";
import { launchOptions } from "../launch-options";

const SIZES = [100, 10_000, 100_000];
const ROUNDS = { whole: 9, quick: 3 };
/** The number of rows on a first screen. */
const FLOOR_ROWS = 20;

/** What a profile is opened for, each time in a new process of the browser. */
const OPENED = ["static page", "bare rows", "feed"] as const;
type Opened = (typeof OPENED)[number];

/**
 * Measures a feed in a browser that was just started, with its files on a warm disk. The bare rows are the newest ones out of
 * the same database, drawn by hand: what grows in both is the browser's, what grows in the feed alone is the app's.
 */
export const justStartedCase: BenchCase = {
  name: "just-started",
  about: "navigation to newest message visible in a browser that was just started, by messages stored",
  async run({ browser, server: bare, isQuick, note }) {
    const type = browser.browserType();
    const server = await startAppServer();
    const rows = Array.from({ length: FLOOR_ROWS }, (_, at) => `<article><h3>Message ${at}</h3><p>Text</p></article>`);
    bare.serve("/just-started/", { type: "text/html", body: `<!doctype html><title>static</title>${rows.join("")}` });
    const urls: Record<Opened, string> = {
      "static page": `${bare.url}/just-started/`,
      "bare rows": `${server.url}plain-rows/plain-rows.html`,
      feed: server.url,
    };
    const measurements: Measurement[] = [];
    for (const size of SIZES) {
      note(`filling ${size}`);
      const profile = await mkdtemp(join(tmpdir(), "earshot-bench-"));
      await withProfile(type, profile, (context) => fill(context, server, size));
      const found: Record<Opened, number[]> = { "static page": [], "bare rows": [], feed: [] };
      const rounds = isQuick ? ROUNDS.quick : ROUNDS.whole;
      // The first round fills caches of the disk.
      for (let round = -1; round < rounds; round++) {
        note(`${size} stored: round ${round + 1} of ${rounds}`);
        for (const opened of OPENED) {
          const ms = await withProfile(type, profile, async (context) => {
            const page = await openWatched(context);
            await page.goto(urls[opened]);
            return firstRowMs(page);
          });
          if (round >= 0) found[opened].push(ms);
        }
      }
      await rm(profile, { recursive: true });
      for (const opened of OPENED) {
        measurements.push({
          name: `${size}: ${opened}`,
          measured: found[opened],
          ...(opened !== "static page" && { floor: found["static page"] }),
          at: { line: opened, size },
        });
      }
    }
    await server.close();
    return measurements;
  },
};

/** Runs something in a new process of the browser with this profile. */
async function withProfile<Value>(
  type: BrowserType,
  profile: string,
  work: (context: BrowserContext) => Promise<Value>,
): Promise<Value> {
  const context = await type.launchPersistentContext(profile, launchOptions());
  try {
    return await work(context);
  } finally {
    await context.close();
  }
}

/** Stores messages, and opens the app until it works offline and has kept a snapshot. */
async function fill(context: BrowserContext, server: AppServer, count: number): Promise<void> {
  await server.fill(context, { topics: ["backup", "doors", "disks"], count, indexed: true });
  const page = await context.newPage();
  await page.goto(server.url);
  await page.getByRole("main").getByText("Live", { exact: true }).waitFor();
  await untilKept(page);
  await untilSnapshot(page);
}
