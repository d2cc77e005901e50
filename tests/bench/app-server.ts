import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Browser, BrowserContext, Page } from "@playwright/test";
import { ROOT } from "../../scripts/source-hash.mjs";
import {
  startServer,
  systemClock,
  type HostClock,
  type RequestEntry,
  type ServerOptions,
  type TopicServer,
} from "../../src/server";
import { bundle } from "./bundle";
import type { FillJob } from "./pages/fill";
import { APP, FIRST_ROW, NAMES_FOR_PAGES, watchTimes } from "./watch-times";

type StorageState = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** Limits so high that no benchmark meets one. */
const LIMITS = { requests: 1_000_000, requestRefill: 0.001, streams: 1_000, streamBufferBytes: 256 * 1024 * 1024 };

/** Time after which a page counts as hung, ms. */
const LONGEST_MS = 120_000;

/** The embedded server with the built app, and a page beside the app that fills the database. */
export interface AppServer {
  running: TopicServer;
  /** Address; it ends in a slash, and a fragment can follow. */
  url: string;
  /** Requests that were answered since the beginning, with the time of the answer on the clock of `performance.now()`. */
  requests: (RequestEntry & { atMs: number })[];
  /**
   * Fills the database of a context in which the app has not been opened yet.
   * @param isOutdated a message comes after the snapshot
   */
  fill(context: BrowserContext, job: Omit<FillJob, "address">, snapshot?: unknown, isOutdated?: boolean): Promise<void>;
  close(): Promise<void>;
}

/** Path of the pages beside the app. They are on its origin, as they use its database. */
const PAGES = ["fill", "plain-rows", "svelte-rows"] as const;

/** Starts it on a free port. */
export async function startAppServer(options: ServerOptions = {}, clock: HostClock = systemClock): Promise<AppServer> {
  const cache = join(ROOT, ".cache", "bench");
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "app-"));
  await cp(join(ROOT, "dist"), folder, { recursive: true });
  for (const name of PAGES) {
    await mkdir(join(folder, name));
    for (const [file, content] of await bundle(new URL(`pages/${name}.ts`, import.meta.url))) {
      await writeFile(join(folder, name, file), content);
    }
    const page = `<!doctype html><title>${name}</title><body><script type="module" src="./entry.js"></script>`;
    await writeFile(join(folder, name, `${name}.html`), page);
  }
  const requests: AppServer["requests"] = [];
  const running = await startServer(
    { app: folder, limits: LIMITS, port: 0, ...options },
    { clock, log: (entry) => requests.push({ ...entry, atMs: performance.now() }) },
  );
  const url = `${running.url}/`;
  return {
    running,
    url,
    requests,
    async fill(context, job, snapshot, isOutdated = false) {
      const page = await context.newPage();
      await page.goto(`${url}fill/fill.html`);
      await page.waitForFunction(() => document.title === "ready");
      const stored = await page.evaluate((job) => globalThis.fill?.(job), { ...job, address: running.url });
      if (stored !== job.count) throw new Error(`${stored} of ${job.count} were filled in`);
      if (snapshot !== undefined) await page.evaluate(putSnapshot, snapshot);
      if (isOutdated && (await page.evaluate(() => globalThis.receiveOne?.())) !== 1)
        throw new Error("No message came.");
      await page.close();
    },
    async close() {
      await running.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Runs in a page. */
function putSnapshot(snapshot: unknown): Promise<void> {
  return new Promise((resolve) => {
    const open = indexedDB.open("earshot");
    open.onsuccess = () => {
      const transaction = open.result.transaction("snapshots", "readwrite");
      transaction.objectStore("snapshots").put(snapshot);
      transaction.oncomplete = () => (open.result.close(), resolve());
    };
  });
}

/** What each page reports. It reports without being asked, as asking costs some 15 ms of work during its start. */
const told = new WeakMap<Page, Record<typeof FIRST_ROW | typeof APP, Promise<number>>>();

/** Opens a page that records its times from its first script on; see `watchTimes`. */
export async function openWatched(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.addInitScript({ content: NAMES_FOR_PAGES });
  await page.addInitScript(watchTimes, [FIRST_ROW, APP] as const);
  const heard = (what: string): Promise<number> =>
    new Promise((resolve) => {
      page.on("console", (message) => {
        const text = message.text();
        if (text.startsWith(what)) resolve(Number(text.slice(what.length)));
      });
    });
  told.set(page, { [FIRST_ROW]: heard(FIRST_ROW), [APP]: heard(APP) });
  return page;
}

/**
 * Waits until messages are in the feed and their frame was drawn; resolves to milliseconds since the navigation began.
 */
export const firstRowMs = (page: Page): Promise<number> => heardOf(page, FIRST_ROW);

/** Waits until the app's own buttons are above the feed, so that all of it works; resolves to milliseconds as above. */
export const appMs = (page: Page): Promise<number> => heardOf(page, APP);

async function heardOf(page: Page, what: typeof FIRST_ROW | typeof APP): Promise<number> {
  const ms = await Promise.race([told.get(page)?.[what], setTimeout(LONGEST_MS, undefined, { ref: false })]);
  if (ms === undefined) throw new Error(`No ${what} was heard of the page.`);
  return ms;
}

/** Subscribes on the page that a link opens. */
export async function subscribe(page: Page, server: AppServer, topics: readonly string[]): Promise<void> {
  await page.goto(`${server.url}#/${topics.join(",")}`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.getByRole("main").getByText("Live", { exact: true }).waitFor();
}

/** What a device on which the app has run stores besides its messages: local storage, and the snapshot of its first screen. */
export interface Visited {
  state: StorageState;
  snapshot: unknown;
}

/** Runs the app until it has kept a snapshot. */
export async function visitedState(browser: Browser, server: AppServer, count: number): Promise<Visited> {
  const context = await browser.newContext({ serviceWorkers: "block" });
  await server.fill(context, { topics: ["backup"], count });
  const page = await context.newPage();
  await page.goto(server.url);
  const snapshot = await untilSnapshot(page);
  const state = await context.storageState();
  await context.close();
  return { state, snapshot };
}

/** Waits until the page has kept a snapshot of its first screen, and returns it. */
export async function untilSnapshot(page: Page): Promise<unknown> {
  for (const endMs = performance.now() + LONGEST_MS; performance.now() < endMs; await setTimeout(200)) {
    const snapshot = await page.evaluate(readSnapshot);
    if (snapshot !== undefined) return snapshot;
  }
  throw new Error("The page kept no snapshot.");
}

/** Runs in a page. */
function readSnapshot(): Promise<unknown> {
  return new Promise((resolve) => {
    const open = indexedDB.open("earshot");
    open.onsuccess = () => {
      const all = open.result.transaction("snapshots").objectStore("snapshots").getAll();
      all.onsuccess = () => (open.result.close(), resolve(all.result[0]));
    };
  });
}

/**
 * Waits until the service worker has fetched and stored all files. A visit begins with that only once, and most visits
 * don't need it.
 */
export async function untilKept(page: Page): Promise<void> {
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
}

/** Heap of the page after a collection, bytes, and how many nodes its document has. */
export async function memoryOf(page: Page): Promise<{ heap: number; nodes: number }> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.enable");
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  const nodes = await page.evaluate(() => document.querySelectorAll("*").length);
  await session.detach();
  return { heap: usedSize, nodes };
}
