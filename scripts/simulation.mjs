// The simulation: npm run test:simulation -- --seeds N [--seed S] [--trace] [--workers N] [--devices] [--long] [--breaks [--only WORDS]]
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { build } from "vite";
import { BREAKS } from "../tests/simulation/breaks.mjs";
import { ENGINE_FOR_TESTS, LITTLE_INLINING } from "./setup.mjs";
import { ROOT } from "./source-hash.mjs";

const OUT = join(ROOT, ".cache", "simulation");

/** Failing seeds shown in full. */
const MAX_SHOWN = 5;

/** While a page is visible, 95 % of delayed messages are stored within this time after they can be received, ms. */
const LATE_MS = 2_000;
const LATE_SHARE = 0.05;

/**
 * Other times, by cause, ms. When the server's ration is used up, the app sends a request every 6 s; with two sign-ins,
 * these are two streams and two polls. Forgotten connections show only as silence, which is checked every 20 s.
 * @type {Record<string, number>}
 */
const LATE_BY_CAUSE_MS = {
  "stream cut, ration used up": 4 * 6_000 + LATE_MS,
  "connections forgotten": 30_000,
  "stream alone forgotten": 30_000,
};

/**
 * Whether more are late than chance explains if one in twenty is: with few samples, the 95th percentile is little more
 * than the longest. Within two standard deviations, up to 6 of 57 may be late, and up to 28 of 400.
 * @param {number} late
 * @param {number} all
 */
const areTooManyLate = (late, all) => late > LATE_SHARE * all + 2 * Math.sqrt(LATE_SHARE * (1 - LATE_SHARE) * all);

/** Most code runs too seldom to be optimised. */
const ENGINE = [...ENGINE_FOR_TESTS, "--always-sparkplug", LITTLE_INLINING];

/** Stacks cost a tenth of the time, so only who traces a failure gets them. */
const STACKLESS = "--stack-trace-limit=0";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    workers: { type: "string" },
    devices: { type: "boolean", default: false },
    long: { type: "boolean", default: false },
    trace: { type: "boolean", default: false },
    breaks: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    hashes: { type: "boolean", default: false },
  },
});

/**
 * Bundles everything into one file, so that lazy loading takes no time outside the simulation's control.
 * @param {string} outDir
 * @param {import("vite").Plugin[]} [plugins]
 */
async function bundle(outDir, plugins = []) {
  mkdirSync(outDir, { recursive: true });
  await build({
    configFile: false,
    root: ROOT,
    logLevel: "error",
    plugins,
    ssr: { noExternal: true },
    build: {
      ssr: join(ROOT, "tests", "simulation", "main.ts"),
      outDir,
      emptyOutDir: true,
      target: "node20",
      minify: false,
      // Files that only change the platform are left out otherwise, as package.json doesn't name them.
      rolldownOptions: {
        treeshake: false,
        output: { entryFileNames: "main.mjs", codeSplitting: false },
      },
    },
  });
  return join(outDir, "main.mjs");
}

/**
 * @typedef {{ seed: number, hash: string, broken?: { rule: string, text: string }, steps: string[], faults: [string, number][], lateness: [string, number][], figures: Record<string, number>, lastLines: string[] }} Outcome
 * @param {string} file
 * @param {number} first
 * @param {number} count
 * @param {number} step
 * @param {boolean} isGroup the lives are those of several devices
 * @param {(outcome: Outcome) => void} hear
 * @returns {Promise<void>}
 */
function play(file, first, count, step, isGroup, hear) {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, TZ: "UTC", ...(values.trace && { SIMULATION_TRACE: "1" }) };
    const flags = values.trace ? ENGINE : [...ENGINE, STACKLESS];
    const kind = [isGroup ? "devices" : "device", values.long ? "long" : "short"];
    const child = spawn(process.execPath, [...flags, file, ...[first, count, step].map(String), ...kind], {
      stdio: ["ignore", "pipe", "inherit"],
      env,
    });
    createInterface({ input: child.stdout }).on("line", (line) => hear(JSON.parse(line)));
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`seeds from ${first}: exit code ${code}`))));
  });
}

/**
 * Applies a break to the bundled copy, never to the source file.
 * @param {import("../tests/simulation/breaks.mjs").Break} change
 * @returns {import("vite").Plugin}
 */
function breaking({ file, find, replace }) {
  let isApplied = false;
  return {
    name: "break",
    enforce: "pre",
    transform(code, id) {
      if (id !== join(ROOT, file)) return undefined;
      if (!code.includes(find)) throw new Error(`${file} no longer holds: ${find}`);
      isApplied = true;
      return code.replace(find, () => replace);
    },
    buildEnd(error) {
      if (!error && !isApplied) this.error(`${file} is not part of the simulation`);
    },
  };
}

/** How many seeds run at a time, until one of them detects the break. */
const BREAK_BLOCK = 4;

/**
 * Breaks each rule in turn, or those that match `--only`. @param {number} most seeds within which each must be detected
 */
async function tryBreaks(most) {
  let noticed = 0;
  const chosen = BREAKS.filter(({ why, isGroup }) => why.includes(values.only) && (isGroup || !values.devices));
  if (chosen.length === 0) throw new Error(`no break is called ${values.only}`);
  for (const change of chosen) {
    const directory = mkdtempSync(join(tmpdir(), "earshot-break-"));
    try {
      const broken = await bundle(directory, [breaking(change)]);
      /** @type {Outcome[]} */
      const outcomes = [];
      for (let from = 1; from <= most && !outcomes.some((outcome) => outcome.broken); from += BREAK_BLOCK) {
        await play(broken, from, Math.min(BREAK_BLOCK, most - from + 1), 1, change.isGroup ?? false, (outcome) =>
          outcomes.push(outcome),
        );
      }
      const first = outcomes.sort((a, b) => a.seed - b.seed).find((outcome) => outcome.broken);
      if (first) noticed += 1;
      const result = first ? `"${first.broken?.rule}" broken by seed ${first.seed}` : `NOT NOTICED by ${most} seeds`;
      console.log(`${change.why} (${change.file}): ${result}`);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }
  console.log(`\n${noticed} passed, ${chosen.length - noticed} failed`);
  process.exit(noticed === chosen.length ? 0 : 1);
}

const seeds = Number(values.seeds);
if (values.breaks) await tryBreaks(seeds);
const first = Number(values.seed);
const workers = Math.min(seeds, Number(values.workers ?? availableParallelism()));
const startedAtMs = performance.now();
/** @type {Map<string, number>} */
const faults = new Map();
/** @type {Record<string, number>} */
const figures = {};
/** @type {[seed: number, hash: string][]} */
const hashes = [];
/** How late messages came, ms, with their seeds, by cause. @type {Map<string, { ms: number, seed: number }[]>} */
const lateness = new Map();
let passed = 0;
let failed = 0;

const file = await bundle(OUT);
try {
  await Promise.all(
    Array.from({ length: workers }, (_, at) =>
      play(file, first + at, Math.ceil((seeds - at) / workers), workers, values.devices, (outcome) => {
        for (const [kind, count] of outcome.faults) faults.set(kind, (faults.get(kind) ?? 0) + count);
        for (const [name, value] of Object.entries(outcome.figures)) figures[name] = (figures[name] ?? 0) + value;
        hashes.push([outcome.seed, outcome.hash]);
        const { seed } = outcome;
        for (const [what, ms] of outcome.lateness) lateness.set(what, [...(lateness.get(what) ?? []), { ms, seed }]);
        if (!outcome.broken) {
          passed += 1;
          return;
        }
        failed += 1;
        if (failed > MAX_SHOWN) return console.log(`seed ${outcome.seed}: ${outcome.broken.rule}`);
        console.log(`seed ${outcome.seed} (${outcome.hash}): ${outcome.broken.rule}: ${outcome.broken.text}`);
        console.log(
          `  again: npm run test:simulation -- ${values.devices ? "--devices " : ""}${values.long ? "--long " : ""}--seeds 1 --seed ${outcome.seed} --trace`,
        );
      }),
    ),
  );
} catch (error) {
  failed += 1;
  console.log(error instanceof Error ? error.message : error);
}

if (values.hashes) {
  for (const [seed, hash] of hashes.sort(([a], [b]) => a - b)) console.log(`seed ${seed} is ${hash}`);
}
const seconds = (performance.now() - startedAtMs) / 1_000;
console.log(
  `${seeds} seeds in ${seconds.toFixed(0)} s, ${((figures.virtualMs ?? 0) / 3_600_000).toFixed(0)} hours of virtual time`,
);
console.log(
  `${figures.published} published, ${figures.stored} stored, ${figures.requests} requests, ${figures.tasks} tasks`,
);
for (const [kind, count] of [...faults].sort(([one, a], [other, b]) => b - a || one.localeCompare(other)))
  console.log(`  ${String(count).padStart(8)} ${kind}`);
for (const [what, late] of [...lateness].sort(([a], [b]) => a.localeCompare(b))) {
  late.sort((a, b) => a.ms - b.ms);
  const at = (/** @type {number} */ share) => late[Math.min(late.length - 1, Math.floor(late.length * share))]?.ms ?? 0;
  const lateMs = LATE_BY_CAUSE_MS[what] ?? LATE_MS;
  const isLate = areTooManyLate(late.filter(({ ms }) => ms > lateMs).length, late.length);
  if (isLate) failed += 1;
  else passed += 1;
  console.log(
    `${isLate ? "TOO LATE: " : ""}${what}: median ${at(0.5)} ms, 95th percentile ${at(0.95)}, longest ${at(1)} (seed ${late.at(-1)?.seed}), of ${late.length}`,
  );
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
