import { readFileSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "@playwright/test";
import { openWatched, startAppServer } from "../app-server";
import type { BenchCase, Measurement } from "../bench-case";

const COUNT = { whole: 100_000, quick: 10_000 };
const MB = 1_000_000;

/** How often the browser's memory is read, ms. */
const EVERY_MS = 100;

/** How long it is read before, ms, to know what there is without the work. */
const BEFORE_MS = 2_000;

/** Search packs are written by then, ms. */
const PACKED_AFTER_MS = 45_000;

/** An import of 100,000 messages takes a while on a slow machine, ms. */
const PATIENCE_MS = 240_000;

/** Measures a backup of many messages out of one profile and into another: the time, and the memory of the whole browser. */
export const backupCase: BenchCase = {
  name: "backup",
  about: "a backup written, read and taken over: time, file, and how far the browser's memory rises meanwhile",
  async run({ browser, isQuick, note }) {
    const count = isQuick ? COUNT.quick : COUNT.whole;
    const folder = await mkdtemp(join(tmpdir(), "earshot-bench-"));
    const file = join(folder, "backup.jsonl");
    const server = await startAppServer();
    try {
      const from = await browser.newContext();
      note(`filling ${count}`);
      await server.fill(from, { topics: ["backup", "doors", "disks"], count });
      const page = await settings(await openWatched(from), server.url);
      note("writing");
      const out = await measured(browser, async () => {
        const download = page.waitForEvent("download", { timeout: PATIENCE_MS });
        await page.getByRole("button", { name: "Save backup" }).click();
        await (await download).saveAs(file);
      });
      await from.close();

      const into = await browser.newContext();
      const other = await settings(await openWatched(into), server.url);
      note("reading");
      const read = await measured(browser, async () => {
        await other.getByLabel("Choose a backup").setInputFiles(file);
        await other.getByRole("button", { name: "Import" }).waitFor({ timeout: PATIENCE_MS });
      });
      note("taking over");
      const taken = await measured(browser, async () => {
        await other.getByRole("button", { name: "Import" }).click();
        await other
          .getByText(`Imported, with ${count.toLocaleString("en-GB")} messages`)
          .waitFor({ timeout: PATIENCE_MS });
      });
      note("packing");
      // What search reads is written within half a minute.
      await other.waitForTimeout(PACKED_AFTER_MS);
      const usage = await other.evaluate(async () => (await navigator.storage.estimate()).usage ?? 0);
      await into.close();
      return [
        { name: `${count} messages, the file`, unit: "MB", measured: [statSync(file).size / MB] },
        { name: "stored, as the browser counts it", unit: "MB", measured: [usage / MB] },
        ...told("written", out),
        ...told("read", read),
        ...told("taken over", taken),
      ];
    } finally {
      await server.close();
      await rm(folder, { recursive: true });
    }
  },
};

interface Spent {
  ms: number;
  /** How far the memory of all processes of the browser rose above what it was before, bytes. */
  risen: number;
  /** The longest time that the browser's page didn't answer isn't measured here: `npm run e2e` watches long tasks. */
  before: number;
}

function told(what: string, { ms, risen, before }: Spent): Measurement[] {
  return [
    { name: `${what}, time`, measured: [ms] },
    {
      name: `${what}, memory above that before`,
      unit: "MB",
      measured: [risen / MB],
      beside: { before: [before / MB] },
    },
  ];
}

async function settings(page: Page, url: string): Promise<Page> {
  await page.goto(`${url}#/~settings/devices`);
  await page.getByRole("heading", { name: "Backup", exact: true }).waitFor();
  return page;
}

async function measured(browser: Browser, work: () => Promise<void>): Promise<Spent> {
  const session = await browser.newBrowserCDPSession();
  const memory = async (): Promise<number> => {
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    return processInfo.reduce((sum, { id }) => sum + memoryOf(id), 0);
  };
  let peak = 0;
  let isOver = false;
  await new Promise((resolve) => setTimeout(resolve, BEFORE_MS));
  const before = await memory();
  const watching = (async () => {
    while (!isOver) {
      peak = Math.max(peak, await memory());
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
  })();
  const start = performance.now();
  await work();
  const ms = performance.now() - start;
  isOver = true;
  await watching;
  await session.detach();
  return { ms, risen: Math.max(0, peak - before), before };
}

/** What a process has in memory by itself, and its share of what it has together with others, bytes; Linux tells it. */
function memoryOf(pid: number): number {
  try {
    const [, kilobytes] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8")) ?? [];
    return Number(kilobytes ?? 0) * 1_024;
  } catch (error) {
    // The process has ended, or this isn't Linux.
    if (error instanceof Error && "code" in error) return 0;
    throw error;
  }
}
