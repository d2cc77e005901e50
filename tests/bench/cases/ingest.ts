import type { Page } from "@playwright/test";
import type { BenchCase, BenchContext, Measurement } from "../bench-case";
import { serveBundle } from "../bundle";
import { backlog } from "../messages";
import type { IngestJob, IngestTimes } from "../pages/ingest-worker";

const BACKLOG = 10_000;
const STORED_BEFORE = 100_000;

/** The store is filled in pieces of this size, as the replays of a real server would fill it over time. */
const FILL_PIECE = 20_000;

const ROUNDS = { whole: 11, quick: 2 };

/** The browser compacts its files after so many writes; this pause, ms, keeps the work of one run out of the next. */
const SETTLE_MS = 1_000;

const FIRST_TIME = 1_760_000_000;

/**
 * Measures the ingest of a backlog: the hub's path (poll, decode, ingest, announce) against fetch, split, parse, put.
 */
export const ingestCase: BenchCase = {
  name: "ingest",
  about: `${BACKLOG} messages by one poll, against the bare floor (fetch, split, parse, put)`,
  async run(context) {
    const { server, browser } = context;
    const script = await serveBundle(server, "ingest", new URL("../pages/ingest-worker.ts", import.meta.url));
    server.serve("/ingest/", { type: "text/html", body: "<!doctype html><title>ingest</title>" });
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${server.url}/ingest/`);
    return [await measureEmpty(context, page, script), await measureFilled(context, page, script)];
  },
};

async function measureEmpty(context: BenchContext, page: Page, script: string): Promise<Measurement> {
  const result = emptyMeasurement("10,000 with nothing stored");
  const topic = "t0";
  serveBacklog(context, topic, BACKLOG, FIRST_TIME);
  const rounds = context.isQuick ? ROUNDS.quick : ROUNDS.whole;
  // The first round warms up: the code gets compiled, and the browser starts its processes.
  for (let round = -1; round < rounds; round++) {
    for (const kind of order(round)) {
      const database = `empty-${kind}`;
      await page.evaluate(deleteDatabase, database);
      const times = await runJob(page, script, { kind, database, url: context.server.url, topic }, BACKLOG);
      if (round >= 0) record(result, kind, times);
    }
    context.note(`${result.name}: round ${round + 1} of ${rounds}`);
  }
  return result;
}

async function measureFilled(context: BenchContext, page: Page, script: string): Promise<Measurement> {
  const result = emptyMeasurement("10,000 with 100,000 stored");
  const { url } = context.server;
  const rounds = context.isQuick ? ROUNDS.quick : ROUNDS.whole;
  for (let at = 0; at < STORED_BEFORE; at += FILL_PIECE) {
    serveBacklog(context, "filled", FILL_PIECE, FIRST_TIME + at);
    for (const kind of ["floor", "measured"] as const) {
      await runJob(page, script, { kind, database: `filled-${kind}`, url, topic: "filled" }, FILL_PIECE);
    }
    context.note(`${result.name}: filled ${at + FILL_PIECE}`);
  }
  for (let round = -1; round < rounds; round++) {
    serveBacklog(context, "filled", BACKLOG, FIRST_TIME + STORED_BEFORE + (round + 1) * BACKLOG);
    for (const kind of order(round)) {
      const job = { kind, database: `filled-${kind}`, url, topic: "filled" };
      const times = await runJob(page, script, job, BACKLOG);
      if (round >= 0) record(result, kind, times);
    }
    context.note(`${result.name}: round ${round + 1} of ${rounds}`);
  }
  return result;
}

function emptyMeasurement(name: string): Measurement & { floor: number[]; beside: { newestVisible: number[] } } {
  return { name, floor: [], measured: [], budget: { kind: "times", atMost: 1.5 }, beside: { newestVisible: [] } };
}

/** Alternates from round to round which goes first. */
function order(round: number): IngestJob["kind"][] {
  return round % 2 === 0 ? ["floor", "measured"] : ["measured", "floor"];
}

function record(result: ReturnType<typeof emptyMeasurement>, kind: IngestJob["kind"], times: IngestTimes): void {
  if (kind === "floor") result.floor.push(times.totalMs);
  else {
    result.measured.push(times.totalMs);
    result.beside.newestVisible.push(times.newestMs);
  }
}

function serveBacklog({ server }: BenchContext, topic: string, count: number, firstTime: number): void {
  server.serve(`/${topic}/json`, {
    type: "application/x-ndjson; charset=utf-8",
    body: backlog(topic, count, firstTime),
  });
}

async function runJob(page: Page, script: string, job: IngestJob, expected: number): Promise<IngestTimes> {
  const times = await page.evaluate(runInWorker, { script, job });
  await page.waitForTimeout(SETTLE_MS);
  if (times.stored !== expected) throw new Error(`${times.stored} of ${expected} messages were stored`);
  return times;
}

function runInWorker({ script, job }: { script: string; job: IngestJob }): Promise<IngestTimes> {
  const worker = new Worker(script, { type: "module" });
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<{ times: IngestTimes } | { error: string }>) => {
      worker.terminate();
      if ("times" in data) resolve(data.times);
      else reject(new Error(data.error));
    };
    worker.onerror = (event) => reject(new Error(event.message));
    worker.postMessage(job);
  });
}

function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(new Error(`can't delete ${name}`));
  });
}
