// The inner loop: format, lint, types and unit tests of what changed, in under a minute. npm run check [-- --since REF] [--all]
// Changes are relative to the last commit, or to the one that --since names. --all: also tests of other folders.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensurePackages, withReadableErrors, run, SetupError, TOOLS } from "./setup.mjs";
import { ROOT } from "./source-hash.mjs";

/** Paths that git names, deleted ones left out. @param {string} command @param {...string} args */
function listed(command, ...args) {
  const output = execFileSync("git", [command, "-z", ...args], { cwd: ROOT, encoding: "utf8" });
  return output.split("\0").filter((path) => path !== "" && existsSync(join(ROOT, path)));
}

/** @param {string} since */
function changedSince(since) {
  try {
    const tracked = listed("diff", "--name-only", "--relative", since, "--");
    return [...new Set([...tracked, ...listed("ls-files", "--others", "--exclude-standard")])];
  } catch (error) {
    throw new SetupError(
      `git can't tell what changed since ${since}: ${error instanceof Error ? error.message : error}`,
    );
  }
}

/**
 * Runs a tool and prints its result in one line, followed by its whole output if it found something.
 * @param {string} name
 * @param {string[]} args
 */
async function step(name, args) {
  const startedAtMs = performance.now();
  const { code, output } = await run(process.execPath, args);
  console.log(`${code === 0 ? "✓" : "✗"} ${name.padEnd(8)} ${Math.round((performance.now() - startedAtMs) / 1_000)} s`);
  if (code !== 0) console.log(output.trim().replace(/^/gm, "    "));
  return code === 0;
}

/** @param {string[]} files */
const format = (files) => step("format", [TOOLS.oxfmt, "--check", "--no-error-on-unmatched-pattern", ...files]);

/** Lints files; eslint skips those that passed before and are unchanged. @param {string[]} files */
const lint = (files) => step("lint", [join("scripts", "lint.mjs"), ...files]);

/** Folders whose code no component can import, as the lint rules say: their changes can't change a component's types. */
const FAR_FROM_COMPONENTS = /^(?:src\/(?:hub|worker|sw|server|build)|tests|scripts)\//;

/** Checks types; those of the components only where the changed files can matter to them. @param {string[]} code */
const types = (code) =>
  step("types", [
    join("scripts", "types.mjs"),
    ...(code.every((path) => FAR_FROM_COMPONENTS.test(path)) ? ["--no-components"] : []),
  ]);

/** Folders of tests that a changed file belongs to: those of `src/hub` are in `tests/hub`. @param {string} file */
const testsOf = (file) => /^(?:src|tests)\/([^/]+)\//.exec(file)?.[1] ?? "repository";

/** Tests with a thousand topics over minutes of simulated time, which take longer than the rest of their folder. */
const LONG = ["tests/hub/back-at-once.test.ts", "tests/hub/many-topics.test.ts"];

/**
 * The tests that import changed files. Nearly all tests import the protocol indirectly, so without `isAll` only those
 * of the changed folders run, and long ones only if they were changed themselves.
 * @param {string[]} code
 * @param {boolean} isAll
 */
function unit(code, isAll) {
  const meant = new Set(code.map(testsOf));
  const folders = readdirSync(join(ROOT, "tests"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const others = isAll ? [] : folders.filter(({ name }) => !meant.has(name));
  const long = isAll ? [] : LONG.filter((file) => !code.includes(file));
  return step("unit", [
    ...[TOOLS.vitest, "related", "--run", "--passWithNoTests", "--reporter=dot"],
    ...others.map(({ name }) => `--exclude=tests/${name}/**`),
    ...long.map((file) => `--exclude=${file}`),
    ...code,
  ]);
}

/** What holds for the repository as a whole, and any change may break: pointers, imports, names, texts, breaks. */
const whole = () => step("whole", [TOOLS.vitest, "run", "--reporter=dot", join("tests", "repository")]);

await withReadableErrors(async () => {
  const { values } = parseArgs({
    options: { since: { type: "string", default: "HEAD" }, all: { type: "boolean", default: false } },
  });
  await ensurePackages();
  const files = changedSince(values.since);
  if (files.length === 0) {
    console.log(`Nothing has changed since ${values.since}.`);
    return;
  }
  console.log((await run(process.execPath, [join("scripts", "texts.mjs")])).output.trim());
  const code = files.filter((path) => /\.(?:ts|js|mjs|svelte)$/.test(path));
  // The type check takes longest and uses little more than one core, so everything else runs in parallel.
  const beside = async () => {
    const isFormatted = await format(files);
    const isClean = code.length === 0 || (await lint(code));
    const isTested = code.length === 0 || (await unit(code, values.all));
    return (await whole()) && isFormatted && isClean && isTested;
  };
  const results = await Promise.all([code.length === 0 || types(code), beside()]);
  process.exitCode = results.every(Boolean) ? 0 : 1;
});
