// Runs all checks on a machine with only Node and a clone: installs what is missing, runs every step even if an earlier
// one failed, and ends with one line of totals.
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { join, relative } from "node:path";
import { ensureTestBrowsers } from "./browser.mjs";
import { BUILD, CHECK_COMPONENTS, ENGINE_FOR_TESTS, SetupError, TOOLS, ensurePackages, run } from "./setup.mjs";
import { ROOT, sourceHash } from "./source-hash.mjs";

/** Reports that the runners write. */
const REPORTS = join(ROOT, ".cache", "reports");

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 * @typedef {{ code: number, output: string }} Ended
 * @typedef {{ name: string, args: string[], env?: Record<string, string>, showsAll?: boolean, count: (ended: Ended) => Counts }} Step
 * `showsAll`: its output is shown even if it passed
 */

/** @type {Set<number>} */
const running = new Set();
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) {
  process.on(signal, () => {
    for (const pid of running) process.kill(-pid, signal);
    process.exit(130);
  });
}

/**
 * Counts a step as one check, by its exit code.
 * @param {Ended} ended
 * @returns {Counts}
 */
const asOne = ({ code }) => ({ passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 });

/**
 * A step that ends badly without naming a failure counts as failed too.
 * @param {Ended} ended
 * @param {Counts} counts
 * @returns {Counts}
 */
const atLeastOne = ({ code }, counts) => (code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts);

const CLOSING = /(?:^|\n)(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*$/;

/**
 * Reads the counts from the last line, `N passed, N failed[, N skipped]`.
 * @param {Ended} ended
 * @returns {Counts}
 */
function fromLastLine(ended) {
  const [, passed, failed, skipped] = CLOSING.exec(ended.output) ?? [];
  if (passed === undefined) return { passed: 0, failed: 1, skipped: 0 };
  return atLeastOne(ended, { passed: Number(passed), failed: Number(failed), skipped: Number(skipped ?? 0) });
}

/**
 * Reads the counts from a runner's report. No report, or one without tests, counts as a failure.
 * @param {string} file
 * @param {(report: any) => Counts} read
 * @returns {(ended: Ended) => Counts}
 */
const fromReport = (file, read) => (ended) => {
  const path = join(REPORTS, file);
  if (!existsSync(path)) return { passed: 0, failed: 1, skipped: 0 };
  const counts = read(JSON.parse(readFileSync(path, "utf8")));
  if (counts.passed + counts.failed === 0) return { ...counts, failed: 1 };
  return atLeastOne(ended, counts);
};

/** How long each test took, and which ones passed only when run again: both are printed at the end. */
const said = {
  /** @type {{ name: string, ms: number }[]} */
  took: [],
  /** @type {string[]} */
  flaky: [],
};

const unitReport = join(REPORTS, "unit.json");
const e2eReport = join(REPORTS, "e2e.json");

/** @type {Step} */
const format = {
  name: "format",
  // Two threads would each have to compile what formats components.
  args: [...ENGINE_FOR_TESTS, TOOLS.oxfmt, "--check", "--threads=1"],
  count: asOne,
};
/** @type {Step} */
const lint = { name: "lint", args: [join("scripts", "lint.mjs")], count: asOne };
/** The types of components; those of scripts are checked with lint. @type {Step} */
const types = { name: "types", args: CHECK_COMPONENTS, count: asOne };
/**
 * Property tests draw the same values in every run of the same sources, so a failure recurs.
 * @type {Step}
 */
const unit = {
  name: "unit",
  env: { PROPERTY_SEED: String(Number.parseInt(sourceHash().slice(0, 7), 16)) },
  args: [TOOLS.vitest, "run", "--reporter=default", "--reporter=json", `--outputFile.json=${unitReport}`],
  count: fromReport("unit.json", (report) => {
    for (const { name, assertionResults } of report.testResults)
      for (const { title, duration } of assertionResults)
        said.took.push({ name: `${relative(ROOT, name)}: ${title}`, ms: duration ?? 0 });
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests,
      skipped: report.numPendingTests + report.numTodoTests,
    };
  }),
};
/**
 * Random histories of a device and a server. The seeds are always the same, so a failure is due to a change.
 * @type {Step}
 */
const simulation = {
  name: "simulation",
  args: [join("scripts", "simulation.mjs"), "--seeds", "80"],
  count: fromLastLine,
};
/** Of several devices of one user. @type {Step} */
const devices = {
  ...simulation,
  name: "devices",
  args: [...simulation.args.slice(0, 1), "--devices", "--seeds", "500"],
};
/** @type {Step} */
const vectors = { name: "vectors", args: [join("scripts", "vectors.mjs")], showsAll: true, count: fromLastLine };
/** @type {Step} */
const build = { name: "build", args: BUILD, count: asOne };
/** @type {Step} */
const size = { name: "size", args: [join("scripts", "size.mjs")], showsAll: true, count: asOne };
/**
 * The parts of Playwright's report that are read here.
 * @typedef {{ file: string, title: string, tests: { status: string, results: { duration: number }[] }[] }} Spec
 * @typedef {{ suites?: Suite[], specs?: Spec[] }} Suite
 */

/** @param {Suite[]} suites */
function noteSpecs(suites) {
  for (const { suites: inner = [], specs = [] } of suites) {
    for (const { file, title, tests } of specs) {
      const name = `${file}: ${title}`;
      said.took.push({
        name,
        ms: Math.max(...tests.flatMap(({ results }) => results.map(({ duration }) => duration))),
      });
      if (tests.some(({ status }) => status === "flaky")) said.flaky.push(name);
    }
    noteSpecs(inner);
  }
}

/** @param {Record<string, string>} browsers @returns {Step} */
const e2e = (browsers) => ({
  name: "e2e",
  args: [
    ...ENGINE_FOR_TESTS,
    ...[TOOLS.playwright, "test", "--config", join("tests", "e2e", "playwright.config.ts"), "--reporter=dot,json"],
    // A test that fails is run again, and named at the end: on a busy machine a browser may take too long.
    "--retries=2",
  ],
  env: { ...browsers, PLAYWRIGHT_JSON_OUTPUT_FILE: e2eReport },
  count: fromReport("e2e.json", ({ stats, errors, suites }) => {
    noteSpecs(suites);
    return {
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected + errors.length,
      skipped: stats.skipped,
    };
  }),
});

/** @type {Counts} */
const total = { passed: 0, failed: 0, skipped: 0 };

/**
 * Sums up a step and prints it: one line if all is well, else its whole output.
 * @param {string} name
 * @param {Counts} counts
 * @param {{ output: string, startedAtMs?: number, showsAll?: boolean | undefined }} shown
 */
function report(name, counts, { output, startedAtMs, showsAll = false }) {
  total.passed += counts.passed;
  total.failed += counts.failed;
  total.skipped += counts.skipped;
  const words = [`${counts.passed} passed`];
  if (counts.failed > 0) words.push(`${counts.failed} FAILED`);
  if (counts.skipped > 0) words.push(`${counts.skipped} skipped`);
  const took = startedAtMs === undefined ? "" : `  (${Math.round((performance.now() - startedAtMs) / 1000)} s)`;
  console.log(`${counts.failed > 0 ? "✗" : "✓"} ${name.padEnd(10)} ${words.join(", ")}${took}`);
  // Leave out the step's own line of totals.
  const lines = output.replace(CLOSING, "").trimEnd();
  if ((counts.failed > 0 || showsAll) && lines) console.log(lines.replace(/^/gm, "    "));
}

/**
 * Runs a step in a process group of its own, so that an interrupt ends all its child processes. No time limit: a slow
 * machine isn't broken, and a test that hangs is stopped by its runner.
 * @param {Step} step
 * @param {boolean} [isBeside] it takes the time that the browser leaves
 */
async function step({ name, args, env, showsAll, count }, isBeside = false) {
  const startedAtMs = performance.now();
  let group = 0;
  const began = (/** @type {number} */ pid) => {
    group = pid;
    running.add(pid);
    if (isBeside) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  };
  const { code, output } = await run(process.execPath, args, { env: { FORCE_COLOR: undefined, ...env }, began });
  running.delete(group);
  const ended = { code, output: output.trim() };
  const counts = count(ended);
  report(name, counts, { output: ended.output, startedAtMs, showsAll });
  return counts.failed === 0;
}

/** Runs steps one after the other, beside the browser. @param {Step[]} steps */
async function beside(...steps) {
  for (const one of steps) await step(one, true);
}

/** @param {string} name @param {string} why */
const notRun = (name, why) => report(name, { passed: 0, failed: 1, skipped: 0 }, { output: why });

async function all() {
  await ensurePackages();
  rmSync(REPORTS, { recursive: true, force: true });
  mkdirSync(REPORTS, { recursive: true });

  // Look for the browsers first, as installing them is mostly waiting.
  const browsers = browsersOrWhyNot();
  const isBuilt = await step(build);
  // Tests in the browser mostly wait, so the rest runs beside them, at a lower priority.
  const rest = Promise.all([beside(types, lint, unit), beside(format, simulation, devices, vectors)]);
  if (isBuilt) await step(size);
  else notRun("size", "Not measured: there is no build.");
  const { paths, why } = await browsers;
  if (paths === undefined) notRun("e2e", why);
  else if (isBuilt) await step(e2e(paths));
  else notRun("e2e", "Not run: there is no build.");
  await rest;
}

/**
 * Paths of the browsers, or why there are none; it doesn't throw, as other steps are running.
 * @returns {Promise<{ paths: Record<string, string>, why?: undefined } | { paths?: undefined, why: string }>}
 */
async function browsersOrWhyNot() {
  try {
    return { paths: await ensureTestBrowsers() };
  } catch (error) {
    if (error instanceof SetupError) return { why: error.message };
    return { why: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

try {
  await all();
} catch (error) {
  total.failed += 1;
  console.error(error instanceof SetupError ? error.message : error);
}
if (said.took.length > 0) console.log("\nThe slowest tests:");
for (const { name, ms } of said.took.sort((a, b) => b.ms - a.ms).slice(0, 5))
  console.log(`${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`);
for (const name of said.flaky) console.log(`! flaky, passed only when run again: ${name}`);
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed === 0 ? 0 : 1;
