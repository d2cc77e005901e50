import { mkdir, writeFile } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { chromium } from "@playwright/test";
import type { BenchCase, Measurement } from "./bench-case";
import { actionsCase } from "./cases/actions";
import { backupCase } from "./cases/backup";
import { backlogCase } from "./cases/backlog";
import { burstCase } from "./cases/burst";
import { ingestCase } from "./cases/ingest";
import { justStartedCase } from "./cases/just-started";
import { latencyCase } from "./cases/latency";
import { openCase } from "./cases/open";
import { resumeCase } from "./cases/resume";
import { retentionCase } from "./cases/retention";
import { scrollCase } from "./cases/scroll";
import { searchCase } from "./cases/search";
import { startCase } from "./cases/start";
import { tabsCase } from "./cases/tabs";
import { visitCase } from "./cases/visit";
import { figureOf, tableOf } from "./figure";
import { launchOptions } from "./launch-options";
import { startLoopbackServer } from "./loopback-server";
import { plotOf } from "./plot";

const CASES: readonly BenchCase[] = [
  visitCase,
  startCase,
  openCase,
  justStartedCase,
  ingestCase,
  backlogCase,
  burstCase,
  latencyCase,
  scrollCase,
  tabsCase,
  resumeCase,
  actionsCase,
  searchCase,
  retentionCase,
  backupCase,
];

const RESULTS = new URL("../../.cache/bench/", import.meta.url);

/** Load that a case causes by itself, as the browser's processes take turns. */
const OWN_LOAD = 1;

const { values } = parseArgs({ options: { only: { type: "string" }, quick: { type: "boolean", default: false } } });
const only = values.only?.split(",").map((name) => name.trim());
const unknown = only?.filter((name) => !CASES.some((one) => one.name === name)) ?? [];
if (unknown.length > 0) {
  console.error(`There is no case ${unknown.join(", ")}; there are: ${CASES.map(({ name }) => name).join(", ")}`);
  process.exit(1);
}
const chosen = CASES.filter(({ name }) => only?.includes(name) ?? true);

const missed: string[] = [];
for (const one of chosen) {
  const measurements = await measure(one);
  const figures = measurements.map(figureOf);
  console.log(tableOf(figures));
  const cores = cpus().length;
  const [load = 0] = loadavg();
  if (load > cores + OWN_LOAD)
    console.log(`The machine is busy (load ${load.toFixed(1)}, ${cores} cores): rough figures.`);
  await mkdir(RESULTS, { recursive: true });
  const file = new URL(`${one.name}.json`, RESULTS);
  const report = { case: one.name, about: one.about, quick: values.quick, cores, load, figures, measurements };
  await writeFile(file, `${JSON.stringify(report, undefined, 2)}\n`);
  console.log(`All values: ${file.pathname}`);
  const plot = plotOf(`${one.name}: ${one.about}`, figures);
  if (plot !== undefined) {
    const drawn = new URL(`${one.name}.svg`, RESULTS);
    await writeFile(drawn, plot);
    console.log(`Plot: ${drawn.pathname}`);
  }
  console.log("");
  missed.push(...figures.filter(({ isMet }) => isMet === false).map(({ name }) => `${one.name}: ${name}`));
}
for (const name of missed) console.log(`Missed: ${name}`);
process.exitCode = missed.length === 0 ? 0 : 1;

async function measure(one: BenchCase): Promise<Measurement[]> {
  console.log(`\n${one.name}: ${one.about}`);
  const server = await startLoopbackServer();
  const browser = await chromium.launch(launchOptions());
  try {
    const note = (text: string) => void process.stdout.write(process.stdout.isTTY ? `\r\x1b[K${text}` : "");
    const measurements = await one.run({ browser, server, isQuick: values.quick, note });
    note("");
    return measurements;
  } finally {
    await browser.close();
    await server.close();
  }
}
