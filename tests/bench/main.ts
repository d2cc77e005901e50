import { mkdir, writeFile } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { chromium } from "@playwright/test";
import { BROWSER_ARGS } from "../../scripts/browser.mjs";
import type { BenchCase, Measurement } from "./bench-case";
import { ingestCase } from "./cases/ingest";
import { startLoopbackServer } from "./loopback-server";
import { summaryOf, type Summary } from "./statistics";

const CASES: readonly BenchCase[] = [ingestCase];

const RESULTS = new URL("../../.cache/bench/", import.meta.url);

/** Load that a case makes by itself: the browser's processes take turns. */
const OWN_LOAD = 1;

/** What one measurement came to. */
interface Figure {
  name: string;
  floor: Summary;
  measured: Summary;
  /** Median against median. */
  ratio: number;
  /** Round against round, as a spread. */
  ratios: Summary;
  atMost: number;
  beside: Record<string, Summary>;
}

const { values } = parseArgs({ options: { only: { type: "string" }, quick: { type: "boolean", default: false } } });
const chosen = CASES.filter(({ name }) => values.only === undefined || name === values.only);
if (chosen.length === 0) {
  console.error(`There is no case ${values.only}; there are: ${CASES.map(({ name }) => name).join(", ")}`);
  process.exit(1);
}

const isWithin: boolean[] = [];
for (const one of chosen) {
  const measurements = await measure(one);
  const figures = measurements.map(figureOf);
  console.log(table(figures));
  const cores = cpus().length;
  const [load = 0] = loadavg();
  if (load > cores + OWN_LOAD)
    console.log(`The machine is busy (load ${load.toFixed(1)}, ${cores} cores): rough figures.`);
  await mkdir(RESULTS, { recursive: true });
  const file = new URL(`${one.name}.json`, RESULTS);
  const report = { case: one.name, about: one.about, quick: values.quick, cores, load, figures, measurements };
  await writeFile(file, `${JSON.stringify(report, undefined, 2)}\n`);
  console.log(`All values: ${file.pathname}\n`);
  isWithin.push(...figures.map(({ ratio, atMost }) => ratio <= atMost));
}
process.exitCode = isWithin.every(Boolean) ? 0 : 1;

async function measure(one: BenchCase): Promise<Measurement[]> {
  console.log(`\n${one.name}: ${one.about}`);
  const server = await startLoopbackServer();
  const executablePath = process.env["CHROMIUM_PATH"];
  const browser = await chromium.launch({ args: BROWSER_ARGS, ...(executablePath && { executablePath }) });
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

function figureOf({ name, floorMs, measuredMs, atMost, beside = {} }: Measurement): Figure {
  const [floor, measured] = [summaryOf(floorMs), summaryOf(measuredMs)];
  return {
    name,
    floor,
    measured,
    ratio: measured.median / floor.median,
    ratios: summaryOf(measuredMs.map((value, at) => value / (floorMs[at] ?? NaN))),
    atMost,
    beside: Object.fromEntries(Object.entries(beside).map(([what, times]) => [what, summaryOf(times)])),
  };
}

function table(figures: readonly Figure[]): string {
  const ms = ({ median, min, max }: Summary) => `${median.toFixed(0)} ms (${min.toFixed(0)}–${max.toFixed(0)})`;
  const rows = figures.flatMap((figure) => [
    [
      figure.name,
      ms(figure.floor),
      ms(figure.measured),
      `${figure.ratio.toFixed(2)} (${figure.ratios.min.toFixed(2)}–${figure.ratios.max.toFixed(2)})`,
      `${figure.atMost.toFixed(1)} ${figure.ratio <= figure.atMost ? "met" : "MISSED"}`,
    ],
    ...Object.entries(figure.beside).map(([what, times]) => [`  ${what}`, "", ms(times), "", ""]),
  ]);
  const all = [["", "floor", "measured", "ratio", "at most"], ...rows];
  const widths = (all[0] ?? []).map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
